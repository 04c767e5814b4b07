"""``dplda report`` from a file of documents to a page."""

import numpy as np
import pytest

from dplda.cli import main


@pytest.fixture
def documents(tmp_path):
    rng = np.random.default_rng(0)
    words = np.array(["green", "black", "white", "milk", "sugar", "lemon", "kettle", "saucer", "spoon", "cup"])
    mixed = rng.dirichlet([0.3, 0.3], 2000) @ rng.dirichlet(np.full(10, 0.3), 2)
    lines = [" ".join(rng.choice(words, 30, p=row)) for row in mixed]
    path = tmp_path / "tea.txt"
    path.write_text("\n".join(lines), "utf-8")
    return path


def command(documents, out, *more: str, label: str = "public") -> int:
    arguments = ["report", str(documents), "--out", str(out), "--label", label, "--epsilon", "5", "--topics", "2"]
    return main.main([*arguments, *more])


def test_a_file_of_documents_becomes_a_page(documents, tmp_path, capsys) -> None:
    listed, out = tmp_path / "words.txt", tmp_path / "report.html"
    listed.write_text("kettle\nmilk\nsugar\nlemon\nspoon\n", "utf-8")
    assert command(documents, out, "--words", str(listed)) == 0
    assert "2,000 documents, 5 words" in capsys.readouterr().out
    page = out.read_text("utf-8")
    assert page.startswith("<!DOCTYPE html>")
    assert "kettle" in page
    assert "green" not in page
    assert command(documents, tmp_path / "again.html", "--words", str(listed)) == 0
    assert (tmp_path / "again.html").read_text("utf-8") == page


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--method", "unnoised"), "un-noised"),
        (("--method", "unheard-of"), "method must be one of"),
        (("--epsilon", "-1"), "epsilon"),
        (("--words", "nowhere.txt"), "nowhere.txt"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(more, said, documents, tmp_path, capsys) -> None:
    out = tmp_path / "report.html"
    assert command(documents, out, *more) == 2
    assert said in capsys.readouterr().err
    assert not out.exists()


def test_sensitive_documents_have_no_report(documents, tmp_path, capsys) -> None:
    assert command(documents, tmp_path / "report.html", label="sensitive") == 2
    assert "sensitive" in capsys.readouterr().err
    assert command(documents, tmp_path / "none" / "report.html") == 2
    assert list(tmp_path.iterdir()) == [documents]
