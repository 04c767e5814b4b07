"""A released quantity, declared once beside its route; whoever has to know of it asks it."""

from dataclasses import dataclass

from dplda.methods.configurations.sizes import SizeOf


@dataclass(frozen=True, slots=True)
class Quantity:
    """One noisy value that a run releases.

    Attributes:
        edge: of the flow, where its noise enters.
        why: why one document can move it no further than its sensitivity, a sentence.
        size: how large it is where it matters, and how large its noise is there; None where nothing is compared.
        rests_on: names of quantities released before it that its noise is scaled with.
        is_level: whether it is a clip level, estimated before a run; a bound is taken without its noise instead.
    """

    name: str
    symbol: str
    words: str
    edge: str
    why: str = ""
    size: SizeOf | None = None
    rests_on: tuple[str, ...] = ()
    is_level: bool = False
