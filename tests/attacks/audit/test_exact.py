"""Noise that may leave, audited on the release path: its law, and that its last bits say nothing.

The error is the gate's (gate.py). Exact noise has no seed, so that every run of these tests draws anew:
each is wrong on a true claim with probability 1e-6/40, and lets half the noise pass with one below 1e-6.
"""

import pytest

from dplda.attacks.audit.attack import Attack
from dplda.attacks.audit.audited import REFINED, UNIGRAM, audited_methods, why_not_releasable
from dplda.attacks.audit.evidence import LossBound, bound_loss
from dplda.attacks.audit.promise import make_promise
from dplda.attacks.audit.sabotage import HALF, HONEST, LAST_BITS, Sabotage
from dplda.methods.registry import releasable_methods
from dplda.privacy.noise.keys import NoiseKind
from tests.attacks.audit import gate

RUNS = 900  # which find half the noise with a probability above 1 - 1e-6 (dplda.attacks.audit.harness.finds)
BITS_RUNS = 7000  # with 5,000 one look in 100,000 finds nothing
EXACT = make_promise(gate.promise(UNIGRAM[0]).epsilon, gate.DELTA, exact=True)
CLAIMED = gate.MU
every_audit = pytest.mark.parametrize("audit", [REFINED[1], UNIGRAM[0]], ids=["a step", "unigram"])


def found(audit: Attack, sabotage: Sabotage = HONEST, runs: int = RUNS) -> LossBound:
    first_scores, second_scores, _ = audit.sample_scores(EXACT, runs, sabotage=sabotage)
    return bound_loss(first_scores, second_scores, audit.measure(EXACT), error=gate.ERROR)


@every_audit
def test_audit_of_a_release_with_exact_noise_stays_within_its_claim(audit: Attack) -> None:
    """Word counts are all that the private unigram releases; a step is what refinement does again and again."""
    assert {release.noise for side in audit.replay_run(EXACT).results for release in side} == {
        NoiseKind.EXACT
    }
    assert found(audit).lower <= CLAIMED


@every_audit
def test_half_the_exact_noise_is_caught(audit: Attack) -> None:
    assert found(audit, HALF).lower > CLAIMED


@every_audit
def test_floating_point_noise_in_its_place_is_caught_by_its_last_bits(audit: Attack) -> None:
    """The adversary of exact noise reads last bits too, and finds nothing above."""
    assert found(audit, LAST_BITS, BITS_RUNS).lower > CLAIMED


def test_exact_audit_covers_every_releasable_method() -> None:
    can = {method.name for method in audited_methods().values() if not why_not_releasable(method)}
    assert can == {method.name for method in releasable_methods()}


def test_exact_audit_without_a_release_says_why_not() -> None:
    assert all(
        "Not releasable" in reason
        for reason in map(why_not_releasable, audited_methods().values())
        if reason
    )
