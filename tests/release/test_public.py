"""What the public is shown of a release is a function of one file, whatever documents lie beside it."""

from pathlib import Path

import pytest

from dplda.cli import main
from dplda.corpus import Corpus
from dplda.release.artefact.released_file import SUFFIX
from dplda.release.ledger.folder import VARIABLE, Folder
from dplda.release.ledger.ledger import Ledger
from dplda.release.workflow.perform import release
from tests.release.conftest import asked

CANARY = "zanzibarcanary"


HANDOUTS = {
    "--out": "report.html",
    "--card": "card.svg",
    "--officer": "officer.html",
    "--record": "record.yaml",
}


def shown(
    folder: Path, file: bytes, other_document: str | None, monkeypatch: pytest.MonkeyPatch
) -> tuple[bytes, ...]:
    """What is handed out with a released file beside documents and a ledger, or beside nothing."""
    folder.mkdir()
    (folder / f"letters{SUFFIX}").write_bytes(file)
    monkeypatch.setenv(VARIABLE, str(folder / "ledger"))
    monkeypatch.chdir(folder)
    if other_document is not None:
        (folder / "letters.txt").write_text(other_document, "utf-8")
        Ledger(Folder(folder / "ledger")).declare(
            "mail", epsilon=float(len(other_document)), delta=1e-5
        )
    contents_before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    options = [text for option in HANDOUTS.items() for text in option]
    assert main.main(["report", f"letters{SUFFIX}", *options]) == 0
    handouts = [folder / name for name in HANDOUTS.values()]
    contents_after = {
        path: path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path not in handouts
    }
    assert contents_after == contents_before, "nothing is charged, and nothing else written"
    return tuple(path.read_bytes() for path in handouts)


def test_public_pages_of_a_release_are_independent_of_documents_beside_it(
    corpus: Corpus, folder: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = release(corpus, asked("private-unigram"), folder).path.read_bytes()
    texts_by_folder = {"one": CANARY, "other": f"{CANARY} tea", "none": None}
    pages = {
        shown(tmp_path / name, file, text, monkeypatch) for name, text in texts_by_folder.items()
    }
    assert len(pages) == 1
    assert not any(CANARY.encode() in page for page in pages.pop())


def test_report_command_without_anything_to_write_is_refused(tmp_path: Path, capsys) -> None:
    assert main.main(["report", str(tmp_path / f"any{SUFFIX}")]) == 2
    assert "--card" in capsys.readouterr().err


def test_report_command_of_a_missing_file_is_refused(tmp_path: Path, capsys) -> None:
    out = tmp_path / "report.html"
    assert main.main(["report", str(tmp_path / f"nothing{SUFFIX}"), "--out", str(out)]) == 2
    assert f"nothing{SUFFIX}" in capsys.readouterr().err
    assert not out.exists()
