"""A method, as its description and the functions that run it, and the result of a fit."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from dplda.core.types import Matrix, Vector
from dplda.corpus import Corpus
from dplda.corpus.on_disk import AnyCorpus
from dplda.evaluation import relevance
from dplda.evaluation.evidence import EvidenceCheck
from dplda.evaluation.knowledge import PriorUse
from dplda.methods.base.comparable_evidence import ComparableEvidence
from dplda.methods.base.curator import Curator
from dplda.methods.base.error_bars import Uncertainty
from dplda.methods.base.fit_details import FitDetails
from dplda.methods.base.method_description import MethodDescription
from dplda.methods.base.noise_forecast import ForecastRelease
from dplda.methods.base.previous_release import PreviousRelease, RunState
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.base.runtime import Runtime
from dplda.privacy.release import Guarantee, Release
from dplda.spectral.topics import Topics

NO_DETAILS = FitDetails()


@dataclass(frozen=True, slots=True, eq=False)
class FitResult:
    """Topics that a method found, with their guarantee.

    Attributes:
        topics: the topics, and what is known of the prior.
        releases: every noisy value drawn, in order.
        guarantee: what the releases promise.
        curator: values that the guarantee does not cover, for the curator only.
        details: results of this kind of method alone.
    """

    topics: Topics
    releases: tuple[Release, ...]
    guarantee: Guarantee
    curator: Curator = field(default_factory=Curator)
    details: FitDetails = NO_DETAILS

    @property
    def topic_shares(self) -> Vector:
        """Each found topic's share of all words, shape (resolved,), on the simplex.

        From releases: those of the uncertainty if it is known, else a fit to word frequencies.
        """
        if self.uncertainty is not None:
            return self.uncertainty.topic_shares
        return relevance.word_shares(
            self.topics.words[: self.topics.resolved], self.topics.mean_words
        )

    @property
    def state(self) -> RunState | None:
        """State from which another run continues; None where none can."""
        return self.details.state

    @property
    def uncertainty(self) -> Uncertainty | None:
        """Uncertainty of every word's probability; None where the method knows none."""
        return self.details.uncertainty

    @property
    def evidence(self) -> ComparableEvidence | None:
        """Evidence of the documents for the topics; None where the method releases none."""
        return self.details.evidence

    @property
    def prior(self) -> PriorUse | None:
        """Use of public knowledge; None without any."""
        return self.details.prior

    @property
    def prior_topics(self) -> Matrix | None:
        """Topics as public knowledge has them, shape (k, d); None where none is used."""
        return self.details.prior_topics

    def with_uncertainty(self, uncertainty: Uncertainty) -> "FitResult":
        """The same result with another uncertainty, such as one whose errors were worked out."""
        return replace(self, details=self.details.with_uncertainty(uncertainty))

    def with_evidence_check(self, check: EvidenceCheck) -> "FitResult":
        """The same result, whose evidence was compared with runs on simulated documents."""
        return replace(self, details=self.details.with_evidence_check(check))


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Method(MethodDescription):
    """One way from documents to topics: its description, and the functions that run it.

    Attributes:
        fit: the only way to its topics; refuses with a ``DpldaError``.
        guarantee: what a run with a budget would promise about a corpus.
        fit_continued: the same from an earlier release, with the budget of both; None where it
            cannot be continued.
        forecast_noise: its noise before a run, by problem, budget, number of documents and of
            words.
    """

    fit: Callable[[AnyCorpus, Problem, Budget, Runtime], FitResult]
    guarantee: Callable[[Corpus, Budget], Guarantee]
    fit_continued: (
        Callable[[PreviousRelease, AnyCorpus, Problem, Budget, Runtime], FitResult] | None
    ) = None
    forecast_noise: Callable[[Problem, Budget, int, int], tuple[ForecastRelease, ...]] | None = None
