"""``dplda fit``: the topics that Python finds, from a file or a folder kept before; what may not be is refused."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest

import dplda
from dplda.cli import main
from dplda.cli.fit import size_of
from dplda.cli.reading_options import ReadOptions
from dplda.core.errors import InputError
from dplda.corpus import StoredCorpus
from dplda.methods.chain import pipeline
from dplda.methods.problem import Problem
from dplda.methods.registry import parse_method

WORDS = ("tea", "milk", "sugar", "rain", "wind", "cloud")


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    corpus = dplda.simulate(n_documents=400, n_words=6, n_topics=2, alpha0=0.5, mean_length=20, seed=0)
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
    expected = pipeline.fit(corpus, None, Problem(2, 0.5)).topics.words
    found = json.loads(out.read_text())
    assert found["guarantee"] == "Not private: no noise was added."
    for topic, row in zip(found["topics"], expected, strict=True):
        assert topic["words"] == {corpus.vocabulary[i]: p for i, p in enumerate(row) if p > 0}
    told = capsys.readouterr()
    assert f"400 documents, {corpus.n_words} words. Not private" in told.out
    assert "counting triples of words" in told.err

    table = tmp_path / "topics.csv"
    limits = ("--engine", "serial", "--memory-limit", "500 MB")
    assert fitted(kept, "--configuration", "adaptive", "--epsilon", "100", *limits, "--out", table) == 0
    private = pipeline.fit(corpus, dplda.Plan("adaptive", 100.0), Problem(2, 0.5)).topics.words
    for row in csv.DictReader(table.read_text().splitlines()):
        word = corpus.vocabulary.index(row["word"])
        assert float(row["probability"]) == private[int(row["topic"]) - 1, word]
    assert "This draw is simulated, for looking." in capsys.readouterr().out
    assert fitted(kept, "--method", "refined", "--epsilon", "100", "--out", table) == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--out", "t.json"), "--label must be given"),
        (("--out", "t.json", "--label", "sensitive"), "dplda release"),
        (("--out", "t.txt", "--label", "public"), "--out must be a file that ends in"),
        (("--out", "t.json", "--label", "public", "--person", "who"), "--person must be left out"),
        (("--out", "t.json", "--label", "public", "--memory-limit", "10KB"), "in 0.0 MB of memory"),
        (("--out", "t.json", "--label", "public", "--memory-limit", "lots"), "--memory-limit must be a size"),
        (("--out", "t.json", "--label", "public", "--engine", "spark"), "engine must be serial"),
        (("--out", "t.json", "--label", "public", "--method", "adaptive"), "--epsilon must be given"),
        (
            ("--out", "t.json", "--label", "public", "--method", "refined", "--epsilon", "1", "--engine", "serial"),
            "configuration",
        ),
        (("--out", "t.json", "--label", "public", "--epsilon", "1"), "--method refined, or leave out --epsilon"),
        (("--out", "nowhere/t.json", "--label", "public"), "No such file"),
        (("--out", "/".join(["x" * 200] * 25) + ".json", "--label", "public"), "File name too long"),
    ],
)
def test_what_may_not_be_is_refused(
    words: tuple[str, ...], said: str, documents: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert fitted(documents, *words) == 2
    assert said in capsys.readouterr().err
    assert list(documents.parent.iterdir()) == [documents]


def test_sizes() -> None:
    assert [size_of(text) for text in ("4GB", "0.5 gb", "300MB", "7 kb", "12")] == [4e9, 5e8, 3e8, 7e3, 12.0]
    for text in ("", "GB", "-1GB", "infGB", "nan", "0"):
        with pytest.raises(InputError):
            size_of(text)


@pytest.mark.parametrize("method", ["vi", "unigram", "unnoised-refined", "private-unigram", "dp-vi", "refined"])
def test_every_method_writes_json_and_only_noise_needs_an_epsilon(
    method: str, documents: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "topics.json"
    epsilon = () if not parse_method(method).needs_epsilon else ("--epsilon", "10")
    assert fitted(documents, "--label", "public", "--method", method, *epsilon, "--out", out) == 0
    found = json.loads(out.read_text(), parse_constant=pytest.fail)["topics"]
    assert len(found) == 2
    assert all(topic["signal_share"] is None for topic in found), "none of them knows it"
    assert fitted(documents, "--label", "public", "--method", method, *epsilon, "--out", out.with_suffix(".csv")) == 0
    assert ("rise above the noise" in capsys.readouterr().out) <= parse_method(method).needs_epsilon
    assert "nan" not in out.with_suffix(".csv").read_text()


def test_what_cannot_be_written_is_refused_before_anything_is_computed(
    documents: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(StoredCorpus, "open", pytest.fail)
    monkeypatch.setattr(ReadOptions, "load_to", pytest.fail)
    (tmp_path / "folder.json").mkdir()
    assert fitted(documents, "--label", "public", "--out", tmp_path / "folder.json") == 2
    assert "folder.json: Is a directory" in capsys.readouterr().err


def test_a_large_seed_is_taken_and_fixes_the_topics(documents: Path, tmp_path: Path) -> None:
    tables = []
    for seed in (2**32, 2**32, 2**32 + 1):
        out = tmp_path / "topics.csv"
        assert fitted(documents, "--label", "public", "--method", "vi", "--seed", seed, "--out", out) == 0
        tables.append(out.read_text())
    assert tables[0] == tables[1] != tables[2]
