"""Results that spectral methods give besides topics."""

from dataclasses import dataclass

from dplda.methods.base.fit_details import FitDetails
from dplda.methods.base.problem import ProblemSize
from dplda.methods.configurations.plan import Plan
from dplda.spectral.tensor import Components
from dplda.spectral.whitening import Whitening


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class SpectralDetails(FitDetails):
    """Results of a spectral method.

    Attributes:
        size: public numbers of the run.
        plan: where noise was added; None without noise.
        whitening: eigenvalues and whitener; None where they are not made of releases alone, or
            noise hides them.
        components: of the whitened tensor; None as above.
    """

    size: ProblemSize
    plan: Plan | None = None
    whitening: Whitening | None = None
    components: Components | None = None
