r"""The harness of every audit: which releases of a method are attacked, how many runs, what they prove, the verdict.

Runs come in batches, one release after the other. After each batch the evidence so far is weighed again; all bounds
that are ever shown are right at once except with probability ``FALSE_ALARM``, each having an equal share of it. Nothing
here can prove that a method is private: a bound that stays below the claim only says that this attack found nothing.
What makes it worth something is power: from the law of the scores it is known what too little noise these runs would
have found.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

import numpy as np
from scipy import stats
from scipy.special import ndtr

from dplda import _check
from dplda.audit import sabotage as ways
from dplda.audit.evidence import Evidence, Measure, Scores, evidence, weighed
from dplda.audit.promise import MOST, Promise
from dplda.audit.refinement import REFINED
from dplda.audit.sabotage import Sabotage
from dplda.audit.worst_cases import AUDITS
from dplda.errors import DpldaError, InputError
from dplda.methods import METHODS, Method
from dplda.privacy import gaussian

FALSE_ALARM = 1e-6
POWER = 0.99
TWO, ROOT_TWO = 2.0, math.sqrt(2)  # factors by which noise may be too little
MOST_RUNS = 1_000_000
UNASKED = 40_000  # runs at most where nobody says how many
CELLS = 2  # cells of a histogram that two documents of one word each differ in


class Attack(Protocol):
    """One release and its worst neighbours."""

    @property
    def name(self) -> str:
        """Short, for a line in a picture."""

    @property
    def title(self) -> str:
        """What is attacked."""

    @property
    def edge(self) -> str:
        """Where it is released."""

    @property
    def laplace(self) -> bool:
        """Whether its claim is an ε, of Laplace noise, and else a μ."""

    @property
    def measure(self) -> Measure:
        """What is bounded."""

    def claimed(self, promise: Promise) -> float:
        """What the whole run promises of these neighbours, in that measure."""

    def scores(
        self, promise: Promise, draws: int, seed: int = 0, sabotage: Sabotage | None = None
    ) -> tuple[Scores, Scores]:
        """What an adversary makes of as many draws on either neighbour."""


class Verdict(StrEnum):
    """What an audit found."""

    HOLDS = "holds"
    CAUGHT = "caught"
    UNDECIDED = "undecided"


def attacks(method: Method) -> tuple[Attack, ...]:
    """The releases of a method that are audited, each with its own worst neighbours; empty where none are known."""
    if method.text == "refined":
        return REFINED
    return tuple(
        audit
        for audit in AUDITS
        if not audit.post_processed and (audit.configuration, audit.scaling) == (method.name, method.scaling)
    )


def audited_methods() -> dict[str, Method]:
    """Those with an audit, by text."""
    return {text: method for text, method in METHODS.items() if attacks(method)}


def sabotages(method: Method) -> dict[str, Sabotage]:
    """Ways to break a method's promise, by name."""
    known = attacks(method)
    edges = dict.fromkeys(attack.edge for attack in known if attack.edge != "all")
    found = [ways.HALF, ways.PUBLISHED, ways.REUSED, *map(ways.without, edges)]
    if any(attack.laplace for attack in known):
        found.append(ways.LAST_BITS)
    return {way.name: way for way in found}


def finds(attack: Attack, promise: Promise, factor: float, runs: int, error: float) -> bool:
    """Whether noise too little by a factor would be found, with probability ``POWER`` at least.

    By the law of the scores: Gaussian noise shifts them by μ; Laplace noise has its extreme score where each of two
    cells has moved all the way. Numbers of runs above a threshold are taken where chance is as unkind as it may be.
    """
    half, claimed = runs // 2, attack.claimed(promise)
    if attack.laplace:
        hits, alarms = np.array([[0.5**CELLS], [0.5**CELLS * math.exp(-factor * MOST * claimed)]])
    else:
        shift = factor * math.sqrt(MOST) * claimed
        thresholds = np.linspace(-1, 1, 41) * 3 + shift / 2
        hits, alarms = ndtr(shift - thresholds), ndtr(-thresholds)
    unkind = (1 - POWER) / 2
    seen = stats.binom.ppf(unkind, half, hits), stats.binom.isf(unkind, half, alarms)
    return bool(np.max(weighed(attack.measure, *seen, half, error)) > claimed)


def enough(attack: Attack, promise: Promise, factor: float, error: float) -> int:
    """About how many runs on either neighbour find noise too little by a factor; at most ``MOST_RUNS``."""
    runs = 200
    while runs < MOST_RUNS and not finds(attack, promise, factor, runs, error):
        runs = math.ceil(runs * 1.2)
    return min(math.ceil(runs / 100) * 100, MOST_RUNS)


