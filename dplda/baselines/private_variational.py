r"""Differentially private variational inference: Park and others' Algorithm 1, as published and corrected.

In step t every document is taken with probability ν; the statistic of those taken,
:math:`\bar s = \frac1S \sum_n s_n` with the public :math:`S = νN`, gets Gaussian noise, negative entries become 0, and
:math:`λ ← (1-ρ_t)λ + ρ_t(η + N\tilde s)`, :math:`ρ_t = (τ_0+t)^{-κ}`. Only :math:`\tilde s` sees documents.

Setting every noisy step's negative entries to 0 turns noise into a bias that no averaging removes: each entry gains
about 0.4 of its standard deviation. The corrected calibration averages first and sets what is then negative to 0,
which is post-processing all the same; ``VariationalSettings.truncate_each_step`` brings the printed order back. So is
what it does once, at the end: every cell of the average is shrunk by the noise that it is known to have gathered,
towards the word frequencies of the column sums. At every step that could hold a run to what its first minibatches said.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dplda._types import Counts, Matrix, Report, silent
from dplda.baselines import e_step
from dplda.baselines.accounting import Schedule, noise_multiplier_for
from dplda.baselines.fit import VariationalFit, as_corpus, by_size, check_model, topics_and_mean
from dplda.baselines.settings import Scheme, VariationalSettings, scheme_of
from dplda.blas import one_thread
from dplda.configurations.quantity import Quantity
from dplda.configurations.variant import Calibration
from dplda.corpus.corpus import Corpus
from dplda.corpus.counts import AnyCounts
from dplda.fitting.draw_key import draw_key
from dplda.fitting.guarantees import claim
from dplda.privacy.adjacency import Adjacency
from dplda.privacy.keys import Secret
from dplda.privacy.mechanisms import Mechanisms, Members
from dplda.privacy.noise import NoiseSource, SimulatedNoise
from dplda.privacy.rounding import rounding
from dplda.shrinkage.posterior import frequencies, learn

STATISTIC = Quantity(
    "statistic",
    "s̄",
    "mean statistic of a minibatch",
    "minibatch",
    "Every document's statistic is scaled down to length C, and the sum is divided by the public S.",
)
MEMBERS = "who is in a minibatch"  # the purpose of a stream of its own
SMALLEST_TOPIC = 0.02  # of the mean one: what a topic that lost its words is taken to have
_START = 0x73746172  # another one for the first topics, which are public


@dataclass(frozen=True, slots=True, eq=False)
class VariationalRun:
    """A fit, and apart from it what only the curator may see.

    Attributes:
        fit: what the guarantee speaks of.
        clipped: fraction of the documents drawn that were scaled down, or of the minibatches where these are scaled
            as published; exact.
    """

    fit: VariationalFit
    clipped: float


def private_variational(
    documents: Corpus | AnyCounts,
    *,
    n_topics: int,
    alpha0: float,
    epsilon: float,
    delta: float = 1e-7,
    calibration: Calibration = Calibration.CORRECTED,
    seed: int = 0,
    noise: NoiseSource | None = None,
    report: Report = silent,
    settings: VariationalSettings | None = None,
) -> VariationalFit:
    """The fit of a run, without what only the curator may see; for arguments and errors see ``run_variational``."""
    return run_variational(
        documents,
        n_topics=n_topics,
        alpha0=alpha0,
        epsilon=epsilon,
        delta=delta,
        calibration=calibration,
        seed=seed,
        noise=noise,
        report=report,
        settings=settings,
    ).fit


@one_thread
def run_variational(
    documents: Corpus | AnyCounts,
    *,
    n_topics: int,
    alpha0: float,
    epsilon: float,
    delta: float = 1e-7,
    calibration: Calibration = Calibration.CORRECTED,
    seed: int = 0,
    secret: Secret | None = None,
    noise: NoiseSource | None = None,
    report: Report = silent,
    settings: VariationalSettings | None = None,
    through: Callable[[NoiseSource], Mechanisms] | None = None,
) -> VariationalRun:
    r"""Topics by private variational inference.

    Args:
        documents: N documents over d words; a matrix is taken as public, its words as fixed beforehand.
        n_topics: ``k``, 2 ≤ k ≤ d.
        alpha0: ``α0`` > 0, sum of the symmetric prior of the documents' topics.
        epsilon: ε > 0 of the whole run, replacing one document.
        delta: δ in (0, 1) of the whole run.
        calibration: ``CORRECTED`` bounds every document's statistic; ``PUBLISHED`` scales the batch's.
        seed: fixes the first topics and, on simulated and public corpora, minibatches and noise, which are
            independent streams.
        secret: keys minibatches and noise on a sensitive corpus; a new one where None.
        noise: another source than simulated noise; on a sensitive corpus a guarantee says so.
        report: told the fraction done and the step, in the calling thread; may raise to give up.
        settings: the public choices; the defaults where None.
        through: makes of the source what draws minibatches and releases values; ``Mechanisms`` where None.

    Raises:
        InputError: a parameter out of range, or a calibration that this method does not have.
        CorpusError: a matrix that is no corpus.

    Guarantee:
        Corrected: a document's statistic is a function of the document and of earlier releases, entrywise
        non-negative and of norm at most C, so that a step is a sum of such terms over a random minibatch, divided by
        the public S, with noise of standard deviation σC/S; ``accounting.epsilon_of`` the schedule is at most ε.
        Published: nothing is proven. The scaled statistic of a batch lies in a ball of radius ``a·N_max/S``, whose
        points are at most twice that apart, non-negative ones √2 times, which one document nearly attains; the paper
        says once. How far it moves depends on the rest of the batch besides.
    """
    corpus, settings = as_corpus(documents), settings or VariationalSettings()
    check_model(n_topics, alpha0, seed, corpus.n_words)
    scheme = scheme_of(calibration, settings)
    report(0.0, "calibrating noise")
    schedule = schedule_for(epsilon, delta, settings)
    key = draw_key(
        corpus,
        method=("dp-vi", str(calibration)),
        choices=(repr(n_topics), repr(alpha0), repr(epsilon), repr(delta), repr(settings)),
        seed=seed,
        secret=secret,
    )
    mechanisms = (through or Mechanisms)(noise or SimulatedNoise(key))
    members = key.generator(MEMBERS)
    run = _Run(by_size(corpus.counts), n_topics, alpha0, settings, schedule, scheme, mechanisms, members, seed)
    for step in range(schedule.steps):
        report(step / schedule.steps, f"minibatch {step + 1} of {schedule.steps}")
        run.step(step)
    topics, mean_words = topics_and_mean(run.shrunk)
    _check_spending(mechanisms, schedule)
    found = VariationalFit(
        topics=topics,
        alpha=np.full(n_topics, alpha0 / n_topics),
        mean_words=mean_words,
        guarantee=claim(
            corpus,
            mechanisms.releases,
            status=scheme.status,
            rests_on=scheme.rests_on,
            epsilon=epsilon,
            delta=delta,
        ),
        releases=mechanisms.releases,
        schedule=schedule,
        noise_multiplier=schedule.noise_multiplier,
    )
    return VariationalRun(found, run.clipped)


def part_of_one_document(*, n_documents: int, bound: float, expected: float) -> float:
    """Bound on one document's part in the mean statistic of a minibatch: ``C/S``, Frobenius norm, unit of words.

    Args:
        n_documents: ``N``, public; for the rounding of sums.
        bound: ``C``, norm that no contribution exceeds up to rounding.
        expected: ``S``, by which the sum is divided, public.

    Guarantee:
        Adding or removing a document adds or removes one term of the sum; S does not depend on who is in the
        minibatch. The factor covers what scaling down to C rounds; the sum holds at most N parts, non-negative.
    """
    part = bound / expected
    return (1 + 1e-12) * part + rounding(n_documents=n_documents, size=n_documents * part)


def schedule_for(epsilon: float, delta: float, settings: VariationalSettings) -> Schedule:
    """The steps of a run, and the noise multiplier at which they cost ε and δ when a document is replaced."""
    sigma = noise_multiplier_for(
        epsilon=epsilon,
        delta=delta,
        sampling_rate=settings.sampling_rate,
        steps=settings.steps,
        accountant=settings.accountant,
        adjacency=Adjacency.REPLACE_ONE,
    )
    return Schedule(sigma, settings.sampling_rate, settings.steps)


class _Run:
    """The state of one run: the two parts of λ, and how much was clipped."""

    def __init__(
        self,
        counts: Counts,
        n_topics: int,
        alpha0: float,
        settings: VariationalSettings,
        schedule: Schedule,
        scheme: Scheme,
        mechanisms: Mechanisms,
        members: np.random.Generator,
        seed: int,
    ) -> None:
        self._counts, self._settings, self._schedule, self._scheme = counts, settings, schedule, scheme
        self._mechanisms = mechanisms
        self._members = members
        start = np.random.default_rng([seed, _START])
        self._prior: Matrix = start.gamma(settings.spread, 1 / settings.spread, (n_topics, counts.shape[1]))
        self._average = np.zeros_like(self._prior)
        self._variance = 0.0
        self._early = settings.truncate_each_step or not scheme.per_document
        self._inference = e_step.Inference(
            alpha0 / n_topics, settings.tolerance, settings.most_iterations, settings.longest
        )
        self._n_clipped = self._n_seen = 0

    @property
    def parameters(self) -> Matrix:
        """``λ``, shape (k, d): what is left of the start and of η, and the average of the statistics seen so far."""
        result: Matrix = self._prior + np.maximum(self._average, 0.0)
        return result

    @property
    def shrunk(self) -> Matrix:
        """``λ`` with the average's cells shrunk by their known noise; as it is where each step's were cut at 0."""
        if self._early or not self._variance:
            return self.parameters
        k, d = self._average.shape
        noise = math.sqrt(self._variance)
        words = frequencies(np.sum(self._average, axis=0), np.full(d, math.sqrt(k) * noise))
        sizes = np.sum(self._average, axis=1)
        sizes = np.maximum(sizes, SMALLEST_TOPIC * max(1.0, float(np.mean(sizes))))
        result: Matrix = self._prior + learn(self._average, np.full((k, d), noise), np.outer(sizes, words)).mean
        return result

    @property
    def clipped(self) -> float:
        """Fraction of what was bounded that had to be scaled down."""
        return self._n_clipped / max(1, self._n_seen)

    def step(self, t: int) -> None:
        """Draws one minibatch and learns from it, t counted from 0."""
        self.learn(t, self._mechanisms.minibatch(self._taken, self._bounded))

    def learn(self, t: int, total: Matrix) -> None:
        """Adds noise to the bounded statistic of a minibatch and moves λ, step t counted from 0."""
        n = self._counts.shape[0]
        expected = n * self._schedule.sampling_rate
        noisy = self._mechanisms.minibatch_matrix(
            STATISTIC,
            total / expected,
            sensitivity=part_of_one_document(n_documents=n, bound=self._scheme.bound, expected=expected),
            noise_multiplier=self._schedule.noise_multiplier,
            sampling_rate=self._schedule.sampling_rate,
        )
        rate = (self._settings.offset + t + 1) ** -self._settings.decay
        self._prior = (1 - rate) * self._prior + rate * self._settings.topic_prior
        self._average = (1 - rate) * self._average + rate * n * (np.maximum(noisy, 0.0) if self._early else noisy)
        noise = n * self._mechanisms.noise_in(STATISTIC)
        self._variance = (1 - rate) ** 2 * self._variance + rate**2 * noise**2

    def _taken(self) -> Members:
        return self._members.random(self._counts.shape[0]) < self._schedule.sampling_rate

    def _bounded(self, members: Members) -> Matrix:
        """Their summed statistic with one document's part bounded, or all of it, as the calibration has it."""
        batch = self._counts[np.flatnonzero(members)]
        expectations = e_step.exponentiated_expectation(self.parameters)
        if self._scheme.per_document:
            found = e_step.statistic(batch, expectations, self._inference, bound=self._scheme.bound)
            self._n_clipped += found.clipped
            self._n_seen += found.documents
            return found.total
        total = e_step.statistic(batch, expectations, self._inference).total
        norm = float(np.linalg.norm(total))
        over = norm > self._scheme.bound
        self._n_clipped += over
        self._n_seen += 1
        return total * (self._scheme.bound / norm) if over else total


def _check_spending(mechanisms: Mechanisms, schedule: Schedule) -> None:
    """Refuse to claim anything of a run that released more, or with less noise, than was accounted for."""
    for release in mechanisms.releases:
        if release.steps > schedule.steps or release.noise_multiplier < schedule.noise_multiplier * (1 - 1e-12):
            raise RuntimeError(f"{release.steps} steps with σ = {release.noise_multiplier:g} exceed the schedule")
    if len(mechanisms.releases) > 1:
        raise RuntimeError("more was released than the schedule accounts for")
