"""Evidence for topics that a method compares with its own runs on simulated documents."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property

from dplda.core.types import Report, silent
from dplda.evaluation.evidence import EvidenceCheck, ReleasedEvidence


@dataclass(frozen=True, eq=False)
class ComparableEvidence(ReleasedEvidence, ABC):
    """Released evidence of a run, and its comparison, made when it is first asked for."""

    @abstractmethod
    def compare(self, report: Report = silent) -> EvidenceCheck:
        """Compare with runs of the method on simulated documents, which take as long as many fits.

        Args:
            report: progress callback, which may cancel.

        Guarantee:
            A function of released and public numbers alone.
        """

    @cached_property
    def check(self) -> EvidenceCheck:
        """The comparison with runs on simulated documents, made when it is first asked for."""
        return self.known_check or self.compare()

    @property
    def is_significant(self) -> bool:
        """Whether documents gain more than those without topics; wrong for 1 % of such corpora."""
        return self.check.is_significant

    @property
    def n_supported_topics(self) -> int:
        """Number of topics that the documents support."""
        return len(self.supported_topics)
