"""Audits of private variational inference, full batch and on random minibatches.

The two documents add orthogonal matrices of full norm to a minibatch, the pair in the accountant's
theorem. The same holds for their word counts.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, lru_cache, partial

import numpy as np

from dplda.attacks.audit.attack import Attack, Rates
from dplda.attacks.audit.curves import delta_curves
from dplda.attacks.audit.evidence import Measure, Scores
from dplda.attacks.audit.neighbours import WORD_OR_OTHER
from dplda.attacks.replay import Recorder, ReplayedRelease, log_mixture
from dplda.core.types import Matrix, Vector
from dplda.methods.base.calibration import Calibration
from dplda.methods.dpvi.settings import VariationalSettings
from dplda.methods.dpvi.variational_methods import private_variational
from dplda.privacy.mechanisms import Mechanisms, Members
from dplda.privacy.noise.sources import NoiseSource
from dplda.privacy.release import Guarantee

SAMPLED = VariationalSettings(sampling_rate=0.6, epochs=1.8, word_steps=0)  # three minibatches
FULL = VariationalSettings(sampling_rate=1.0, epochs=3.0, word_steps=0)  # three steps
COUNTED = replace(FULL, word_steps=3)  # all count words
WORDS_FIRST = replace(SAMPLED, word_steps=1)  # one counts words, two fit topics
N_SIMULATED = 100_000  # simulated runs that give the distribution of scores
N_RATE_THRESHOLDS = 100


class Sampling(Mechanisms):
    """Mechanisms that tell a recorder how to redraw a minibatch, and the sum over all documents.

    Args:
        rate: chance of each document to be in a minibatch.
        source: a recorder.
    """

    def __init__(self, rate: float, source: NoiseSource) -> None:
        super().__init__(source)
        assert isinstance(source, Recorder)
        self._rate = rate
        self._recorder = source

    def minibatch(
        self, members: Callable[[], Members], total: Callable[[Members], Matrix]
    ) -> Matrix:
        """As in the base class; the recorder learns how to redraw the minibatch.

        It gets the mean part of all documents, too. Where it takes everyone, which is sabotage,
        everyone is a member. The sum over the same members is computed once. Returns the sum over
        this minibatch, without noise.
        """

        @cache
        def total_of(packed_members: bytes) -> Matrix:
            """The sum over members, as bytes of a mask."""
            return total(np.frombuffer(packed_members, dtype=np.bool_))

        if self._recorder.takes_everyone:
            members = partial(np.ones_like, members())
        chosen_members = members()
        expected_size = len(chosen_members) * self._rate

        def mean_part(batch_members: Members) -> Vector:
            """The sum over members, divided by the expected size of a minibatch, shape (p,)."""
            batch_total = total_of(batch_members.tobytes())
            return np.ravel(batch_total) / expected_size

        def redraw_mean_part() -> Vector:
            return mean_part(members())

        everyone = np.ones_like(chosen_members)
        self._recorder.pending_minibatch = (mean_part(everyone), redraw_mean_part)
        return total_of(chosen_members.tobytes())


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class SampledAttack(Attack):
    """Attack on a whole run with random minibatches; it bounds ε by the whole curve of δ.

    Attributes:
        settings: minibatches and steps of the run.
    """

    settings: VariationalSettings

    def measure(self, promise: Guarantee) -> Measure:
        """The accountant's curve, and the curves for more and less noise."""
        settings_of_curves = replace(self.settings, word_steps=0)
        return delta_curves(promise.epsilon, promise.delta, settings_of_curves)

    def claimed_loss(self, promise: Guarantee) -> float:
        """ε of the whole run."""
        return promise.epsilon

    def as_epsilon(self, value: float, promise: Guarantee) -> float:
        """The value itself, already an ε; 0 if not positive."""
        return max(0.0, value)

    def score_rates(self, promise: Guarantee, factor: float) -> Rates:
        """Rates of hits and of false alarms by many simulated runs, at several thresholds.

        Runs are simulated along the two directions that matter, with a fixed seed.
        """
        schedule = self.settings.schedule(promise.epsilon, promise.delta)
        return _rates(
            schedule.noise_multiplier,
            factor,
            rate=self.settings.sampling_rate,
            steps=self.settings.steps,
        )

    def _scores(self, releases: list[ReplayedRelease], side: int) -> Scores:
        """As in the base class, for sums over random minibatches."""
        rate = self.settings.sampling_rate
        losses_of_releases = [release.minibatch_losses(side, rate) for release in releases]
        return np.asarray(sum(losses_of_releases))


