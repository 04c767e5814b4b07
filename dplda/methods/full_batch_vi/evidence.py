r"""Evidence: private numbers that say whether the documents have topics, and which topics they bear out.

After the last step sums are released once, with a share of their own: the documents' gain over word frequencies, their
length, and what is lost without each topic (``gains``). They are measured on the documents that were fitted, so
small corpora flatter themselves. Whole runs on documents without topics, drawn from the released word frequencies, say
how much; these are free, since they read released numbers alone.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from scipy.special import stdtrit

from dplda.core.types import Matrix, Report, silent
from dplda.evaluation.evidence import ReleasedEvidence
from dplda.methods.full_batch_vi.gains import PART
from dplda.privacy.sensitivity import bounded_numbers

RUNS = 40  # on documents without topics
LEVEL = 0.95  # one-sided, of saying "better" and of naming a topic


@dataclass(frozen=True, eq=False)
class TopicEvidence(ReleasedEvidence):
    """Evidence, and whole runs on documents ``without_topics``, by number, to compare it with; None in such a run."""

    without_topics: Callable[[int], tuple[object, "TopicEvidence | None"]] | None = None

    def with_more(self, other: ReleasedEvidence) -> "TopicEvidence":
        """Both readings, averaged by their noise."""
        if not self.noise:
            return self
        found = self
        for value, noise in (("explained", "noise"), ("length", "length_noise"), ("by_topic", "topic_noise")):
            own, its, here, there = (getattr(one, name) for name in (noise, value) for one in (self, other))
            weight = own**2 / (own**2 + its**2)
            found = replace(found, **{value: here + weight * (there - here), noise: math.sqrt(1 - weight) * own})
        return found

    @cached_property
    def null(self) -> tuple["TopicEvidence", ...]:
        """Whole runs on documents without topics: takes as long as that many fits."""
        return self.null_runs()

    def null_runs(self, report: Report = silent) -> tuple["TopicEvidence", ...]:
        """As ``null``, made anew, with progress."""
        assert self.without_topics is not None
        found = []
        for number in range(RUNS):
            report(number / RUNS, f"Run {number + 1} of {RUNS} on documents without topics")
            found.append(self.without_topics(number)[1])
        return tuple(one for one in found if one is not None)

    @cached_property
    def better(self) -> bool:
        """Whether the documents gain more than documents without topics would: wrong in 5 % of such corpora."""
        gains = np.array([one.explained for one in self.null])
        reach = float(stdtrit(len(gains) - 1, LEVEL)) * math.sqrt(1 + 1 / len(gains)) * float(np.std(gains, ddof=1))
        return bool(self.explained > np.mean(gains) + reach)

    @cached_property
    def carrying(self) -> tuple[int, ...]:
        """The topics that the documents bear out: at most 5 % of those without."""
        if not self.better:
            return ()
        parts: Matrix = np.stack([one.by_topic for one in self.null])
        least = max(float(np.quantile(parts, LEVEL)), self.noise_alone)
        return tuple(int(i) for i in np.flatnonzero(self.by_topic > least))


def evidence_apart(n_documents: int, n_topics: int) -> float:
    """How far replacing a document moves the sums of ``gains.explained``: ``√(4 + 1 + 4 PART²)``, and roundings."""
    size = math.sqrt(2 + PART**2)
    return bounded_numbers(n_documents=n_documents, size=size, apart=math.sqrt(5 + 4 * PART**2), more=n_topics)
