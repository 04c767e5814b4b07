"""Documents that are held out before fitting."""

from dataclasses import dataclass, replace

import numpy as np

from dplda.core import checks
from dplda.core.errors import CorpusError
from dplda.core.types import Counts
from dplda.corpus.corpus import Corpus
from dplda.corpus.counts import canonical_counts

_MIN_TRAINING_DOCUMENTS = 3


@dataclass(frozen=True, slots=True, eq=False)
class HeldOut:
    """A corpus in two parts that share no document.

    Attributes:
        train: documents to fit, in order, with the corpus' label, vocabulary, truth, authors and
            groups but no intake.
        test: the other documents, shape (number held out, d), in order.
        rows: their positions in the whole corpus, rising, shape (number held out,).
    """

    train: Corpus
    test: Counts
    rows: np.ndarray[tuple[int], np.dtype[np.intp]]


def hold_out(corpus: Corpus, *, fraction: float, seed: int) -> HeldOut:
    """Split off a uniformly random set of documents.

    Their number depends on the public ``N`` and their choice on the seed, so a guarantee for
    ``train`` is unaffected. A vocabulary taken from the data also comes from the documents held
    out. ``train`` keeps persons and labels, without what was read and the former reading.

    Args:
        corpus: all documents.
        fraction: share of the documents to hold out, in (0, 1).
        seed: of their choice.

    Raises:
        CorpusError: fewer than 1 document would be held out, or fewer than 3 left.
        InputError: the share or the seed is out of its range.

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
    n_train = n_documents - n_test
    if n_test < 1 or n_train < _MIN_TRAINING_DOCUMENTS:
        problem = (
            f"A share of {fraction:g} of {n_documents:,} documents leaves {n_test:,} to hold out"
            f" and {n_train:,} to train on"
        )
        fix = (
            f"At least 1 must be held out and {_MIN_TRAINING_DOCUMENTS} left: use more documents"
            " or another share."
        )
        raise CorpusError(problem, fix)
    held_out_rows = np.sort(np.random.default_rng(seed).permutation(n_documents)[:n_test])
    is_train = np.ones(n_documents, dtype=np.bool_)
    is_train[held_out_rows] = False
    train_columns = tuple(
        replace(column, codes=column.codes[is_train]) for column in corpus.group_columns
    )
    train = replace(
        corpus,
        counts=corpus.counts[np.flatnonzero(is_train)],
        persons=None if corpus.persons is None else corpus.persons[is_train],
        group_columns=train_columns,
        intake=None,
        former=None,
    )
    return HeldOut(
        train=train, test=canonical_counts(corpus.counts[held_out_rows]), rows=held_out_rows
    )
