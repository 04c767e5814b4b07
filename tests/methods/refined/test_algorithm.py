"""Refinement as a mechanism: what it spends, what it shows of the documents, its two ends, and that it finds topics."""

import math
from fractions import Fraction

import numpy as np
import pytest

from dplda import Corpus, topic_error
from dplda.core.errors import InputError
from dplda.corpus import Label, Truth
from dplda.corpus.simulation.simulate import draw_counts
from dplda.methods.base.calibration import Calibration
from dplda.methods.configurations.adaptive import ADAPTIVE
from dplda.methods.denoising.word_frequencies import NoisyWordCounts
from dplda.methods.refined.algorithm import fit_refined
from dplda.methods.refined.plan.constants import RefinedConstants
from dplda.methods.registry import parse_method
from dplda.privacy.accounting import gaussian
from dplda.privacy.noise.keys import Secret
from dplda.privacy.noise.sources import NoNoise
from dplda.privacy.release import Status
from dplda.spectral.topics import match
from tests.asking import asked, bought, called
from tests.privacy.sources import ScaledNoise
from tests.tiny_corpora import corpus_of, topical_corpus

CORPUS = topical_corpus(2, n_documents=2500, n_words=30)
K, ALPHA0, D = 3, 1.0, 30
FREE, BOUGHT = (
    RefinedConstants(max_start_noise=0.0, n_steps=6),
    RefinedConstants(max_start_noise=1e9, n_steps=4),
)


def fit(documents=CORPUS, **changes):
    arguments = {"n_topics": K, "alpha0": ALPHA0, "epsilon": 5.0, "delta": 1e-6, "constants": FREE}
    return called(fit_refined, documents, **arguments | changes)


@pytest.mark.parametrize("recipe", [FREE, BOUGHT, RefinedConstants()])
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 30.0])
def test_budgets_of_a_run_add_up_to_the_whole(recipe: RefinedConstants, epsilon: float) -> None:
    """Nothing but what a start would have spent on triples that noise has left no directions for."""
    fitted_run = fit(constants=recipe, epsilon=epsilon)
    mu = gaussian.mu_for(epsilon, 1e-6)
    spent_squares = sum(Fraction(release.mu) ** 2 for release in fitted_run.releases)
    assert spent_squares <= Fraction(mu) ** 2
    if epsilon >= 1 or not bought(fitted_run):
        assert float(spent_squares) >= mu**2 * (1 - 1e-12)
    assert all(release.scale >= release.sensitivity / release.mu for release in fitted_run.releases)
    assert fitted_run.guarantee.mechanism is Status.PROVEN
    assert (fitted_run.guarantee.claimed_epsilon, fitted_run.guarantee.claimed_delta) == (
        epsilon,
        1e-6,
    )


def test_release_of_a_run_is_one_of_the_proof_with_its_sensitivity() -> None:
    fitted_run = fit(constants=BOUGHT)
    spectral = {quantity.words for quantity in ADAPTIVE.variants[Calibration.CORRECTED].quantities}
    first_release, *start = fitted_run.releases[: -BOUGHT.n_steps - 1]
    assert {release.quantity for release in start} == spectral
    *steps, evidence = fitted_run.releases[-BOUGHT.n_steps - 1 :]
    assert 1 <= evidence.sensitivity / math.sqrt(10) <= 1 + 1e-6
    for release in (first_release, *steps):
        assert release.quantity in ("clipped word counts", "clipped statistic of a step")
        assert 1 <= release.sensitivity / (math.sqrt(2) * BOUGHT.clip_norm) <= 1 + 1e-6


def test_fit_refined_repeats_a_draw_by_seed_or_secret_alone() -> None:
    np.testing.assert_array_equal(fit(seed=3).topics.words, fit(seed=3).topics.words)
    assert np.any(fit(seed=3).topics.words != fit(seed=4).topics.words)
    sensitive = Corpus.from_counts(
        CORPUS.counts, label=Label.SENSITIVE, name="s", vocabulary=CORPUS.vocabulary
    )
    assert np.any(fit(sensitive).topics.words != fit(sensitive).topics.words)
    secret = Secret()
    first_words, repeated_words, words_of_other_budget = (
        fit(sensitive, secret=secret, epsilon=e).topics.words for e in (5.0, 5.0, 5.1)
    )
    np.testing.assert_array_equal(first_words, repeated_words)
    assert np.any(first_words != words_of_other_budget)
    assert fit(sensitive).guarantee.mechanism is Status.PROVEN


