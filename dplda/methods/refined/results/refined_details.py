"""Results that refinement gives besides topics."""

from dataclasses import dataclass, replace

from dplda.core.types import Matrix
from dplda.evaluation.evidence import EvidenceCheck
from dplda.evaluation.knowledge import PriorUse
from dplda.methods.base.error_bars import Uncertainty
from dplda.methods.base.fit_details import FitDetails
from dplda.methods.base.previous_release import RunState
from dplda.methods.refined.results.topic_evidence import TopicEvidence


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class RefinedDetails(FitDetails):
    """Results of refinement, and of the private unigram, which is its first release alone.

    Attributes:
        state: from which another run continues; None without noise.
        uncertainty: of every word's probability; None without noise, without steps, and with a
            trusted table.
        evidence: how far the documents bear the topics out; None where nothing of it is released.
        prior: what became of public knowledge; None without any.
        prior_topics: shape (k, d), topics as public knowledge has them; None where none is used.
    """

    state: RunState | None = None
    uncertainty: Uncertainty | None = None
    evidence: TopicEvidence | None = None
    prior: PriorUse | None = None
    prior_topics: Matrix | None = None

    def with_uncertainty(self, uncertainty: Uncertainty) -> "RefinedDetails":
        """The same with another uncertainty, such as one whose errors were worked out."""
        return replace(self, uncertainty=uncertainty)

    def with_evidence_check(self, check: EvidenceCheck) -> "RefinedDetails":
        """The same, whose evidence was compared with runs on simulated documents."""
        assert self.evidence is not None
        return replace(self, evidence=replace(self.evidence, known_check=check))
