r"""Private variational inference, on all documents in every step and on random minibatches, its answers being given.

The neighbours are those of a refinement: what either document adds to a minibatch are two orthogonal matrices of full
norm, the pair that the accountant's theorem is about. So are their word counts, where minibatches count words alone.
"""

from dataclasses import dataclass, replace
from functools import lru_cache, partial

import numpy as np

from dplda.attacks.audit.answering import DrawnRelease, Through
from dplda.attacks.audit.attack import Rates, Seen
from dplda.attacks.audit.curves import curves
from dplda.attacks.audit.evidence import Measure, Scores
from dplda.attacks.audit.neighbours import among_empty
from dplda.attacks.audit.promise import AuditedPromise
from dplda.attacks.audit.refinement import DOCUMENTS, ROOT, D, K, RunAudit
from dplda.attacks.audit.sabotage import Sabotage
from dplda.corpus import Corpus
from dplda.methods.problem import Budget, Problem
from dplda.methods.resources import Resources
from dplda.methods.variational.private_variational import run_variational, schedule_for
from dplda.methods.variational.settings import VariationalSettings
from dplda.privacy.noise.sources import NoiseSource

SAMPLED = VariationalSettings(sampling_rate=0.6, epochs=1.8, word_steps=0)  # three minibatches
FULL = VariationalSettings(sampling_rate=1.0, epochs=3.0, word_steps=0)  # three steps
COUNTED = replace(FULL, word_steps=3)  # all of them count words
WORDS_FIRST = replace(SAMPLED, word_steps=1)  # the first counts words, two ask for topics
SIMULATED = 100_000  # runs from which the law of scores is read off
THRESHOLDS = 100


def run(
    settings: VariationalSettings,
    corpus: Corpus,
    promise: AuditedPromise,
    seed: int,
    noise: NoiseSource | None,
    through: Through,
) -> object:
    """A run with these settings."""
    budget = Budget(promise.epsilon, promise.delta)
    return run_variational(corpus, Problem(K, 1.0), budget, Resources(seed, noise, through=through), settings=settings)


@dataclass(frozen=True, slots=True, eq=False)
class SampledAudit(RunAudit):
    """A whole run on random minibatches; what is bounded is an ε, by the whole curve of δ."""

    settings: VariationalSettings

    @property
    def name(self) -> str:
        """Short."""
        return "words first" if self.settings.word_steps else "minibatches"

    @property
    def reads_bits(self) -> bool:
        """Not here: whoever is not taken leaves zeros on either neighbour."""
        return False

    def measure(self, promise: AuditedPromise) -> Measure:
        """The accountant's curve, and those of more and less noise."""
        return curves(promise.epsilon, promise.delta, self.settings)

    def claimed(self, promise: AuditedPromise) -> float:
        """ε of the whole run."""
        return promise.epsilon

    def as_epsilon(self, value: float, promise: AuditedPromise) -> float:
        """It is one."""
        return value

    def rates(self, promise: AuditedPromise, factor: float) -> Rates:
        """From many runs in the two directions that matter."""
        sigma = schedule_for(promise.epsilon, promise.delta, self.settings).noise_multiplier
        return _rates(sigma, factor, self.settings.sampling_rate, self.settings.steps)

    def seen(self, promise: AuditedPromise, draws: int, seed: int = 0, sabotage: Sabotage | None = None) -> Seen:
        r"""Scores are the logarithms of the likelihood ratios of all steps.

        Each step is a mixture of two Gaussian laws over whether the document is taken: with x the noisy sum, a the
        document's part and s the noise's deviation, its ratio to noise alone is
        :math:`1 - ν + ν e^{(⟨x,a⟩ - \|a\|^2/2)/s^2}`.
        """
        scores = np.zeros((2, draws))
        sides = [self._parts(side, promise, draws, 2 * seed + side, sabotage) for side in range(2)]
        for side, (steps, parts) in enumerate(sides):
            for step, taken in zip(steps, parts, strict=True):
                for sign, part in zip((1, -1), taken, strict=True):
                    exponent = (step.values @ part - part @ part / 2) / step.release.scale**2
                    scores[side] += sign * log_mixture(self.settings.sampling_rate, exponent)
        return Seen(scores[0], scores[1], np.hstack([step.residuals for step in sides[0][0]]))

    def _parts(
        self, side: int, promise: AuditedPromise, draws: int, seed: int, sabotage: Sabotage | None
    ) -> tuple[list[DrawnRelease], list[tuple[Scores, Scores]]]:
        """Steps of the runs on one neighbour, and what either document adds to them when it is taken."""
        one, two = (
            self.drawn(among_empty(document), promise, draws if own == side else 1, seed, sabotage)
            for own, document in enumerate(DOCUMENTS)
        )
        return (one, two)[side], [(a.shown, b.shown) for a, b in zip(one, two, strict=True)]


def log_mixture(rate: float, exponent: Scores) -> Scores:
    """``log(1 − ν + ν eˣ)``."""
    return exponent if rate == 1 else np.logaddexp(np.log1p(-rate), np.log(rate) + exponent)


def simulated(rng: np.random.Generator, runs: int, *, sigma: float, rate: float, steps: int, factor: float) -> Scores:
    """Scores by a second route: along the two parts, in units of the bound, a step is two numbers.

    Args:
        sigma: noise multiplier that is declared.
        factor: by which noise is less than declared.
    """
    noise = sigma / factor * rng.standard_normal((2, steps, runs))
    noise[0] += rng.random((steps, runs)) < rate
    own, other = log_mixture(rate, (noise - 0.5) / sigma**2)
    return np.asarray(np.sum(own - other, axis=0))


@lru_cache(maxsize=256)
def _rates(sigma: float, factor: float, rate: float, steps: int) -> Rates:
    rng = np.random.default_rng(0)
    scores = np.sort(simulated(rng, SIMULATED, sigma=sigma, rate=rate, steps=steps, factor=factor))
    thresholds = np.quantile(np.concatenate([scores, -scores]), np.linspace(0, 1, THRESHOLDS + 2)[1:-1])
    hits, alarms = (1 - np.searchsorted(side, thresholds) / SIMULATED for side in (scores, -scores[::-1]))
    return hits, alarms


_ANSWERS = tuple(np.linspace(0, 1 + t, K * D).reshape(K, D) for t in range(3))
_COUNTS = tuple(np.linspace(1, 2 + t, D).reshape(1, D) for t in range(3))
_FIRST = (*_COUNTS[:1], *_ANSWERS[1:])
VARIATIONAL = (
    RunAudit("full batch", "minibatch", partial(run, FULL), _ANSWERS, slice(None), parts=ROOT),
    SampledAudit("random minibatches", "minibatch", partial(run, SAMPLED), _ANSWERS, slice(None), SAMPLED, parts=ROOT),
    RunAudit("word counts", "minibatch", partial(run, COUNTED), _COUNTS, slice(None), parts=ROOT),
    SampledAudit("words first", "minibatch", partial(run, WORDS_FIRST), _FIRST, slice(None), WORDS_FIRST, parts=ROOT),
)
