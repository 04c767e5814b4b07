"""Park et al.'s Table 1: top words of topics under more and more noise, matched to those without any."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from dplda.core.types import Matrix, Report, silent
from dplda.corpus import Corpus
from dplda.experiments.papers.batches import epsilon_at
from dplda.experiments.specs.sources import Embedded, corpus_of
from dplda.methods.configurations import Calibration
from dplda.methods.problem import Budget, Problem
from dplda.methods.resources import Resources
from dplda.methods.variational.accounting import Accountant, noise_multiplier_for
from dplda.methods.variational.private_variational import private_variational
from dplda.methods.variational.settings import VariationalSettings
from dplda.methods.variational.variational import variational
from dplda.privacy.adjacency import Adjacency
from dplda.spectral.topics import match

DOCUMENTS = Embedded()


@dataclass(frozen=True, slots=True)
class ExampleTopics:
    """What to run.

    Attributes:
        n_topics: ``k``.
        alpha0: ``α0``.
        epsilon: ε as the paper states it, adding or removing a document.
        delta: δ.
    """

    documents: Embedded = DOCUMENTS
    n_topics: int = 10
    alpha0: float = 1.0
    epsilon: float = 2.44
    delta: float = 1e-4
    rate: float = 0.05
    shown: int = 3
    n_words: int = 10
    seed: int = 0


def example_topics(study: ExampleTopics, *, report: Report = silent) -> pd.DataFrame:
    """One row for each column of the table, topic and word.

    Returns:
        Columns ``column``, ``sigma`` (NaN without noise), ``topic`` (from 1), ``rank``, ``word``, ``probability``.
    """
    corpus = corpus_of(study.documents, 0)
    exact = variational(corpus, n_topics=study.n_topics, alpha0=study.alpha0, seed=study.seed)
    order = np.argsort(-np.bincount(np.argmax(exact.topics, axis=0), minlength=study.n_topics), kind="stable")
    found = [_rows("not private", float("nan"), exact.topics[order], corpus, study)]
    for i, (column, calibration, sigma) in enumerate(_columns(study)):
        report((i + 1) / 4, column)
        topics = _private(study, corpus, calibration, sigma)
        matched = topics[match(exact.topics[order], topics)]
        found.append(_rows(column, sigma, matched, corpus, study))
    return pd.concat(found, ignore_index=True)


def _columns(study: ExampleTopics) -> list[tuple[str, Calibration, float]]:
    def sigma(accountant: Accountant, adjacency: Adjacency) -> float:
        return noise_multiplier_for(
            epsilon=study.epsilon,
            delta=study.delta,
            sampling_rate=study.rate,
            steps=max(1, round(1 / study.rate)),
            accountant=accountant,
            adjacency=adjacency,
        )

    published, added = Calibration.PUBLISHED, Adjacency.ADD_OR_REMOVE_ONE
    return [
        ("moments accountant, as published", published, sigma(Accountant.CAPPED, added)),
        ("strong composition, as published", published, sigma(Accountant.STRONG, added)),
        ("proven, one document replaced", Calibration.CORRECTED, sigma(Accountant.PLD, Adjacency.REPLACE_ONE)),
    ]


def _private(study: ExampleTopics, corpus: Corpus, calibration: Calibration, sigma: float) -> Matrix:
    return private_variational(
        corpus,
        Problem(study.n_topics, study.alpha0),
        Budget(epsilon_at(sigma, study.rate, delta=study.delta), study.delta),
        Resources(study.seed),
        calibration=calibration,
        settings=VariationalSettings(sampling_rate=study.rate, epochs=1.0, word_steps=0),
    ).topics


def _rows(column: str, sigma: float, topics: Matrix, corpus: Corpus, study: ExampleTopics) -> pd.DataFrame:
    rows = []
    for topic, words in enumerate(topics[: study.shown], start=1):
        for rank, index in enumerate(np.argsort(-words, kind="stable")[: study.n_words], start=1):
            rows.append((column, sigma, topic, rank, corpus.vocabulary[index], float(words[index])))
    return pd.DataFrame(rows, columns=["column", "sigma", "topic", "rank", "word", "probability"])
