"""A method: what it is called and drawn as, what may be claimed of it, and how it finds topics."""

import math
from collections.abc import Callable
from dataclasses import dataclass

from dplda.core import checks
from dplda.core.types import Report, Vector, silent
from dplda.corpus import Corpus
from dplda.evaluation import relevance
from dplda.evaluation.styles import Style
from dplda.flow import Flow
from dplda.methods.chain.pipeline import Curator
from dplda.methods.chain.sums import Sums
from dplda.methods.configurations.variant import Scaling
from dplda.methods.full_batch_vi.planned import PlannedRelease
from dplda.methods.full_batch_vi.uncertainty import Uncertainty
from dplda.methods.plan import Origin, Plan
from dplda.methods.prediction_accuracy import Predictor
from dplda.methods.variational.minibatch_noise import MinibatchNoise
from dplda.privacy.noise.keys import Secret
from dplda.privacy.noise.sources import NoiseSource
from dplda.privacy.release import Guarantee, Release, Status
from dplda.spectral.topics import Topics


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """What is asked of a method.

    Attributes:
        n_topics: ``k``.
        alpha0: ``α0``.
        seed: of the simulated noise and of whatever else a method draws.
        epsilon: ε of the whole run; infinite for a method without noise.
        delta: δ of the whole run; 1 for a method without noise.
        clip_quantile: of a configuration that clips; None for its own.
        first_words: of a configuration that counts words first; None for its own.
    """

    n_topics: int
    alpha0: float
    seed: int = 0
    epsilon: float = math.inf
    delta: float = 1.0
    split: tuple[tuple[str, float], ...] = ()
    clip_quantile: float | None = None
    first_words: float | None = None
    chosen: Origin = Origin.BEFOREHAND

    def check(self) -> None:
        """Refuses what no method takes, for those that use little of a task."""
        checks.integer_at_least("n_topics", self.n_topics, 1)
        checks.alpha0(self.alpha0)
        checks.integer_at_least("seed", self.seed, 0)


@dataclass(frozen=True, slots=True, eq=False)
class Resources:
    """What a run may use besides, none of which changes the law of its result.

    Attributes:
        noise: another source than simulated noise; a source of none switches it off.
        secret: keys what is drawn on a sensitive corpus; a new one where None.
        report: told the fraction done and the step; may raise to give up.
    """

    noise: NoiseSource | None = None
    secret: Secret | None = None
    sums: Sums | None = None
    report: Report = silent


@dataclass(frozen=True, slots=True, eq=False)
class TopicResult:
    """What a method found, and what may be said of it.

    Attributes:
        releases: every noisy value that was drawn, in order; empty without noise.
        curator: what it does not cover, for the curator's eyes only.
        uncertainty: how far off the topics are known to be, from releases alone; None where the method cannot tell.
    """

    topics: Topics
    releases: tuple[Release, ...]
    guarantee: Guarantee
    curator: Curator
    uncertainty: Uncertainty | None = None

    @property
    def shares(self) -> Vector:
        """Which part of all words each topic that was found has, shape (resolved,), on the simplex; from releases."""
        if self.uncertainty is not None:
            return self.uncertainty.shares
        return relevance.shares(self.topics.words[: self.topics.resolved], self.topics.mean_words)


@dataclass(frozen=True, slots=True, eq=False)
class Method:
    """One way from documents to topics: all that anything in the program knows of it.

    There is one of each, in ``dplda.methods.METHODS``.

    Attributes:
        fit: finds topics; refuses with a ``DpldaError``.
        summary: a sentence on how it works, and where its noise goes.
        scaling: of its noise, which tells it from others of its name; None where that is no choice.
        needs_epsilon: whether there is noise, and so a budget.
        beside: text of the method that, with its noise switched off, gives the topics without noise to stand beside
            its own.
        quantities: names that a split of its budget must use; empty where there is nothing to split.
        plan: where noise enters, of a configuration; None elsewhere, where there are no edges to choose.
        flow: its way from documents to topics, and which edges carry noise; None where there is no picture of it.
        planned: its noise before a run, by task, number of documents and of words; None where that is for another
            table.
        minibatches: the noise of a method that learns from noisy minibatches, by task, number of documents
            and of words; None elsewhere.
        predictor: of its error; None where it is not predicted.
        releasable: whether its noise is Gaussian on sums over documents and on nothing else, so that what it finds may
            leave once it is drawn exactly.
        holds_pairs: whether a fit may hold a noisy table of pairs of words, d×d.
        clips_by_epsilon: whether its topics without noise may depend on ε all the same.
        long_title: title with its meaning; empty where the title says enough.
        told_by: modules, classes and functions whose docstrings say how it works and what is proven, in order.
    """

    name: str
    title: str
    status: Status
    look: Style
    fit: Callable[[Corpus, Problem, Resources], TopicResult]
    promise: Callable[[Corpus, Problem], Guarantee]
    summary: str = ""
    scaling: Scaling | None = None
    recommended: bool = True
    needs_epsilon: bool = True
    beside: str = "unnoised"
    quantities: tuple[str, ...] = ()
    plan: Callable[[Problem], Plan] | None = None
    flow: Flow | None = None
    planned: Callable[[Problem, int, int], tuple[PlannedRelease, ...]] | None = None
    minibatches: Callable[[Problem, int, int], MinibatchNoise] | None = None
    predictor: Predictor | None = None
    releasable: bool = False
    holds_pairs: bool = False
    clips_by_epsilon: bool = True
    long_title: str = ""
    told_by: tuple[object, ...] = ()

    @property
    def label(self) -> str:
        """What lists to choose from show: its title, and what that means."""
        return self.long_title or self.title

    @property
    def text(self) -> str:
        """What stands for it in specs and tables: its name, and after a slash the scaling where there is one."""
        return self.name if self.scaling is None else f"{self.name}/{self.scaling}"
