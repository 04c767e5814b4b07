"""Noise of a method before a run, as a table of its releases."""

from dataclasses import dataclass
from typing import TypeAlias

Range: TypeAlias = tuple[float, float]
"""Least and largest value."""


@dataclass(frozen=True, slots=True)
class ForecastRelease:
    """Known facts, before a run, on releases of one kind.

    Attributes:
        edge: edge of the flow that carries the noise.
        symbols: symbol of the quantity, or of several.
        quantity: name of the quantity, or of several.
        shape: of each release; empty for several quantities together.
        when: on which paths of the run it is drawn.
        law: distribution of the noise.
        sensitivity: largest L2 change by one replaced document; NaN where a released clip level
            decides.
        scales: least and largest noise standard deviation of an entry, for each release; NaN
            likewise.
        share: least and largest fraction of the run's μ² for all of them together.
        why: why one document can move it no further, a sentence.
    """

    edge: str
    symbols: str
    quantity: str
    shape: tuple[int, ...]
    when: str
    law: str
    sensitivity: float
    scales: tuple[Range, ...]
    share: Range
    why: str

    @property
    def times(self) -> int:
        """Number of releases."""
        return len(self.scales)
