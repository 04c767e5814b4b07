import numpy as np
import pytest
from scipy.sparse import csr_array

from dplda.core.errors import InputError
from dplda.corpus import Corpus, Label
from dplda.corpus.corpus import VocabularySource
from dplda.experiments.sources import keep_as_file, read_source

COUNTS = csr_array(np.array([[0, 2, 1], [0, 0, 0], [3, 0, 1], [1, 1, 1]], dtype=np.int64))
WORDS = ("zebra", "apple", "mango")


@pytest.fixture(autouse=True)
def _own_cache(monkeypatch, tmp_path) -> None:
    monkeypatch.setenv("DPLDA_CACHE", str(tmp_path))


def corpus(label: Label) -> Corpus:
    return Corpus(
        counts=COUNTS,
        vocabulary=WORDS,
        label=label,
        name="mine",
        vocabulary_source=VocabularySource.FIXED,
    )


def test_kept_corpus_reads_back_its_counts_over_its_words() -> None:
    source = keep_as_file(corpus(Label.PUBLIC))
    read_corpus = read_source(source)
    assert read_corpus.vocabulary == WORDS
    np.testing.assert_array_equal(read_corpus.counts.toarray(), COUNTS.toarray())
    assert keep_as_file(corpus(Label.PUBLIC)) == source


def test_kept_corpus_that_is_sensitive_is_refused(tmp_path) -> None:
    with pytest.raises(InputError, match="public"):
        keep_as_file(corpus(Label.SENSITIVE))
    assert not list(tmp_path.rglob("*"))
