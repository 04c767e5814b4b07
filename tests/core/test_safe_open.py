"""Paths: regular files are opened, everything else is refused at once and in plain words."""

import errno
import os
import pwd
import socket
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from dplda.cli import main
from dplda.core import safe_open
from dplda.core.errors import InputError, ReadError
from dplda.corpus import Label, load
from dplda.experiments.sources import FileSource, content_of


@pytest.fixture
def odd(tmp_path: Path) -> dict[str, Path]:
    """One of each that is no regular file."""
    os.mkfifo(tmp_path / "pipe.txt")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "socket.txt"))
    (tmp_path / "to-pipe.txt").symlink_to(tmp_path / "pipe.txt")
    (tmp_path / "round.txt").symlink_to(tmp_path / "round.txt")
    return {
        "a pipe, not a file": tmp_path / "pipe.txt",
        "a pipe": tmp_path / "to-pipe.txt",
        "a device, not a file": Path("/dev/zero"),
        "a device": Path("/dev/null"),
        "No such device": tmp_path / "socket.txt",
        "symbolic links": tmp_path / "round.txt",
        "No such file": tmp_path / "none.txt",
        "Not a directory": Path(__file__) / "x.txt",
        "File name too long": tmp_path / ("x" * 300),
    }


@pytest.mark.timeout(120)
def test_opening_something_other_than_a_file_is_refused_at_once(odd, tmp_path) -> None:
    for kind, path in odd.items():
        with pytest.raises(ReadError, match=kind) as caught:
            load(path, label=Label.PUBLIC)
        assert str(tmp_path) not in str(caught.value)
        assert caught.value.fix
        with pytest.raises(ReadError, match=kind):
            content_of(FileSource(str(path), label=Label.PUBLIC))


@pytest.mark.parametrize("path", ["/proc/kmsg", "/proc/self/environ", "/proc/version"])
@pytest.mark.timeout(20)
def test_data_that_the_system_makes_up_is_refused_without_waiting(path) -> None:
    if not os.path.isfile(path):
        pytest.skip("not on this system")
    with pytest.raises(ReadError, match="made up by the system"):
        load(path, label=Label.PUBLIC)
    with pytest.raises(ReadError, match="made up by the system"):
        safe_open.text_of(path)


def test_opening_an_empty_file_gives_an_empty_text(tmp_path) -> None:
    path = tmp_path / "empty.txt"
    path.touch()
    assert safe_open.text_of(path) == ""


@pytest.mark.parametrize("path", ["a\0b.txt", "\ud800.txt", b"bytes.txt", 3, None, 1.5])
def test_opening_something_other_than_a_path_is_refused(path) -> None:
    with pytest.raises(InputError, match="the path of a file must be"):
        load(path, label=Label.PUBLIC)


def test_text_with_a_byte_order_mark_is_read_without_it(tmp_path) -> None:
    path = tmp_path / "words.txt"
    path.write_bytes(b"\xef\xbb\xbftea\n")
    assert safe_open.text_of(path) == "tea\n"


def test_text_with_broken_utf8_is_refused_at_its_byte(tmp_path) -> None:
    path = tmp_path / "words.txt"
    path.write_bytes(b"tea \xe9")
    with pytest.raises(ReadError, match=r"words\.txt, byte 4: this is not UTF-8"):
        safe_open.text_of(path)


def test_text_above_the_size_limit_is_refused(tmp_path, monkeypatch) -> None:
    path = tmp_path / "words.txt"
    path.write_bytes(b"tea \xe9")
    monkeypatch.setattr(safe_open, "LARGEST_TEXT", 4)
    with pytest.raises(ReadError, match="more than 4 bytes"):
        safe_open.text_of(path)


def test_system_error_of_opening_becomes_one_error_of_ours() -> None:
    full = OSError(errno.ENOSPC, "No space left on device")
    assert str(safe_open.refusal(full)).startswith("input or output: No space left on device.")
    system_error = PermissionError(errno.EACCES, "Permission denied", "/secret/folder/tea.txt")
    assert str(safe_open.refusal(system_error)) == "tea.txt: Permission denied. Check the path."
    assert "nested too deep" in str(safe_open.refusal(RecursionError("words of a document")))
    assert "not enough" in str(safe_open.refusal(MemoryError("words of a document")))


