"""The flow from corpus to topics as data: nodes, edges, paths, and what leaks when only some edges carry noise."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum


class Edge(StrEnum):
    """An edge of the flow, named as in the paper."""

    E0 = "e0"
    E1 = "e1"
    E2 = "e2"
    E3 = "e3"
    E4 = "e4"
    E5 = "e5"
    E6 = "e6"
    E7 = "e7"
    E8 = "e8"
    E9 = "e9"


@dataclass(frozen=True, slots=True)
class Arrow:
    """One edge between two named steps.

    Attributes:
        edge: its name.
        start: the step that it leaves.
        end: the step that it enters.
        carries: what flows along it, in words.
    """

    edge: Edge
    start: str
    end: str
    carries: str


SOURCE, SINK = "corpus", "output"

ARROWS: tuple[Arrow, ...] = (
    Arrow(Edge.E0, "corpus", "M2", "pair frequencies of the documents"),
    Arrow(Edge.E1, "corpus", "M3", "triple frequencies of the documents"),
    Arrow(Edge.E2, "M2", "spectrum", "the pair moment, for everything made of it"),
    Arrow(Edge.E3, "M3", "tensor", "the triple moment"),
    Arrow(Edge.E4, "spectrum", "tensor", "the whitening W"),
    Arrow(Edge.E5, "spectrum", "unwhitening", "the leading eigenpairs"),
    Arrow(Edge.E6, "tensor", "factors", "the whitened tensor T"),
    Arrow(Edge.E7, "factors", "topics", "eigenvalues and vectors of T"),
    Arrow(Edge.E8, "unwhitening", "topics", "the way back W†"),
    Arrow(Edge.E9, "topics", "output", "the topics"),
)


def paths() -> Iterator[tuple[Edge, ...]]:
    """Every path from the corpus to the output, as its edges in order."""

    def onwards(node: str) -> Iterator[tuple[Edge, ...]]:
        if node == SINK:
            yield ()
        for arrow in ARROWS:
            if arrow.start == node:
                for rest in onwards(arrow.end):
                    yield (arrow.edge, *rest)

    return onwards(SOURCE)


def leaks(noised: Iterable[str]) -> list[tuple[Edge, ...]]:
    """Paths along which data reaches the output without meeting noise.

    Args:
        noised: names of the edges that carry noise, ``"e0"`` … ``"e9"``.

    Returns:
        The leaking paths; empty when the edges are a cut.

    Raises:
        ValueError: a name that is no edge.
    """
    cut = {Edge(name) for name in noised}
    return [path for path in paths() if cut.isdisjoint(path)]
