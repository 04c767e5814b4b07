"""Documents that the worth of public knowledge is judged on: some to fit, and a tenth held out."""

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from dplda.core.types import Counts, Matrix, Vector
from dplda.corpus import Corpus
from dplda.corpus.counts import canonical_counts
from dplda.evaluation import Halves, completion, halves, hold_out
from dplda.methods.base.method import FitResult
from dplda.methods.base.problem import Problem

PROBLEM = Problem(10, 1.0)
DELTA = 1e-7
N_WORDS = 1000  # words of topics
N_READ_WORDS = 8000  # words that documents are read over before they are held out


class FittedTopics(NamedTuple):
    """Words of topics, shape (k, d), Dirichlet parameters, and word frequencies."""

    words: Matrix
    alpha: Vector
    mean_words: Vector

    @classmethod
    def of_result(cls, result: FitResult) -> "FittedTopics":
        """The topics of a fit."""
        return cls(result.topics.words, result.topics.alpha, result.topics.mean_words)


@dataclass(frozen=True, slots=True, eq=False)
class SplitDocuments:
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
    def split(cls, corpus: Corpus, n_words: int = N_WORDS) -> "SplitDocuments":
        """Hold out a tenth of the documents that have a word of the list.

        Args:
            corpus: all documents, over a list that is longer than that of topics.
            n_words: words of topics, the first of the corpus.
        """
        has_word = corpus.counts[:, :n_words].sum(axis=1) > 0
        rows = np.flatnonzero(has_word)
        documents = replace(corpus, counts=corpus.counts[rows], intake=None)
        parts = hold_out(documents, fraction=0.1, seed=0)
        test = canonical_counts(parts.test[:, :n_words])
        train = replace(
            parts.train,
            counts=canonical_counts(parts.train.counts[:, :n_words]),
            vocabulary=corpus.vocabulary[:n_words],
        )
        return cls(train, test, halves(test, seed=0))


def topics_perplexity(topics: FittedTopics, cut: Halves) -> float:
    """Document completion where each document is of several topics."""
    return completion(topics.words, topics.alpha, cut=cut, mean_words=topics.mean_words)