def test_guarantee_without_noise_claims_nothing() -> None:
    assert fit(noise=NoNoise()).guarantee.mechanism is Status.NOT_PRIVATE


@pytest.mark.parametrize("seed", range(4))
def test_fit_refined_without_budget_is_the_private_unigram(seed: int) -> None:
    """What is released at the smallest ε is the first release's word frequencies, in every topic."""
    fitted_run = fit(epsilon=3e-4, constants=RefinedConstants(), seed=seed)
    first_release = fitted_run.releases[0]
    assert first_release.mu**2 > 0.95 * gaussian.mu_for(3e-4, 1e-6) ** 2
    unigram = NoisyWordCounts(first_release.value, first_release.scale).word_frequencies
    np.testing.assert_array_equal(fitted_run.topics.mean_words, unigram)
    assert np.max(np.sum(np.abs(fitted_run.topics.words - unigram), axis=1)) < 0.05


@pytest.mark.parametrize("recipe", [FREE, BOUGHT])
def test_fit_refined_with_huge_budget_is_that_without_noise(
    recipe: RefinedConstants,
) -> None:
    exact, private = (
        fit(epsilon=1e7, constants=recipe, **noise).topics.words
        for noise in ({"noise": NoNoise()}, {})
    )
    assert topic_error(exact, private).l1_mean < 1e-3


def test_fit_refined_with_growing_epsilon_tends_to_its_noiseless_twin() -> None:
    """As 1/√ε, however large ε: the twin's budget is as large as it has to be for that, too."""
    twin = parse_method("refined").fit(CORPUS, *asked(K, ALPHA0, 1.0, noise=NoNoise())).topics.words
    assert (
        topic_error(twin, fit(epsilon=1e8, constants=RefinedConstants()).topics.words).l1_mean
        < 1e-5
    )


def test_fit_refined_on_simulated_documents_finds_their_topics() -> None:
    truth = CORPUS.truth.topics
    corpus = topical_corpus(2, n_documents=20_000, n_words=D)
    fitted_run = fit(corpus, epsilon=3.0, constants=RefinedConstants())
    assert bought(fitted_run)
    assert topic_error(truth, fitted_run.topics.words).l1_mean < 0.06
    assert np.all(fitted_run.evidence.by_topic > 20 * fitted_run.evidence.topic_noise)
    assert np.allclose(np.sum(fitted_run.topics.words, axis=1), 1)


def test_alpha_after_a_spectral_start_is_learned() -> None:
    """Where documents mix much, inference at equal shares leads away from topics of unequal ones."""
    alpha = np.array([6.0, 3.0, 1.0])
    topics = np.random.default_rng(3).dirichlet(np.full(D, 0.1), size=K)
    counts = draw_counts(Truth(topics, alpha), np.full(20_000, 60), rng=np.random.default_rng(4))
    corpus = Corpus.from_counts(counts, label=Label.SIMULATED, name="unequal")
    fitted_run = fit(
        corpus, alpha0=10.0, epsilon=30.0, constants=RefinedConstants(misfit_tolerance=0.0)
    )
    assert bought(fitted_run)
    np.testing.assert_allclose(
        fitted_run.topics.alpha[match(topics, fitted_run.topics.words)], alpha, rtol=0.15
    )
    assert topic_error(topics, fitted_run.topics.words).l1_mean < 0.06, "at equal shares 0.2"
    assert np.all(fit(constants=FREE).topics.alpha == ALPHA0 / K), (
        "noise is all that would be learned there"
    )


def test_evidence_with_half_the_noise_is_noticed() -> None:
    """Where noise is all there is, topics' parts are about normal at its scale, and not at another."""
    rng = np.random.default_rng(1)
    plain = corpus_of(rng.multinomial(30, np.full(D, 1 / D), size=3000))

    def scores(factor: float) -> np.ndarray:
        runs = [fit(plain, epsilon=0.02, seed=s, noise=ScaledNoise(s, factor)) for s in range(12)]
        return np.concatenate([run.evidence.by_topic / run.evidence.topic_noise for run in runs])

    assert 0.75 < np.std(scores(1.0)) < 1.3
    assert np.std(scores(0.5)) < 0.65


@pytest.mark.parametrize(
    "refused_call",
    [lambda: fit(n_topics=1), lambda: fit(n_topics=31), lambda: RefinedConstants(clip_norm=0.0)],
)
def test_fit_refined_with_impossible_choices_is_refused(refused_call) -> None:
    with pytest.raises(InputError):
        refused_call()
