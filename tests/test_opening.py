"""Paths: regular files are opened, everything else is refused at once and in plain words."""

import os
import socket
from pathlib import Path

import pytest

from dplda import cli, opening
from dplda.corpus import Label, load
from dplda.errors import DpldaError, InputError, ReadError
from dplda.sweeps.sources import FileSource, content_of


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


@pytest.mark.timeout(20)
def test_what_is_no_regular_file_is_refused_at_once(odd, tmp_path) -> None:
    for said, path in odd.items():
        with pytest.raises(ReadError, match=said) as caught:
            load(path, label=Label.PUBLIC)
        assert str(tmp_path) not in str(caught.value)
        assert caught.value.fix
        with pytest.raises(ReadError, match=said):
            content_of(FileSource(str(path), label=Label.PUBLIC))


@pytest.mark.parametrize("path", ["a\0b.txt", "\ud800.txt", b"bytes.txt", 3, None, 1.5])
def test_what_is_no_path_is_refused(path) -> None:
    with pytest.raises(InputError, match="the path of a file must be"):
        load(path, label=Label.PUBLIC)


def test_a_file_that_the_system_will_not_read_is_refused() -> None:
    if not Path("/proc/self/mem").exists():
        pytest.skip("no such file here")
    with pytest.raises(ReadError, match=r"^mem: ") as caught:
        load("/proc/self/mem", label=Label.PUBLIC)
    assert caught.value.fix


def test_an_empty_path_and_an_empty_list_are_refused() -> None:
    with pytest.raises(DpldaError):
        load("", label=Label.PUBLIC)
    with pytest.raises(InputError, match="at least one file"):
        load([], label=Label.PUBLIC)


def test_another_label_is_refused_before_anything_is_read() -> None:
    with pytest.raises(InputError, match="label must be simulated, public or sensitive"):
        load("missing.txt", label="bogus")


def test_names_are_shown_without_what_does_not_print() -> None:
    assert opening.file_name("/a/b\x1b[31m\n.txt") == "b?[31m?.txt"


@pytest.mark.timeout(60)
def test_the_command_line_does_not_wait_for_a_pipe(odd, tmp_path, capsys) -> None:
    pipe = str(tmp_path / "pipe.txt")
    asked = ["report", pipe, "--out", str(tmp_path / "out.html"), "--label", "public", "--epsilon", "1"]
    assert cli.main(asked) == 2
    assert cli.main([*asked[:1], __file__, *asked[2:], "--words", pipe]) == 2
    assert cli.main(["sweep", pipe]) == 2
    assert capsys.readouterr().err.count("this is a pipe, not a file") == 3


def test_a_small_text_is_read_and_a_large_or_broken_one_refused(tmp_path, monkeypatch) -> None:
    path = tmp_path / "words.txt"
    path.write_bytes(b"\xef\xbb\xbftea\n")
    assert opening.text_of(path) == "tea\n"
    path.write_bytes(b"tea \xe9")
    with pytest.raises(ReadError, match=r"words\.txt, byte 4: this is not UTF-8"):
        opening.text_of(path)
    monkeypatch.setattr(opening, "LARGEST_TEXT", 4)
    with pytest.raises(ReadError, match="more than 4 bytes"):
        opening.text_of(path)
