"""Noise that may leave, audited on the release path: its law, and that its last bits say nothing.

The error is the gate's (tests/audit/gate.py). Exact noise has no seed, so that every run of these tests draws anew:
each is wrong on a true claim with probability 1e-6/40, and lets half the noise pass with one below 1e-6.
"""

from dataclasses import replace

import numpy as np
import pytest

from dplda.audit.evidence import Evidence, evidence, gaussian_mu
from dplda.audit.refinement import REFINED, RefinedAudit
from dplda.audit.sabotage import HALF, Sabotage
from dplda.privacy import layouts
from dplda.privacy.exact import ExactNoise
from dplda.privacy.keys import NoiseKind, SeedKey
from dplda.privacy.noise import SimulatedNoise
from tests.audit import gate
from tests.audit.test_refinement import CLAIMED, PROMISE

RUNS = 900  # which find half the noise with a probability above 1 - 1e-6 (dplda.audit.harness.finds)
BITS_RUNS = 5000
EXACT = tuple(replace(audit, exact=True) for audit in REFINED[:2])
every_audit = pytest.mark.parametrize("audit", EXACT, ids=str)


def found(audit: RefinedAudit, sabotage: Sabotage | None = None) -> Evidence:
    return evidence(*audit.scores(PROMISE, RUNS, sabotage=sabotage), audit.measure, error=gate.ERROR)


@every_audit
def test_a_release_with_exact_noise_is_no_less_private_than_it_claims(audit: RefinedAudit) -> None:
    """Word counts are all that the private unigram releases; a step is what refinement does again and again."""
    assert {part.release.noise for side in audit.drawn(PROMISE, 1) for part in side} == {NoiseKind.EXACT}
    assert found(audit).lower <= CLAIMED


@every_audit
def test_half_the_exact_noise_is_caught(audit: RefinedAudit) -> None:
    assert found(audit, HALF).lower > CLAIMED


def finest_bit(released: np.ndarray) -> np.ndarray:
    """How far below 1 the last bit of every number is that is not 0."""
    mantissa, exponent = np.frexp(released)
    whole = np.ldexp(mantissa, 53).astype(np.int64)
    return np.log2((whole & -whole).astype(float)) - 53 + exponent


def bits(one: np.ndarray, two: np.ndarray) -> Evidence:
    """What the adversary proves who looks at last bits alone: of numbers near 0, where floating point is finest."""
    scores = [np.where(np.abs(side) < 0.5, -finest_bit(side), 0.0) for side in (one, two)]
    return evidence(*scores, gaussian_mu, error=gate.ERROR)


def test_the_low_bit_attack_finds_numpy_noise_out_and_fails_against_the_lattice() -> None:
    """One document that says a word or does not, and noise of one standard deviation: it claims μ = 1."""
    fine, plain = 2**36, layouts.PlainVector()
    absent, present = np.zeros(BITS_RUNS), np.ones(BITS_RUNS)
    drawn = [
        SimulatedNoise(SeedKey(side, ("bits",))).perturb(value, 1.0, plain, "a count")
        for side, value in enumerate((absent, present))
    ]
    assert bits(*drawn).lower > 1.0
    released = [
        ExactNoise(epsilon=1.0, delta=1e-7).perturb((fine * value).astype(np.int64), fine, plain, "a count") / fine
        for value in (absent, present)
    ]
    assert bits(*released).lower <= 1.0
    assert bits(*released[::-1]).lower <= 1.0
