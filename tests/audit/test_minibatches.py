"""The gate for private variational inference: the whole curve of δ over ε, all steps composed.

What is wrong shows at other ε for other mutants, and at no ε that could be named beforehand: too much noise at one may
hide too little at another. So all of the accountant's curve is compared, with bounds that hold at every ε at once.
"""

import math
from contextlib import suppress
from functools import cache

import numpy as np
import pytest
from scipy import stats

from dplda.audit.evidence import profile
from dplda.baselines import e_step
from dplda.baselines import private_variational as method
from dplda.baselines.settings import scheme_of
from dplda.configurations.variant import Calibration
from dplda.errors import InputError
from dplda.privacy.mechanisms import Mechanisms, stream
from dplda.privacy.release import Status
from tests.audit import gate, mutants
from tests.audit.minibatches import CHOICES, DOCUMENTS, SETTINGS, claimed, neighbour, scores, sigma, steps
from tests.tiny_corpora import corpus_of

EPSILONS = np.linspace(0, 3, 13)


@cache
def curve() -> np.ndarray:
    return claimed(EPSILONS)


def above(one: np.ndarray, two: np.ndarray) -> float:
    """How far the evidence is above the claimed curve, where it is farthest; at most 0 for what keeps its promise."""
    return float(np.max(profile(one, two, EPSILONS, error=gate.ERROR) - curve()))


def audited(runs: int) -> float:
    one, two = (scores(steps(document, runs, seed)) for seed, document in enumerate(DOCUMENTS))
    return above(one, two)


def doubled_bound(patch: pytest.MonkeyPatch, stream: str) -> None:
    honest = e_step.statistic
    patch.setattr(e_step, "statistic", lambda *given, bound: honest(*given, bound=2 * bound))


class Everyone:
    """Chances that are always met."""

    def random(self, size: int) -> np.ndarray:
        return np.zeros(size)


def all_taken(patch: pytest.MonkeyPatch, stream: str) -> None:
    honest = method._Run.step

    def step(run: method._Run, t: int) -> None:
        run._members = Everyone()
        honest(run, t)

    patch.setattr(method._Run, "step", step)


def test_private_variational_inference_is_no_less_private_than_its_accountant_says() -> None:
    assert audited(gate.RUNS_MINIBATCHES[gate.ROOT_TWO]) <= 0


MUTANTS = {
    "documents clipped at twice the bound": (doubled_bound, gate.TWO),
    "half the noise": (mutants.noise_over(2), gate.TWO),
    "noise over √2": (mutants.noise_over(math.sqrt(2)), gate.ROOT_TWO),
    "all documents taken": (all_taken, gate.TAKEN),
}


@pytest.mark.parametrize(("mutate", "missing"), MUTANTS.values(), ids=MUTANTS)
def test_a_mutant_is_caught(mutate: mutants.Mutant, missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    mutate(monkeypatch, stream(method.STATISTIC))
    assert audited(gate.RUNS_MINIBATCHES[missing]) > 0


def simulated(rng: np.random.Generator, runs: int, *, noise: float = 1.0, rate: float) -> np.ndarray:
    """Scores by a second route: along the two parts, in units of the bound, a step is two numbers."""
    total = np.zeros(runs)
    for _ in range(SETTINGS.steps):
        own = (rng.random(runs) < rate) + noise * sigma() * rng.standard_normal(runs)
        other = noise * sigma() * rng.standard_normal(runs)
        for sign, x in ((1, own), (-1, other)):
            total += sign * np.log1p(SETTINGS.sampling_rate * np.expm1((x - 0.5) / sigma() ** 2))
    return total


@pytest.mark.parametrize(
    ("noise", "rate", "missing"),
    [
        (0.5, SETTINGS.sampling_rate, gate.TWO),
        (math.sqrt(0.5), SETTINGS.sampling_rate, gate.ROOT_TWO),
        (1.0, 1.0, gate.TAKEN),
    ],
)
def test_the_runs_of_the_gate_find_what_they_are_to_find(noise: float, rate: float, missing: str) -> None:
    """30 audits: all find it, 2.5 of their standard deviations above the claim. Twice the bound is half the noise."""
    rng, runs = np.random.default_rng(0), gate.RUNS_MINIBATCHES[missing]
    found = [above(*(sign * simulated(rng, runs, noise=noise, rate=rate) for sign in (1, -1))) for _ in range(30)]
    assert min(found) > 0
    assert np.mean(found) >= 2.5 * np.std(found)


def test_the_simulated_scores_are_those_of_the_steps() -> None:
    """Kolmogorov and Smirnov, errors 1e-4."""
    drawn = scores(steps(DOCUMENTS[0], 1000, 7))
    own = simulated(np.random.default_rng(5), 100_000, rate=SETTINGS.sampling_rate)
    assert stats.ks_2samp(drawn, own).pvalue > 1e-4


def test_the_pair_is_the_worst_that_the_theorem_allows_at_every_step() -> None:
    for step in steps(DOCUMENTS[0], 1, 0):
        one, two = step.parts
        assert np.linalg.norm(one) == pytest.approx(SETTINGS.bound)
        assert np.linalg.norm(two) == pytest.approx(SETTINGS.bound)
        assert np.sum(one * two) == 0


def test_what_is_drawn_again_and_again_is_what_a_run_releases(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bit by bit: the first draw of the first step is that of a run nobody watches."""
    released: list[np.ndarray] = []
    honest = Mechanisms.minibatch_matrix

    def watched(mechanisms: Mechanisms, *given: object, **named: object) -> np.ndarray:
        released.append(honest(mechanisms, *given, **named))
        return released[-1]

    with monkeypatch.context() as patch:
        patch.setattr(Mechanisms, "minibatch_matrix", watched)
        method.run_variational(corpus_of(neighbour(DOCUMENTS[0])), **CHOICES, seed=4)
    first, second = steps(DOCUMENTS[0], 2, 4)[0].values
    np.testing.assert_array_equal(first, released[0] * (3 * SETTINGS.sampling_rate))
    assert np.all(first != second)


def test_all_that_it_releases_under_a_proof_is_audited() -> None:
    """One calibration, one quantity; and the claim of a plan is a point of the curve."""
    proven = []
    for calibration in Calibration:
        with suppress(InputError):
            proven += [calibration] * (scheme_of(calibration, SETTINGS).status is Status.PROVEN)
    assert proven == [Calibration.CORRECTED]
    found = method.private_variational(corpus_of(neighbour(DOCUMENTS[0])), **CHOICES)
    assert [(r.edge, r.quantity) for r in found.releases] == [(method.STATISTIC.edge, method.STATISTIC.words)]
    assert claimed(np.array([CHOICES["epsilon"]]))[0] <= CHOICES["delta"]
