"""Inputs of the theorems' bounds, the paper's contradictory prints, and the bounds themselves."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from dplda.core import checks
from dplda.theory.theorems.spectrum import Spectrum

TRIVIAL = math.sqrt(2)


class PaperReading(StrEnum):
    """One of the paper's contradictory prints.

    As printed, the first term of Theorems 11 and 12 has √(σ1 k^2.5), where the proof has √σ1 k^2.5,
    and the last bracket of Theorem 10 has σk instead of σk^1.5. Table 1 also has σ1^1.5 below the
    third term of configurations 2 and 3, and σk and γs themselves in place of their private lower
    bounds.
    """

    RECOMMENDED = "recommended reading"
    PRINTED = "theorem as printed"
    TABLE_1 = "Table 1 as printed"


@dataclass(frozen=True, slots=True, eq=False)
class BoundInputs:
    """The numbers that Theorems 10 to 13 depend on.

    Attributes:
        spectrum: of the corpus, or of a population.
        n_documents: ``N``, at least 3.
        tau: ``τ``, noise standard deviation per unit of sensitivity, by edge; at least 0.
        sigma_lower: ``σ̃k``, private lower bound of ``σk``; NaN where not needed.
        gamma_lower: ``γ̃s``, private lower bound of ``γs``; NaN where not needed.
    """

    spectrum: Spectrum
    n_documents: int
    tau: Mapping[str, float] = field(default_factory=dict)
    sigma_lower: float = math.nan
    gamma_lower: float = math.nan

    def __post_init__(self) -> None:
        """Refuse fewer than 3 documents, and a negative noise multiplier."""
        checks.integer_at_least("n_documents", self.n_documents, 3)
        for tau in self.tau.values():
            checks.at_least("τ", tau, 0)


@dataclass(frozen=True, slots=True)
class Term:
    """One term of a bound.

    Attributes:
        name: the error that it bounds.
        edges: where its noise enters.
        value: in the unit of a topic's L2 distance.
    """

    name: str
    edges: tuple[str, ...]
    value: float


@dataclass(frozen=True, slots=True)
class Bound:
    """A bound on every topic's L2 error.

    Attributes:
        source: for example ``"Theorem 11"``.
        reading: value of the ``PaperReading``, or ``"explicit constants"``.
        terms: add up to the bound.
    """

    source: str
    reading: str
    terms: tuple[Term, ...]

    @property
    def total(self) -> float:
        """Sum of the terms."""
        return math.fsum(term.value for term in self.terms)

    @property
    def vacuous(self) -> bool:
        """Whether the bound is at least √2, the largest possible distance of two distributions."""
        return self.total >= TRIVIAL
