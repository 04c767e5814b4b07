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

from dplda.attacks.audit.attack import Attack
from dplda.attacks.audit.curves import FACTORS, Curves, curves
from dplda.attacks.audit.evidence import evidence, profile
from dplda.attacks.audit.harness import Audit, Verdict
from dplda.attacks.audit.minibatches import SAMPLED, VARIATIONAL, simulated
from dplda.attacks.audit.neighbours import among_empty
from dplda.attacks.audit.promise import AuditedPromise
from dplda.attacks.audit.refinement import DOCUMENTS
from dplda.attacks.audit.sabotage import EVERYONE, HALF, LAST_BITS, PUBLISHED, REUSED, Sabotage, less_noise, without
from dplda.core.errors import InputError
from dplda.methods.configurations.variant import Calibration
from dplda.methods.problem import Budget, Problem
from dplda.methods.registry import parse_method
from dplda.methods.variational import e_step
from dplda.methods.variational.minibatch_run import STATISTIC, WORDS
from dplda.methods.variational.private_variational import private_variational, schedule_for
from dplda.methods.variational.replaced_loss import replaced_document
from dplda.methods.variational.settings import scheme_of
from dplda.privacy.mechanisms import Mechanisms, stream
from dplda.privacy.release import Release, Status
from tests.attacks.audit import gate
from tests.tiny_corpora import corpus_of, topical_corpus

FULL, MINIBATCHES, COUNTED, WORDS_FIRST = VARIATIONAL
PROMISE = AuditedPromise(12.4, 1e-7)
ROWS = among_empty(DOCUMENTS[0])
every_audit = pytest.mark.parametrize("audit", VARIATIONAL, ids=str)


@pytest.fixture(scope="module")
def sigma() -> float:
    return schedule_for(PROMISE.epsilon, PROMISE.delta, SAMPLED).noise_multiplier


@pytest.fixture(scope="module")
def family() -> Curves:
    return curves(PROMISE.epsilon, PROMISE.delta, SAMPLED)


def bound(one: np.ndarray, two: np.ndarray, audit: Attack = MINIBATCHES) -> float:
    return evidence(one, two, audit.measure(PROMISE), error=gate.ERROR).lower


def found(audit: Attack, runs: int, sabotage: Sabotage | None = None) -> float:
    one, two, _ = audit.seen(PROMISE, runs, sabotage=sabotage)
    return bound(one, two, audit)


@every_audit
def test_private_variational_inference_is_no_less_private_than_its_accountant_says(audit: Attack) -> None:
    assert found(audit, gate.RUNS_MINIBATCHES[gate.ROOT_TWO]) <= audit.claimed(PROMISE)


CAUGHT = [
    (FULL, HALF, gate.TWO),
    (FULL, PUBLISHED, gate.ROOT_TWO),
    (FULL, REUSED, gate.TAKEN),
    (FULL, LAST_BITS, gate.ROOT_TWO),
    (FULL, without("minibatch"), gate.TAKEN),
    (MINIBATCHES, HALF, gate.TWO),
    (MINIBATCHES, PUBLISHED, gate.ROOT_TWO),
    (MINIBATCHES, less_noise(math.sqrt(2)), gate.ROOT_TWO),
    (MINIBATCHES, REUSED, gate.TAKEN),
    (MINIBATCHES, without("minibatch"), gate.TAKEN),
    (MINIBATCHES, EVERYONE, gate.TAKEN),
    (COUNTED, HALF, gate.TWO),
    (COUNTED, PUBLISHED, gate.ROOT_TWO),
    (COUNTED, REUSED, gate.TAKEN),
    (COUNTED, LAST_BITS, gate.ROOT_TWO),
    (COUNTED, without("minibatch"), gate.TAKEN),
    (WORDS_FIRST, HALF, gate.TWO),
    (WORDS_FIRST, PUBLISHED, gate.ROOT_TWO),
    (WORDS_FIRST, REUSED, gate.TAKEN),
    (WORDS_FIRST, without("minibatch"), gate.TAKEN),
    (WORDS_FIRST, EVERYONE, gate.TAKEN),
]


@pytest.mark.parametrize(("audit", "sabotage", "missing"), CAUGHT, ids=str)
def test_sabotage_is_caught(audit: Attack, sabotage: Sabotage, missing: str) -> None:
    assert found(audit, gate.RUNS_MINIBATCHES[missing], sabotage) > audit.claimed(PROMISE)


