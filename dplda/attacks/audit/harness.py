"""Audit of a method: attacked releases, number of runs, evidence and verdict.

Runs come in batches, one release after the other, and each batch is judged. All bounds shown hold at once except with
probability ``FALSE_ALARM``, split equally. A bound below the claim proves nothing: it says that this attack failed.
Its worth is power: the distribution of scores tells how much missing noise these runs would have found.

Two checks need no such distribution: searched neighbors must not exceed the declared sensitivity, and residuals must
have the declared variance. The tests of ``gaussian`` check that the budget stays within δ, in fifty digits.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np
from scipy import stats

from dplda.attacks.audit.attack import Attack
from dplda.attacks.audit.audited import (
    attacks_on,
    audited_methods,
    reasons_without_audit,
    why_not_releasable,
)
from dplda.attacks.audit.evidence import LossBound, Scores, bound_from_counts, bound_loss
from dplda.attacks.audit.layers import NeighborSearch, NoiseFit
from dplda.attacks.audit.sabotage import HONEST, Sabotage
from dplda.core import checks
from dplda.core.errors import DpldaError, InputError
from dplda.methods.base.method import Method
from dplda.privacy.release import Guarantee

FALSE_ALARM = 1e-6
POWER = 0.99
TWO, ROOT_TWO = 2.0, math.sqrt(2)  # factors by which noise may be too small
MAX_RUNS = 1_000_000
DEFAULT_MAX_RUNS = 40_000  # default limit of runs
N_PAIRS = 40  # neighbors tried per release


class Verdict(StrEnum):
    """Outcome of an audit."""

    HOLDS = "holds"
    CAUGHT = "caught"
    UNDECIDED = "undecided"


def has_power(attack: Attack, promise: Guarantee, factor: float, runs: int, error: float) -> bool:
    """Whether these runs would find noise too small by a factor, with probability at least ``POWER``.

    Uses the distribution of scores, with unlucky counts above each threshold.
    """
    half, (hits, alarms) = runs // 2, attack.score_rates(promise, factor)
    unkind = (1 - POWER) / 2
    seen = (
        np.asarray(stats.binom.ppf(unkind, half, hits)),
        np.asarray(stats.binom.isf(unkind, half, alarms)),
    )
    return bool(
        np.max(bound_from_counts(attack.measure(promise), *seen, half, error))
        > attack.claimed_loss(promise)
    )


def runs_needed(attack: Attack, promise: Guarantee, factor: float, error: float) -> int:
    """Approximate runs per neighbor that find noise too small by a factor; at most ``MOST_RUNS``."""
    runs = 200
    while runs < MAX_RUNS and not has_power(attack, promise, factor, runs, error):
        runs = math.ceil(runs * 1.2)
    return min(math.ceil(runs / 100) * 100, MAX_RUNS)


@dataclass(slots=True, eq=False)
class AttackResult:
    """State of the audit of one release.

    Attributes:
        claimed: promise for these neighbors: μ, or ε for Laplace noise or sampled documents.
        refused: why there was nothing to audit; else empty.
    """

    attack: Attack
    noise_fit: NoiseFit
    search: NeighborSearch
    claimed_loss: float
    runs: list[int] = field(default_factory=list)
    bounds: list[LossBound] = field(default_factory=list)
    refusal: str = ""
    _one: list[Scores] = field(default_factory=list)
    _two: list[Scores] = field(default_factory=list)

    @property
    def lower(self) -> float:
        """The bound proved so far; minus infinity before the first run."""
        return self.bounds[-1].lower if self.bounds else -math.inf

    def epsilons(self, promise: Guarantee) -> list[float]:
        """The bound after each batch as an ε at the promise's δ, at least 0."""
        return [self.attack.as_epsilon(found.lower, promise) for found in self.bounds]


