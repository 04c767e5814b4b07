"""Figure 3: the k-th eigenvalue of M2 against α0, and the smallest gap of T against k."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd

from dplda.core.types import Report, Vector
from dplda.corpus import Simulation
from dplda.corpus.simulation.simulate import draw_truth
from dplda.experiments.papers.study import fit_by_name, number_range
from dplda.methods.base.problem import Problem
from dplda.privacy.sensitivity import direct_pair_moment
from dplda.spectral.cumulants import Coefficients
from dplda.spectral.population import Population
from dplda.theory.theorems.spectrum import from_population

BURSTY = "bursty"
FLAT = "flat"


@dataclass(frozen=True, slots=True)
class PairSpectrum:
    """The k-th eigenvalue of the pair moment of populations, for two kinds of topics.

    Attributes:
        n_documents: ``N``, which the sensitivity depends on.
        n_topics: ``k``.
        bursty_words: ``d`` of topics from a Dirichlet law with parameter 0.1.
        flat_words: ``d`` of topics from a Dirichlet law with parameter 1, all topics alike likely.
        alphas: values of ``α0``.
        n_populations: drawn at each, with seeds from 0.
    """

    n_documents: int = 100_000
    n_topics: int = 3
    bursty_words: int = 50
    flat_words: int = 200
    alphas: tuple[float, ...] = (0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0)
    n_populations: int = 20

    def describe(self) -> tuple[str, ...]:
        """Facts about the run, one short text each: N, both d, k, α₀ and draws."""
        return (
            "populations of the model",
            f"N {self.n_documents:,}",
            f"d {self.bursty_words} and {self.flat_words}",
            f"k {self.n_topics}",
            f"α₀ {number_range(self.alphas)}",
            f"{self.n_populations} draws at each",
        )

    def run(self, report: Report) -> pd.DataFrame:
        """Compute one row for each population.

        Returns:
            Columns ``topics`` (``bursty`` or ``flat``), ``alpha0``, ``population``, ``sigma_k``
            (unscaled), ``scaled`` (times ``α0(α0 + 1)``) and ``ratio`` (``σk/Δ2``, the same in
            either scaling, as the sensitivity scales too).
        """
        kinds = ((BURSTY, self.bursty_words, 0.1), (FLAT, self.flat_words, 1.0))
        rows = []
        for alpha_index, alpha0 in enumerate(self.alphas):
            report(alpha_index / len(self.alphas), f"α₀ = {alpha0:g}")
            sensitivity = direct_pair_moment(n_documents=self.n_documents, a=Coefficients(alpha0).a)
            for kind_of_topics, n_words, topic_concentration in kinds:
                for seed in range(self.n_populations):
                    population = _draw_population(
                        n_words, self.n_topics, alpha0, seed, topic_concentration
                    )
                    sigma = from_population(population).sigma_k
                    scaled_sigma = alpha0 * (alpha0 + 1) * sigma
                    ratio = sigma / float(sensitivity)
                    rows.append((kind_of_topics, alpha0, seed, sigma, scaled_sigma, ratio))
        columns = ["topics", "alpha0", "population", "sigma_k", "scaled", "ratio"]
        return pd.DataFrame(rows, columns=columns)


@dataclass(frozen=True, slots=True)
class TensorGaps:
    """Smallest gaps of T's eigenvalues in populations, and in noiseless fits of their documents.

    Attributes:
        n_documents: ``N``.
        n_words: ``d``.
        alpha0: ``α0``.
        topics: values of ``k``.
        mean_length: ``L``.
        topic_concentration: parameter of the Dirichlet law of topics.
        n_populations: drawn at each k, with seeds from 0.
        n_corpora: drawn at each k, with seeds from 0.
    """

    n_documents: int = 100_000
    n_words: int = 200
    alpha0: float = 1000.0
    topics: tuple[int, ...] = (3, 5, 10, 20, 40)
    mean_length: int = 100
    topic_concentration: float = 1.0
    n_populations: int = 100
    n_corpora: int = 10

    def describe(self) -> tuple[str, ...]:
        """Facts about the run, one short text each: N, d, L, k and α₀."""
        return (
            "populations of the model and simulated documents",
            f"N {self.n_documents:,}",
            f"d {self.n_words}",
            f"L {self.mean_length}",
            f"k {number_range(self.topics)}",
            f"α₀ {self.alpha0:,g}",
        )

    def run(self, report: Report) -> pd.DataFrame:
        """Compute one row for each population and three for each corpus, at every number of topics.

        Returns:
            Columns ``n_topics``, ``source``, ``seed`` and ``gap``, of the scaled tensor: the
            smallest difference of neighbors among its sorted eigenvalues for ``population`` and
            ``corpus``; a quarter of the smallest among eigenvalues in random order for
            ``unsorted``; the smallest of each less the next for ``rising``, where eigenvalues
            rise and the last pair is left out as in the authors' code. NaN where a fit found
            fewer topics.
        """
        rows: list[tuple[int, str, int, float]] = []
        for topics_index, n_topics in enumerate(self.topics):
            for population_seed in range(self.n_populations):
                population = _draw_population(
                    self.n_words, n_topics, self.alpha0, population_seed, self.topic_concentration
                )
                population_eigenvalues = np.sort(1 / np.sqrt(population.alpha))
                population_gap = _smallest_gap(population_eigenvalues)
                rows.append((n_topics, "population", population_seed, population_gap))
            for corpus_seed, eigenvalues in enumerate(self._fitted_eigenvalues(n_topics)):
                shuffled_eigenvalues = np.random.default_rng(corpus_seed).permutation(eigenvalues)
                falling_without_largest = np.sort(eigenvalues)[-2::-1]
                corpus_gap = _smallest_gap(np.sort(eigenvalues))
                unsorted_gap = _smallest_gap(shuffled_eigenvalues) / 4
                rising_gap = _smallest_gap(falling_without_largest)
                rows.append((n_topics, "corpus", corpus_seed, corpus_gap))
                rows.append((n_topics, "unsorted", corpus_seed, unsorted_gap))
                rows.append((n_topics, "rising", corpus_seed, rising_gap))
                n_done = corpus_seed + 1
                share_done = (topics_index + n_done / self.n_corpora) / len(self.topics)
                report(share_done, f"k = {n_topics}, corpus {n_done}")
        return pd.DataFrame(rows, columns=["n_topics", "source", "seed", "gap"])

    def _fitted_eigenvalues(self, n_topics: int) -> Iterator[Vector]:
        """Fit each corpus without noise, and yield its scaled tensor's eigenvalues, shape (k,).

        They are absolute values, all NaN if some are missing. In the scale, the eigenvalues of a
        population are ``1/√α_i``.
        """
        pair_normalizer = math.sqrt(self.alpha0 * (self.alpha0 + 1))
        tensor_scale = (self.alpha0 + 2) / 2 / pair_normalizer
        for seed in range(self.n_corpora):
            corpus = Simulation(
                n_documents=self.n_documents,
                n_words=self.n_words,
                n_topics=n_topics,
                alpha0=self.alpha0,
                mean_length=self.mean_length,
                topic_concentration=self.topic_concentration,
                seed=seed,
            ).draw()
            problem = Problem(n_topics, self.alpha0)
            fit_result = fit_by_name("unnoised", corpus, problem, seed=seed)
            components = fit_result.curator.components
            if components is None or len(components.eigenvalues) < n_topics:
                yield np.full(n_topics, math.nan)
            else:
                yield tensor_scale * np.abs(components.eigenvalues)


def _draw_population(
    n_words: int, n_topics: int, alpha0: float, seed: int, concentration: float
) -> Population:
    """Draw the true topics and topic shares that a simulated corpus of these numbers has."""
    truth = draw_truth(
        n_words=n_words,
        n_topics=n_topics,
        alpha0=alpha0,
        seed=seed,
        topic_concentration=concentration,
    )
    return Population(truth.topics, truth.alpha)


def _smallest_gap(eigenvalues: Vector) -> float:
    """Smallest difference between an eigenvalue and the one before it, below 0 if out of order."""
    return float(np.min(np.diff(eigenvalues)))
