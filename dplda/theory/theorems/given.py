"""What a theorem is asked about: a corpus, how many documents, and how much noise every edge has."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from dplda.core import checks
from dplda.theory.theorems.spectrum import Spectrum


@dataclass(frozen=True, slots=True, eq=False)
class Given:
    """What Theorems 10 to 13 depend on.

    Attributes:
        n_documents: ``N``, at least 3.
        tau: ``τ``, standard deviation per unit of sensitivity of the noise on every edge, by its name.
        sigma_lower: ``σ̃k``, private lower bound of ``σk``; NaN where none is needed.
        gamma_lower: ``γ̃s``, private lower bound of ``γs``; NaN where none is needed.
    """

    spectrum: Spectrum
    n_documents: int
    tau: Mapping[str, float] = field(default_factory=dict)
    sigma_lower: float = math.nan
    gamma_lower: float = math.nan

    def __post_init__(self) -> None:
        checks.integer_at_least("n_documents", self.n_documents, 3)
        for tau in self.tau.values():
            checks.at_least("τ", tau, 0)
