"""``dplda release`` and ``dplda ledger``: from a file of documents to a released one, a canary never among it."""

import builtins
import errno
import json
import re
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TextIO

import pytest

from dplda.cli import main
from dplda.release.artefact.released_file import (
    SUFFIX,
    read_release_file,
)
from dplda.release.ledger.folder import Folder, FolderError
from dplda.release.ledger.ledger import Ledger
from dplda.release.workflow.release_store import receipt_of
from tests.release.command_lines import CANARY, check_no_canary_on_disk, declare_mail


def test_release_command_without_a_budget_is_refused(letters, capsys) -> None:
    assert main.main(letters) == 2
    assert "Declare one: dplda" in capsys.readouterr().err


def test_release_command_without_consent_states_the_price(letters, capsys) -> None:
    assert main.main(["ledger", "declare", "mail", "--epsilon", "1.5"]) == 0
    assert main.main(letters) == 1
    output = capsys.readouterr().out
    assert "This uses 49% of the budget of “mail”, permanently (ε = 1, δ = 1e-6)." in output, (
        "of μ², rounded up"
    )
    assert (
        "its owner chose the word list, the method, k, α₀, ε and δ without looking at results"
        in output
    )
    assert "Nothing was released or charged" in output


def test_release_command_with_many_digits_rounds_the_price_up(letters, capsys) -> None:
    assert main.main(["ledger", "declare", "mail", "--epsilon", "1.5"]) == 0
    assert main.main(["1.2345649" if word == "1" else word for word in letters]) == 1
    output = capsys.readouterr().out
    assert "(ε = 1.24, δ = 1e-6)" in output, "never less than it is"
    assert "100% of the budget is left before this release, 28% after it." in output


def test_release_command_with_an_unknown_engine_is_refused(letters, capsys) -> None:
    declare_mail("1.5")
    assert main.main([*letters, "--yes", "--engine", "nobody"]) == 2
    assert "engine must be serial, threads, joblib, dask" in capsys.readouterr().err


def test_release_command_after_consent_charges_once(letters, tmp_path: Path, capsys) -> None:
    declare_mail("1.5")
    out = tmp_path / f"tea{SUFFIX}"
    assert main.main([*letters, "--yes", "--out", str(out), "--engine", "serial"]) == 0
    assert "Released." in capsys.readouterr().out
    assert main.main([*letters, "--yes"]) == 0
    assert "costs nothing" in capsys.readouterr().out
    assert main.main(["ledger", "show"]) == 0
    assert "mail: ε = 1." in capsys.readouterr().out
    assert main.main(["ledger", "verify"]) == 0


def test_commands_after_a_release_show_nothing_of_the_documents(
    letters, tmp_path: Path, capsys
) -> None:
    """Hashes of entries, of the request and of documents hang on the documents."""
    declare_mail("1.5")
    out, report = tmp_path / f"tea{SUFFIX}", tmp_path / "report.html"
    assert main.main([*letters, "--yes", "--out", str(out)]) == 0
    assert main.main(["report", str(out), "--out", str(report)]) == 0
    assert "kettle" in report.read_text("utf-8")
    for action in (["show", "mail"], ["lower", "mail", "--epsilon", "1.2"]):
        assert main.main(["ledger", *action]) == 0
    printed = capsys.readouterr()
    entries = Ledger(Folder(tmp_path / "releases")).entries()
    all_hashes = {
        text
        for entry in entries
        for text in (entry.hash, *re.findall("[0-9a-f]{32,}", entry.detail))
    }
    private_hashes = all_hashes - {receipt_of(entry) for entry in entries}
    assert len(private_hashes) > len(entries)
    assert not [text for text in private_hashes if text in printed.out]
    assert CANARY not in printed.out + printed.err
    check_no_canary_on_disk(tmp_path)


def test_copy_given_out_holds_nothing_but_the_release(letters, tmp_path: Path) -> None:
    """Keys that no reader knows are outside of all checksums."""
    main.main(["ledger", "declare", "mail", "--epsilon", "1.5"])
    out, second_out = tmp_path / f"tea{SUFFIX}", tmp_path / f"again{SUFFIX}"
    assert main.main([*letters, "--yes", "--out", str(out)]) == 0
    (kept_file,) = (tmp_path / "releases").glob(f"*{SUFFIX}")
    kept_file.write_text(json.dumps({**json.loads(kept_file.read_bytes()), "smuggled": CANARY}))
    assert main.main([*letters, "--yes", "--out", str(second_out)]) == 0
    assert second_out.read_bytes() == out.read_bytes()


def test_show_does_not_tell_whether_a_document_changed_between_two_charges(
    letters, tmp_path: Path, capsys
) -> None:
    shown_by_change = {}
    for is_changed in (False, True):
        name = f"mail {is_changed}"
        main.main(["ledger", "declare", name, "--epsilon", "3", "--delta", "1e-5"])
        own_arguments = [name if word == "mail" else word for word in letters]
        assert main.main([*own_arguments, "--yes"]) == 0
        text = (tmp_path / "letters.txt").read_text("utf-8")
        (tmp_path / "letters.txt").write_text(f"{text} lemon" if is_changed else text, "utf-8")
        assert main.main([*own_arguments, "--alpha0", "2", "--yes"]) == 0
        capsys.readouterr()
        assert main.main(["ledger", "show", name]) == 0
        shown_by_change[is_changed] = [
            line.split()[2] for line in capsys.readouterr().out.splitlines()[1:]
        ]
        shutil.rmtree(tmp_path / "releases")
    assert (
        shown_by_change[True]
        == shown_by_change[False]
        == ["declared", "documents", "charged", "documents", "charged"]
    )


