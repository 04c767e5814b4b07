"""Attack on releases: a run replayed on two neighbors, and the distribution of its scores.

For noise too small by a factor, that distribution tells how often a score reaches a threshold on either neighbor. From
it the harness knows what its runs would have found.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import NamedTuple, TypeAlias

import numpy as np
from scipy.special import ndtr

from dplda.attacks.audit import sabotage as ways
from dplda.attacks.audit.bits import low_bit_leak, reused_noise
from dplda.attacks.audit.evidence import Measure, Scores, gaussian_mu, pure_epsilon
from dplda.attacks.audit.neighbours import Pair, Rows, make_corpus
from dplda.attacks.audit.promise import ATTACKED_SHARE
from dplda.attacks.audit.sabotage import HONEST, Sabotage
from dplda.attacks.replay import Answers, Recorder, ReplayedRelease, Transcript, add_budgets, replay
from dplda.core.types import Matrix
from dplda.corpus import Corpus
from dplda.methods.base.method import Method
from dplda.methods.base.previous_release import PreviousRelease
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.base.runtime import Runtime
from dplda.privacy.accounting import gaussian
from dplda.privacy.adjacency import Adjacency
from dplda.privacy.mechanisms import Mechanisms
from dplda.privacy.noise.exact import ExactNoise
from dplda.privacy.noise.sources import NoiseSource
from dplda.privacy.release import Caveat, Guarantee, Release

Rates: TypeAlias = tuple[Scores, Scores]
"""How often scores reach each of several thresholds, on the first and on the second neighbor."""

PROBLEM, UNDIVIDED = Problem(2, 1.0), Budget()
N_CELLS = 2  # histogram cells in which two one-word documents differ
RANDOM_NEIGHBORS = 5  # from which a sabotaged sensitivity is estimated
UNCOUNTED_MU = 1e-9  # μ of an earlier release that is not counted
ROOT_TWO = math.sqrt(2)  # largest distance of non-negative parts of length 1


class ScoreSamples(NamedTuple):
    """Runs on two neighbors.

    Attributes:
        one: scores of the runs on the first, shape (runs,); the larger ones.
        residuals: noise of the runs on the first in units of the declared noise, shape (runs, numbers).
    """

    first: Scores
    second: Scores
    residuals: Matrix


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Attack:
    """Releases of a run, and the two neighbors that are hardest to hide.

    Attributes:
        edge: edge of the release; ``all`` for a whole run.
        budget: its split; ε and δ come from the promise.
        through: releases the values.
        stream: edge and quantity of the release; empty for all releases.
        answers: the attacker's answers to D's releases.
        apart: sensitivity over the length of one document's part, to which published noise is scaled.
        reach: distance of the two values as a fraction of the sensitivity; below 1 only where no pair is known to
            attain it.
        failure: share of δ not spent on noise.
        first: share of ε in a release that the attacked run then continues to the whole ε; 0 for none.
        reads_bits: whether last bits matter: some number is exactly 0 on one neighbor only.
    """

    method: Method
    name: str
    title: str
    edge: str
    pair: Pair
    problem: Problem = PROBLEM
    budget: Budget = UNDIVIDED
    make_mechanisms: Callable[[NoiseSource], Mechanisms] = Mechanisms
    stream: str = ""
    answers: Answers = field(default_factory=dict)
    laplace: bool = False
    sensitivity_per_part: float = ROOT_TWO
    attained_share: float = 1.0
    failure_share: float = 0.0
    first_share: float = 0.0
    reads_bits: bool = False

    def run(
        self,
        corpus: Corpus,
        promise: Guarantee,
        seed: int,
        noise: NoiseSource,
        sabotage: Sabotage = HONEST,
    ) -> tuple[Release, ...]:
        """All releases of a fit by the method, and of the one that it continues."""
        budget = replace(self.budget, epsilon=promise.epsilon, delta=promise.delta)
        start = replace(budget, epsilon=(self.first_share or 1.0) * promise.epsilon)
        resources = Runtime(seed, noise, make_mechanisms=self.make_mechanisms)
        one = self.method.fit(corpus, self.problem, start, resources)
        if not self.first_share or one.state is None or self.method.fit_continued is None:
            return one.releases
        mu = (
            UNCOUNTED_MU if sabotage == ways.UNPAID else gaussian.mu_for(start.epsilon, start.delta)
        )
        since = PreviousRelease(one.state, mu, one.evidence, "audit")
        return (
            *one.releases,
            *self.method.fit_continued(since, corpus, self.problem, budget, resources).releases,
        )

    def measure(self, promise: Guarantee) -> Measure:
        """Measure of the bound: ε for Laplace noise, μ for Gaussian."""
        return pure_epsilon if self.laplace else gaussian_mu

    def claimed_loss(self, promise: Guarantee) -> float:
        """The whole run's promise for these neighbors, in that measure."""
        if self.laplace:
            return promise.epsilon
        return self.attained_share * gaussian.mu_for(
            promise.epsilon, (1 - self.failure_share) * promise.delta
        )

    def as_epsilon(self, value: float, promise: Guarantee) -> float:
        """A bound or claim in that measure as an ε at the promise's δ; 0 if not positive."""
        return (
            max(0.0, value)
            if self.laplace or value <= 0
            else gaussian.epsilon_for(value, promise.delta)
        )

    def score_rates(self, promise: Guarantee, factor: float) -> Rates:
        """Distribution of scores where noise is too small by a factor.

        Laplace scores are extreme when each of two cells has moved all the way.
        """
        if self.laplace:
            hits = 0.5**N_CELLS
            return np.array([hits]), np.array(
                [hits * math.exp(-factor * ATTACKED_SHARE * promise.epsilon)]
            )
        mu = factor * math.sqrt(ATTACKED_SHARE) * self.claimed_loss(promise)
        thresholds = np.linspace(-3, 3, 41) + mu / 2
        return ndtr(mu - thresholds), ndtr(-thresholds)

    def replay_run(
        self,
        promise: Guarantee,
        draws: int = 1,
        seed: int = 0,
        sabotage: Sabotage = HONEST,
        pair: Pair | None = None,
    ) -> Transcript[tuple[Release, ...]]:
        """Replay of a run on both neighbors; their noise is independent unless sabotaged."""
        if sabotage == ways.AGAIN and not self.first_share:
            sabotage = HONEST
        persons = promise.adjacency is Adjacency.REPLACE_PERSON
        one, two = (
            make_corpus(rows, persons=persons, sabotage=sabotage) for rows in pair or self.pair
        )
        scales: dict[str, float] = {}
        lost = self._missed(promise, (pair or self.pair)[0]) if sabotage == ways.SAMPLED else 1.0
        if (
            promise.releasable and self.answers
        ):  # answers are in steps, whose length a first run finds
            known = Recorder(sabotage.source(seed), answers=self.answers)
            self.run(
                one, replace(promise, caveats=(Caveat.SIMULATED,), releasable=False), seed, known
            )
            scales = {asked.stream: asked.scale for asked in known.requests}
        exact = {"epsilon": promise.epsilon, "delta": promise.delta}
        honest = (ExactNoise(**exact), ExactNoise(**exact)) if promise.releasable else (None, None)
        first, second = (
            Recorder(
                sabotage.source(2 * seed + side, noise),
                n_draws=draws,
                drawn_stream=self.stream,
                answers=self.answers,
                scales=scales,
                noise_shrinkage=self.sensitivity_per_part if sabotage == ways.PUBLISHED else lost,
                takes_everyone=sabotage == ways.EVERYONE,
            )
            for side, noise in enumerate(honest)
        )
        return replay(
            lambda corpus, noise: self.run(corpus, promise, seed, noise, sabotage),
            (one, two),
            (first, second),
        )

    def attacked_releases(self, record: Transcript[tuple[Release, ...]]) -> list[ReplayedRelease]:
        """The attacked releases of a record."""
        return [release for release in record.releases if self.stream in ("", release.stream)]

    def budget_ratio(self, promise: Guarantee, pair: Pair, sabotage: Sabotage = HONEST) -> float:
        """Budget that a release uses on neighbors, over its declared budget."""
        record = self.replay_run(promise, sabotage=sabotage, pair=pair)
        declared = [
            _budget(release)
            for release in record.results[0]
            if self.stream in ("", stream_of(release))
        ]
        used = [release.distance for release in self.attacked_releases(record)]
        return add_budgets(used, laplace=self.laplace) / add_budgets(declared, laplace=self.laplace)

    def _missed(self, promise: Guarantee, rows: Rows) -> float:
        """Sensitivity over the largest change, of a few documents replaced by others of the corpus; at most 10."""
        rng, changes = np.random.default_rng(0), [0.1]
        for _ in range(RANDOM_NEIGHBORS):
            old, new = rng.choice(len(rows), 2, replace=False)
            other = rows.copy()
            other[old] = rows[new]
            changes.append(self.budget_ratio(promise, (rows, other)))
        return 1 / max(changes)

    def sample_scores(
        self, promise: Guarantee, draws: int, seed: int = 0, sabotage: Sabotage = HONEST
    ) -> ScoreSamples:
        """Runs on both neighbors, as many as ``draws``; scores are log likelihood ratios.

        Scores of Laplace noise have nine digits: they reach their extremes with positive probability, where rounding
        would reveal more than the distribution. Only an audit of last bits keeps all digits.
        """
        releases = self.attacked_releases(self.replay_run(promise, draws, seed, sabotage))
        bits = self.reads_bits and (promise.releasable or sabotage == ways.LAST_BITS)
        scores = [self._scores(releases, side) for side in range(2)]
        if bits and not self.laplace:
            for side, score in enumerate(scores):
                score += sum(low_bit_leak(release, side) for release in releases)
        if self.first_share:
            for side, score in enumerate(scores):
                score += reused_noise(releases, side)
        if self.laplace and not bits:
            scores = [np.round(score, 9) for score in scores]
        return ScoreSamples(
            scores[0], scores[1], np.hstack([release.residuals for release in releases])
        )

    def _scores(self, releases: list[ReplayedRelease], side: int) -> Scores:
        return np.asarray(sum(release.losses(side) for release in releases))

    def __str__(self) -> str:
        return f"{self.method.key} {self.title}"


def stream_of(release: Release) -> str:
    """Edge and quantity, the name that noise sources use."""
    return f"{release.edge} {release.quantity}"


def _budget(release: Release) -> float:
    """Declared μ or ε of a release; for minibatches, μ of all that hold the replaced documents."""
    if release.mu or release.pure_epsilon:
        return release.mu or release.pure_epsilon
    return math.sqrt(2 * release.steps) * release.sensitivity / release.scale
