"""Documents that the worth of public knowledge is judged on: some to fit, and a tenth held out."""

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from dplda.core.types import Counts, Matrix, Vector
from dplda.corpus import Corpus
from dplda.corpus.counts import canonical_counts
from dplda.evaluation import Halves, completion, halves, hold_out
from dplda.methods.base.problem import Problem

PROBLEM, DELTA = Problem(10, 1.0), 1e-7
N_WORDS = 1000  # words of topics
N_READ_WORDS = 8000  # words that documents are read over before they are held out


class Found(NamedTuple):
    """Words of topics, shape (k, d), Dirichlet parameters, and word frequencies."""

    words: Matrix
    shares: Vector
    mean_words: Vector


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """Documents to fit, and documents held out.

    Attributes:
        corpus: to fit, over the word list.
        test: counts of the documents held out.
        cut: the same in halves.
        problem: topics to find.
    """

    corpus: Corpus
    test: Counts
    cut: Halves
    problem: Problem = PROBLEM

    @classmethod
    def of(cls, corpus: Corpus, n_words: int = N_WORDS) -> "Judged":
        """Documents with a word of the list; a tenth of them are held out."""
        some = np.flatnonzero(corpus.counts[:, :n_words].sum(axis=1) > 0)
        parts = hold_out(
            replace(corpus, counts=corpus.counts[some], intake=None), fraction=0.1, seed=0
        )
        test, words = canonical_counts(parts.test[:, :n_words]), corpus.vocabulary[:n_words]
        listed = replace(
            parts.train, counts=canonical_counts(parts.train.counts[:, :n_words]), vocabulary=words
        )
        return cls(listed, test, halves(test, seed=0))


def topics_perplexity(found: Found, cut: Halves) -> float:
    """Document completion where each document is of several topics."""
    return completion(found.words, found.shares, cut=cut, mean_words=found.mean_words)
