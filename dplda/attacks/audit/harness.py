"""Audit of a method: attacked releases, number of runs, evidence and verdict.

Runs come in batches, one release after the other, and each batch is judged. All bounds shown hold
at once except with probability ``FALSE_ALARM``, split equally. A bound below the claim proves
nothing: it says that this attack failed. Its worth is power: the distribution of scores tells how
much missing noise these runs would have found.

Two checks need no such distribution: searched neighbors must not exceed the declared sensitivity,
and residuals must have the declared variance. The tests of ``gaussian`` check that the budget stays
within δ, in fifty digits.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import product

import numpy as np
from scipy import stats

from dplda.attacks.audit.attack import Attack, ScoreSamples
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
TWO = 2.0  # factor by which noise may be too small
ROOT_TWO = math.sqrt(2)  # likewise
MAX_RUNS = 1_000_000
DEFAULT_MAX_RUNS = 40_000  # default limit of runs
N_PAIRS = 40  # neighbors tried per release


class Verdict(StrEnum):
    """Outcome of an audit."""

    HOLDS = "holds"
    CAUGHT = "caught"
    UNDECIDED = "undecided"


def has_power(
    attack: Attack,
    promise: Guarantee,
    factor: float,
    runs: int,
    error: float,
) -> bool:
    """Whether these runs would find noise too small by a factor.

    They must find it with probability at least ``POWER``. The probability follows from the
    distribution of scores, with unlucky counts above each threshold.

    Args:
        attack: the attacked release.
        promise: what its run claims.
        factor: by which the noise is too small, above 1.
        runs: runs on each neighbor.
        error: chance that the bound is wrong, at most.
    """
    n_judged = runs // 2
    hit_rates, alarm_rates = attack.score_rates(promise, factor)
    bad_luck = (1 - POWER) / 2
    few_hits = stats.binom.ppf(bad_luck, n_judged, hit_rates)
    many_alarms = stats.binom.isf(bad_luck, n_judged, alarm_rates)
    hits = np.asarray(few_hits)
    alarms = np.asarray(many_alarms)
    measure = attack.measure(promise)
    losses = bound_from_counts(measure, hits, alarms, runs=n_judged, error=error)
    largest_loss = np.max(losses)
    return bool(largest_loss > attack.claimed_loss(promise))


def runs_needed(attack: Attack, promise: Guarantee, factor: float, error: float) -> int:
    """Approximate runs per neighbor that find noise too small by a factor; at most ``MAX_RUNS``.

    Args:
        attack: the attacked release.
        promise: what its run claims.
        factor: by which the noise is too small, above 1.
        error: chance that the bound is wrong, at most.
    """
    runs = 200
    while runs < MAX_RUNS and not has_power(attack, promise, factor, runs=runs, error=error):
        runs = math.ceil(runs * 1.2)
    n_hundreds = math.ceil(runs / 100)
    return min(100 * n_hundreds, MAX_RUNS)


@dataclass(slots=True, eq=False)
class AttackResult:
    """State of the audit of one release.

    Attributes:
        attack: the attacked release.
        noise_fit: test of the size of its noise.
        search: search for neighbors that exceed its sensitivity.
        claimed_loss: promise for these neighbors: μ, or ε for Laplace noise or sampled documents.
        runs: runs per neighbor after each batch.
        bounds: bound proved after each batch.
        refusal: why there was nothing to audit; else empty.
    """

    attack: Attack
    noise_fit: NoiseFit
    search: NeighborSearch
    claimed_loss: float
    runs: list[int] = field(default_factory=list)
    bounds: list[LossBound] = field(default_factory=list)
    refusal: str = ""
    _first_scores: list[Scores] = field(default_factory=list)
    _second_scores: list[Scores] = field(default_factory=list)

    @property
    def lower(self) -> float:
        """The bound proved so far; minus infinity before the first run."""
        if not self.bounds:
            return -math.inf
        return self.bounds[-1].lower

    @property
    def n_runs(self) -> int:
        """Runs per neighbor so far."""
        if not self.runs:
            return 0
        return self.runs[-1]

    def epsilons(self, promise: Guarantee) -> list[float]:
        """The bound after each batch as an ε at the promise's δ, at least 0."""
        return [self.attack.as_epsilon(bound.lower, promise) for bound in self.bounds]

    def add_batch(self, samples: ScoreSamples, promise: Guarantee, error: float) -> None:
        """Add one more batch of runs, and bound the loss by all runs so far.

        Args:
            samples: scores and residuals of the batch.
            promise: what the run claims.
            error: chance that the bound is wrong, at most.
        """
        self.noise_fit.add(samples.residuals)
        self._first_scores.append(samples.first)
        self._second_scores.append(samples.second)
        self.runs.append(self.n_runs + len(samples.first))
        loss_bound = bound_loss(
            np.concatenate(self._first_scores),
            np.concatenate(self._second_scores),
            self.attack.measure(promise),
            error=error,
        )
        self.bounds.append(loss_bound)


