"""Paths from corpus to output, leaks and cuts.

A leak is a path without noise; it is possible when only some edges carry noise. A cut is a set of
edges that blocks all paths.

The default is the spectral flow. A name that is no edge is a ``ValueError``.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import combinations
from typing import TypeAlias

from dplda.core import checks
from dplda.flow.graph import SINK, SOURCE, Flow
from dplda.flow.spectral import SPECTRAL

FlowPath: TypeAlias = tuple[str, ...]
"""Names of the edges of a path, in order."""


def paths(flow: Flow = SPECTRAL) -> tuple[FlowPath, ...]:
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
def _paths(flow: Flow) -> tuple[FlowPath, ...]:
    """The result of ``paths``, computed once for each flow."""
    visited_steps = frozenset({SOURCE})
    return tuple(_paths_from(SOURCE, visited_steps, flow))


def _paths_from(step: str, visited_steps: frozenset[str], flow: Flow) -> Iterator[FlowPath]:
    """Yield every path from a step to the output that avoids the visited steps.

    A path is the edges in order. The step itself is avoided only if it is a visited one.

    At the output, that is the path without edges.
    """
    if step == SINK:
        yield ()
    for arrow in flow.arrows:
        if arrow.start != step or arrow.end in visited_steps:
            continue
        steps_visited_at_end = visited_steps | {arrow.end}
        for path_beyond in _paths_from(arrow.end, steps_visited_at_end, flow):
            yield (arrow.edge, *path_beyond)


def leaks(noised: Iterable[str], flow: Flow = SPECTRAL) -> list[FlowPath]:
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
    noised_edges = set(flow.in_order(noised))
    return [path for path in paths(flow) if noised_edges.isdisjoint(path)]


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

    Args:
        edge: name of the edge.
        noised: names of the edges with noise.
    """
    noised_edges = set(flow.in_order(noised))
    start = flow.arrow(edge).start
    if edge in noised_edges:
        return True
    return start not in _exposed_steps(noised_edges, flow)


def _exposed_steps(noised_edges: set[str], flow: Flow) -> set[str]:
    """Steps that data from the corpus reaches without meeting noise; the corpus is one."""
    exposed_steps = {SOURCE}
    n_exposed_before = 0
    while len(exposed_steps) > n_exposed_before:
        n_exposed_before = len(exposed_steps)
        next_steps = {
            arrow.end
            for arrow in flow.arrows
            if arrow.start in exposed_steps and arrow.edge not in noised_edges
        }
        exposed_steps |= next_steps
    return exposed_steps


def leak_sentences(noised: Iterable[str], flow: Flow = SPECTRAL) -> tuple[str, ...]:
    """One sentence for each path of ``leaks(noised, flow)``; empty when the edges are a cut.

    Example:
        >>> from dplda import flow
        >>> print(*flow.leak_sentences({"e6"}))
        Data reaches the output through e0 → e2 → e5 → e8 → e9, by the unwhitening W†, without
        meeting noise.
    """
    leaking_paths = leaks(noised, flow)
    return tuple(_sentence(path, flow) for path in leaking_paths)


def crossing_sentence(noised: Iterable[str], flow: Flow = SPECTRAL) -> str:
    """Clause that says where the paths first meet the noise of a cut, to follow "is a cut".

    Edges are named in the order of the flow, each with its number of paths if there are several.
    Edges that no path meets first are left out. The ``noised`` edges must be a cut.

    Raises:
        InputError: a name is no edge of the flow.
    """
    noised_edges = flow.in_order(noised)
    first_noised_edges = [
        next(edge for edge in path if edge in noised_edges) for path in paths(flow)
    ]
    n_paths_by_edge = Counter(first_noised_edges)
    count_phrases = []
    for edge in noised_edges:
        if n_paths_by_edge[edge]:
            label = flow.arrow(edge).label
            count_phrases.append(f"{n_paths_by_edge[edge]} at {label}")
    if len(count_phrases) > 1:
        all_but_last = ", ".join(count_phrases[:-1])
        crossed_edges_text = f"one, {all_but_last} and {count_phrases[-1]}"
    else:
        crossed_edges_text = flow.arrow(first_noised_edges[0]).label
    n_paths = len(first_noised_edges)
    return (
        f"each of the {n_paths} paths from the documents to the output crosses {crossed_edges_text}"
    )


def spare(noised: Iterable[str], flow: Flow = SPECTRAL) -> tuple[str, ...]:
    """Edges of a cut that could each go without noise; empty for a minimal cut and for no cut."""
    edges = set(noised)
    ordered_edges = flow.in_order(edges)
    return tuple(edge for edge in ordered_edges if is_cut(edges - {edge}, flow))


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
    """The result of ``minimal_cuts``, computed once for each flow."""
    minimal_cuts_so_far: list[frozenset[str]] = []
    for size in range(1, len(flow.edges) + 1):
        for edges in combinations(flow.edges, size):
            candidate = frozenset(edges)
            has_spare_edge = any(cut < candidate for cut in minimal_cuts_so_far)
            if is_cut(candidate, flow) and not has_spare_edge:
                minimal_cuts_so_far.append(candidate)
    return tuple(flow.in_order(cut) for cut in minimal_cuts_so_far)


def _sentence(path: FlowPath, flow: Flow) -> str:
    """A sentence on a leak, with the road of its first edge that has one."""
    arrows = [flow.arrow(edge) for edge in path]
    roads = [arrow.road for arrow in arrows if arrow.road]
    road_phrase = f" {roads[0]}," if roads else ""
    labels = " → ".join(arrow.label for arrow in arrows)
    return f"Data reaches the output through {labels},{road_phrase} without meeting noise."
