"""``dplda fit``: the topics that Python finds, from a file or a folder kept before; what may not be is refused."""

import csv
import json
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dplda
from dplda.cli import fit, main
from dplda.corpus.corpus import Corpus
from dplda.methods.base.problem import Problem
from dplda.methods.configurations.chain import spectral_methods
from dplda.methods.registry import parse_method

WORDS = ("tea", "milk", "sugar", "rain", "wind", "cloud")


LIMITS = ("--engine", "serial", "--memory-limit", "0.5")


@dataclass(frozen=True)
class FirstFit:
    """A fit by the command: what it read, wrote and printed.

    Attributes:
        corpus: The documents, read by Python.
        written: Content of the written table of topics.
        kept_counts: Folder with the counts that the command kept.
        output: Text on standard output.
        log: Text on standard error.
    """

    corpus: Corpus
    written: dict[str, Any]
    kept_counts: Path
    output: str
    log: str


def write_documents(folder: Path) -> Path:
    """A file of 100 simulated documents."""
    corpus = dplda.simulate(
        n_documents=100, n_words=6, n_topics=2, alpha0=0.5, mean_length=20, seed=0
    )
    lines = [" ".join(np.repeat(WORDS, row)) for row in corpus.counts.toarray()]
    path = folder / "documents.txt"
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    return write_documents(tmp_path)


def fitted(*words: object) -> int:
    return main.main(["fit", *map(str, words), "-k", "2", "--alpha0", "0.5"])


@pytest.fixture(scope="module")
def first_fit(tmp_path_factory: pytest.TempPathFactory) -> FirstFit:
    """One fit of the documents, which also kept their counts in a folder."""
    folder = tmp_path_factory.mktemp("first fit")
    documents = write_documents(folder)
    table, kept_counts = folder / "topics.json", folder / "kept"
    with redirect_stdout(StringIO()) as output, redirect_stderr(StringIO()) as log:
        status = fitted(documents, "--label", "public", "--out", table, "--folder", kept_counts)
    assert status == 0
    return FirstFit(
        dplda.load(documents, label="public"),
        json.loads(table.read_text()),
        kept_counts,
        output.getvalue(),
        log.getvalue(),
    )


def test_fit_without_noise_writes_the_topics_of_python(first_fit: FirstFit) -> None:
    corpus, written_topics = first_fit.corpus, first_fit.written
    expected = spectral_methods.fit_spectral(corpus, None, Problem(2, 0.5)).topics.words
    assert written_topics["guarantee"] == "Not private: no noise was added."
    for topic, row in zip(written_topics["topics"], expected, strict=True):
        assert topic["words"] == {corpus.vocabulary[i]: p for i, p in enumerate(row) if p > 0}


def test_fit_prints_its_corpus_before_its_steps(first_fit: FirstFit) -> None:
    n_words = first_fit.corpus.n_words
    assert f"100 documents, vocabulary of {n_words} words. Not private" in first_fit.output
    assert "counting triples of words" in first_fit.log


def test_fit_of_kept_counts_writes_the_private_topics_of_python(
    first_fit: FirstFit, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table, corpus = tmp_path / "topics.csv", first_fit.corpus
    private = ("--configuration", "adaptive", "--epsilon", "100")
    assert fitted(first_fit.kept_counts, *private, *LIMITS, "--out", table) == 0
    plan = dplda.Plan("adaptive", 100.0)
    expected = spectral_methods.fit_spectral(corpus, plan, Problem(2, 0.5)).topics.words
    for row in csv.DictReader(table.read_text().splitlines()):
        word = corpus.vocabulary.index(row["word"])
        assert float(row["probability"]) == expected[int(row["topic"]) - 1, word]
    assert "This draw is simulated, for exploring only." in capsys.readouterr().out


def test_fit_of_kept_counts_takes_another_method(first_fit: FirstFit, tmp_path: Path) -> None:
    refined = ("--method", "refined", "--epsilon", "100")
    table = tmp_path / "topics.csv"
    assert fitted(first_fit.kept_counts, *refined, *LIMITS, "--out", table) == 0


@pytest.mark.parametrize(
    ("option", "value"), [("--label", "sensitive"), ("--n-words", "3"), ("--stop-words", "none")]
)
def test_fit_of_kept_counts_refuses_options_of_reading(
    option: str,
    value: str,
    first_fit: FirstFit,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    table = tmp_path / "topics.csv"
    assert fitted(first_fit.kept_counts, option, value, "--out", table) == 2
    refusal = f"dplda: {option} must be left out for a folder of counts"
    assert capsys.readouterr().err.startswith(refusal)


def test_fit_into_a_file_that_is_read_is_refused(
    documents: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table, words = tmp_path / "topics.csv", tmp_path / "words.csv"
    table.write_text("topic,word\n1,tea\n")
    words.write_text("tea\nmilk\nrain\n")
    for arguments, out_file in (
        ((table,), table),
        ((documents, "--words", words), words),
        ((documents, f"--stop-words={words}"), words),
    ):
        assert fitted(*arguments, "--label", "public", "--out", out_file) == 2
        assert "another than those that are read" in capsys.readouterr().err


def test_fit_into_the_folder_that_is_read_is_refused(
    first_fit: FirstFit, capsys: pytest.CaptureFixture[str]
) -> None:
    kept_counts = first_fit.kept_counts
    assert fitted(kept_counts, "--out", kept_counts / "new.csv") == 2
    assert "outside the folder that is read" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "reason"),
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
def test_fit_command_with_unusable_arguments_writes_nothing(
    words: tuple[str, ...],
    reason: str,
    documents: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch,
) -> None:
    monkeypatch.setattr(fit, "write", pytest.fail)
    assert fitted(documents, *words) == 2
    assert reason in capsys.readouterr().err
    assert list(documents.parent.iterdir()) == [documents]


@pytest.mark.parametrize(
    "method", ["vi", "unigram", "unnoised-refined", "private-unigram", "dp-vi", "refined"]
)
def test_fit_of_every_method_writes_its_topics(
    method: str, documents: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "topics.json"
    epsilon = (
        ()
        if not parse_method(method).needs_epsilon
        else ("--epsilon", "1" if method == "dp-vi" else "10")
    )
    assert fitted(documents, "--label", "public", "--method", method, *epsilon, "--out", out) == 0
    written_topics = json.loads(out.read_text(), parse_constant=pytest.fail)["topics"]
    assert len(written_topics) == 2
    assert all(topic["signal_share"] is None for topic in written_topics), "none of them knows it"
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


def test_fit_with_a_large_seed_repeats_its_topics(documents: Path, tmp_path: Path) -> None:
    tables = []
    for seed in (2**32, 2**32, 2**32 + 1):
        out = tmp_path / "topics.csv"
        assert (
            fitted(documents, "--label", "public", "--method", "vi", "--seed", seed, "--out", out)
            == 0
        )
        tables.append(out.read_text())
    assert tables[0] == tables[1] != tables[2]