def test_verify_command_after_a_restored_backup_names_unpaid_releases(
    letters, tmp_path: Path, capsys
) -> None:
    main.main(["ledger", "declare", "mail", "--epsilon", "2", "--delta", "1e-5"])
    releases, out = tmp_path / "releases", tmp_path / f"tea{SUFFIX}"
    shutil.copytree(releases, tmp_path / "kept")
    assert main.main([*letters, "--yes", "--out", str(out)]) == 0
    assert main.main([*letters, "--alpha0", "2", "--yes"]) == 0
    assert main.main(["ledger", "verify", str(out)]) == 0
    for part in releases.glob("ledger.sqlite-*"):
        part.unlink()
    shutil.copy(tmp_path / "kept" / "ledger.sqlite", releases)
    capsys.readouterr()
    assert main.main(["ledger", "verify"]) == 1
    output = capsys.readouterr().out
    assert "was not paid for by this ledger" in output
    assert "this is an old copy of the ledger" in output
    shutil.rmtree(releases)
    (tmp_path / "kept").rename(releases)
    assert main.main(["ledger", "verify"]) == 0
    assert main.main(["ledger", "verify", str(out)]) == 1
    assert f"{out.name} was not paid for by this ledger" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "reason"), [("x" * 300, "too long"), ("none", "No such file"), (".", "is a folder")]
)
def test_verify_command_of_a_file_that_cannot_be_opened_gives_the_reason(
    name: str, reason: str, tmp_path: Path, capsys, monkeypatch
) -> None:
    monkeypatch.setenv("DPLDA_RELEASES", str(tmp_path / "releases"))
    assert main.main(["ledger", "verify", str(tmp_path / name)]) == 1
    output = capsys.readouterr().out
    assert reason in output
    assert "damaged" not in output


def no_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder takes everything but a released file."""
    write = Folder.write

    def full(folder: Folder, name: str, content: bytes, *, room: Path | None = None) -> Path:
        if name.endswith(SUFFIX):
            raise FolderError("full")
        return write(folder, name, content, room=room)

    monkeypatch.setattr(Folder, "write", full)


def test_release_command_with_an_unwritable_copy_is_refused_uncharged(
    letters, tmp_path: Path, capsys, monkeypatch
) -> None:
    """And takes what the folder has no room for."""
    main.main(["ledger", "declare", "mail", "--epsilon", "2"])
    assert main.main([*letters, "--yes", "--out", str(tmp_path / "nowhere" / "tea")]) == 2
    assert "No such file" in capsys.readouterr().err
    assert Ledger(Folder(tmp_path / "releases")).balance("mail").added_up == (0, 0)
    out = tmp_path / f"tea{SUFFIX}"
    no_room(monkeypatch)
    monkeypatch.setattr(builtins, "print", deaf(print))
    assert main.main([*letters, "--yes", "--out", str(out)]) == 0
    assert read_release_file(out).documents == "tea"


def test_release_command_on_a_full_disk_names_where_the_release_lies(
    letters, tmp_path: Path, capsys, monkeypatch
) -> None:
    """Room enough when it is tried beforehand, none for the copy; then for nothing but a temporary folder."""
    main.main(["ledger", "declare", "mail", "--epsilon", "3", "--delta", "1e-5"])
    out = tmp_path / f"tea{SUFFIX}"
    out.write_text("older")
    write_bytes = Path.write_bytes

    def full(path: Path, content: bytes) -> int:
        if path.parent == tmp_path:
            raise OSError(errno.ENOSPC, "No space left on device")
        return write_bytes(path, content)

    monkeypatch.setattr(Path, "write_bytes", full)
    assert main.main([*letters, "--yes", "--out", str(out)]) == 2
    output = capsys.readouterr()
    (kept_file,) = (tmp_path / "releases").glob(f"*{SUFFIX}")
    assert f"File: {kept_file}" in output.out
    assert f"{out.name}: No space left" in output.err
    assert read_release_file(kept_file).documents == "tea"
    assert out.read_text() == "older"
    assert main.main([*letters, "--yes", "--out", str(out)]) == 2
    assert "costs nothing" in capsys.readouterr().out

    monkeypatch.chdir(tmp_path)
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "elsewhere"))
    no_room(monkeypatch)
    other_arguments = ["1.5" if word == "1" else word for word in letters]
    assert main.main([*other_arguments, "--yes", "--out", str(out)]) == 0
    (rescued,) = (tmp_path / "elsewhere").glob(f"*{SUFFIX}")
    assert (
        f"ε = 1.5 was charged. The release folder is full, so the release is here: {rescued}."
        in capsys.readouterr().out
    )
    assert read_release_file(rescued).guarantee.epsilon == 1.5


def deaf(original_print: Callable[..., None]) -> Callable[..., None]:
    """Nobody reads how far it is."""

    def print_or_fail(*args: object, flush: bool = False, **options: TextIO) -> None:
        if flush:
            raise BrokenPipeError
        original_print(*args, **options)

    return print_or_fail


def test_errors_never_quote_a_document(letters, tmp_path: Path, capsys) -> None:
    main.main(["ledger", "declare", "mail", "--epsilon", "2"])
    (tmp_path / "letters.txt").write_bytes(f"{CANARY} \xff".encode("latin-1"))
    assert main.main([*letters, "--yes"]) == 2
    output = capsys.readouterr()
    assert CANARY not in output.out + output.err
