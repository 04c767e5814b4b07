"""The flow as data: its paths, its cuts, and what leaks through anything less."""

from itertools import combinations

import pytest

from dplda.flow import ARROWS, SINK, SOURCE, Edge, leaks, paths

THE_WAY_BACK = (Edge.E0, Edge.E2, Edge.E5, Edge.E8, Edge.E9)


def reaches_output(without: set[str]) -> bool:
    """A second route to leaks: walk node by node, never over an edge that carries noise."""
    seen, open_ = {SOURCE}, [SOURCE]
    while open_:
        node = open_.pop()
        for arrow in ARROWS:
            if arrow.start == node and arrow.edge not in without and arrow.end not in seen:
                seen.add(arrow.end)
                open_.append(arrow.end)
    return SINK in seen


def minimal_cuts() -> set[frozenset[str]]:
    """All cuts of which no edge can be spared, by looking at every set of edges."""
    cuts = [
        frozenset(edges)
        for size in range(len(Edge) + 1)
        for edges in combinations([edge.value for edge in Edge], size)
        if not reaches_output(set(edges))
    ]
    return {cut for cut in cuts if not any(other < cut for other in cuts)}


def test_three_paths_lead_from_the_corpus_to_the_output() -> None:
    assert set(paths()) == {
        THE_WAY_BACK,
        (Edge.E0, Edge.E2, Edge.E4, Edge.E6, Edge.E7, Edge.E9),
        (Edge.E1, Edge.E3, Edge.E6, Edge.E7, Edge.E9),
    }


def test_noise_on_the_tensor_and_on_the_way_back_is_a_cut() -> None:
    assert leaks({"e6", "e8"}) == []


def test_noise_on_the_tensor_alone_leaks_by_the_way_back() -> None:
    assert leaks({"e6"}) == [THE_WAY_BACK]


def test_without_noise_everything_leaks() -> None:
    assert leaks([]) == list(paths())


def test_there_are_seventeen_minimal_cuts() -> None:
    cuts = minimal_cuts()
    assert len(cuts) == 17
    assert {frozenset(cut) for cut in ({"e9"}, {"e2", "e6"}, {"e6", "e8"}, {"e2", "e3"}, {"e0", "e1"})} <= cuts


def test_leaks_agrees_with_a_walk_on_every_set_of_edges() -> None:
    names = [edge.value for edge in Edge]
    for size in range(len(names) + 1):
        for edges in combinations(names, size):
            assert bool(leaks(edges)) == reaches_output(set(edges)), edges


def test_the_cuts_of_the_paper_and_of_adaptive_are_cuts() -> None:
    for cut in ({"e3", "e4", "e8"}, {"e6", "e8"}, {"e7", "e8"}, {"e9"}, {"e2", "e3"}, {"e2", "e6"}):
        assert leaks(cut) == []
    for no_cut in ({"e3", "e4"}, {"e2"}, {"e3", "e8"}, {"e0"}, {"e7"}, {"e5", "e4"}):
        assert leaks(no_cut)


@pytest.mark.parametrize("name", ["e10", "", "E6", "corpus"])
def test_a_name_that_is_no_edge_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="is not a valid Edge"):
        leaks([name])