@every_audit
def test_documents_that_are_clipped_at_twice_the_bound_are_caught(
    audit: Attack, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = e_step.statistic
    monkeypatch.setattr(e_step, "statistic", lambda *given, bound: honest(*given, bound=2 * bound))
    assert found(audit, gate.RUNS_MINIBATCHES[gate.TWO]) > audit.claimed(PROMISE)


@pytest.mark.parametrize("audit", [COUNTED, WORDS_FIRST], ids=str)
def test_words_that_are_counted_without_a_bound_are_caught(audit: Attack, monkeypatch: pytest.MonkeyPatch) -> None:
    """Topics keep theirs; one step that gives all away does so where the document is taken, not in every run."""
    honest = e_step.statistic

    def unbounded(counts, topics, inference, *, bound):
        return honest(counts, topics, inference, bound=math.inf if len(topics) == 1 else bound)

    monkeypatch.setattr(e_step, "statistic", unbounded)
    assert found(audit, gate.RUNS_MINIBATCHES[gate.ROOT_TWO]) > audit.claimed(PROMISE)


@pytest.mark.parametrize(
    ("factor", "rate", "missing"),
    [
        (2.0, SAMPLED.sampling_rate, gate.TWO),
        (math.sqrt(2), SAMPLED.sampling_rate, gate.ROOT_TWO),
        (1.0, 1.0, gate.TAKEN),
    ],
)
def test_the_runs_of_the_gate_find_what_they_are_to_find(
    factor: float, rate: float, missing: str, sigma: float
) -> None:
    """30 audits: all find it, 2.5 of their standard deviations above the claim. Twice the bound is half the noise."""
    rng, runs = np.random.default_rng(0), gate.RUNS_MINIBATCHES[missing]
    drawn = {"sigma": sigma, "rate": rate, "steps": SAMPLED.steps, "factor": factor}
    lower = [bound(*(sign * rescored(rng, runs, drawn) for sign in (1, -1))) for _ in range(30)]
    assert min(lower) > PROMISE.epsilon
    assert np.mean(lower) - PROMISE.epsilon >= 2.5 * np.std(lower)


def rescored(rng: np.random.Generator, runs: int, drawn: dict) -> np.ndarray:
    """Scores of an adversary who takes documents to be sampled."""
    if drawn["rate"] == SAMPLED.sampling_rate:
        return simulated(rng, runs, **drawn)
    sigma = drawn["sigma"]
    x = sigma * rng.standard_normal((2, SAMPLED.steps, runs)) + np.array([1.0, 0.0])[:, None, None]
    own, other = np.log1p(SAMPLED.sampling_rate * np.expm1((x - 0.5) / sigma**2))
    return np.sum(own - other, axis=0)


@pytest.mark.parametrize("audit", [MINIBATCHES, WORDS_FIRST], ids=str)
def test_the_simulated_scores_are_those_of_the_steps(audit: Attack, sigma: float) -> None:
    """Kolmogorov and Smirnov, errors 1e-4 each: whether words or topics are asked for, the law is the same."""
    drawn, _, _ = audit.seen(PROMISE, 1000, 7)
    law = {"sigma": sigma, "rate": SAMPLED.sampling_rate, "steps": SAMPLED.steps, "factor": 1.0}
    own = simulated(np.random.default_rng(5), 100_000, **law)
    assert stats.ks_2samp(drawn, own).pvalue > 1e-4


@every_audit
def test_the_pair_is_the_worst_that_the_theorem_allows_at_every_step(audit: Attack) -> None:
    """The sensitivity has room for rounding besides."""
    one, two = (audit.drawn(among_empty(document), PROMISE, 1, 0) for document in DOCUMENTS)
    for a, b in zip(one, two, strict=True):
        for part in (a, b):
            assert 1 - 1e-9 < np.linalg.norm(part.shown) / part.release.sensitivity <= 1
        assert a.shown @ b.shown == 0


@every_audit
def test_what_is_drawn_again_and_again_is_what_a_run_releases(audit: Attack, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bit by bit: the first draw of the first step is that of a run nobody watches."""
    released: list[np.ndarray] = []
    honest = Mechanisms.minibatch_matrix

    def watched(mechanisms: Mechanisms, *given: object, **named: object) -> np.ndarray:
        released.append(honest(mechanisms, *given, **named))
        return released[-1]

    with monkeypatch.context() as patch:
        patch.setattr(Mechanisms, "minibatch_matrix", watched)
        audit.run(corpus_of(ROWS), PROMISE, 4, None, Mechanisms)
    first, second = audit.drawn(ROWS, PROMISE, 2, 4)[0].values
    np.testing.assert_array_equal(first, np.ravel(released[0]))
    assert np.all(first != second)


def test_all_that_it_releases_under_a_proof_is_audited() -> None:
    """One calibration, two quantities; and the claim of a plan is a point of the curve."""
    proven = []
    for calibration in Calibration:
        with suppress(InputError):
            proven += [calibration] * (scheme_of(calibration, SAMPLED).status is Status.PROVEN)
    assert proven == [Calibration.CORRECTED]
    corpus = topical_corpus(1, n_documents=60, n_words=20)
    usual = private_variational(corpus, Problem(2, 1.0), Budget(PROMISE.epsilon, PROMISE.delta))
    released = [stream_of(release) for release in usual.releases]
    assert released == [stream(WORDS), stream(STATISTIC)]
    audited = [[stream_of(part.release) for part in audit.drawn(ROWS, PROMISE, 1, 0)] for audit in VARIATIONAL]
    words, topics = released
    assert audited == [[topics] * 3, [topics] * 3, [words] * 3, [words, topics, topics]]


def stream_of(release: Release) -> str:
    return f"{release.edge} {release.quantity}"


def test_the_curves_are_the_accountants_own_and_its_own_with_more_and_less_noise(sigma: float, family: Curves) -> None:
    """Never below what the finer grid says, and at most 1e-4 above it; of the claimed one, ε at δ is the claim."""
    own = replaced_document(sigma, SAMPLED.sampling_rate, SAMPLED.steps)
    claimed = np.array([own.get_delta_for_epsilon(epsilon) for epsilon in family.epsilons])
    assert np.all(family.claimed >= claimed * (1 - 1e-9))
    np.testing.assert_allclose(family.claimed, claimed, atol=1e-4)
    assert own.get_delta_for_epsilon(PROMISE.epsilon) <= PROMISE.delta
    assert np.all(np.diff(family.bounds) > 0)
    assert family.bounds[len(FACTORS) // 2] == PROMISE.epsilon


@pytest.mark.parametrize("alarms", [1e-4, 0.01, 0.1])
def test_rates_prove_those_curves_wrong_that_lie_too_low_and_no_other(alarms: float, family: Curves) -> None:
    """The largest rate of hits that the claimed curve allows proves nothing of it; a hair more does, either way."""
    hits = np.min(family.claimed + np.exp(family.epsilons) * alarms)
    assert hits < 1 - alarms

    def value(p: float, q: float) -> float:
        return float(family(np.array([p]), np.array([q]))[0])

    assert value(hits - 1e-9, alarms) < PROMISE.epsilon
    for p, q in ((hits + 1e-6, alarms), (1 - alarms, 1 - hits - 1e-6)):
        assert PROMISE.epsilon < value(p, q) < family.bounds[len(FACTORS) // 2 + 1]
    assert value(0.5, 0.5) == -np.inf


def test_the_whole_curve_lies_below_the_accountants_and_above_it_where_nobody_is_left_out() -> None:
    text, promise = parse_method("dp-vi"), PROMISE
    for sabotage, verdict in ((None, Verdict.HOLDS), (EVERYONE, Verdict.CAUGHT)):
        audit = Audit(text, promise, runs=1600, sabotage=sabotage, batches=2)
        assert audit.all(lambda fraction, line: None)[1] is verdict
        assert audit.curve(audit.tried[0]) is None
        shown = audit.curve(audit.tried[1])
        assert np.any(shown.lower > shown.claimed) == (verdict is Verdict.CAUGHT)
        assert np.all(np.diff(shown.claimed) < 0)
        one, two, _ = MINIBATCHES.seen(promise, 800, 0, sabotage)
        other, more, _ = MINIBATCHES.seen(promise, 800, 1, sabotage)
        again = profile(np.append(one, other), np.append(two, more), shown.epsilons, error=audit.error)
        np.testing.assert_array_equal(shown.lower, np.maximum(again, 0))
