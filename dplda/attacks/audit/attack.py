"""Attack on releases: a run replayed on two neighbors, and the distribution of its scores.

For noise too small by a factor, that distribution tells how often a score reaches a threshold on
either neighbor. From it the harness knows what its runs would have found.
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
from dplda.experiments.experiment import Experiment, HeldDocuments, fit
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

PROBLEM = Problem(2, 1.0)
UNDIVIDED = Budget()
N_CELLS = 2  # histogram cells in which two one-word documents differ
RANDOM_NEIGHBORS = 5  # from which a sabotaged sensitivity is estimated
UNCOUNTED_MU = 1e-9  # μ of an earlier release that is not counted
ROOT_TWO = math.sqrt(2)  # largest distance of non-negative parts of length 1
SCORE_DIGITS = 9  # of Laplace scores, unless last bits are audited


class ScoreSamples(NamedTuple):
    """Scores of independent runs on two neighbors.

    Attributes:
        first: scores of the runs on the first neighbor, shape (runs,); the larger ones.
        second: scores of the runs on the second, shape (runs,).
        residuals: noise of the runs on the first in units of the declared noise, shape
            (runs, numbers).
    """

    first: Scores
    second: Scores
    residuals: Matrix


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Attack:
    """Releases of a run, and the two neighbors that are hardest to hide.

    Attributes:
        method: the attacked method.
        name: short name of the release; a share of the split, where the method has one.
        title: name of the release in words.
        edge: edge of the release; ``all`` for a whole run.
        pair: the two neighbors.
        problem: number of topics and α0 of the run.
        budget: its split; ε and δ come from the promise.
        make_mechanisms: mechanisms around a source of noise.
        stream: edge and quantity of the release; empty for all releases.
        answers: the attacker's answers to D's releases.
        laplace: whether the noise is Laplace noise.
        sensitivity_per_part: sensitivity over the length of one document's part, to which published
            noise is scaled.
        attained_share: distance of the two values as a fraction of the sensitivity; below 1 only
            where no pair is known to attain it.
        failure_share: share of δ not spent on noise.
        first_share: share of ε in a release that the attacked run then continues to the whole ε;
            0 for none.
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
        """Fit the method to a corpus, and return all releases: of one fit, or of two.

        Without a ``first_share`` the one fit spends the promise's ε. With it the first fit spends
        that share, and a second one continues it to the whole; not if the method cannot be
        continued, or the first left nothing to continue. The sabotage ``UNPAID`` leaves the first
        fit's budget uncounted.

        Raises:
            DpldaError: the method refuses.
        """
        budget = replace(self.budget, epsilon=promise.epsilon, delta=promise.delta)
        first_share = self.first_share or 1.0
        first_epsilon = first_share * promise.epsilon
        first_budget = replace(budget, epsilon=first_epsilon)
        runtime = Runtime(noise=noise, make_mechanisms=self.make_mechanisms)
        first_experiment = Experiment(
            corpus=HeldDocuments(),
            method=self.method.spec,
            problem=self.problem,
            budget=first_budget,
            seed=seed,
        )
        first_fit = fit(first_experiment, corpus, runtime, method=self.method)
        is_continued = self.first_share and self.method.fit_continued is not None
        if not is_continued or first_fit.state is None:
            return first_fit.releases
        counted_mu = gaussian.mu_for(first_budget.epsilon, first_budget.delta)
        if sabotage == ways.UNPAID:
            counted_mu = UNCOUNTED_MU
        previous = PreviousRelease(
            state=first_fit.state,
            mu=counted_mu,
            evidence=first_fit.evidence,
            noise_key="audit",
        )
        continued_experiment = replace(first_experiment, budget=budget)
        continued_fit = fit(
            continued_experiment, corpus, runtime, method=self.method, previous=previous
        )
        return (*first_fit.releases, *continued_fit.releases)

    def measure(self, promise: Guarantee) -> Measure:
        """Measure of the bound: ε for Laplace noise, μ for Gaussian."""
        if self.laplace:
            return pure_epsilon
        return gaussian_mu

    def claimed_loss(self, promise: Guarantee) -> float:
        """The whole run's promise for these neighbors, in that measure."""
        if self.laplace:
            return promise.epsilon
        noise_delta = (1 - self.failure_share) * promise.delta
        mu = gaussian.mu_for(promise.epsilon, noise_delta)
        return self.attained_share * mu

    def as_epsilon(self, value: float, promise: Guarantee) -> float:
        """A bound or claim in that measure as an ε at the promise's δ; 0 if not positive."""
        if self.laplace or value <= 0:
            return max(0.0, value)
        return gaussian.epsilon_for(value, promise.delta)

    def score_rates(self, promise: Guarantee, factor: float) -> Rates:
        """Rates of hits and of false alarms, at some thresholds, where noise is too small.

        Laplace scores are extreme when each of two cells has moved all the way: one threshold.

        Args:
            promise: what the run claims.
            factor: by which the noise is too small; 1 for noise as declared.
        """
        if self.laplace:
            hit_rate = 0.5**N_CELLS
            log_ratio = -factor * ATTACKED_SHARE * promise.epsilon
            alarm_rate = hit_rate * math.exp(log_ratio)
            return np.array([hit_rate]), np.array([alarm_rate])
        claimed_mu = self.claimed_loss(promise)
        mu = factor * math.sqrt(ATTACKED_SHARE) * claimed_mu
        thresholds = np.linspace(-3, 3, 41) + mu / 2
        hit_rates = ndtr(mu - thresholds)
        alarm_rates = ndtr(-thresholds)
        return hit_rates, alarm_rates

    def replay_run(
        self,
        promise: Guarantee,
        n_draws: int = 1,
        seed: int = 0,
        sabotage: Sabotage = HONEST,
        pair: Pair | None = None,
    ) -> Transcript[tuple[Release, ...]]:
        """Run on the first neighbor, and replay its releases on the second.

        The two sides draw independent noise unless sabotaged.

        The noise is exact where the promise is releasable, and simulated from the seed elsewhere.

        Documents have persons if the promise protects persons.

        The sabotage ``AGAIN`` needs two fits: without a ``first_share`` the run is honest.

        Args:
            promise: what the run claims.
            n_draws: draws of the attacked release.
            seed: of the noise and of the run.
            sabotage: how the promise is broken.
            pair: other neighbors than the attack's own.

        Raises:
            DpldaError: a run was refused.
            AssertionError: the two runs do not ask for the same releases with the same noise.
        """
        if sabotage == ways.AGAIN and not self.first_share:
            sabotage = HONEST
        neighbors = pair or self.pair
        has_persons = promise.adjacency is Adjacency.REPLACE_PERSON
        first_rows, second_rows = neighbors
        first_corpus = make_corpus(first_rows, persons=has_persons, sabotage=sabotage)
        second_corpus = make_corpus(second_rows, persons=has_persons, sabotage=sabotage)
        scales_of_answers = self._scales_of_answers(first_corpus, promise, seed, sabotage)
        noise_shrinkage = self._noise_shrinkage(promise, first_rows, sabotage)

        def make_recorder(side: int) -> Recorder:
            """Make the recorder of one side: 0 for the first neighbor, 1 for the second.

            Simulated noise has another seed on either side.
            """
            exact_noise = None
            if promise.releasable:
                exact_noise = ExactNoise(epsilon=promise.epsilon, delta=promise.delta)
            seed_of_side = 2 * seed + side
            return Recorder(
                sabotage.source(seed_of_side, exact_noise),
                n_draws=n_draws,
                drawn_stream=self.stream,
                answers=self.answers,
                scales=scales_of_answers,
                noise_shrinkage=noise_shrinkage,
                takes_everyone=sabotage == ways.EVERYONE,
            )

        def run(corpus: Corpus, noise: NoiseSource) -> tuple[Release, ...]:
            """One fit, or two, on a neighbor."""
            return self.run(corpus, promise, seed, noise=noise, sabotage=sabotage)

        recorders = (make_recorder(0), make_recorder(1))
        return replay(run, (first_corpus, second_corpus), recorders)

    def _scales_of_answers(
        self, corpus: Corpus, promise: Guarantee, seed: int, sabotage: Sabotage
    ) -> dict[str, float]:
        """Noise scales by stream in the unit of the values, which a simulated run finds.

        Exact noise is asked for in steps, and answers are not in steps; without exact noise no
        scale is needed.
        """
        if not promise.releasable or not self.answers:
            return {}
        simulated_promise = replace(promise, caveats=(Caveat.SIMULATED,), releasable=False)
        source = sabotage.source(seed)
        recorder = Recorder(source, answers=self.answers)
        self.run(corpus, simulated_promise, seed, recorder)
        return {request.stream: request.scale for request in recorder.requests}

    def _noise_shrinkage(self, promise: Guarantee, rows: Rows, sabotage: Sabotage) -> float:
        """Factor by which a sabotaged sensitivity makes all noise too small."""
        if sabotage == ways.PUBLISHED:
            return self.sensitivity_per_part
        if sabotage == ways.SAMPLED:
            return self._missed_sensitivity(promise, rows)
        return 1.0

    def attacked_releases(
        self, transcript: Transcript[tuple[Release, ...]]
    ) -> list[ReplayedRelease]:
        """The attacked releases of a transcript."""
        return [release for release in transcript.releases if self._attacks(release.stream)]

    def _attacks(self, stream: str) -> bool:
        """Whether it attacks releases of this edge and quantity."""
        return self.stream in ("", stream)

    def budget_ratio(self, promise: Guarantee, pair: Pair, sabotage: Sabotage = HONEST) -> float:
        """Ratio of the budget used by the attacked releases on two neighbors to the declared one.

        Budgets are ε for Laplace noise, else μ; above 1, the releases exceed what they declare.

        Both are of one run with the seed 0.

        Raises:
            DpldaError: a run was refused.
        """
        transcript = self.replay_run(promise, sabotage=sabotage, pair=pair)
        declared_budgets = [
            _declared_budget(release)
            for release in transcript.results[0]
            if self._attacks(stream_of(release))
        ]
        declared_budget = add_budgets(declared_budgets, laplace=self.laplace)
        attacked_releases = self.attacked_releases(transcript)
        used_budgets = [release.distance for release in attacked_releases]
        used_budget = add_budgets(used_budgets, laplace=self.laplace)
        return used_budget / declared_budget

    def _missed_sensitivity(self, promise: Guarantee, rows: Rows) -> float:
        """Factor by which random neighbors understate the sensitivity; at most 10.

        It is the sensitivity over the largest change, of a few documents replaced by others of the
        corpus.
        """
        rng = np.random.default_rng(0)
        largest_ratio = 0.1
        for _ in range(RANDOM_NEIGHBORS):
            replaced_row, copied_row = rng.choice(len(rows), 2, replace=False)
            neighbor = rows.copy()
            neighbor[replaced_row] = rows[copied_row]
            ratio = self.budget_ratio(promise, (rows, neighbor))
            largest_ratio = max(largest_ratio, ratio)
        return 1 / largest_ratio

    def sample_scores(
        self, promise: Guarantee, n_draws: int, seed: int = 0, sabotage: Sabotage = HONEST
    ) -> ScoreSamples:
        """Runs on both neighbors; scores are log likelihood ratios.

        Scores of Laplace noise have nine digits: they reach their extremes with positive
        probability, where rounding would reveal more than the distribution. Only an audit of last
        bits keeps all digits. Last bits are read where the attack needs it and either the noise is
        a release's or they are what is sabotaged.

        Args:
            promise: what the run claims.
            n_draws: runs on each neighbor.
            seed: of the noise and of the run.
            sabotage: how the promise is broken.

        Returns:
            Scores of the runs on each neighbor, and the noise itself in units of its scale.
        """
        transcript = self.replay_run(promise, n_draws, seed=seed, sabotage=sabotage)
        releases = self.attacked_releases(transcript)
        are_bits_in_question = promise.releasable or sabotage == ways.LAST_BITS
        reads_bits = self.reads_bits and are_bits_in_question
        residuals = [release.residuals for release in releases]
        return ScoreSamples(
            first=self._all_scores(releases, 0, reads_bits),
            second=self._all_scores(releases, 1, reads_bits),
            residuals=np.hstack(residuals),
        )

    def _all_scores(self, releases: list[ReplayedRelease], side: int, reads_bits: bool) -> Scores:
        """Scores of the draws on one side, with what last bits and reused noise give away.

        Last bits are scored for Gaussian noise alone. Scores of Laplace noise are rounded unless
        last bits are read.
        """
        scores = self._scores(releases, side)
        if reads_bits and not self.laplace:
            bit_scores = [low_bit_leak(release, side) for release in releases]
            scores = scores + sum(bit_scores)
        if self.first_share:
            scores = scores + reused_noise(releases, side)
        if self.laplace and not reads_bits:
            scores = np.round(scores, SCORE_DIGITS)
        return scores

    def _scores(self, releases: list[ReplayedRelease], side: int) -> Scores:
        """Privacy loss of all releases together, of each draw on one side."""
        losses_of_releases = [release.losses(side) for release in releases]
        return np.asarray(sum(losses_of_releases))

    def __str__(self) -> str:
        """The method and the release."""
        return f"{self.method.key} {self.title}"


def stream_of(release: Release) -> str:
    """Edge and quantity, the name that noise sources use."""
    return f"{release.edge} {release.quantity}"


def _declared_budget(release: Release) -> float:
    """Declared μ or ε of a release; for minibatches, μ of all that hold the replaced documents."""
    declared_budget = release.mu or release.pure_epsilon
    if declared_budget:
        return declared_budget
    n_parts = 2 * release.steps  # of both documents, in every minibatch
    return math.sqrt(n_parts) * release.sensitivity / release.scale
