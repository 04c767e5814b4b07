"""Values of a run that its guarantee does not cover."""

from dataclasses import dataclass

from dplda.spectral.tensor import Components
from dplda.spectral.whitening import Whitening


@dataclass(frozen=True, slots=True, eq=False)
class Curator:
    """Further values of a spectral run as the fit used them: for the curator, never in a file.

    Attributes:
        whitening: whitening of the pair moment; None if the run has none or it keeps no direction.
        components: eigenvalues and vectors of the whitened tensor; None if no topic was resolved.
    """

    whitening: Whitening | None = None
    components: Components | None = None
