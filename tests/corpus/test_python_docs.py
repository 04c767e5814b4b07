import numpy as np
import pytest

from benchmarks.docstrings import command, sources
from benchmarks.docstrings.boilerplate import BOILERPLATE
from dplda.core.errors import InputError, ReadError
from dplda.corpus import Label, VocabularySource, disk_cache, python_docs
from dplda.corpus.python_docs import COUNTS, PACKAGES
from dplda.corpus.words.vocabulary import stop_words

ANIMALS = ["wolf", "bear", "deer", "moose", "otter", "badger"]
TREES = ["oak", "elm", "birch", "cedar", "maple", "willow"]


@pytest.fixture(scope="module")
def corpus():
    return python_docs()


def test_what_the_embedded_corpus_is(corpus):
    assert corpus.counts.shape == (10_000, 1000)
    assert corpus.label is Label.PUBLIC
    assert corpus.vocabulary_source is VocabularySource.FROM_DATA
    assert corpus.lengths.min() >= 3, "every document counts in all three moments"
    assert np.median(corpus.lengths) >= 15
    assert {"array", "matrix", "file", "distribution"} <= set(corpus.vocabulary)
    assert not set(corpus.vocabulary) & (stop_words() | BOILERPLATE)


def test_it_is_the_same_on_every_machine(corpus):
    """Whatever is installed there: published figures were computed on this one."""
    assert corpus.digest == "19fdb2e86f6c445188dc2f1c481c2addfae7bcf276c86997096184ac3580fd3e"


def test_it_is_small_and_names_what_was_counted():
    assert COUNTS.stat().st_size < 2_000_000
    listed = PACKAGES.read_text("utf-8").splitlines()
    assert {line.split("==")[0] for line in listed} >= {"python", *sources.ROOTS}
    assert all(line.count("==") == 1 for line in listed)


def test_smaller_ones_have_documents_with_many_different_words_first(corpus):
    small = python_docs(n_words=50, n_documents=200)
    assert small.counts.shape == (200, 50)
    rich = np.diff(small.counts.indptr)
    assert rich.min() > np.median(np.diff(corpus.counts.indptr))


@pytest.fixture
def made(tmp_path, monkeypatch):
    """What the command makes of a tiny library of files in place of the installed packages."""
    for number in range(12):
        text = " ".join([ANIMALS, TREES][number % 2]) + " returns the value" + " wolf" * number
        (tmp_path / f"m{number:02}.py").write_text(f'"""{text}."""')
    (tmp_path / "m98.py").write_text('"""Too short, wolf."""')
    (tmp_path / "m99.py").write_text((tmp_path / "m00.py").read_text())
    monkeypatch.setattr(command, "COUNTS", tmp_path / "made" / "docs.npz")
    monkeypatch.setattr(command, "PACKAGES", tmp_path / "made" / "docs.txt")
    monkeypatch.setattr(command, "packages", lambda: (sources.Package("tiny", "1.0"),))
    monkeypatch.setattr(command, "source_files", lambda package: sorted(tmp_path.glob("*.py")))
    rows = list(command.run())
    return rows, disk_cache.read(command.COUNTS), command.PACKAGES.read_text()


def test_the_command_keeps_equal_docstrings_once_and_leaves_boilerplate_out(made):
    rows, table, listed = made
    assert rows[0] == {"package": "tiny", "version": "1.0", "documents": 12}
    assert listed == "tiny==1.0\n"
    assert sorted(table.words) == sorted(ANIMALS + TREES)
    assert table.counts.shape == (12, 12)
    assert table.counts.toarray()[:, table.words.index("wolf")].tolist() == [1, 1, 3, 3, 5, 5, 7, 7, 9, 9, 11, 11]


def test_a_damaged_file_is_refused(tmp_path, monkeypatch):
    damaged = tmp_path / "docs.npz"
    damaged.write_bytes(b"PK damaged")
    monkeypatch.setitem(python_docs.__globals__, "COUNTS", damaged)
    with pytest.raises(ReadError, match="Install dplda again"):
        python_docs()


@pytest.mark.parametrize("changes", [{"n_words": 1}, {"n_documents": 2}, {"n_words": 10.0}])
def test_arguments_out_of_range_are_refused(changes):
    with pytest.raises(InputError, match=next(iter(changes))):
        python_docs(**changes)
