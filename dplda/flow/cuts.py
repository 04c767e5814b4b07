"""Paths from corpus to output, what leaks when only some edges carry noise, and the sets of edges that let none by."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations

from dplda.flow.graph import ARROWS, SINK, SOURCE, Edge

ROADS = {
    Edge.E1: "by way of the triple moment",
    Edge.E4: "by way of the whitening W",
    Edge.E8: "by the unwhitening W†",
}
NAMES = {
    frozenset({Edge.E3, Edge.E4, Edge.E8}): "config-1",
    frozenset({Edge.E6, Edge.E8}): "config-2",
    frozenset({Edge.E7, Edge.E8}): "config-3",
    frozenset({Edge.E9}): "config-4",
    frozenset({Edge.E2, Edge.E3}): "shared-moment",
    frozenset({Edge.E2, Edge.E6}): "adaptive",
}


@dataclass(frozen=True, slots=True)
class Cut:
    """A set of edges that every path from the corpus to the output crosses, and none of which can be spared.

    Attributes:
        edges: in the order of the flow.
        name: of the configuration that puts noise there, or the edges themselves, e.g. ``"e0 + e3"``.
        named: whether a configuration stands for it.
    """

    edges: tuple[Edge, ...]
    name: str
    named: bool


@cache
def paths() -> tuple[tuple[Edge, ...], ...]:
    """Every path from the corpus to the output, as its edges in order."""

    def onwards(node: str) -> Iterator[tuple[Edge, ...]]:
        if node == SINK:
            yield ()
        for arrow in ARROWS:
            if arrow.start == node:
                for rest in onwards(arrow.end):
                    yield (arrow.edge, *rest)

    return tuple(onwards(SOURCE))


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


def is_cut(noised: Iterable[str]) -> bool:
    """Whether every path from the corpus to the output crosses one of these edges.

    Raises:
        ValueError: a name that is no edge.
    """
    return not leaks(noised)


def is_protected(edge: Edge, noised: Iterable[str]) -> bool:
    """Whether all that flows along an edge, its own noise included, has met noise on its way from the corpus.

    Raises:
        ValueError: a name that is no edge.
    """
    cut = {Edge(name) for name in noised}
    return not any(cut.isdisjoint(path[: path.index(edge) + 1]) for path in paths() if edge in path)


def leak_sentences(noised: Iterable[str]) -> tuple[str, ...]:
    """One sentence for each path of ``leaks(noised)``; empty when the edges are a cut.

    Raises:
        ValueError: a name that is no edge.
    """
    return tuple(_sentence(path) for path in leaks(noised))


def spare(noised: Iterable[str]) -> tuple[Edge, ...]:
    """Edges of a cut each of which could, by itself, go without noise; empty for a minimal cut and for no cut.

    Raises:
        ValueError: a name that is no edge.
    """
    edges = {Edge(name) for name in noised}
    return tuple(edge for edge in Edge if edge in edges and is_cut(edges - {edge}))


@cache
def minimal_cuts() -> tuple[Cut, ...]:
    """All cuts without an edge to spare: the smallest first, then in the order of the flow; 17 of them."""
    found: list[frozenset[Edge]] = []
    for size in range(1, len(Edge) + 1):
        for edges in combinations(Edge, size):
            chosen = frozenset(edges)
            if is_cut(chosen) and not any(smaller < chosen for smaller in found):
                found.append(chosen)
    return tuple(_cut(edges) for edges in found)


def _cut(edges: frozenset[Edge]) -> Cut:
    ordered = tuple(edge for edge in Edge if edge in edges)
    return Cut(ordered, NAMES.get(edges, " + ".join(ordered)), edges in NAMES)


def _sentence(path: tuple[Edge, ...]) -> str:
    road = next(words for edge, words in ROADS.items() if edge in path)
    return f"Data reaches the output through {' → '.join(path)}, {road}, without meeting noise."
