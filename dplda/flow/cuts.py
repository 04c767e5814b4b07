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


@dataclass(frozen=True, slots=True)
class Cut:
    """A set of edges that every path from the corpus to the output crosses, and none of which can be spared.

    Attributes:
        edges: in the order of the flow.

    Example:
        >>> from dplda.flow import minimal_cuts
        >>> [str(cut) for cut in minimal_cuts()[:3]]
        ['e9', 'e0 + e1', 'e0 + e3']
    """

    edges: tuple[Edge, ...]

    def __str__(self) -> str:
        return " + ".join(self.edges)


@cache
def paths() -> tuple[tuple[Edge, ...], ...]:
    """Every path from the corpus to the output, as its edges in order.

    Example:
        >>> from dplda.flow import paths
        >>> for path in paths():
        ...     print(" → ".join(path))
        e0 → e2 → e4 → e6 → e7 → e9
        e0 → e2 → e5 → e8 → e9
        e1 → e3 → e6 → e7 → e9
    """

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

    Example:
        >>> from dplda import flow
        >>> flow.leaks({"e6", "e8"})
        []
        >>> [" → ".join(path) for path in flow.leaks({"e6"})]
        ['e0 → e2 → e5 → e8 → e9']
    """
    cut = {Edge(name) for name in noised}
    return [path for path in paths() if cut.isdisjoint(path)]


def is_cut(noised: Iterable[str]) -> bool:
    """Whether every path from the corpus to the output crosses one of these edges.

    Raises:
        ValueError: a name that is no edge.

    Example:
        >>> from dplda import flow
        >>> flow.is_cut({"e6", "e8"}), flow.is_cut({"e6"})
        (True, False)
    """
    return not leaks(noised)


def is_protected(edge: Edge, noised: Iterable[str]) -> bool:
    """Whether all that flows along an edge, its own noise included, has met noise on its way from the corpus.

    Raises:
        ValueError: a name that is no edge.

    Example:
        >>> from dplda import flow
        >>> flow.is_protected(flow.Edge.E7, {"e2", "e6"}), flow.is_protected(flow.Edge.E3, {"e2", "e6"})
        (True, False)
    """
    cut = {Edge(name) for name in noised}
    return not any(cut.isdisjoint(path[: path.index(edge) + 1]) for path in paths() if edge in path)


def leak_sentences(noised: Iterable[str]) -> tuple[str, ...]:
    """One sentence for each path of ``leaks(noised)``; empty when the edges are a cut.

    Raises:
        ValueError: a name that is no edge.

    Example:
        >>> from dplda import flow
        >>> print(*flow.leak_sentences({"e6"}))
        Data reaches the output through e0 → e2 → e5 → e8 → e9, by the unwhitening W†, without meeting noise.
    """
    return tuple(_sentence(path) for path in leaks(noised))


def spare(noised: Iterable[str]) -> tuple[Edge, ...]:
    """Edges of a cut each of which could, by itself, go without noise; empty for a minimal cut and for no cut.

    Raises:
        ValueError: a name that is no edge.

    Example:
        >>> from dplda import flow
        >>> [edge.value for edge in flow.spare({"e2", "e6", "e9"})]
        ['e2', 'e6', 'e9']
        >>> flow.spare({"e2", "e6"})
        ()
    """
    edges = {Edge(name) for name in noised}
    return tuple(edge for edge in Edge if edge in edges and is_cut(edges - {edge}))


@cache
def minimal_cuts() -> tuple[Cut, ...]:
    """All cuts without an edge to spare: the smallest first, then in the order of the flow; 17 of them.

    Example:
        >>> from dplda import flow
        >>> len(flow.minimal_cuts())
        17
    """
    found: list[frozenset[Edge]] = []
    for size in range(1, len(Edge) + 1):
        for edges in combinations(Edge, size):
            chosen = frozenset(edges)
            if is_cut(chosen) and not any(smaller < chosen for smaller in found):
                found.append(chosen)
    return tuple(Cut(tuple(edge for edge in Edge if edge in edges)) for edges in found)


def _sentence(path: tuple[Edge, ...]) -> str:
    road = next(words for edge, words in ROADS.items() if edge in path)
    return f"Data reaches the output through {' → '.join(path)}, {road}, without meeting noise."
