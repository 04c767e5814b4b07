"""Documents set aside before fitting."""

from dataclasses import dataclass, replace

import numpy as np

from dplda.core import checks
from dplda.core.errors import CorpusError
from dplda.core.types import Counts
from dplda.corpus.corpus import Corpus
from dplda.corpus.counts import canonical_counts

_LEAST_TO_TRAIN = 3


@dataclass(frozen=True, slots=True, eq=False)
class HeldOut:
    """A corpus in two parts that share no document.

    Attributes:
        train: the documents to fit, in their order, with the corpus' label, vocabulary and truth but no intake.
        test: the others, shape (number held out, d), in their order.
        rows: positions of the others in the whole corpus, ascending, shape (number held out,).
    """

    train: Corpus
    test: Counts
    rows: np.ndarray[tuple[int], np.dtype[np.intp]]


def hold_out(corpus: Corpus, *, fraction: float, seed: int) -> HeldOut:
    """Split off a uniformly random set of documents.

    Their number depends on the public ``N`` and their choice on the seed, so a guarantee for ``train`` is unaffected.
    A vocabulary taken from the data also comes from the documents set aside.

    Args:
        fraction: share of the documents to set aside, in (0, 1).

    Example:
        >>> from dplda.corpus import Simulation
        >>> from dplda.evaluation import hold_out
        >>> corpus = Simulation(n_documents=50, n_words=20).draw()
        >>> held_out = hold_out(corpus, fraction=0.1, seed=0)
        >>> (held_out.test != corpus.counts[held_out.rows]).nnz
        0
    """
    checks.between("fraction", fraction, 0, 1, open_ends=True)
    checks.integer_at_least("seed", seed, 0)
    n_documents = corpus.n_documents
    n_test = round(fraction * n_documents)
    if n_test < 1 or n_documents - n_test < _LEAST_TO_TRAIN:
        raise CorpusError(
            f"A share of {fraction:g} of {n_documents:,} documents leaves {n_test:,} to hold out "
            f"and {n_documents - n_test:,} to train on",
            f"At least 1 must be held out and {_LEAST_TO_TRAIN} left: use more documents or another share.",
        )
    rows = np.sort(np.random.default_rng(seed).permutation(n_documents)[:n_test])
    kept = np.ones(n_documents, dtype=np.bool_)
    kept[rows] = False
    train = replace(corpus, counts=corpus.counts[np.flatnonzero(kept)], intake=None, former=None)
    return HeldOut(train=train, test=canonical_counts(corpus.counts[rows]), rows=rows)
