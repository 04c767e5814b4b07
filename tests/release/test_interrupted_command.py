"""``dplda release`` and ``dplda ledger`` after a release was interrupted: what they say, and what it costs."""

from pathlib import Path
from unittest.mock import patch

import numpy as np
import pytest

from dplda.cli import main
from dplda.release.ledger.folder import Folder
from dplda.release.ledger.ledger import Ledger
from dplda.release.workflow.journal import progress
from tests.release.interrupted import Interrupted, n_charges

MARK = "nothing came of it yet: repeat the same request to finish it, at no further charge"


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A release of all of a budget, of letters over a word list."""
    monkeypatch.setenv("DPLDA_RELEASES", str(tmp_path / "releases"))
    words = np.array(["kettle", "milk", "sugar", "lemon", "spoon"])
    rng = np.random.default_rng(0)
    lines = [" ".join(rng.choice(words, 20)) for _ in range(300)]
    (tmp_path / "letters.txt").write_text("\n".join(lines), "utf-8")
    (tmp_path / "words.txt").write_text("\n".join(words), "utf-8")
    assert main.main(["ledger", "declare", "mail", "--epsilon", "1", "--delta", "1e-6"]) == 0
    dataset_options = [
        "--dataset",
        "mail",
        "--title",
        "tea",
        "--words",
        str(tmp_path / "words.txt"),
    ]
    method_options = [
        "--method",
        "private-unigram",
        "--topics",
        "2",
        "--epsilon",
        "1",
        "--delta",
        "1e-6",
    ]
    return ["release", str(tmp_path / "letters.txt"), *dataset_options, *method_options]


def interrupt(command: list[str]) -> None:
    """Release, and die after the only answer was counted."""
    honest = Ledger.note_kept

    def note_kept(ledger: Ledger, *arguments: str, **options: None) -> None:
        honest(ledger, *arguments, **options)
        raise Interrupted

    with patch.object(Ledger, "note_kept", note_kept), pytest.raises(Interrupted):
        main.main([*command, "--yes"])


def test_interrupted_release_is_marked_until_the_same_request_finishes_it(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Although nothing of the budget is left."""
    interrupt(command)
    assert main.main(["ledger", "show", "mail"]) == 0
    assert MARK in capsys.readouterr().out
    assert main.main(command) == 1
    output = capsys.readouterr().out
    assert "This release was interrupted after it was charged. Finishing it uses no more" in output
    assert "permanently" not in output
    assert main.main([*command, "--yes"]) == 0
    assert "from where it was interrupted. It was charged then, and not" in capsys.readouterr().out
    assert n_charges(Folder(tmp_path / "releases")) == 1
    assert main.main(["ledger", "show", "mail"]) == 0
    assert MARK not in capsys.readouterr().out
    assert main.main(["ledger", "verify"]) == 0


def test_interrupted_release_of_another_program_is_charged_again_if_there_is_room(
    command: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    interrupt(command)
    monkeypatch.setattr(progress, "source_version", lambda: "0.1.0+another")
    assert main.main(["ledger", "show", "mail"]) == 0
    assert "only the version of dplda that drew it can finish it" in capsys.readouterr().out
    assert main.main([*command, "--yes"]) == 2
    assert "this would cost" in capsys.readouterr().err


def test_journal_that_is_gone_is_said_by_the_ledger(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    interrupt(command)
    for path in (tmp_path / "releases").glob("*.journal"):
        path.unlink()
    assert main.main(["ledger", "show", "mail"]) == 0
    assert "the same request is charged again" in capsys.readouterr().out


def test_commands_after_an_interrupted_release_print_no_journal_secret(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Neither nonces nor digests of records are printed."""
    interrupt(command)
    (kept_entry,) = Ledger(Folder(tmp_path / "releases")).kept_entries("mail")
    for arguments in (["ledger", "show", "mail"], ["ledger", "verify"], command):
        main.main(arguments)
    output = capsys.readouterr().out
    assert not [part for part in kept_entry.detail.split('"') if len(part) > 32 and part in output]