@dataclass(slots=True, eq=False)
class Tried:
    """One release, as far as it was audited.

    Attributes:
        attack: on it.
        claimed: what is promised of these neighbours: μ, or ε of Laplace noise.
        runs: on either neighbour so far.
        found: the evidence after each batch.
        refused: why there was nothing to audit; empty where there was.
    """

    attack: Attack
    claimed: float
    runs: list[int] = field(default_factory=list)
    found: list[Evidence] = field(default_factory=list)
    refused: str = ""
    _one: list[Scores] = field(default_factory=list)
    _two: list[Scores] = field(default_factory=list)

    @property
    def lower(self) -> float:
        """What is proved so far; minus infinity before the first run."""
        return self.found[-1].lower if self.found else -math.inf

    def epsilons(self, promise: Promise) -> list[float]:
        """The same after each batch as an ε at the promise's δ, at least 0."""
        return [as_epsilon(self.attack, found.lower, promise) for found in self.found]


def as_epsilon(attack: Attack, value: float, promise: Promise) -> float:
    """A bound or a claim in an attack's measure as an ε at the promise's δ; 0 where it says nothing."""
    if not value > 0:
        return 0.0
    return value if attack.laplace else gaussian.epsilon_for(value, promise.delta)


class Audit:
    """One audit of a method: ``step`` until it is ``done``.

    Args:
        method: that is audited.
        promise: what its run claims.
        runs: of each release, on either neighbour; None for as many as find noise too little by √2, up to
            ``UNASKED``.
        sabotage: of the method; None for the method as it is.
        seed: of all draws: the same again gives the same numbers.
        batches: how often the evidence is weighed.

    Raises:
        InputError: nobody knows the worst neighbours of this method's releases, or a number is out of range.
    """

    def __init__(
        self,
        method: Method,
        promise: Promise,
        *,
        runs: int | None = None,
        sabotage: Sabotage | None = None,
        seed: int = 0,
        batches: int = 10,
    ) -> None:
        known = attacks(method)
        if not known:
            others = ", ".join(audited_methods())
            raise InputError("method", f"one whose worst neighbours are known: {others}", method.text)
        _check.integer_at_least("seed", seed, 0)
        self.method, self.promise, self.sabotage = method, promise, sabotage
        self.error = FALSE_ALARM / (len(known) * batches)
        if runs is None:
            runs = min(UNASKED, max(enough(attack, promise, ROOT_TWO, self.error) for attack in known))
        _check.integer_at_least("runs", runs, 4 * batches)
        _check.between("runs", runs, 0, MOST_RUNS, open_ends=False)
        self.runs, self._seed, self._batches = runs, seed, batches
        self.tried = tuple(Tried(attack, attack.claimed(promise)) for attack in known)
        self._left: Iterator[tuple[int, Tried]] = iter([(n, each) for n in range(batches) for each in self.tried])
        self._taken = 0

    @property
    def fraction(self) -> float:
        """How much of it is done."""
        return self._taken / (self._batches * len(self.tried))

    @property
    def done(self) -> bool:
        """Whether all runs are."""
        return self.fraction == 1

    def step(self) -> None:
        """One batch of runs of one release."""
        number, tried = next(self._left)
        self._taken += 1
        if tried.refused:
            return
        until = self.runs * (number + 1) // self._batches
        draws = until - (tried.runs[-1] if tried.runs else 0)
        try:
            one, two = tried.attack.scores(self.promise, draws, self._seed * self._batches + number, self.sabotage)
        except DpldaError as refusal:
            tried.refused = str(refusal)
            return
        tried._one.append(one)
        tried._two.append(two)
        tried.runs.append(until)
        one, two = np.concatenate(tried._one), np.concatenate(tried._two)
        tried.found.append(evidence(one, two, tried.attack.measure, error=self.error))

    def verdict(self, tried: Tried) -> Verdict:
        """Of one release, after all its runs: it holds if half the noise would have been found, and was not."""
        if tried.lower > tried.claimed:
            return Verdict.CAUGHT
        strong = bool(tried.runs) and finds(tried.attack, self.promise, TWO, tried.runs[-1], self.error)
        return Verdict.HOLDS if strong else Verdict.UNDECIDED

    def would_find(self, tried: Tried) -> float:
        """The least factor, in steps of a tenth, by which noise may be too little and is found; infinite from 10 on."""
        if not tried.runs:
            return math.inf
        tenths, last = range(11, 100), tried.runs[-1]
        return next((n / 10 for n in tenths if finds(tried.attack, self.promise, n / 10, last, self.error)), math.inf)

    def needed(self, tried: Tried) -> int:
        """About how many runs find half the noise."""
        return enough(tried.attack, self.promise, TWO, self.error)

    def all(self, report: Callable[[float, str], None]) -> tuple[Verdict, ...]:
        """All steps, one after the other, and the verdicts."""
        while not self.done:
            report(self.fraction, "runs on two neighbours")
            self.step()
        return tuple(map(self.verdict, self.tried))
