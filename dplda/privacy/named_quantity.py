"""Names of released quantities, and of the streams of their noise."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class NamedQuantity:
    """Names of a released quantity.

    Attributes:
        name: key in a plan's split.
        symbol: letter in formulas.
        words: phrase in sentences.
        edge: edge of the flow on which it is released.
    """

    name: str
    symbol: str
    words: str
    edge: str


def stream_name(quantity: NamedQuantity) -> str:
    """A name for the noise of this quantity on this edge, unique in a run."""
    return f"{quantity.edge} {quantity.words}"
