import time

import numpy as np
import pytest

from dplda.core.errors import CorpusError, InputError
from dplda.corpus import Label, VocabularySource, disk_cache, docstrings, python_docs
from dplda.corpus.boilerplate import BOILERPLATE
from dplda.corpus.words.vocabulary import stop_words
from tests.yardstick import slowness

ANIMALS = ["wolf", "bear", "deer", "moose", "otter", "badger"]
TREES = ["oak", "elm", "birch", "cedar", "maple", "willow"]


@pytest.fixture(scope="module")
def cached(embedded):
    """The corpus, and what was said while it was parsed."""
    return python_docs(), embedded


def test_what_the_embedded_corpus_is(cached):
    corpus, _ = cached
    assert corpus.counts.shape == (10_000, 1000)
    assert corpus.label is Label.PUBLIC
    assert corpus.vocabulary_source is VocabularySource.FROM_DATA
    assert corpus.lengths.min() >= 3, "every document counts in all three moments"
    assert np.median(corpus.lengths) >= 15
    assert {"array", "matrix", "file", "distribution"} <= set(corpus.vocabulary)
    assert not set(corpus.vocabulary) & (stop_words() | BOILERPLATE)


def test_progress_is_told_and_rises_to_one(cached):
    _, heard = cached
    shares = [share for share, _ in heard]
    assert shares == sorted(shares)
    assert shares[0] == 0
    assert shares[-1] == 1
    assert len(heard) > 20


def test_a_second_call_reads_the_cache_and_gives_the_same(cached, monkeypatch):
    corpus, _ = cached
    monkeypatch.setattr(docstrings, "docstrings", None)
    assert python_docs().digest == corpus.digest


@pytest.mark.timing
@pytest.mark.usefixtures("embedded")
def test_reading_the_cache_is_quick():
    start = time.perf_counter()
    python_docs()
    assert time.perf_counter() - start < 1 * slowness()


def test_smaller_ones_come_from_the_same_cache(cached, monkeypatch):
    corpus, _ = cached
    monkeypatch.setattr(docstrings, "docstrings", None)
    small = python_docs(n_words=50, n_documents=200)
    assert small.counts.shape == (200, 50)
    rich = np.diff(small.counts.indptr)
    assert rich.min() > np.median(np.diff(corpus.counts.indptr)), "documents with many different words first"


@pytest.fixture
def library(tmp_path, monkeypatch):
    """A tiny library of four files in place of the installed packages."""
    monkeypatch.setenv(disk_cache.FOLDER_VARIABLE, str(tmp_path / "cache"))
    for number in range(12):
        text = " ".join([ANIMALS, TREES][number % 2]) + " returns the value" + " wolf" * number
        (tmp_path / f"m{number:02}.py").write_text(f'"""{text}."""')
    (tmp_path / "m99.py").write_text((tmp_path / "m00.py").read_text())
    files = sorted(tmp_path.glob("*.py"))
    monkeypatch.setattr(docstrings, "packages", lambda: (docstrings.Package("tiny", "1.0"),))
    monkeypatch.setattr(docstrings, "source_files", lambda package: files)
    return tmp_path


def test_equal_docstrings_are_kept_once_and_boilerplate_is_out(library):
    corpus = python_docs(n_words=100)
    assert corpus.n_documents == 12
    assert sorted(corpus.vocabulary) == sorted(ANIMALS + TREES)


def test_another_version_is_another_cache(library, monkeypatch):
    python_docs()
    monkeypatch.setattr(docstrings, "packages", lambda: (docstrings.Package("tiny", "1.1"),))
    python_docs()
    assert len(list((library / "cache").iterdir())) == 2


def test_a_damaged_cache_is_rebuilt(library):
    corpus = python_docs()
    (stored,) = (library / "cache").iterdir()
    stored.write_bytes(b"PK damaged")
    assert python_docs().digest == corpus.digest
    assert stored.stat().st_size > 100


def test_an_installation_without_docstrings_is_refused(library, monkeypatch):
    monkeypatch.setattr(docstrings, "docstrings", lambda path: [])
    with pytest.raises(CorpusError):
        python_docs()


@pytest.mark.parametrize("changes", [{"n_words": 1}, {"n_documents": 2}, {"n_words": 10.0}])
def test_arguments_out_of_range_are_refused(changes):
    with pytest.raises(InputError, match=next(iter(changes))):
        python_docs(**changes)
