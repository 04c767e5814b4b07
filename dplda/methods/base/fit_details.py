"""Results that only some methods give.

Each kind of method has a type of its own, which its folder defines.
"""

from dataclasses import dataclass

from dplda.core.types import Matrix
from dplda.evaluation.evidence import EvidenceCheck
from dplda.evaluation.knowledge import PriorUse
from dplda.methods.base.comparable_evidence import ComparableEvidence
from dplda.methods.base.error_bars import Uncertainty
from dplda.methods.base.previous_release import RunState


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class FitDetails:
    """Results beside topics, releases and guarantee, of a method that gives none of them.

    Pages and releases ask any result for what stands here; a kind of method that has it says so by
    a field.
    """

    @property
    def state(self) -> RunState | None:
        """State from which another run continues; None where none can."""
        return None

    @property
    def uncertainty(self) -> Uncertainty | None:
        """Uncertainty of every word's probability; None where the method knows none."""
        return None

    @property
    def evidence(self) -> ComparableEvidence | None:
        """Evidence of the documents for the topics; None where the method releases none."""
        return None

    @property
    def prior(self) -> PriorUse | None:
        """Use of public knowledge; None without any."""
        return None

    @property
    def prior_topics(self) -> Matrix | None:
        """Topics as public knowledge has them, shape (k, d); None where none is used."""
        return None

    def with_uncertainty(self, uncertainty: Uncertainty) -> "FitDetails":
        """A copy with another uncertainty, such as one whose errors were worked out.

        Raises:
            TypeError: the method has no uncertainty to replace.
        """
        raise TypeError("this method has no uncertainty to replace")

    def with_evidence_check(self, check: EvidenceCheck) -> "FitDetails":
        """A copy whose evidence was compared with runs on simulated documents.

        Raises:
            TypeError: the method has no evidence to compare.
        """
        raise TypeError("this method has no evidence to compare")
