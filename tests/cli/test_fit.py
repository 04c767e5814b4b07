"""``dplda fit``: the topics that Python finds, from a file or a folder kept before; what may not be is refused."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest

import dplda
from dplda.cli import fit, main
from dplda.methods.base.problem import Problem
from dplda.methods.configurations.chain import spectral_methods
from dplda.methods.registry import parse_method

WORDS = ("tea", "milk", "sugar", "rain", "wind", "cloud")


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    corpus = dplda.simulate(
        n_documents=100, n_words=6, n_topics=2, alpha0=0.5, mean_length=20, seed=0
    )
    lines = [" ".join(np.repeat(WORDS, row)) for row in corpus.counts.toarray()]
    path = tmp_path / "documents.txt"
    path.write_text("\n".join(lines) + "\n")
    return path


def fitted(*words: object) -> int:
    return main.main(["fit", *map(str, words), "-k", "2", "--alpha0", "0.5"])


def test_topics_are_those_of_python_and_what_is_kept_is_fitted_again(
    documents: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, kept = tmp_path / "topics.json", tmp_path / "kept"
    assert fitted(documents, "--label", "public", "--out", out, "--folder", kept) == 0
    corpus = dplda.load(documents, label="public")
    expected = spectral_methods.fit_spectral(corpus, None, Problem(2, 0.5)).topics.words
    found = json.loads(out.read_text())
    assert found["guarantee"] == "Not private: no noise was added."
    for topic, row in zip(found["topics"], expected, strict=True):
        assert topic["words"] == {corpus.vocabulary[i]: p for i, p in enumerate(row) if p > 0}
    told = capsys.readouterr()
    assert f"100 documents, vocabulary of {corpus.n_words} words. Not private" in told.out
    assert "counting triples of words" in told.err

    table = tmp_path / "topics.csv"
    limits = ("--engine", "serial", "--memory-limit", "0.5")
    assert (
        fitted(kept, "--configuration", "adaptive", "--epsilon", "100", *limits, "--out", table)
        == 0
    )
    private = spectral_methods.fit_spectral(
        corpus, dplda.Plan("adaptive", 100.0), Problem(2, 0.5)
    ).topics.words
    for row in csv.DictReader(table.read_text().splitlines()):
        word = corpus.vocabulary.index(row["word"])
        assert float(row["probability"]) == private[int(row["topic"]) - 1, word]
    assert "This draw is simulated, for exploring only." in capsys.readouterr().out
    assert fitted(kept, "--method", "refined", "--epsilon", "100", *limits, "--out", table) == 0
    capsys.readouterr()
    for option, value in (("--label", "sensitive"), ("--n-words", "3"), ("--stop-words", "none")):
        assert fitted(kept, option, value, "--out", table) == 2, "they were kept as they were read"
        assert capsys.readouterr().err.startswith(
            f"dplda: {option} must be left out for a folder of counts"
        )
    words = tmp_path / "words.csv"
    words.write_text("tea\nmilk\nrain\n")
    for arguments in (
        (table,),
        (documents, "--words", words),
        (documents, f"--stop-words={words}"),
    ):
        written = arguments[-1] if len(arguments) == 1 else words
        assert fitted(*arguments, "--label", "public", "--out", written) == 2
        assert "another than those that are read" in capsys.readouterr().err
    assert fitted(kept, "--out", kept / "new.csv") == 2
    assert "outside the folder that is read" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--out", "t.json"), "--label must be given"),
        (("--out", "t.json", "--label", "sensitive"), "dplda release"),
        (("--out", "t.txt", "--label", "public"), "--out must be a file that ends in"),
        (("--out", "t.html", "--label", "public"), "--out must be a table"),
        (
            ("--out", "t.html", "--label", "public", "--method", "unheard-of"),
            "method must be one of",
        ),
        (("--out", "t.html", "--label", "public", "--epsilon", "-1"), "epsilon"),
        (("--out", "t.json", "--label", "public", "--words", "nowhere.txt"), "nowhere.txt"),
        (("--out", "t.json", "--label", "public", "--memory-limit", "1e-5"), "in 0.0 MB of memory"),
        (
            ("--out", "t.json", "--label", "public", "--memory-limit", "nan"),
            "--memory-limit must be a finite number",
        ),
        (
            ("--out", "t.json", "--label", "public", "--delta", "0.1"),
            "--delta must be left out without --epsilon",
        ),
        (("--out", "t.json", "--label", "public", "--engine", "spark"), "engine must be serial"),
        (
            ("--out", "t.json", "--label", "public", "--method", "adaptive"),
            "--epsilon must be given",
        ),
        (
            (
                "--out",
                "t.json",
                "--label",
                "public",
                "--method",
                "dp-vi",
                "--epsilon",
                "1",
                "--engine",
                "serial",
            ),
            "configuration",
        ),
        (
            ("--out", "t.json", "--label", "public", "--epsilon", "1"),
            "--method refined, or leave out --epsilon",
        ),
        (("--out", "nowhere/t.json", "--label", "public"), "No such file"),
        (
            ("--out", "/".join(["x" * 200] * 25) + ".json", "--label", "public"),
            "File name too long",
        ),
    ],
)
def test_what_may_not_be_is_refused_before_anything_is_computed(
    words: tuple[str, ...],
    said: str,
    documents: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch,
) -> None:
    monkeypatch.setattr(fit, "write", pytest.fail)
    assert fitted(documents, *words) == 2
    assert said in capsys.readouterr().err
    assert list(documents.parent.iterdir()) == [documents]


@pytest.mark.parametrize(
    "method", ["vi", "unigram", "unnoised-refined", "private-unigram", "dp-vi", "refined"]
)
def test_every_method_writes_a_table_and_only_noise_needs_an_epsilon(
    method: str, documents: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "topics.json"
    epsilon = (
        ()
        if not parse_method(method).needs_epsilon
        else ("--epsilon", "1" if method == "dp-vi" else "10")
    )
    assert fitted(documents, "--label", "public", "--method", method, *epsilon, "--out", out) == 0
    found = json.loads(out.read_text(), parse_constant=pytest.fail)["topics"]
    assert len(found) == 2
    assert all(topic["signal_share"] is None for topic in found), "none of them knows it"
    assert (
        fitted(
            documents,
            "--label",
            "public",
            "--method",
            method,
            *epsilon,
            "--out",
            out.with_suffix(".csv"),
        )
        == 0
    )
    assert ("rise above the noise" in capsys.readouterr().out) <= parse_method(method).needs_epsilon
    assert "nan" not in out.with_suffix(".csv").read_text()
    pages = [out.with_name(name) for name in ("report.html", "again.html")]
    for page in pages if epsilon else ():
        assert (
            fitted(documents, "--label", "public", "--method", method, *epsilon, "--out", page) == 0
        )
        assert "milk" in page.read_text()
        assert page.read_text() == pages[0].read_text()


def test_a_large_seed_is_taken_and_fixes_the_topics(documents: Path, tmp_path: Path) -> None:
    tables = []
    for seed in (2**32, 2**32, 2**32 + 1):
        out = tmp_path / "topics.csv"
        assert (
            fitted(documents, "--label", "public", "--method", "vi", "--seed", seed, "--out", out)
            == 0
        )
        tables.append(out.read_text())
    assert tables[0] == tables[1] != tables[2]
