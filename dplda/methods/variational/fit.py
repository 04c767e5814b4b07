"""What a baseline found, and how a corpus comes to it."""

from dataclasses import dataclass

import numpy as np

from dplda.core import checks
from dplda.core.types import Counts, Matrix, Vector
from dplda.corpus.corpus import Corpus, Label
from dplda.corpus.counts import AnyCounts
from dplda.methods.variational.accounting import Schedule
from dplda.privacy.release import Guarantee, Release


@dataclass(frozen=True, slots=True, eq=False)
class VariationalFit:
    """Topics found by variational inference.

    Attributes:
        topics: shape (k, d), rows on the simplex.
        alpha: shape (k,), Dirichlet parameters; given, not learned.
        mean_words: shape (d,), on the simplex: the mean of the topics, weighted by how many words each was given; made
            of the fitted parameters alone, so private where these are.
        releases: every noisy value that was drawn; the minibatches of one schedule are one release.
        schedule: noise, sampling rate and steps; None without noise.
        noise_multiplier: σ of the schedule; None without noise.
    """

    topics: Matrix
    alpha: Vector
    mean_words: Vector
    guarantee: Guarantee
    releases: tuple[Release, ...]
    schedule: Schedule | None = None
    noise_multiplier: float | None = None


def as_corpus(documents: Corpus | AnyCounts) -> Corpus:
    """The corpus itself, or a matrix taken as public with words fixed beforehand.

    Raises:
        CorpusError: fewer than 3 documents or 2 words, or entries that are no counts.
    """
    if isinstance(documents, Corpus):
        return documents
    return Corpus.from_counts(documents, label=Label.PUBLIC, name="matrix")


def check_model(n_topics: int, alpha0: float, seed: int, n_words: int) -> None:
    """Refuse what no fit can use."""
    checks.integer_between("n_topics", n_topics, 2, n_words)
    checks.alpha0(alpha0)
    checks.integer_at_least("seed", seed, 0)


def by_size(counts: Counts) -> Counts:
    """Documents in order of their number of distinct words, where the E-step is fastest; sums are the same."""
    order = np.argsort(np.diff(counts.indptr), kind="stable")
    return counts[order]


def topics_and_mean(parameters: Matrix) -> tuple[Matrix, Vector]:
    """Expected topics of Dirichlet rows, shape (k, d), and their weighted mean, shape (d,)."""
    topics: Matrix = parameters / parameters.sum(axis=1, keepdims=True)
    mean: Vector = parameters.sum(axis=0) / parameters.sum()
    return topics, mean
