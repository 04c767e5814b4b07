"""Corpora small enough to count by hand, and the documents that move averages most."""

from functools import cache
from itertools import islice

import numpy as np
from hypothesis import strategies as st
from scipy.sparse import csr_array

from dplda import Corpus, simulate
from dplda.attacks.audit.neighbours import Rows as Rows
from dplda.attacks.audit.neighbours import repeated_word as repeated_word
from dplda.corpus import Label, VocabularySource
from dplda.methods.refined.prior.prior_files import prior_from_source
from dplda.methods.registry import METHODS


def counts_of(rows: Rows | list[list[int]]) -> csr_array:
    """Rows of word counts in the canonical sparse form that the numerics rely on."""
    return corpus_of(rows).counts


def corpus_of(rows: Rows | list[list[int]], label: Label = Label.PUBLIC) -> Corpus:
    return Corpus.from_counts(np.asarray(rows, dtype=np.int64), label=label, name="tiny")


@cache
def table_words(n_themes: int, n_words: int) -> tuple[str, ...]:
    """Words of the English table that lead its topics, taken from each of so many themes in turn."""
    table = METHODS["refined-english"].prior_source
    assert table is not None
    prior = prior_from_source(table, n_themes)
    shares = prior.ratios / np.sum(prior.ratios, axis=0)
    leading = np.argsort(-shares, axis=1)[:, :n_words]
    in_turn = (prior.words[column] for column in leading.T.ravel())
    return tuple(islice(dict.fromkeys(in_turn), n_words))


def english_corpus_of(
    rows: Rows | list[list[int]], n_themes: int, label: Label = Label.PUBLIC
) -> Corpus:
    """Counts of words that the English table knows, over a fixed list of these."""
    counts = np.asarray(rows, dtype=np.int64)
    words = table_words(n_themes, counts.shape[1])
    return Corpus(counts, words, label, "tiny", VocabularySource.FIXED)


def random_rows(seed: int, n_documents: int, n_words: int, longest: int, shortest: int = 0) -> Rows:
    """Documents of uniformly many words, uneven word frequencies, repeats likely."""
    rng = np.random.default_rng(seed)
    frequencies = rng.dirichlet(np.full(n_words, 0.7), size=n_documents)
    lengths = rng.integers(shortest, longest + 1, size=n_documents)
    return np.array(
        [rng.multinomial(length, p) for length, p in zip(lengths, frequencies, strict=True)]
    )


def topical_corpus(seed: int, **changes: float) -> Corpus:
    """A simulated corpus whose topics stand well above sampling noise."""
    usual = {"n_documents": 2000, "n_words": 30, "n_topics": 3, "alpha0": 1, "mean_length": 40}
    return simulate(**usual | changes, seed=seed)


def documents(n_words: int, largest_count: int = 6) -> st.SearchStrategy[Rows]:
    """Any document: empty, short, of one word, of many. Half of the counts are 0, the others any; one choice each."""
    possible_counts = range(largest_count + 1)
    counts = st.sampled_from([*[0] * len(possible_counts), *possible_counts])
    return st.tuples(*[counts] * n_words).map(lambda row: np.array(row, dtype=np.int64))


def corpora(n_documents: int, n_words: int, largest_count: int = 6) -> st.SearchStrategy[Rows]:
    return st.tuples(*[documents(n_words, largest_count)] * n_documents).map(np.array)


def crafted_neighbours(n_documents: int, n_words: int) -> dict[str, tuple[Rows, Rows]]:
    """Pairs of corpora that differ in the first document, by what the document and the others are.

    The first two attain the sensitivities of the moments: Frobenius where the others all say www, L1 where they are
    monochromatic in pairwise different words.
    """
    d = n_words
    www = np.tile(repeated_word(2, d), (n_documents, 1))
    in_different_words = np.array([repeated_word(2 + n % (d - 2), d) for n in range(n_documents)])
    too_short = np.tile(repeated_word(2, d, times=2), (n_documents, 1))
    uuu, vvv, empty = repeated_word(0, d), repeated_word(1, d), np.zeros(d, dtype=np.int64)
    two_words, swapped = (
        repeated_word(0, d, 2) + repeated_word(1, d, 1),
        repeated_word(0, d, 1) + repeated_word(1, d, 2),
    )
    return {
        "uuu to vvv, others www": (_first(www, uuu), _first(www, vvv)),
        "uuu to vvv, others all different": (
            _first(in_different_words, uuu),
            _first(in_different_words, vvv),
        ),
        "uuu to www, others www": (_first(www, uuu), www),
        "uuv to uvv": (_first(www, two_words), _first(www, swapped)),
        "uuu to nothing": (_first(www, uuu), _first(www, empty)),
        "nothing to uuu, others too short": (_first(too_short, empty), _first(too_short, uuu)),
        "uuu to uu": (_first(www, uuu), _first(www, repeated_word(0, d, 2))),
        "long to short": (
            _first(in_different_words, repeated_word(0, d, 1000)),
            _first(in_different_words, repeated_word(1, d, 3)),
        ),
        "all words to one": (
            _first(in_different_words, np.ones(d, dtype=np.int64)),
            _first(in_different_words, vvv),
        ),
    }


def _first(rows: Rows, document: Rows) -> Rows:
    changed_rows = rows.copy()
    changed_rows[0] = document
    return changed_rows
