"""The gate for private variational inference: δ at every ε, all steps composed; and one μ of full batches.

Steps that count words alone are audited alike, alone and before others that ask for topics.

What is wrong shows at other ε for other mutants, and at no ε that could be named beforehand: too much noise at one may
hide too little at another. So all of the accountant's curve is compared, with bounds that hold at every ε at once.
Errors and runs: gate.py. The family of curves is compared at one threshold, chosen on the first half of the
runs, so that its bound is wrong with the same probability as any other.
"""

import math
from contextlib import suppress

import numpy as np
import pytest
from scipy import stats

from dplda.attacks.audit import harness
from dplda.attacks.audit.attack import Attack
from dplda.attacks.audit.curves import NOISE_FACTORS, DeltaCurves, delta_curves
from dplda.attacks.audit.evidence import bound_loss
from dplda.attacks.audit.harness import Audit, Verdict
from dplda.attacks.audit.minibatches import SAMPLED, VARIATIONAL, simulate_scores
from dplda.attacks.audit.sabotage import EVERYONE, HONEST
from dplda.attacks.replay import Recorder
from dplda.core.errors import InputError
from dplda.methods.base.calibration import Calibration
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.base.runtime import Runtime
from dplda.methods.dpvi.minibatch_run import STATISTIC, WORDS
from dplda.methods.dpvi.private_variational import run_variational
from dplda.methods.dpvi.replaced_loss import replacement_loss
from dplda.methods.dpvi.settings import clipping_scheme
from dplda.methods.registry import parse_method
from dplda.privacy.named_quantity import stream_name
from dplda.privacy.release import Status
from tests.attacks.audit import gate
from tests.privacy.sources import seeded
from tests.tiny_corpora import corpus_of

_, MINIBATCHES, _, WORDS_FIRST = VARIATIONAL
PROMISE = gate.SAMPLED
MIDDLE = len(NOISE_FACTORS) // 2  # the accountant's own curve
every_audit = pytest.mark.parametrize("audit", VARIATIONAL, ids=str)


@pytest.fixture(scope="module")
def sigma() -> float:
    return SAMPLED.schedule(PROMISE.epsilon, PROMISE.delta).noise_multiplier


@pytest.fixture(scope="module")
def family() -> DeltaCurves:
    return delta_curves(PROMISE.epsilon, PROMISE.delta, SAMPLED)


def bound(scores: np.ndarray, neighbor_scores: np.ndarray, audit: Attack = MINIBATCHES) -> float:
    return bound_loss(scores, neighbor_scores, audit.measure(PROMISE), error=gate.ERROR).lower


@pytest.mark.parametrize(
    ("factor", "rate", "missing"),
    [
        (2.0, SAMPLED.sampling_rate, gate.TWO),
        (math.sqrt(2), SAMPLED.sampling_rate, gate.ROOT_TWO),
        (1.0, 1.0, gate.TAKEN),
    ],
)
def test_gate_runs_find_the_loss_of_each_minibatch_mutant(
    factor: float, rate: float, missing: str, sigma: float
) -> None:
    """30 audits: all find it, 2.5 of their standard deviations above the claim. Twice the bound is half the noise."""
    rng, runs = np.random.default_rng(0), gate.RUNS_MINIBATCHES[missing]
    simulation = {"sigma": sigma, "rate": rate, "steps": SAMPLED.steps, "factor": factor}
    lower = [
        bound(*(sign * rescored(rng, runs, simulation) for sign in (1, -1))) for _ in range(30)
    ]
    assert min(lower) > PROMISE.epsilon
    assert np.mean(lower) - PROMISE.epsilon >= 2.5 * np.std(lower)


def rescored(rng: np.random.Generator, runs: int, arguments: dict) -> np.ndarray:
    """Scores of an adversary who takes documents to be sampled."""
    if arguments["rate"] == SAMPLED.sampling_rate:
        return simulate_scores(rng, runs, **arguments)
    sigma = arguments["sigma"]
    x = sigma * rng.standard_normal((2, SAMPLED.steps, runs)) + np.array([1.0, 0.0])[:, None, None]
    own_density, other_density = np.log1p(SAMPLED.sampling_rate * np.expm1((x - 0.5) / sigma**2))
    return np.sum(own_density - other_density, axis=0)


@pytest.mark.parametrize("audit", [MINIBATCHES, WORDS_FIRST], ids=str)
def test_simulated_scores_follow_the_law_of_the_audited_steps(audit: Attack, sigma: float) -> None:
    """Kolmogorov and Smirnov, errors 1e-4 each: whether words or topics are asked for, the law is the same."""
    audited_scores, _, _ = audit.sample_scores(PROMISE, 1000, 7)
    law = {"sigma": sigma, "rate": SAMPLED.sampling_rate, "steps": SAMPLED.steps, "factor": 1.0}
    simulated = simulate_scores(np.random.default_rng(5), 100_000, **law)
    assert stats.ks_2samp(audited_scores, simulated).pvalue > 1e-4


