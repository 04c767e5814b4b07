"""The adaptive configuration: its budget, what it clips, and what is left when the noise is taken away."""

import math
from fractions import Fraction

import numpy as np
import pytest
from dp_accounting.pld.privacy_loss_mechanism import GaussianPrivacyLoss
from hypothesis import given, settings
from hypothesis import strategies as st

from dplda import Plan
from dplda.methods.base.calibration import Calibration
from dplda.methods.base.method import FitResult
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.base.runtime import Runtime
from dplda.methods.configurations.adaptive import ADAPTIVE
from dplda.methods.configurations.chain.spectral_methods import fit_spectral
from dplda.methods.configurations.pairs_then_tensor import pair_clip_quantile
from dplda.privacy.accounting.gaussian import compose, mu_for
from dplda.privacy.release import Status
from tests.asking import private_unigram
from tests.privacy.sources import ScaledNoise
from tests.tiny_corpora import topical_corpus

CORPUS = topical_corpus(1)
VARIANT = ADAPTIVE.variants[Calibration.CORRECTED]
QUANTITIES = (
    "clipped word counts",
    "clip level of pair frequencies",
    "pair average",
    "word average",
    "mean weight of a document",
    "clip level of whitened triples",
    "whitened triple average",
)


def adaptive(epsilon: float, delta: float = 1e-7) -> FitResult:
    return fit_spectral(CORPUS, Plan("adaptive", epsilon, delta), Problem(3, 1.0), Runtime(3))


@pytest.mark.parametrize(("epsilon", "delta"), [(20.0, 1e-7), (10.0, 1e-5), (50.0, 1e-9)])
def test_adaptive_spends_the_claimed_budget_by_an_independent_accountant(
    epsilon: float, delta: float
) -> None:
    """From scales and sensitivities alone."""
    fitted_run = adaptive(epsilon, delta)
    assert fitted_run.details.whitening.resolved == 3
    assert fitted_run.guarantee.epsilon == epsilon
    together = 1 / math.sqrt(
        sum((release.sensitivity / release.scale) ** 2 for release in fitted_run.releases)
    )
    closed = GaussianPrivacyLoss(standard_deviation=together)
    assert closed.get_delta_for_epsilon(epsilon) <= delta * (1 + 1e-9)
    assert closed.get_delta_for_epsilon((1 - 1e-6) * epsilon) > delta


def test_adaptive_splits_its_budget_as_the_plan_says() -> None:
    split = tuple((name, 0.9 if name == "pairs" else 0.02) for name in VARIANT.names)
    fitted_run = fit_spectral(CORPUS, Plan("adaptive", 20.0, split=split), Problem(3, 1.0))
    mu = mu_for(20.0, 1e-7)
    shares = {release.quantity: (release.mu / mu) ** 2 for release in fitted_run.releases}
    squared = (2 * CORPUS.n_words / (CORPUS.n_documents * mu)) ** 2
    share_left = 1 - shares["clipped word counts"]
    assert share_left == pytest.approx(1 / (1 + squared))
    assert shares["pair average"] == pytest.approx(0.9 * share_left)
    assert shares["word average"] == pytest.approx(0.02 * share_left)
    assert compose([release.mu for release in fitted_run.releases]) <= mu * (1 + 1e-14)


@pytest.mark.parametrize("epsilon", [0.01, 0.15])
def test_adaptive_without_resolved_topics_spends_the_tensor_budget_on_words(epsilon: float) -> None:
    """Not one direction rises, or the words' own alone."""
    silent = ScaledNoise(0, 0.0)  # declared noise far above the signal, none drawn
    fitted_run = fit_spectral(
        CORPUS, Plan("adaptive", epsilon), Problem(3, 1.0), Runtime(noise=silent)
    )
    assert fitted_run.topics.resolved == fitted_run.details.whitening.resolved == 0
    assert fitted_run.details.components is None
    assert tuple(release.quantity for release in fitted_run.releases) == (
        *QUANTITIES[:5],
        "clipped word counts, again",
    )
    mu, share = mu_for(epsilon, 1e-7), dict(VARIANT.default_split)
    share_left = 1 - (fitted_run.releases[0].mu / mu) ** 2
    share_of_words = share_left * (share["triple clip"] + share["triples"])
    assert (fitted_run.releases[-1].mu / mu) ** 2 == pytest.approx(share_of_words)
    assert compose([release.mu for release in fitted_run.releases]) == pytest.approx(mu, rel=1e-12)
    assert sum(Fraction(release.mu) ** 2 for release in fitted_run.releases) <= Fraction(mu) ** 2
    np.testing.assert_allclose(
        fitted_run.topics.words, np.repeat(fitted_run.topics.mean_words[None], 3, axis=0)
    )
    assert fitted_run.guarantee.status is Status.PROVEN


def test_adaptive_with_few_documents_resolves_no_topics() -> None:
    """With 3 documents at ε = 0.01 the noisy mass is negative for about every second seed."""
    tiny = topical_corpus(0, n_documents=3)
    fits = [
        fit_spectral(tiny, Plan("adaptive", 0.01), Problem(2, 1.0), Runtime(seed))
        for seed in range(12)
    ]
    fits_without_weight = [
        fitted_run for fitted_run in fits if fitted_run.details.whitening is None
    ]
    assert 0 < len(fits_without_weight) < len(fits)
    for fitted_run in fits:
        assert fitted_run.topics.resolved == 0
        assert len(fitted_run.releases) == 6
        np.testing.assert_allclose(fitted_run.topics.words.sum(axis=1), 1)


def test_words_alone_are_as_good_as_the_private_unigram_where_there_are_no_topics() -> None:
    """Mean L1 distance to the words without noise, 40 draws of each: at most 5 % more."""
    corpus = topical_corpus(4, n_documents=400)
    truth = fit_spectral(corpus, None, Problem(3, 1.0)).topics.mean_words
    l1_errors = {name: [] for name in ("adaptive", "unigram")}
    for seed in range(40):
        plan = Plan("adaptive", 0.05)
        fitted_run = fit_spectral(corpus, plan, Problem(3, 1.0), Runtime(seed))
        assert fitted_run.topics.resolved == 0
        l1_errors["adaptive"].append(np.abs(fitted_run.topics.words[0] - truth).sum())
        rival = private_unigram(corpus, Budget(0.05, 1e-7), Runtime(seed)).topics.mean_words
        l1_errors["unigram"].append(np.abs(rival - truth).sum())
    assert np.mean(l1_errors["adaptive"]) < 1.05 * np.mean(l1_errors["unigram"])


@settings(max_examples=200)
@given(st.integers(3, 10**9), st.integers(2, 10**5), st.floats(1e-6, 200))
def test_pair_clip_quantile_lies_within_zero_to_one(n: int, d: int, mu: float) -> None:
    assert 0 < pair_clip_quantile(n_documents=n, n_words=d, mu=mu, search_mu=mu / 8) <= 1
