"""What clipping does to the law of topics' shares, and the concentration that moments of clipped documents have."""

import math
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

import dplda
from dplda.corpus import Corpus
from dplda.methods.base.calibration import Calibration
from dplda.methods.base.problem import Budget, Problem, ProblemSize
from dplda.methods.base.runtime import Runtime
from dplda.methods.configurations import pairs_then_tensor
from dplda.methods.configurations.adaptive import ADAPTIVE
from dplda.methods.configurations.pairs_then_tensor import PairsThenTensor, estimate_weighted_alpha0
from dplda.methods.registry import parse_method
from dplda.privacy.mechanisms import Mechanisms
from dplda.privacy.noise.sources import NoNoise
from dplda.spectral.corpus_statistics import CorpusStatistics, StatisticsCache
from dplda.spectral.cumulants import Coefficients
from dplda.spectral.documents import LARGEST_PAIR_NORM
from dplda.spectral.statistics import Averages
from dplda.spectral.whitening import Whitening

K, D = 3, 24
TOPICS = np.kron(np.eye(K), np.full((1, D // K), K / D))


def clipped(alpha0: float, share_unclipped: float) -> tuple[Averages, float, StatisticsCache]:
    """Averages of documents, a fraction of them left unclipped; ``α0`` by their shares as weighed; and their sums."""
    rng = np.random.default_rng(5)
    shares = rng.dirichlet(np.full(K, alpha0 / K), 20_000)
    counts = rng.multinomial(rng.integers(40, 80, len(shares)), shares @ TOPICS)
    sums = StatisticsCache(Corpus.from_counts(counts, label="simulated", name="blocks").counts)
    level = (
        float(np.quantile(sums.pair_norms, share_unclipped))
        if share_unclipped < 1
        else LARGEST_PAIR_NORM
    )
    weights = sums.weights(level)
    collision_share = float(weights @ np.sum(shares**2, axis=1) / np.sum(weights))
    return sums.averages(level), (1 - collision_share) / (collision_share - 1 / K), sums


@pytest.mark.parametrize("alpha0", [0.3, 1.0, 5.0])
@pytest.mark.parametrize("share_unclipped", [0.02, 0.3, 0.8])
def test_shares_are_as_uneven_as_those_of_clipped_documents(
    alpha0: float, share_unclipped: float
) -> None:
    averages, true_alpha0, _ = clipped(alpha0, share_unclipped)
    assert math.isclose(estimate_weighted_alpha0(averages, alpha0, K), true_alpha0, rel_tol=0.06)
    if share_unclipped < 0.1:
        assert true_alpha0 > 1.1 * alpha0


def test_weighted_alpha0_without_clipping_is_the_given_one() -> None:
    averages, _, _ = clipped(1.0, 1.0)
    assert math.isclose(estimate_weighted_alpha0(averages, 1.0, K), 1.0)


def test_pair_moment_at_the_weighted_alpha0_separates_topics() -> None:
    averages, _, _ = clipped(1.0, 0.05)

    def together(alpha0: float) -> float:
        """How far topics lean on each other in the pair moment, in units of what each has alone; 0 in the model."""
        moment = TOPICS @ averages.pair_moment(Coefficients(alpha0)) @ TOPICS.T
        return float(np.mean(moment[~np.eye(K, dtype=bool)]) / np.mean(np.diag(moment)))

    assert together(1.0) > 0.04
    assert abs(together(estimate_weighted_alpha0(averages, 1.0, K))) < 0.25 * together(1.0)


def test_triple_moment_at_the_weighted_alpha0_has_small_cross_terms() -> None:
    averages, _, sums = clipped(1.0, 0.05)
    split = ADAPTIVE.variants[Calibration.CORRECTED].default_split
    route = PairsThenTensor(
        ProblemSize(20_000, D, K, 1.0), Budget(1.0, 1e-6, split), Mechanisms(NoNoise())
    )
    statistics = CorpusStatistics(sums, Coefficients(1.0), keep_short=True)
    along = Whitening(TOPICS.T, TOPICS.T, np.ones(K), np.ones(K), 0.0, np.ones(K))

    def together(alpha0: float) -> float:
        moment = route.triples(statistics, along, replace(averages, alpha0=alpha0))
        diagonal = moment[np.arange(K), np.arange(K), np.arange(K)]
        return float((np.sum(moment) - np.sum(diagonal)) / np.sum(diagonal))

    assert abs(together(estimate_weighted_alpha0(averages, 1.0, K))) < 0.25 * abs(together(1.0))


@cache
def long_documents() -> list[Corpus]:
    return [
        dplda.simulate(
            n_documents=20_000, n_words=100, n_topics=3, alpha0=1, mean_length=100, seed=seed
        )
        for seed in range(3)
    ]


@pytest.mark.parametrize("method", ["adaptive", "refined"])
def test_topics_of_clipped_documents_are_nearer_to_the_truth_by_it(
    method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where nine documents of ten are clipped: a fifth of the error at least, over three draws."""
    corpora = long_documents()

    def error() -> float:
        runs = (
            parse_method(method).fit(corpus, Problem(3, 1.0), Budget(1.0, 1e-6), Runtime(1))
            for corpus in corpora
        )
        return sum(
            dplda.topic_error(fit.topics.words, corpus.truth.topics).l1_mean
            for corpus, fit in zip(corpora, runs, strict=True)
        )

    allowed_for = error()
    monkeypatch.setattr(
        pairs_then_tensor, "estimate_weighted_alpha0", lambda averages, alpha0, n_topics: alpha0
    )
    assert allowed_for < 0.8 * error()


@pytest.mark.parametrize("alpha0", [1e-12, 0.01, 100.0, 1e12])
@pytest.mark.parametrize("noise", [-1.0, 0.0, 100.0])
def test_weighted_alpha0_at_any_noise_is_finite(alpha0: float, noise: float) -> None:
    words = np.full(D, 1 / D)
    weighted_alpha0 = estimate_weighted_alpha0(
        Averages(words, noise * np.diag(words), 1.1, clip=0.01), alpha0, K
    )
    assert alpha0 * (1 - 0.01) <= weighted_alpha0 < np.inf
