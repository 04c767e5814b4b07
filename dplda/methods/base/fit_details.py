"""Results that only some methods give: one type for each kind of method."""

from dataclasses import dataclass
from typing import TypeAlias

from dplda.core.types import Matrix
from dplda.evaluation.knowledge import PriorUse
from dplda.methods.base.previous_release import RunState
from dplda.methods.base.problem import ProblemSize
from dplda.methods.configurations.plan import Plan
from dplda.methods.refined.error_bars import Uncertainty
from dplda.methods.refined.evidence import TopicEvidence
from dplda.spectral.tensor import Components
from dplda.spectral.whitening import Whitening


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class SpectralDetails:
    """Results of a spectral method.

    Attributes:
        size: public numbers of the run.
        plan: where noise was added; None without noise.
        whitening: eigenvalues and whitener; None where they are not made of releases alone, or noise hides them.
        components: of the whitened tensor; None as above.
    """

    size: ProblemSize
    plan: Plan | None = None
    whitening: Whitening | None = None
    components: Components | None = None


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class RefinedDetails:
    """Results of refinement, and of the private unigram, which is its first release alone.

    Attributes:
        state: from which another run continues; None without noise.
        uncertainty: of every word's probability; None without noise, without steps, and with a trusted table.
        evidence: how far the documents bear the topics out; None where nothing of it is released.
        prior: what became of public knowledge; None without any.
        prior_topics: shape (k, d), topics as public knowledge has them; None where none is used.
    """

    state: RunState | None = None
    uncertainty: Uncertainty | None = None
    evidence: TopicEvidence | None = None
    prior: PriorUse | None = None
    prior_topics: Matrix | None = None


FitDetails: TypeAlias = SpectralDetails | RefinedDetails
"""Results beside topics, releases and guarantee; a method may also give none."""