class Audit:
    """One audit of a method: call ``step`` until ``done``.

    Args:
        runs: per release and neighbor; None for enough to find noise too small by √2, at most ``UNASKED``.
    """

    def __init__(
        self,
        method: Method,
        promise: Guarantee,
        *,
        runs: int | None = None,
        sabotage: Sabotage = HONEST,
        seed: int = 0,
        batches: int = 10,
    ) -> None:
        known = attacks_on(method)
        if not known:
            others, why = (
                ", ".join(audited_methods()),
                reasons_without_audit().get(method.key, "nobody has written one"),
            )
            raise InputError(
                "method", f"one with an audit: {others}", method.key, f"This one has none: {why}."
            )
        if promise.releasable and why_not_releasable(method):
            raise InputError(
                "noise",
                "simulated for this method",
                "noise of a release",
                why_not_releasable(method),
            )
        checks.integer_at_least("seed", seed, 0)
        self.method, self.promise, self.sabotage = method, promise, sabotage
        self.error = FALSE_ALARM / (len(known) * (batches + 1))  # the noise is tested once
        if runs is None:
            runs = min(
                DEFAULT_MAX_RUNS,
                max(runs_needed(attack, promise, ROOT_TWO, self.error) for attack in known),
            )
        checks.integer_at_least("runs", runs, 4 * batches)
        checks.between("runs", runs, 0, MAX_RUNS, open_ends=False)
        self.runs, self._seed, self._batches = runs, seed, batches
        self.results = tuple(
            AttackResult(
                attack,
                NoiseFit(attack.laplace),
                NeighborSearch(attack, promise, sabotage, np.random.default_rng((seed, number))),
                attack.claimed_loss(promise),
            )
            for number, attack in enumerate(known)
        )
        self._left: Iterator[tuple[int, AttackResult]] = iter(
            [(n, each) for n in range(batches) for each in self.results]
        )
        self._taken = 0

    @property
    def fraction(self) -> float:
        """Share of the audit that is done."""
        return self._taken / (self._batches * len(self.results))

    @property
    def done(self) -> bool:
        """Whether all runs are done."""
        return self.fraction == 1

    def step(self) -> None:
        """Do one batch of runs of one release."""
        number, tried = next(self._left)
        self._taken += 1
        if tried.refusal:
            return
        until = self.runs * (number + 1) // self._batches
        draws = until - (tried.runs[-1] if tried.runs else 0)
        try:
            one, two, noise = tried.attack.sample_scores(
                self.promise, draws, self._seed * self._batches + number, self.sabotage
            )
        except DpldaError as refusal:
            tried.refusal = str(refusal)
            return
        tried.noise_fit.add(noise)
        tried.search.try_pairs(N_PAIRS // self._batches)
        tried._one.append(one)
        tried._two.append(two)
        tried.runs.append(until)
        one, two = np.concatenate(tried._one), np.concatenate(tried._two)
        tried.bounds.append(
            bound_loss(one, two, tried.attack.measure(self.promise), error=self.error)
        )

    def verdict(self, tried: AttackResult) -> Verdict:
        """Verdict on a finished release: it holds if half the noise would have been found and was not."""
        if (
            tried.lower > tried.claimed_loss
            or not tried.search.holds
            or not tried.noise_fit.holds(self.error)
        ):
            return Verdict.CAUGHT
        strong = bool(tried.runs) and has_power(
            tried.attack, self.promise, TWO, tried.runs[-1], self.error
        )
        return Verdict.HOLDS if strong else Verdict.UNDECIDED

    def smallest_factor_found(self, tried: AttackResult) -> float:
        """The smallest factor of missing noise that is found, in steps of a tenth; infinite from 10 on."""
        if not tried.runs:
            return math.inf
        tenths, last = range(11, 100), tried.runs[-1]
        return next(
            (
                n / 10
                for n in tenths
                if has_power(tried.attack, self.promise, n / 10, last, self.error)
            ),
            math.inf,
        )

    def runs_for_half_noise(self, tried: AttackResult) -> int:
        """Approximate number of runs that find half the noise."""
        return runs_needed(tried.attack, self.promise, TWO, self.error)

    def run_all(self, report: Callable[[float, str], None]) -> tuple[Verdict, ...]:
        """Do all steps and return the verdicts."""
        while not self.done:
            report(self.fraction, "runs on two neighbors")
            self.step()
        return tuple(map(self.verdict, self.results))
