"""What is asked of a method, and what it may spend on the answer."""

import math
from dataclasses import dataclass
from enum import StrEnum

from dplda.core import checks


class Origin(StrEnum):
    """Where a choice comes from: what is chosen on protected documents tells of them."""

    BEFOREHAND = "chosen beforehand"
    REFERENCE = "chosen on simulated documents"
    DOCUMENTS = "chosen on the documents"


@dataclass(frozen=True, slots=True)
class Problem:
    """The topics to look for.

    Attributes:
        n_topics: ``k``, from a least one that each method has of its own.
        alpha0: ``α0`` > 0, sum of the Dirichlet's parameters.
    """

    n_topics: int
    alpha0: float

    def __post_init__(self) -> None:
        checks.alpha0(self.alpha0)


@dataclass(frozen=True, slots=True)
class Budget:
    """What a whole run may spend; without arguments that of a method without noise, which promises nothing.

    Attributes:
        epsilon: ε > 0; infinite without noise.
        delta: δ in (0, 0.5); 1 without noise.
        split: pairs (quantity, fraction); empty for the method's own.
        first_words: fraction for word counts before all else; None chooses it from public numbers.
        clip_quantile: fraction of documents left unclipped; None chooses it from public numbers.
        chosen: where the split comes from.
    """

    epsilon: float = math.inf
    delta: float = 1.0
    split: tuple[tuple[str, float], ...] = ()
    first_words: float | None = None
    clip_quantile: float | None = None
    chosen: Origin = Origin.BEFOREHAND

    @property
    def portions(self) -> dict[str, float]:
        """Fraction for each quantity by name, summing to at most 1."""
        whole = max(1.0, math.fsum(fraction for _, fraction in self.split))  # shares may add up to a rounding above 1
        return {name: fraction / whole for name, fraction in self.split}
