import numpy as np
import pytest
from scipy import sparse

from dplda.core.errors import CorpusError
from dplda.corpus import Corpus, Label, Truth, VocabularySource
from dplda.corpus.counts import canonical_counts

DENSE = np.array([[2, 0, 1], [0, 0, 0], [0, 3, 4], [1, 1, 1]])
WORDS = ("ant", "bee", "cow")


def corpus_of(matrix, vocabulary=WORDS):
    return Corpus.from_counts(matrix, vocabulary, label=Label.PUBLIC, name="farm")


@pytest.mark.parametrize(
    "matrix",
    [
        DENSE,
        DENSE.astype(np.uint8),
        DENSE.astype(float),
        np.asfortranarray(DENSE),
        DENSE.tolist(),
        sparse.csr_array(DENSE),
        sparse.csr_matrix(DENSE),
        sparse.csc_array(DENSE),
        sparse.coo_matrix(DENSE),
        sparse.lil_array(DENSE),
        sparse.dok_array(DENSE.astype(float)),
    ],
    ids=lambda matrix: type(matrix).__name__,
)
def test_corpus_of_counts_in_every_form_is_the_same(matrix):
    corpus = corpus_of(matrix)
    assert corpus.counts.toarray().tolist() == DENSE.tolist()
    assert corpus.counts.dtype == np.int32
    assert corpus.digest == corpus_of(DENSE).digest
    assert (corpus.n_documents, corpus.n_words) == (4, 3)
    assert corpus.lengths.tolist() == [3, 0, 7, 3]
    assert corpus.lengths.dtype == np.int64


def test_counts_are_canonical_whatever_came():
    data = np.array([1, 2, 3, 0, 5], dtype=np.int8)
    unsorted = sparse.csr_array(
        (data, np.array([2, 0, 2, 1, 1]), np.array([0, 3, 4, 5])), shape=(3, 3)
    )
    corpus = corpus_of(unsorted)
    assert corpus.counts.has_canonical_format
    assert corpus.counts.indices.tolist() == [0, 2, 1]
    assert corpus.counts.data.tolist() == [2, 4, 5]
    assert unsorted.indices.tolist() == [2, 0, 2, 1, 1], "the caller's matrix is left as it was"


def test_corpus_counts_are_not_those_of_the_given_matrix():
    matrix = sparse.csr_array(DENSE.astype(np.int32))
    corpus = corpus_of(matrix)
    matrix.data[:] = 9
    assert corpus.counts.sum() == DENSE.sum()


def test_corpus_counts_are_read_only():
    matrix = sparse.csr_array(DENSE.astype(np.int32))
    corpus = corpus_of(matrix)
    for array in (corpus.counts.data, corpus.counts.indices, corpus.counts.indptr):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


def test_counts_that_are_canonical_already_are_not_copied():
    """A corpus made of a corpus' counts, as a fit makes one, holds the same arrays."""
    counts = canonical_counts(sparse.csr_array(DENSE))
    assert canonical_counts(counts) is counts
    assert counts.data.base is None


@pytest.mark.parametrize(
    ("entry", "kind"),
    [
        (0.5, "fractional"),
        (-1, "negative"),
        (np.nan, "NaN"),
        (np.inf, "infinite"),
        (3e9, "above 2,147,483,647"),
    ],
)
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array, sparse.coo_matrix])
def test_entries_that_are_not_counts_are_refused_by_row(entry, kind, form):
    matrix = DENSE.astype(float)
    matrix[2, 1] = entry
    with pytest.raises(CorpusError, match=rf"Row 3 .*{kind}"):
        corpus_of(form(matrix))


def test_column_index_out_of_range_is_refused():
    broken = sparse.csr_array(DENSE.astype(np.int32))
    broken.indices[0] = 7
    with pytest.raises(CorpusError, match="index lies outside"):
        corpus_of(broken)


@pytest.mark.parametrize(
    ("matrix", "vocabulary", "message"),
    [
        (DENSE[:2], WORDS, "2 documents"),
        (DENSE[:, :1], ("ant",), "1 words"),
        (DENSE, ("ant", "bee"), "2 words, the counts 3 columns"),
        (DENSE, ("ant", "bee", "ant"), "3 words, 2 of them distinct"),
        (DENSE, ("ant", "bee", 7), "no text"),
        ([[1, 2, 3], [4, 5], [6, 7, 8]], WORDS, "rows of different lengths"),
        (DENSE[0], WORDS, "1 axes"),
        (DENSE[None], WORDS, "3 axes"),
        (np.full((3, 3), "canary"), WORDS, "not numeric"),
        (DENSE * 1j, WORDS, "Complex data not supported"),
        (sparse.csr_array(DENSE * 1j), WORDS, "Complex data not supported"),
    ],
)
def test_counts_that_are_no_corpus_are_refused(matrix, vocabulary, message):
    with pytest.raises(CorpusError, match=message) as caught:
        corpus_of(matrix, vocabulary)
    assert "canary" not in str(caught.value)
    assert caught.value.fix


def test_truth_must_fit_the_vocabulary():
    truth = Truth(topics=np.full((2, 4), 0.25), alpha=np.array([1.0, 1.0]))
    with pytest.raises(CorpusError, match="true topics have 4 words"):
        Corpus(
            sparse.csr_array(DENSE), WORDS, Label.SIMULATED, "farm", VocabularySource.FIXED, truth
        )


def test_digest_changes_with_shape_counts_or_words():
    base = corpus_of(DENSE).digest
    changed_counts = DENSE.copy()
    changed_counts[0, 0] += 1
    assert corpus_of(changed_counts).digest != base
    assert corpus_of(DENSE, ("ant", "bee", "cat")).digest != base
    assert corpus_of(DENSE[:, ::-1]).digest != base
    assert corpus_of(np.vstack([DENSE, 0 * DENSE[:1]])).digest != base
    assert (
        corpus_of(DENSE, ("antb", "ee", "cow")).digest
        != corpus_of(DENSE, ("ant", "bee", "cow")).digest
    )


def test_digest_stays_where_only_the_label_changes():
    base = corpus_of(DENSE).digest
    renamed = Corpus.from_counts(DENSE, WORDS, label=Label.SENSITIVE, name="other")
    assert renamed.digest == base


@pytest.mark.parametrize(
    ("words", "name", "reason"),
    [
        (("ant", "be\ud83de", "cow"), "farm", "Word 2 of the vocabulary holds half a character"),
        (WORDS, "fa\udc00rm", "The name of the corpus holds half a character"),
    ],
)
def test_half_a_character_is_refused_before_a_writer_fails_on_it(words, name, reason):
    with pytest.raises(CorpusError, match=reason):
        Corpus.from_counts(DENSE, words, label=Label.PUBLIC, name=name)
