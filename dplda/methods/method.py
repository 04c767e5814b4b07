"""A method: what it is called and drawn as, what may be claimed of it, and how it finds topics."""

from collections.abc import Callable
from dataclasses import dataclass

from dplda.core.types import Vector
from dplda.corpus import Corpus
from dplda.corpus.on_disk import AnyCorpus
from dplda.evaluation import relevance
from dplda.evaluation.colours import Style
from dplda.flow import Flow
from dplda.methods.chain.pipeline import Curator
from dplda.methods.configurations.variant import Scaling
from dplda.methods.full_batch_vi.planned import PlannedRelease
from dplda.methods.full_batch_vi.uncertainty import Uncertainty
from dplda.methods.plan import Plan
from dplda.methods.problem import Budget, Problem
from dplda.methods.resources import Resources
from dplda.methods.variational.private_variational import MinibatchNoise
from dplda.privacy.release import Guarantee, Release, Status
from dplda.spectral.topics import Topics


@dataclass(frozen=True, slots=True, eq=False)
class TopicResult:
    """What a method found, and what may be said of it.

    Attributes:
        curator: what the guarantee does not cover, for the curator's eyes only.
        whole: all that the method found, in its own terms, as far as the guarantee covers it; None if that is no more.
        uncertainty: how far off the topics are known to be, from releases alone; None where the method cannot tell.
    """

    topics: Topics
    releases: tuple[Release, ...]
    guarantee: Guarantee
    curator: Curator
    whole: object = None
    uncertainty: Uncertainty | None = None

    @property
    def shares(self) -> Vector:
        """Which part of all words each topic that was found has, shape (resolved,), on the simplex; from releases."""
        if self.uncertainty is not None:
            return self.uncertainty.shares
        return relevance.word_shares(self.topics.words[: self.topics.resolved], self.topics.mean_words)


@dataclass(frozen=True, slots=True, eq=False)
class Method:
    """One way from documents to topics: all that anything in the program knows of it.

    Attributes:
        fit: finds topics, the only way to any; refuses with a ``DpldaError``.
        scaling: of its noise; None where that is no choice.
        beside: text of the method that, with its noise switched off, gives the topics without noise beside its own.
        quantities: names that a split of its budget must use.
        flow: its way from documents to topics, and which edges carry noise; None where there is no picture of it.
        planned: its noise before a run, by problem, budget, number of documents and of words.
        minibatches: the noise of a method that learns from noisy minibatches, likewise.
        releasable: whether its noise is Gaussian on sums over documents alone, so that it can be drawn exactly.
        holds_pairs: whether a fit may hold a noisy table of pairs of words, d×d.
        streams: whether documents that lie on disk stay there; else they are read into memory.
        clips_by_epsilon: whether its topics without noise may depend on ε all the same.
        told_by: modules, classes and functions whose docstrings say how it works and what is proven, in order.
    """

    name: str
    title: str
    status: Status
    look: Style
    fit: Callable[[AnyCorpus, Problem, Budget, Resources], TopicResult]
    promise: Callable[[Corpus, Budget], Guarantee]
    summary: str = ""
    scaling: Scaling | None = None
    recommended: bool = True
    needs_epsilon: bool = True
    beside: str = "unnoised"
    quantities: tuple[str, ...] = ()
    plan: Callable[[Budget], Plan] | None = None
    flow: Flow | None = None
    planned: Callable[[Problem, Budget, int, int], tuple[PlannedRelease, ...]] | None = None
    minibatches: Callable[[Budget, int, int], MinibatchNoise] | None = None
    releasable: bool = False
    holds_pairs: bool = False
    streams: bool = False
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
