"""Tables of top words: topics under several kinds of noise, matched to those without any."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.optimize import brentq

from dplda.core.errors import DpldaError
from dplda.core.types import Matrix, Report
from dplda.corpus import Corpus, python_docs
from dplda.experiments.papers.minibatches import (
    fit_one_epoch,
    one_epoch,
    strong_composition_epsilon,
)
from dplda.experiments.papers.study import fit_by_name
from dplda.methods.base.calibration import Calibration, PublishedReading, Scaling
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.dpvi.accounting import noise_multiplier_for
from dplda.methods.registry import parse_method
from dplda.privacy.accounting.odds import format_rounded_up
from dplda.spectral.topics import match

NOISELESS = "not private"
"""Column of the topics without noise."""
LARGEST_SIGMA = 100.0
"""Noise multiplier at which strong composition costs less than any ε of a table."""


@dataclass(frozen=True, slots=True)
class SpectralWords:
    """Top words of topics of several methods on the docstrings, the paper's Table 2.

    Attributes:
        methods: texts of the methods; the first one has no noise.
        epsilon: ε of the others.
        delta: δ.
        n_topics: ``k``.
        alpha0: ``α0``.
        n_words: ``d``.
        n_shown_topics: topics that are listed.
        n_shown_words: words of each.
        seed: of the noise.
    """

    methods: tuple[str, ...] = (
        "unnoised",
        "config-2/authors' code",
        "config-1/authors' code",
        "config-1/as published",
        "refined",
    )
    epsilon: float = 1.0
    delta: float = 1e-7
    n_topics: int = 10
    alpha0: float = 1.0
    n_words: int = 1000
    n_shown_topics: int = 3
    n_shown_words: int = 10
    seed: int = 0

    def describe(self) -> tuple[str, ...]:
        """Facts about the run."""
        return _describe_docstrings(
            self.n_words, self.n_topics, self.alpha0, self.epsilon, self.delta
        )

    @property
    def _shown(self) -> tuple[int, int]:
        return self.n_shown_topics, self.n_shown_words

    def run(self, report: Report) -> pd.DataFrame:
        """Fit Python's docstrings, and compute one row for each method, topic and word.

        Returns:
            Columns ``column``, ``sigma`` (NaN), ``topic`` (from 1), ``rank``, ``word`` and
            ``probability``. A method that refuses has no rows; at least one must give topics.
            Topics are numbered as those of the first method that gives some.

        Raises:
            ValueError: all methods refuse.
        """
        corpus = python_docs(n_words=self.n_words)
        problem = Problem(self.n_topics, self.alpha0)
        budget = Budget(self.epsilon, self.delta)
        tables = []
        reference_topics = None
        for method_index, method_text in enumerate(self.methods):
            method = parse_method(method_text)
            report(method_index / len(self.methods), method.title)
            try:
                method_budget = budget if method.needs_epsilon else None
                result = fit_by_name(
                    method_text, corpus, problem, budget=method_budget, seed=self.seed
                )
            except DpldaError:
                continue
            topics = result.topics.words
            if reference_topics is None:
                reference_topics = topics
            matched_topics = topics[match(reference_topics, topics)]
            column_title = method.title if method.needs_epsilon else NOISELESS
            tables.append(_list_words(column_title, math.nan, matched_topics, corpus, *self._shown))
        return pd.concat(tables, ignore_index=True)


@dataclass(frozen=True, slots=True)
class VariationalWords:
    """Top words of topics of variational inference on the docstrings, Park and others' Table 1.

    Attributes:
        epsilon: ε as the paper states it, when a document is added or removed.
        delta: δ.
        published_sigma: noise multiplier that the paper reports for this ε.
        sampling_rate: ν of the one epoch.
        n_topics: ``k``.
        alpha0: ``α0``.
        n_words: ``d``.
        n_shown_topics: topics that are listed.
        n_shown_words: words of each.
        seed: of the noise and the minibatches.
    """

    epsilon: float = 2.44
    delta: float = 1e-4
    published_sigma: float = 1.24
    sampling_rate: float = 0.05
    n_topics: int = 10
    alpha0: float = 1.0
    n_words: int = 1000
    n_shown_topics: int = 3
    n_shown_words: int = 10
    seed: int = 0

    def describe(self) -> tuple[str, ...]:
        """Facts about the run."""
        return _describe_docstrings(
            self.n_words, self.n_topics, self.alpha0, self.epsilon, self.delta
        )

    @property
    def _shown(self) -> tuple[int, int]:
        return self.n_shown_topics, self.n_shown_words

    def run(self, report: Report) -> pd.DataFrame:
        """Fit Python's docstrings, and compute one row for each column, topic and word.

        Returns:
            Columns ``column``, ``sigma`` (NaN without noise), ``topic`` (from 1), ``rank``,
            ``word`` and ``probability``. Topics are numbered by how many words they lead without
            noise.
        """
        corpus = python_docs(n_words=self.n_words)
        problem = Problem(self.n_topics, self.alpha0)
        noiseless_topics = fit_by_name("vi", corpus, problem, seed=self.seed).topics.words
        leading_topic = np.argmax(noiseless_topics, axis=0)
        n_words_led = np.bincount(leading_topic, minlength=self.n_topics)
        reference_topics = noiseless_topics[np.argsort(-n_words_led, kind="stable")]
        tables = [_list_words(NOISELESS, math.nan, reference_topics, corpus, *self._shown)]
        for column_index, (column_title, scaling, sigma) in enumerate(self._columns()):
            report((column_index + 1) / 5, column_title)
            private_topics = fit_one_epoch(
                corpus,
                problem,
                one_epoch(sigma, self.sampling_rate),
                delta=self.delta,
                seed=self.seed,
                scaling=scaling,
            ).topics.words
            matched_topics = private_topics[match(reference_topics, private_topics)]
            tables.append(_list_words(column_title, sigma, matched_topics, corpus, *self._shown))
        return pd.concat(tables, ignore_index=True)

    def _columns(self) -> Iterator[tuple[str, Scaling, float]]:
        """Yield title, clipping and noise multiplier of each of the four private columns.

        Two clip each document, with the published noise and with what strong composition needs
        for ε. One clips as printed, with the published noise. The last has the proven clipping,
        and the noise that ε needs when one document is replaced.

        Raises:
            ValueError: by strong composition, the published noise is more than ε needs, or the
                largest noise is not enough.
        """

        def excess_epsilon(sigma: float) -> float:
            schedule = one_epoch(sigma, self.sampling_rate)
            return strong_composition_epsilon(schedule, self.delta) - self.epsilon

        strong_sigma = float(brentq(excess_epsilon, self.published_sigma, LARGEST_SIGMA))
        steps = one_epoch(strong_sigma, self.sampling_rate).steps
        proven_sigma = noise_multiplier_for(
            epsilon=self.epsilon,
            delta=self.delta,
            sampling_rate=self.sampling_rate,
            steps=steps,
        )
        as_printed = Calibration.PUBLISHED
        by_document = PublishedReading.BY_DOCUMENT
        yield "moments accountant, each document", by_document, self.published_sigma
        yield "strong composition, each document", by_document, strong_sigma
        yield "moments accountant, as printed", as_printed, self.published_sigma
        yield "proven, one document replaced", Calibration.CORRECTED, proven_sigma


def _describe_docstrings(
    n_words: int, n_topics: int, alpha0: float, epsilon: float, delta: float
) -> tuple[str, ...]:
    """Facts about a run on Python's docstrings: sizes, topics, α₀, ε and δ."""
    return (
        "Python docstrings",
        "N 10,000 at most",
        f"d {n_words:,} at most",
        f"k {n_topics}",
        f"α₀ {alpha0:g}",
        f"ε {epsilon:g}",
        f"δ {format_rounded_up(delta)}",
    )


def _list_words(
    column: str, sigma: float, topics: Matrix, corpus: Corpus, n_topics: int, n_words: int
) -> pd.DataFrame:
    """Rows of the most probable words of a column's first topics, in falling probability.

    Args:
        column: its title.
        sigma: noise multiplier; NaN without noise.
        topics: shape (k, d).
        corpus: has the vocabulary.
        n_topics: topics to list.
        n_words: words of each.

    Returns:
        Columns ``column, sigma, topic, rank, word, probability``. Topics and ranks count from 1.
    """
    rows = []
    for topic, word_probabilities in enumerate(topics[:n_topics], start=1):
        leading_word_ids = np.argsort(-word_probabilities, kind="stable")[:n_words]
        for rank, word_id in enumerate(leading_word_ids, start=1):
            word = corpus.vocabulary[word_id]
            rows.append((column, sigma, topic, rank, word, float(word_probabilities[word_id])))
    columns = ["column", "sigma", "topic", "rank", "word", "probability"]
    return pd.DataFrame(rows, columns=columns)
