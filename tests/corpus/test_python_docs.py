import numpy as np
import pytest

from benchmarks.docstrings import sources
from dplda.core.errors import InputError, ReadError
from dplda.corpus import python_docs
from dplda.corpus.python_docs import COUNTS_FILE


@pytest.fixture(scope="module")
def corpus():
    return python_docs()


def test_embedded_corpus_has_one_digest_everywhere(corpus):
    """Whatever is installed there: published figures were computed on this one."""
    assert corpus.digest == "19fdb2e86f6c445188dc2f1c481c2addfae7bcf276c86997096184ac3580fd3e"


def test_python_docs_file_is_below_two_megabytes():
    assert COUNTS_FILE.stat().st_size < 2_000_000


def test_python_docs_list_names_each_package_with_its_version():
    package_lines = COUNTS_FILE.with_suffix(".txt").read_text("utf-8").splitlines()
    assert {line.split("==")[0] for line in package_lines} >= {"python", *sources.ROOTS}
    assert all(line.count("==") == 1 for line in package_lines)


def test_smaller_ones_have_documents_with_many_different_words_first(corpus):
    small = python_docs(n_words=50, n_documents=200)
    assert small.counts.shape == (200, 50)
    rich = np.diff(small.counts.indptr)
    assert rich.min() > np.median(np.diff(corpus.counts.indptr))


@pytest.mark.parametrize(
    "damage",
    [
        lambda content: b"",
        lambda content: content[: len(content) // 2],
        lambda content: content[::-1],
    ],
)
def test_damaged_file_is_refused(damage, tmp_path, monkeypatch):
    damaged = tmp_path / "docs.npz"
    damaged.write_bytes(damage(COUNTS_FILE.read_bytes()))
    monkeypatch.setitem(python_docs.__globals__, "COUNTS_FILE", damaged)
    with pytest.raises(ReadError, match="Install dplda again"):
        python_docs()


@pytest.mark.parametrize("changes", [{"n_words": 1}, {"n_documents": 2}, {"n_words": 10.0}])
def test_arguments_out_of_range_are_refused(changes):
    with pytest.raises(InputError, match=next(iter(changes))):
        python_docs(**changes)
