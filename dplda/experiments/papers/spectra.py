"""What sets the noise: the k-th eigenvalue of M2 against α0, and the smallest gap of T's eigenvalues against k."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd

from dplda.core.errors import NoTopics
from dplda.core.types import Report, silent
from dplda.corpus import Simulation
from dplda.corpus.simulation.simulate import draw_truth
from dplda.methods.chain.pipeline import fit
from dplda.methods.problem import Problem
from dplda.methods.resources import Resources
from dplda.privacy.sensitivity import direct_pair_moment
from dplda.spectral.cumulants import Coefficients
from dplda.spectral.population import Population
from dplda.theory.theorems.spectrum import from_fit, from_population

ALPHAS = (0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0)
TOPICS = (2, 3, 5, 8, 12, 16, 20)


@dataclass(frozen=True, slots=True)
class PairSpectrum:
    """The k-th eigenvalue of the pair moment of populations.

    Attributes:
        n_documents: ``N``, of which the sensitivity depends.
        n_words: ``d``.
        n_topics: ``k``.
        alphas: ``α0``.
        populations: drawn at each, with seeds from 0.
    """

    n_documents: int = 100_000
    n_words: int = 50
    n_topics: int = 3
    alphas: tuple[float, ...] = ALPHAS
    populations: int = 20


@dataclass(frozen=True, slots=True)
class TensorGaps:
    """The smallest gap between eigenvalues of T, in populations and in un-noised fits of corpora drawn from them.

    Attributes:
        n_documents: ``N``.
        n_words: ``d``.
        alpha0: ``α0``.
        topics: ``k``.
        mean_length: ``L``.
        populations: drawn at each k, with seeds from 0.
    """

    n_documents: int = 100_000
    n_words: int = 100
    alpha0: float = 1000.0
    topics: tuple[int, ...] = TOPICS
    mean_length: int = 100
    populations: int = 100
    corpora: int = 3


def pair_spectrum(study: PairSpectrum, *, report: Report = silent) -> pd.DataFrame:
    """One row for each population.

    Returns:
        Columns ``alpha0``, ``population``, ``sigma_k`` (unscaled), ``scaled`` (times ``α0(α0 + 1)``) and ``ratio``
        (``σk/Δ2``, the same in either scaling as the sensitivity scales too).
    """
    rows = []
    for i, alpha0 in enumerate(study.alphas):
        report(i / len(study.alphas), f"α₀ = {alpha0:g}")
        sensitivity = direct_pair_moment(n_documents=study.n_documents, a=Coefficients(alpha0).a)
        for seed in range(study.populations):
            population = _population(study.n_words, study.n_topics, alpha0, seed)
            sigma = from_population(population).sigma_k
            rows.append((alpha0, seed, sigma, alpha0 * (alpha0 + 1) * sigma, sigma / float(sensitivity)))
    return pd.DataFrame(rows, columns=["alpha0", "population", "sigma_k", "scaled", "ratio"])


def tensor_gaps(study: TensorGaps, *, report: Report = silent) -> pd.DataFrame:
    """One row for each population and each corpus.

    Returns:
        Columns ``n_topics``, ``source`` (``population`` or ``corpus``), ``seed`` and ``gap``, the least of
        ``λ_i − λ_{i+1}`` with ``λ_{k+1} = 0``; NaN where a fit found fewer topics.
    """
    rows: list[tuple[int, str, int, float]] = []
    for i, k in enumerate(study.topics):
        for seed in range(study.populations):
            values = Coefficients(study.alpha0).eigenvalues(_population(study.n_words, k, study.alpha0, seed).alpha)
            rows.append((k, "population", seed, float(np.min(-np.diff(np.append(np.sort(values)[::-1], 0.0))))))
        for j, gap in enumerate(_fitted_gaps(study, k)):
            rows.append((k, "corpus", j, gap))
            report((i + (j + 1) / study.corpora) / len(study.topics), f"k = {k}, corpus {j + 1}")
    return pd.DataFrame(rows, columns=["n_topics", "source", "seed", "gap"])


def _fitted_gaps(study: TensorGaps, n_topics: int) -> Iterator[float]:
    for seed in range(study.corpora):
        corpus = Simulation(
            n_documents=study.n_documents,
            n_words=study.n_words,
            n_topics=n_topics,
            alpha0=study.alpha0,
            mean_length=study.mean_length,
            seed=seed,
        ).draw()
        found = fit(corpus, None, Problem(n_topics, study.alpha0), Resources(seed))
        try:
            yield 4 * from_fit(found).gamma_s
        except NoTopics:
            yield math.nan


def _population(n_words: int, n_topics: int, alpha0: float, seed: int) -> Population:
    """The truth that a simulated corpus of these numbers has."""
    truth = draw_truth(n_words=n_words, n_topics=n_topics, alpha0=alpha0, seed=seed)
    return Population(truth.topics, truth.alpha)