def simulate_scores(
    rng: np.random.Generator,
    runs: int,
    *,
    sigma: float,
    rate: float,
    steps: int,
    factor: float,
) -> Scores:
    """Scores by a second route: along the two parts, in units of the bound, a step is two numbers.

    Args:
        rng: random numbers.
        runs: how many runs.
        sigma: declared noise multiplier.
        rate: chance of each document to be in a minibatch.
        steps: minibatches of a run.
        factor: factor by which the noise is too small.

    Returns:
        Log likelihood ratios of the first corpus to the second, in runs on the first, (runs,).
    """
    noise_std = sigma / factor
    steps_of_runs = noise_std * rng.standard_normal((2, steps, runs))
    is_sampled = rng.random((steps, runs)) < rate
    steps_of_runs[0] += is_sampled
    exponents = (steps_of_runs - 0.5) / sigma**2
    first_log_ratio, second_log_ratio = log_mixture(rate, exponents)
    log_ratios = first_log_ratio - second_log_ratio
    return np.asarray(np.sum(log_ratios, axis=0))


@lru_cache(maxsize=256)
def _rates(sigma: float, factor: float, *, rate: float, steps: int) -> Rates:
    """Rates of hits and false alarms of simulated scores, at quantiles of both kinds together.

    Scores on the second corpus are those on the first with the other sign. Arguments as in
    ``simulate_scores``. The random seed is fixed: equal arguments have equal rates.

    Returns:
        Shares of scores on the first corpus, and on the second, from each threshold on. Thresholds
        increase, so rates fall.
    """
    scores = simulate_scores(
        np.random.default_rng(0),
        N_SIMULATED,
        sigma=sigma,
        rate=rate,
        steps=steps,
        factor=factor,
    )
    first_scores = np.sort(scores)
    second_scores = -first_scores[::-1]
    levels_with_ends = np.linspace(0, 1, N_RATE_THRESHOLDS + 2)
    levels = levels_with_ends[1:-1]
    all_scores = np.concatenate([first_scores, -first_scores])
    thresholds = np.quantile(all_scores, levels)
    n_first_below = np.searchsorted(first_scores, thresholds)
    n_second_below = np.searchsorted(second_scores, thresholds)
    hits = 1 - n_first_below / N_SIMULATED
    alarms = 1 - n_second_below / N_SIMULATED
    return hits, alarms


def _attack(title: str, settings: VariationalSettings) -> Attack:
    """Make an attack on whole runs of variational inference.

    With random minibatches it bounds ε by the whole curve of δ; where every document is used it
    reads last bits.
    """
    attack_type: Callable[..., Attack] = partial(SampledAttack, settings=settings)
    if settings.sampling_rate == 1:
        attack_type = Attack
    make_attack = partial(
        attack_type,
        method=private_variational(Calibration.CORRECTED, settings),
        name="minibatches" if title == "random minibatches" else title,
        title=title,
        edge="minibatch",
        make_mechanisms=partial(Sampling, settings.sampling_rate),
        pair=WORD_OR_OTHER,
    )
    # with sampling, a document left out leaves zeros on either neighbor
    return make_attack(reads_bits=settings.sampling_rate == 1)


VARIATIONAL = (
    _attack("full batch", FULL),
    _attack("random minibatches", SAMPLED),
    _attack("word counts", COUNTED),
    _attack("words first", WORDS_FIRST),
)
