"""A method: what is said of it, and the functions that run it; and the result of a fit."""

from collections.abc import Callable
from dataclasses import dataclass, field

from dplda.core.types import Matrix, Vector
from dplda.corpus import Corpus
from dplda.corpus.on_disk import AnyCorpus
from dplda.evaluation import relevance
from dplda.evaluation.knowledge import PriorUse
from dplda.methods.base.curator import Curator
from dplda.methods.base.method_description import MethodDescription
from dplda.methods.base.previous_release import PreviousRelease, RunState
from dplda.methods.base.problem import Budget, Problem, ProblemSize
from dplda.methods.base.runtime import Runtime
from dplda.methods.configurations.plan import Plan
from dplda.methods.dpvi.minibatch_run import MinibatchNoise
from dplda.methods.refined.error_bars import Uncertainty
from dplda.methods.refined.evidence import TopicEvidence
from dplda.methods.refined.noise_forecast import ForecastRelease
from dplda.privacy.release import Guarantee, Release
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


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Method(MethodDescription):
    """One way from documents to topics: what is said of it, and the functions that run it.

    Attributes:
        fit: the only way to its topics; refuses with a ``DpldaError``.
        guarantee: what a run with a budget would promise about a corpus.
        fit_continued: the same from an earlier release, with the budget of both; None where it cannot be continued.
        make_plan: the noise plan of a budget; None for a method that has none.
        forecast_noise: its noise before a run, by problem, budget, number of documents and of words.
        forecast_minibatch_noise: the same of a method of minibatches, by budget and both numbers.
    """

    fit: Callable[[AnyCorpus, Problem, Budget, Runtime], FitResult]
    guarantee: Callable[[Corpus, Budget], Guarantee]
    fit_continued: (
        Callable[[PreviousRelease, AnyCorpus, Problem, Budget, Runtime], FitResult] | None
    ) = None
    make_plan: Callable[[Budget], Plan] | None = None
    forecast_noise: Callable[[Problem, Budget, int, int], tuple[ForecastRelease, ...]] | None = None
    forecast_minibatch_noise: Callable[[Budget, int, int], MinibatchNoise] | None = None
