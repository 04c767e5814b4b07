"""Paths from corpus to output, leaks and cuts.

A leak is a path without noise; it is possible when only some edges carry noise. A cut is a set of
edges that blocks all paths.

The default is the spectral flow. A name that is no edge is a ``ValueError``.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import combinations

from dplda.core import checks
from dplda.flow.graph import SINK, SOURCE, Flow
from dplda.flow.spectral import SPECTRAL


def paths(flow: Flow = SPECTRAL) -> tuple[tuple[str, ...], ...]:
    """Every path from the corpus to the output that visits no step twice, as its edges in order.

    Data that goes around a loop has also taken the path without it, so no other path need be
    searched for noise.

    Example:
        >>> from dplda.flow import paths
        >>> for path in paths():
        ...     print(" → ".join(path))
        e0 → e2 → e4 → e6 → e7 → e9
        e0 → e2 → e5 → e8 → e9
        e1 → e3 → e6 → e7 → e9
    """
    checks.instance("flow", flow, Flow)
    return _paths(flow)


@cache
def _paths(flow: Flow) -> tuple[tuple[str, ...], ...]:
    def onwards(node: str, seen: frozenset[str]) -> Iterator[tuple[str, ...]]:
        if node == SINK:
            yield ()
        for arrow in flow.arrows:
            if arrow.start == node and arrow.end not in seen:
                for rest in onwards(arrow.end, seen | {arrow.end}):
                    yield (arrow.edge, *rest)

    return tuple(onwards(SOURCE, frozenset({SOURCE})))


def leaks(noised: Iterable[str], flow: Flow = SPECTRAL) -> list[tuple[str, ...]]:
    """Paths along which data reaches the output without meeting noise.

    There are none when the ``noised`` edges are a cut.

    Example:
        >>> from dplda import flow
        >>> flow.leaks({"e6", "e8"})
        []
        >>> [" → ".join(path) for path in flow.leaks({"e6"})]
        ['e0 → e2 → e5 → e8 → e9']
    """
    checks.instance("flow", flow, Flow)
    cut = set(flow.in_order(noised))
    return [path for path in paths(flow) if cut.isdisjoint(path)]


def is_cut(noised: Iterable[str], flow: Flow = SPECTRAL) -> bool:
    """Whether every path from the corpus to the output crosses one of these edges.

    Example:
        >>> from dplda import flow
        >>> flow.is_cut({"e6", "e8"}), flow.is_cut({"e6"})
        (True, False)
    """
    return not leaks(noised, flow)


def is_protected(edge: str, noised: Iterable[str], flow: Flow = SPECTRAL) -> bool:
    """Whether everything on an edge has met noise on its way from the corpus.

    The edge's own noise counts.
    """
    cut, start = set(flow.in_order(noised)), flow.arrow(edge).start
    exposed, before = {SOURCE}, set[str]()
    while exposed != before:
        before = set(exposed)
        exposed |= {
            arrow.end for arrow in flow.arrows if arrow.start in before and arrow.edge not in cut
        }
    return edge in cut or start not in exposed


def leak_sentences(noised: Iterable[str], flow: Flow = SPECTRAL) -> tuple[str, ...]:
    """One sentence for each path of ``leaks(noised, flow)``; empty when the edges are a cut.

    Example:
        >>> from dplda import flow
        >>> print(*flow.leak_sentences({"e6"}))
        Data reaches the output through e0 → e2 → e5 → e8 → e9, by the unwhitening W†, without
        meeting noise.
    """
    return tuple(_sentence(path, flow) for path in leaks(noised, flow))


def crossing_sentence(noised: Iterable[str], flow: Flow = SPECTRAL) -> str:
    """Clause that says where the paths first meet the noise of a cut, to follow "is a cut"."""
    edges = flow.in_order(noised)
    first = Counter(next(edge for edge in path if edge in edges) for path in paths(flow))
    met = [f"{first[edge]} at {flow.arrow(edge).label}" for edge in edges if first[edge]]
    where = (
        f"one, {', '.join(met[:-1])} and {met[-1]}"
        if len(met) > 1
        else flow.arrow(next(iter(first))).label
    )
    return f"each of the {len(paths(flow))} paths from the documents to the output crosses {where}"


def spare(noised: Iterable[str], flow: Flow = SPECTRAL) -> tuple[str, ...]:
    """Edges of a cut that could each go without noise; empty for a minimal cut and for no cut."""
    edges = set(noised)
    return tuple(edge for edge in flow.in_order(edges) if is_cut(edges - {edge}, flow))


def minimal_cuts(flow: Flow = SPECTRAL) -> tuple[tuple[str, ...], ...]:
    """All cuts without a spare edge, smallest first, then in flow order; 17 in the spectral flow.

    Example:
        >>> from dplda import flow
        >>> len(flow.minimal_cuts()), " + ".join(flow.minimal_cuts()[1])
        (17, 'e0 + e1')
    """
    checks.instance("flow", flow, Flow)
    return _minimal_cuts(flow)


@cache
def _minimal_cuts(flow: Flow) -> tuple[tuple[str, ...], ...]:
    found: list[frozenset[str]] = []
    for size in range(1, len(flow.edges) + 1):
        for edges in combinations(flow.edges, size):
            chosen = frozenset(edges)
            if is_cut(chosen, flow) and not any(smaller < chosen for smaller in found):
                found.append(chosen)
    return tuple(flow.in_order(set(edges)) for edges in found)


def _sentence(path: tuple[str, ...], flow: Flow) -> str:
    road = next((f" {road}," for edge in path if (road := flow.arrow(edge).road)), "")
    labels = " → ".join(flow.arrow(edge).label for edge in path)
    return f"Data reaches the output through {labels},{road} without meeting noise."