class Audit:
    """One audit of a method: call ``step`` until ``done``.

    Args:
        method: one with attacks.
        promise: what its run claims.
        runs: per release and neighbor; None for enough to find noise too small by √2, at most
            ``DEFAULT_MAX_RUNS``.
        sabotage: how the promise is broken.
        seed: a whole number ≥ 0.
        batches: batches of runs, each of which is judged.
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
        """Prepare the steps of an audit: no run is made yet.

        Without ``runs``, as many are planned as would find noise too small by √2, at most
        ``DEFAULT_MAX_RUNS``.

        Raises:
            InputError: the method has no audit, or none under the noise of a release; the seed is
                below 0; or ``runs`` is below 4 a batch or above ``MAX_RUNS``.
        """
        _require_attacks(method, promise)
        checks.integer_at_least("seed", seed, 0)
        attacks = attacks_on(method)
        self.method = method
        self.promise = promise
        self.sabotage = sabotage
        n_tests = len(attacks) * (batches + 1)  # the noise is tested once
        self.error = FALSE_ALARM / n_tests
        if runs is None:
            enough_runs = max(
                runs_needed(attack, promise, ROOT_TWO, self.error) for attack in attacks
            )
            runs = min(DEFAULT_MAX_RUNS, enough_runs)
        checks.integer_at_least("runs", runs, 4 * batches)
        checks.between("runs", runs, 0, MAX_RUNS, open_ends=False)
        self.runs = runs
        self._seed = seed
        self._n_batches = batches
        results = []
        for attack_index, attack in enumerate(attacks):
            rng = np.random.default_rng((seed, attack_index))
            results.append(self._start_result(attack, rng))
        self.results = tuple(results)
        self._steps: Iterator[tuple[int, AttackResult]] = product(range(batches), self.results)
        self._n_steps_done = 0

    def _start_result(self, attack: Attack, rng: np.random.Generator) -> AttackResult:
        """The state of a release's audit before the first run; ``rng`` is for its neighbors."""
        return AttackResult(
            attack=attack,
            noise_fit=NoiseFit(attack.laplace),
            search=NeighborSearch(attack, self.promise, self.sabotage, rng),
            claimed_loss=attack.claimed_loss(self.promise),
        )

    @property
    def fraction(self) -> float:
        """Share of the audit that is done."""
        n_steps = self._n_batches * len(self.results)
        return self._n_steps_done / n_steps

    @property
    def done(self) -> bool:
        """Whether all runs are done."""
        return self.fraction == 1

    def step(self) -> None:
        """Make one batch of runs of one release, look for worse neighbors, and judge the runs.

        A refused run ends the audit of its release: later steps of it do nothing.

        Raises:
            StopIteration: all steps are done.
        """
        batch_index, result = next(self._steps)
        self._n_steps_done += 1
        if result.refusal:
            return
        n_planned_so_far = self.runs * (batch_index + 1) // self._n_batches
        n_draws = n_planned_so_far - result.n_runs
        batch_seed = self._seed * self._n_batches + batch_index
        try:
            samples = result.attack.sample_scores(
                self.promise, n_draws, seed=batch_seed, sabotage=self.sabotage
            )
        except DpldaError as refusal:
            result.refusal = str(refusal)
            return
        result.search.try_pairs(N_PAIRS // self._n_batches)
        result.add_batch(samples, self.promise, self.error)

    def verdict(self, result: AttackResult) -> Verdict:
        """Verdict on a finished release: caught where any check contradicts its claim.

        Otherwise it holds if half the noise would have been found, and is undecided if not, as
        after a refusal.
        """
        exceeds_claim = result.lower > result.claimed_loss
        noise_holds = result.noise_fit.holds(self.error)
        if exceeds_claim or not result.search.holds or not noise_holds:
            return Verdict.CAUGHT
        if result.n_runs > 0 and self._finds(TWO, result):
            return Verdict.HOLDS
        return Verdict.UNDECIDED

    def _finds(self, factor: float, result: AttackResult) -> bool:
        """Whether the runs so far would find noise that is too small by a factor."""
        return has_power(result.attack, self.promise, factor, runs=result.n_runs, error=self.error)

    def smallest_factor_found(self, result: AttackResult) -> float:
        """Smallest factor of missing noise that is found, in steps of a tenth.

        It is infinite from 10 on, and before any run.
        """
        if not result.n_runs:
            return math.inf
        for tenths in range(11, 100):
            factor = tenths / 10
            if self._finds(factor, result):
                return factor
        return math.inf

    def runs_for_half_noise(self, result: AttackResult) -> int:
        """Approximate number of runs that find half the noise."""
        return runs_needed(result.attack, self.promise, TWO, self.error)

    def run_all(self, report: Callable[[float, str], None]) -> tuple[Verdict, ...]:
        """Do all steps and return the verdicts."""
        while not self.done:
            report(self.fraction, "runs on two neighbors")
            self.step()
        return tuple(map(self.verdict, self.results))


def _require_attacks(method: Method, promise: Guarantee) -> None:
    """Refuse a method without an audit.

    For a releasable promise, makes a run of each attack to see whether the method allows it.

    Raises:
        InputError: the method has no attacks, or the promise is releasable and the method cannot
            run with the exact noise of a release.
    """
    if not attacks_on(method):
        names_of_audited = ", ".join(audited_methods())
        reason_without_audit = reasons_without_audit().get(method.key, "nobody has written one")
        raise InputError(
            "method",
            f"one with an audit: {names_of_audited}",
            method.key,
            f"This one has none: {reason_without_audit}.",
        )
    if promise.releasable and why_not_releasable(method):
        raise InputError(
            "noise",
            "simulated for this method",
            "noise of a release",
            why_not_releasable(method),
        )
