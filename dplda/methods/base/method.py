"""A method: its names, its claims, and its function that finds topics."""

from collections.abc import Callable
from dataclasses import dataclass, field

from dplda.core.types import Matrix, Vector
from dplda.corpus import Corpus
from dplda.corpus.on_disk import AnyCorpus
from dplda.evaluation import relevance
from dplda.evaluation.colours import Style
from dplda.evaluation.knowledge import PriorUse
from dplda.flow import Flow
from dplda.methods.base.curator import Curator
from dplda.methods.base.previous_release import PreviousRelease, RunState
from dplda.methods.base.problem import Budget, Problem, ProblemSize
from dplda.methods.base.runtime import Runtime
from dplda.methods.configurations.plan import Plan
from dplda.methods.configurations.variant import Scaling
from dplda.methods.dpvi.minibatch_run import MinibatchNoise
from dplda.methods.refined.error_bars import Uncertainty
from dplda.methods.refined.evidence import TopicEvidence
from dplda.methods.refined.noise_forecast import ForecastRelease
from dplda.methods.refined.prior_sources import PriorSource
from dplda.privacy.release import Guarantee, Release, Status
from dplda.spectral.tensor import Components
from dplda.spectral.topics import Topics
from dplda.spectral.whitening import Whitening


@dataclass(frozen=True, slots=True, eq=False)
class FitResult:
    """Topics that a method found, with their guarantee.

    Attributes:
        releases: every noisy value drawn, in order.
        curator: values that the guarantee does not cover, for the curator only.
        plan, shape: of a spectral fit; None for other methods, and the plan without noise.
        whitening, components: likewise; None too where noise hides all of them or a plan leaves them un-noised.
        uncertainty: of every word's probability; None without noise, without steps, and with a trusted table.
        state: from which another run continues; None where none can.
        evidence: how far the documents bear the topics out; None where the method releases nothing of it.
        prior: what became of a table of public knowledge; None without one.
        prior_topics: shape (k, d), topics as the table has them; None where none is used.
    """

    topics: Topics
    releases: tuple[Release, ...]
    guarantee: Guarantee
    curator: Curator = field(default_factory=Curator)
    plan: Plan | None = None
    shape: ProblemSize | None = None
    whitening: Whitening | None = None
    components: Components | None = None
    uncertainty: Uncertainty | None = None
    state: RunState | None = None
    evidence: TopicEvidence | None = None
    prior: PriorUse | None = None
    prior_topics: Matrix | None = None

    @property
    def topic_shares(self) -> Vector:
        """Each found topic's share of all words, shape (resolved,), on the simplex; from releases."""
        if self.uncertainty is not None:
            return self.uncertainty.topic_shares
        return relevance.word_shares(
            self.topics.words[: self.topics.resolved], self.topics.mean_words
        )


@dataclass(frozen=True, slots=True, eq=False)
class Method:
    """One way from documents to topics: everything that the program knows of it.

    Attributes:
        fit: the only way to its topics; refuses with a ``DpldaError``.
        fit_continued: the same from an earlier release, with the budget of both; None where it cannot be continued.
        noiseless_twin: text of the method that, without noise, gives the un-noised topics shown with its own.
        flow: its flow from documents to topics, with the edges that carry noise; None without a picture.
        forecast_noise, forecast_minibatch_noise: its noise before a run, by problem, budget, number of documents and of words.
        is_releasable: whether its noise is Gaussian on sums over documents alone, so that exact noise works.
        needs_pair_matrix: whether a fit may hold a noisy d×d table of word pairs.
        supports_out_of_core: whether documents on disk stay there; else they are read into memory.
        clipping_depends_on_epsilon: whether its topics without noise may still depend on ε.
        prior_is_trusted: whether its table is used without asking the documents.
        documentation: modules, classes and functions whose docstrings explain and prove it, in order.
    """

    name: str
    title: str
    status: Status
    style: Style
    fit: Callable[[AnyCorpus, Problem, Budget, Runtime], FitResult]
    guarantee: Callable[[Corpus, Budget], Guarantee]
    fit_continued: (
        Callable[[PreviousRelease, AnyCorpus, Problem, Budget, Runtime], FitResult] | None
    ) = None
    summary: str = ""
    scaling: Scaling | None = None
    is_recommended: bool = True
    needs_epsilon: bool = True
    noiseless_twin: str = "unnoised"
    quantities: tuple[str, ...] = ()
    make_plan: Callable[[Budget], Plan] | None = None
    flow: Flow | None = None
    forecast_noise: Callable[[Problem, Budget, int, int], tuple[ForecastRelease, ...]] | None = None
    forecast_minibatch_noise: Callable[[Budget, int, int], MinibatchNoise] | None = None
    is_releasable: bool = False
    needs_pair_matrix: bool = False
    supports_out_of_core: bool = False
    clipping_depends_on_epsilon: bool = True
    long_title: str = ""
    prior_source: PriorSource | None = None
    prior_is_trusted: bool = False
    documentation: tuple[object, ...] = ()

    @property
    def label(self) -> str:
        """Title and meaning, as lists show it."""
        return self.long_title or self.title

    @property
    def key(self) -> str:
        """Its key in specs and tables: its name, then a slash and the scaling if there is one."""
        return self.name if self.scaling is None else f"{self.name}/{self.scaling}"
