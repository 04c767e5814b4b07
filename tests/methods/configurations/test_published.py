"""Configurations 1 to 4 as printed: Procedure 1's private lower bounds, the noise they set, and the refusal."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from dplda import Plan
from dplda.core.errors import NoFiniteNoise
from dplda.flow import Edge
from dplda.methods.base.calibration import Calibration
from dplda.methods.base.method import FitResult
from dplda.methods.base.problem import Problem, ProblemSize
from dplda.methods.base.runtime import Runtime
from dplda.methods.configurations import published
from dplda.methods.configurations.chain.pipeline import start_route
from dplda.methods.configurations.chain.spectral_methods import fit_spectral
from dplda.methods.configurations.published import SIGMA
from dplda.methods.configurations.route import Route
from dplda.privacy.accounting.composition import classic_multiplier
from dplda.privacy.mechanisms import Mechanisms
from dplda.privacy.noise.sources import NoiseSource, NoNoise
from dplda.spectral.statistics import PairMoment
from dplda.spectral.tensor import Components
from dplda.spectral.topics import RawTopics
from dplda.spectral.whitening import Whitening, noise_floor
from tests.privacy.sources import seeded
from tests.tiny_corpora import topical_corpus

N, K, D = 50_000, 2, 5
SIGMA_K, SIGMA_1, GAMMA_S = 0.02, 0.05, 0.1
EPSILON, DELTA = 3.0, 3e-6
W = Whitening(
    np.eye(D, K),
    np.eye(D, K),
    np.array([SIGMA_1, SIGMA_K, 0.001]),
    np.array([SIGMA_1, SIGMA_K]),
    0.0,
    np.ones(K),
)
PARTS = Components(np.array([1.0, 1.0 - 4 * GAMMA_S]), np.eye(K), 0.0, converged=True, n_starts=1)
TOPICS = RawTopics(np.full((K, D), 1 / D), np.array([0.6, 0.4]), np.full(D, 1 / D), np.ones(K))


def route(name: str, source: NoiseSource, epsilon: float = EPSILON) -> tuple[Route, Mechanisms]:
    mechanisms = Mechanisms(source)
    plan = Plan(name, epsilon, DELTA, calibration=Calibration.PUBLISHED)
    return start_route(plan, ProblemSize(N, D, K, 1.0), mechanisms), mechanisms


def test_smallest_gap_counts_the_last_eigenvalue_itself() -> None:
    close = Components(np.array([1.0, 0.2]), np.eye(K), 0.0, converged=True, n_starts=1)
    opened_route, mechanisms = route("config-3", NoNoise())
    opened_route.e7(close, W)
    assert mechanisms.releases[1].value == pytest.approx(0.2 / 4)


@pytest.mark.parametrize("name", ["config-2", "config-3", "config-4"])
@pytest.mark.parametrize("sigma", [0.0, -0.01, 1e-6])
def test_published_scale_at_a_lower_bound_of_zero_is_refused(name: str, sigma: float) -> None:
    spectrum = np.array([SIGMA_1, sigma, -0.02])
    small = Whitening(W.whitener, W.unwhitener, spectrum, W.kept, 0.0, W.overlap)
    opened_route, mechanisms = route(name, seeded(1))
    edge, arguments = {
        "config-2": ("e6", (np.zeros((K, K, K)), small)),
        "config-3": ("e7", (PARTS, small)),
    }.get(name, ("e9", (TOPICS, PARTS, small)))
    with pytest.raises(
        NoFiniteNoise, match="bound on σk is 0, so no finite noise protects this"
    ) as refusal:
        getattr(opened_route, edge)(*arguments)
    assert refusal.value.quantity == SIGMA
    assert len(mechanisms.releases) == 1  # the bound itself: nothing was drawn at a made-up scale


@pytest.mark.parametrize("name", ["config-3", "config-4"])
def test_equal_eigenvalues_are_refused_too(name: str) -> None:
    equal = Components(np.ones(K), np.eye(K), 0.0, converged=True, n_starts=1)
    opened_route, _ = route(name, seeded(1))
    with pytest.raises(
        NoFiniteNoise, match="private lower bound on γs is 0, so no finite noise protects this"
    ):
        opened_route.e7(equal, W) if name == "config-3" else opened_route.e9(TOPICS, equal, W)


def test_configuration_4_with_negative_noisy_alpha_has_finite_eigenvalues() -> None:
    """The noise is that of 3,000 documents, at which the private bounds are still above 0."""
    lowest = 0.0
    for seed in range(20):
        plan = Plan("config-4", EPSILON, DELTA, calibration=Calibration.PUBLISHED)
        route = start_route(plan, ProblemSize(3000, D, K, 1000.0), Mechanisms(seeded(seed)))
        noisy = route.e9(TOPICS, PARTS, W)
        assert np.all(np.isfinite(noisy.eigenvalues))
        lowest = min(lowest, float(np.min(noisy.alpha)))
    assert lowest < 0


@pytest.mark.parametrize("edge", ["e4", "e8"])
def test_noise_on_the_pair_moment_has_the_printed_scale_on_every_entry(edge: str) -> None:
    """τ/N on and off the diagonal, mirrored: 3,160 and 80 numbers vary by 1.3 and 8 % of it."""
    opened_route, mechanisms = route("config-1", seeded(2))
    exact = PairMoment(np.zeros((80, 80)))
    noisy = opened_route.e4(exact) if edge == "e4" else opened_route.e8(exact, exact)
    noise = noisy.matrix()
    scale = classic_multiplier(EPSILON / 3, DELTA / 3) / N
    assert mechanisms.releases[0].scale == pytest.approx(scale, rel=1e-12)
    np.testing.assert_array_equal(noise, noise.T)
    assert np.std(noise[np.triu_indices(80, 1)]) == pytest.approx(scale, rel=0.05)
    assert np.std(np.diag(noise)) == pytest.approx(scale, rel=0.3)


def test_noise_on_the_whitened_tensor_has_one_scale_on_every_distinct_entry() -> None:
    """The 816 entries with three different indices vary by 2.5 % of it."""
    size = 18
    opened_route, mechanisms = route("config-2", seeded(3))
    noise = opened_route.e6(np.zeros((size,) * 3), W)
    i, j, m = np.array(list(combinations(range(size), 3))).T
    scale = mechanisms.releases[1].scale
    assert np.std(noise[i, j, m]) == pytest.approx(scale, rel=0.1)
    np.testing.assert_array_equal(noise, noise.transpose(2, 0, 1))


def test_noise_on_the_triple_moment_is_seen_whitened_as_mirrored_entries() -> None:
    """Through directions spread over many words, nearly six times the variance of isotropic noise."""
    d = 60
    spread = np.linalg.qr(np.random.default_rng(0).standard_normal((d, K)))[0]
    whitening = replace(W, whitener=spread)
    squares = []
    for seed in range(400):
        opened_route, mechanisms = route("config-1", seeded(seed))
        tensor = opened_route.triples(NoTriples(), whitening, PairMoment(np.zeros((d, d))))
        squares.append((tensor / mechanisms.releases[0].scale) ** 2)
    mean_squares = np.mean(squares, axis=0)
    # √6 times isotropic noise would give 6 and 2; at most 1.5 times the leverage is missing
    assert 4.5 < mean_squares[0, 0, 0] < 7
    assert 1.5 < mean_squares[0, 0, 1] < 2.4


class NoTriples:
    """Statistics whose third moment is zero."""

    def third_moment(self, whitener: np.ndarray) -> np.ndarray:
        return np.zeros((whitener.shape[1],) * 3)


NOISY_MOMENT = {
    "config-1": 0.42,
    "config-2": 0.7,
    "config-3": 1.0,
}  # and an ε at which its noise is felt


def as_published(
    name: str,
    epsilon: float,
    *,
    split: tuple[tuple[str, float], ...] = (),
    noise: NoiseSource | None = None,
) -> FitResult:
    plan = Plan(name, epsilon, split=split, calibration=Calibration.PUBLISHED)
    return fit_spectral(
        topical_corpus(0, n_documents=20_000), plan, Problem(3, 1.0), Runtime(noise=noise)
    )


@pytest.mark.parametrize(("name", "rising"), [("config-1", 2), ("config-2", 3), ("config-3", 3)])
def test_overlap_as_published_follows_from_the_noise_on_e8(name: str, rising: int) -> None:
    fitted_run = as_published(name, NOISY_MOMENT[name])
    release = next(release for release in fitted_run.releases if release.edge == Edge.E8)
    s = release.scale  # on every entry
    whitening_shown = fitted_run.details.whitening
    assert whitening_shown.noise_floor == pytest.approx(noise_floor(30, s), rel=1e-12)
    eigenvalues = np.linalg.eigvalsh(np.asarray(release.value))[::-1][:3]
    signal = (eigenvalues + np.sqrt(np.maximum(eigenvalues**2 - 4 * 30 * s**2, 0))) / 2
    expected = np.where(eigenvalues > whitening_shown.noise_floor, 1 - 30 * s**2 / signal**2, 0)
    np.testing.assert_allclose(whitening_shown.overlap, expected, atol=1e-9)
    assert (whitening_shown.rising, whitening_shown.resolved, fitted_run.topics.resolved) == (
        rising,
        3,
        3,
    )
    assert min(expected) < 0.9
    assert np.all(
        (fitted_run.topics.overlap >= min(expected)) & (fitted_run.topics.overlap <= max(expected))
    )


@pytest.mark.parametrize(("name", "epsilon"), NOISY_MOMENT.items())
def test_topics_as_published_ignore_the_known_noise_level(
    name: str, epsilon: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    fitted_run = as_published(name, epsilon)
    monkeypatch.setattr(published, "with_known_noise", lambda whitening, *_, **__: whitening)
    blind = as_published(name, epsilon)
    assert blind.details.whitening.noise_floor == 0
    np.testing.assert_array_equal(blind.topics.overlap, 1)
    for field in ("words", "alpha", "eigenvalues", "mean_words"):
        np.testing.assert_array_equal(
            getattr(fitted_run.topics, field), getattr(blind.topics, field)
        )


def test_topics_of_noise_alone_are_no_signal() -> None:
    fitted_run = as_published("config-1", 0.1)
    assert fitted_run.topics.resolved == 3
    np.testing.assert_array_equal(fitted_run.topics.overlap, 0)


def test_whitening_lost_in_noise_leaves_no_direction_rising() -> None:
    fitted_run = as_published("config-1", 3.0, split=(("e3", 0.499), ("e4", 0.001), ("e8", 0.5)))
    assert fitted_run.details.whitening.spectrum[0] > 2 * fitted_run.details.whitening.noise_floor
    assert fitted_run.details.whitening.rising == 0