@every_audit
def test_minibatch_pair_is_the_worst_allowed_at_every_step(audit: Attack) -> None:
    """The sensitivity has room for rounding, and a part's norm for that of float32."""
    record = audit.replay_run(PROMISE)
    released = record.results[0][-1]
    for release in record.releases:
        first_mean, second_mean = (request.mean for request in release.requests)
        for part in (first_mean, second_mean):
            assert (
                1 - 1e-6
                < np.linalg.norm(part)
                / (released.sensitivity / released.scale * release.requests[0].scale)
                <= 1
            )
        assert first_mean @ second_mean == 0


def test_recorded_draws_of_a_step_begin_with_the_released_value() -> None:
    """Bit by bit: the first draw of every step is that of a run nobody watches, on the same minibatch."""
    corpus, watched = corpus_of(MINIBATCHES.pair[0]), Recorder(seeded(0), n_draws=3)
    results = MINIBATCHES.run(corpus, PROMISE, 4, Recorder(seeded(0)))
    budget, resources = Budget(PROMISE.epsilon, PROMISE.delta), Runtime(4, seeded(0))
    usual = run_variational(corpus, Problem(2, 1.0), budget, resources, settings=SAMPLED)
    np.testing.assert_array_equal(results[0].value, usual.releases[0].value)
    MINIBATCHES.run(corpus, PROMISE, 4, watched)
    for request in watched.requests:
        np.testing.assert_array_equal(request.noisy_draws[0], request.answer)
        assert np.all(request.noisy_draws[0] != request.noisy_draws[1])


def test_audit_covers_every_proven_release_of_the_variational_method() -> None:
    """One calibration, two quantities, and steps of either in every order that occurs."""
    proven = []
    for calibration in Calibration:
        with suppress(InputError):
            proven += [calibration] * (
                clipping_scheme(calibration, SAMPLED).status is Status.PROVEN
            )
    assert proven == [Calibration.CORRECTED]
    words, topics = stream_name(WORDS), stream_name(STATISTIC)
    audited = [
        [release.stream for release in audit.replay_run(PROMISE).releases] for audit in VARIATIONAL
    ]
    assert audited == [[topics] * 3, [topics] * 3, [words] * 3, [words, topics, topics]]


def test_delta_curves_around_the_claim_lie_just_above_the_accountant(
    sigma: float, family: DeltaCurves
) -> None:
    """Never below what the finer grid says, and at most 1e-4 above it; of the claimed one, ε at δ is the claim."""
    own_loss = replacement_loss(sigma, SAMPLED.sampling_rate, SAMPLED.steps)
    claimed = np.array([own_loss.get_delta_for_epsilon(epsilon) for epsilon in family.epsilons])
    assert np.all(family.deltas[MIDDLE] >= claimed * (1 - 1e-9))
    np.testing.assert_allclose(family.deltas[MIDDLE], claimed, atol=1e-4)
    assert own_loss.get_delta_for_epsilon(PROMISE.epsilon) <= PROMISE.delta
    assert np.all(np.diff(family.bounds) > 0)
    assert family.bounds[MIDDLE] == PROMISE.epsilon


@pytest.mark.parametrize("alarms", [1e-4, 0.01, 0.1])
def test_delta_curve_is_disproved_only_by_rates_above_it(
    alarms: float, family: DeltaCurves
) -> None:
    """The largest rate of hits that the claimed curve allows proves nothing of it; a hair more does, either way."""
    hits = np.min(family.deltas[MIDDLE] + np.exp(family.epsilons) * alarms)
    assert hits < 1 - alarms

    def value(p: float, q: float) -> float:
        return float(family(np.array([p]), np.array([q]))[0])

    assert value(hits - 1e-9, alarms) < PROMISE.epsilon
    for p, q in ((hits + 1e-6, alarms), (1 - alarms, 1 - hits - 1e-6)):
        assert PROMISE.epsilon < value(p, q) < family.bounds[MIDDLE + 1]
    assert value(0.5, 0.5) == -np.inf


@pytest.mark.usefixtures("few_pairs")
def test_audit_of_minibatches_catches_sampling_that_leaves_nobody_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(harness, "attacks_on", lambda method: (MINIBATCHES,))
    for sabotage, verdict in ((HONEST, Verdict.HOLDS), (EVERYONE, Verdict.CAUGHT)):
        audit = Audit(parse_method("dp-vi"), PROMISE, runs=1600, sabotage=sabotage, batches=2)
        assert audit.run_all(lambda fraction, line: None) == (verdict,)
