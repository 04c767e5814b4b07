"""The simplest model: every document drawn from one and the same word distribution."""

import numpy as np

from dplda.core import checks
from dplda.core.errors import CorpusError
from dplda.core.types import Matrix
from dplda.corpus.corpus import Corpus
from dplda.corpus.counts import AnyCounts
from dplda.methods.variational.fit import as_corpus
from dplda.spectral.documents import lengths
from dplda.spectral.moments import word_sum


def unigram(documents: Corpus | AnyCounts, n_topics: int) -> Matrix:
    """Topics that are all the mean word distribution.

    Args:
        documents: N documents over d words; those too short for the spectral method count for nothing, as there.
        n_topics: ``k``, 1 to d.

    Returns:
        Shape (k, d), rows on the simplex, all equal: the average of the documents' word frequencies.

    Raises:
        CorpusError: no document has three words.
    """
    counts = as_corpus(documents).counts
    checks.integer_between("n_topics", n_topics, 1, counts.shape[1])
    length = lengths(counts)
    total = word_sum(counts, length.per_word)
    if not np.sum(total) > 0:
        raise CorpusError("No document has three words of the vocabulary", "Give longer documents.")
    return np.tile(total / np.sum(total), (n_topics, 1))