def test_folders_deeper_than_pythons_stack_are_read(tmp_path) -> None:
    """They are made and taken away by programs that know no limit."""
    deepest = tmp_path / Path("a/" * 1500)
    subprocess.run(["mkdir", "-p", deepest], check=True)
    (deepest / "cups.txt").write_text("tea milk tea\nmilk tea milk\ntea tea milk\n")
    assert load(tmp_path, label=Label.PUBLIC).n_documents == 3
    subprocess.run(["rm", "-rf", tmp_path / "a"], check=True)


def test_writing_that_fails_leaves_the_older_file(tmp_path, monkeypatch) -> None:
    path, link = tmp_path / "topics.json", tmp_path / "link.json"
    safe_open.write(path, "old")
    path.chmod(0o640)
    link.symlink_to(path)
    safe_open.write(link, "new ε")
    assert path.read_text("utf-8") == "new ε"
    assert link.is_symlink()
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    monkeypatch.setattr(Path, "write_bytes", _full)
    with pytest.raises(ReadError, match=r"topics\.json: No space left on device"):
        safe_open.write(path, "newer")
    assert path.read_text("utf-8") == "new ε"
    assert sorted(tmp_path.iterdir()) == [link, path]


def _full(path: Path, content: bytes) -> None:
    with path.open("wb") as file:
        file.write(content[:1])
    raise OSError(errno.ENOSPC, "No space left on device")


def test_device_that_is_written_to_stays_a_device() -> None:
    safe_open.write(Path(os.devnull), b"tea")
    safe_open.check_writable(Path(os.devnull))
    assert stat.S_ISCHR(Path(os.devnull).stat().st_mode)


def test_place_that_cannot_be_written_is_found_before(tmp_path) -> None:
    safe_open.check_writable(tmp_path / "new.json")
    assert not list(tmp_path.iterdir())
    for path in (
        tmp_path,
        tmp_path / "none" / "new.json",
        tmp_path / ("x" * 300),
        Path("/".join(["x" * 200] * 25)),
    ):
        with pytest.raises(ReadError):
            safe_open.check_writable(path)
    for writes in (safe_open.check_writable, lambda path: safe_open.write(path, "")):
        with pytest.raises(InputError, match="zero characters"):
            writes(Path("a\0.json"))


def test_read_without_home_names_the_cache_setting(tmp_path, monkeypatch, capsys) -> None:
    for name in ("HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "DPLDA_CACHE", "DPLDA_RELEASES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(pwd, "getpwuid", {}.__getitem__)
    documents = tmp_path / "cups.txt"
    documents.write_text("tea milk tea\nmilk tea milk\ntea tea milk\n")
    assert main.main(["read", str(documents)]) == 0
    assert "set another folder in DPLDA_CACHE" in capsys.readouterr().err


def test_ledger_without_home_names_the_releases_setting(monkeypatch, capsys) -> None:
    for name in ("HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "DPLDA_CACHE", "DPLDA_RELEASES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(pwd, "getpwuid", {}.__getitem__)
    assert main.main(["ledger", "show"]) == 2
    assert "set DPLDA_RELEASES" in capsys.readouterr().err


@pytest.mark.parametrize(
    "command", [["read"], ["fit", "--label", "public", "-k", "2", "--out", "t.json"]]
)
@pytest.mark.timeout(240)
def test_full_standard_output_is_refused_in_a_sentence(command, tmp_path) -> None:
    documents = tmp_path / "cups.txt"
    documents.write_text(
        "tea milk tea\nmilk tea milk\ntea tea milk\nsugar tea milk\nmilk sugar tea\n" * 20
    )
    with Path("/dev/full").open("w") as full:
        ended = subprocess.run(
            [sys.executable, "-m", "dplda", command[0], str(documents), *command[1:]],
            cwd=tmp_path,
            env=os.environ | {"PYTHONPATH": str(Path(__file__).resolve().parents[2])},
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert ended.returncode == 2
    assert "No space left on device" in ended.stderr.splitlines()[-1]
    assert "Traceback" not in ended.stderr
    assert (tmp_path / "t.json").exists() is (command[0] == "fit"), (
        "topics are written before anything is said"
    )
