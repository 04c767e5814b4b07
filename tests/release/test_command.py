"""``dplda release`` and ``dplda ledger``: from a file of documents to a released one, a canary never among it."""

from pathlib import Path

import numpy as np
import pytest

from dplda import cli
from dplda.release.artefact import SUFFIX

CANARY = "xylophonic"  # a word of one document, and of no vocabulary


@pytest.fixture
def letters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A file of documents with a canary in one, a list of words, and a folder for releases: arguments of a release."""
    monkeypatch.setenv("DPLDA_RELEASES", str(tmp_path / "releases"))
    rng = np.random.default_rng(0)
    words = np.array(["kettle", "milk", "sugar", "lemon", "spoon"])
    lines = [" ".join(rng.choice(words, 20, p=row)) for row in rng.dirichlet(np.full(5, 0.3), 500)]
    lines[7] += f" {CANARY}"
    (tmp_path / "letters.txt").write_text("\n".join(lines), "utf-8")
    (tmp_path / "words.txt").write_text("\n".join(words), "utf-8")
    given = [
        "--dataset",
        "mail",
        "--title",
        "tea",
        "--words",
        str(tmp_path / "words.txt"),
        "--method",
        "private-unigram",
    ]
    return ["release", str(tmp_path / "letters.txt"), *given, "--topics", "2", "--epsilon", "1", "--delta", "1e-6"]


def test_the_command_shows_a_price_and_releases_when_told_to(letters, tmp_path: Path, capsys) -> None:
    assert cli.main(letters) == 2
    assert "Declare it" in capsys.readouterr().err
    assert cli.main(["ledger", "declare", "mail", "--epsilon", "1.5"]) == 0
    assert cli.main(letters) == 1
    said = capsys.readouterr().out
    assert "It costs ε = 1 and δ = 1e-6 of 'mail'" in said
    assert "Nothing was released or charged" in said
    out = tmp_path / f"tea{SUFFIX}"
    assert cli.main([*letters, "--yes", "--out", str(out)]) == 0
    assert "Released." in capsys.readouterr().out
    assert cli.main([*letters, "--yes"]) == 0
    assert "it cost nothing" in capsys.readouterr().out
    assert cli.main(["ledger", "list"]) == 0
    assert "mail: ε = 0.5 of 1.5" in capsys.readouterr().out
    assert cli.main(["ledger", "verify"]) == 0
    assert cli.main(["report", str(out), "--out", str(tmp_path / "report.html")]) == 0
    assert "kettle" in (tmp_path / "report.html").read_text("utf-8")
    for action in (["show", "mail"], ["export"], ["lower", "mail", "--epsilon", "1.2"]):
        assert cli.main(["ledger", *action]) == 0
    everything = capsys.readouterr()
    assert CANARY not in everything.out + everything.err
    for path in tmp_path.rglob("*"):
        if path.is_file() and path.name != "letters.txt":
            assert CANARY.encode() not in path.read_bytes(), path.name


def test_a_restored_ledger_is_found_by_what_was_released_after_it(letters, tmp_path: Path, capsys) -> None:
    cli.main(["ledger", "declare", "mail", "--epsilon", "2"])
    ledger = tmp_path / "releases" / "ledger.sqlite"
    kept = ledger.read_bytes()
    assert cli.main([*letters, "--yes"]) == 0
    for part in tmp_path.glob("releases/ledger.sqlite-*"):
        part.unlink()
    ledger.write_bytes(kept)
    capsys.readouterr()
    assert cli.main(["ledger", "verify"]) == 1
    assert "was not paid for by this ledger" in capsys.readouterr().out


def test_errors_never_quote_a_document(letters, tmp_path: Path, capsys) -> None:
    cli.main(["ledger", "declare", "mail", "--epsilon", "2"])
    (tmp_path / "letters.txt").write_bytes(f"{CANARY} \xff".encode("latin-1"))
    assert cli.main([*letters, "--yes"]) == 2
    said = capsys.readouterr()
    assert CANARY not in said.out + said.err


def test_a_column_says_whose_documents_are_protected_together(letters, tmp_path: Path, capsys) -> None:
    cli.main(["ledger", "declare", "people", "--epsilon", "2", "--protects", "person"])
    lines = (tmp_path / "letters.txt").read_text("utf-8").splitlines()
    table = tmp_path / "letters.csv"
    table.write_text("who,text\n" + "\n".join(f"p{i // 5},{line}" for i, line in enumerate(lines)), "utf-8")
    asked_for = ["release", str(table), *letters[2:], "--text", "text", "--yes"]
    asked_for[asked_for.index("mail")] = "people"
    assert cli.main(asked_for) == 2
    assert "nothing says whose the documents are" in capsys.readouterr().err
    assert cli.main([*asked_for, "--person", "who"]) == 0
    said = capsys.readouterr().out
    assert "2 topics of 100 persons" in said
    assert "when all documents of one person are replaced" in said
    assert "p12" not in said
