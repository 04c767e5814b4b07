from itertools import chain, combinations

import pytest

from dplda import flow
from dplda.flow import SINK, SOURCE, SPECTRAL, Edge
from dplda.methods.configurations import REGISTRY

SUBSETS = [
    set(edges) for edges in chain.from_iterable(combinations(Edge, size) for size in range(11))
]


def reaches_output(noised):
    """Flood the graph along edges without noise: an answer that knows nothing of paths."""
    reached, previously_reached = {SOURCE}, set()
    while reached != previously_reached:
        previously_reached = set(reached)
        reached |= {
            arrow.end
            for arrow in SPECTRAL.arrows
            if arrow.start in reached and arrow.edge not in noised
        }
    return SINK in reached


def test_flow_has_three_paths_from_corpus_to_output():
    assert set(flow.paths()) == {
        ("e1", "e3", "e6", "e7", "e9"),
        ("e0", "e2", "e4", "e6", "e7", "e9"),
        ("e0", "e2", "e5", "e8", "e9"),
    }


@pytest.mark.parametrize("size", range(11))
def test_cut_is_what_keeps_data_from_the_output(size):
    for noised in (subset for subset in SUBSETS if len(subset) == size):
        assert flow.is_cut(noised) is not reaches_output(noised)
        assert len(flow.leak_sentences(noised)) == len(flow.leaks(noised))


def test_seventeen_minimal_cuts_are_all_there_are():
    by_definition = {
        frozenset(subset)
        for subset in SUBSETS
        if not reaches_output(subset) and all(reaches_output(subset - {edge}) for edge in subset)
    }
    cuts = flow.minimal_cuts()
    assert len(cuts) == 17
    assert {frozenset(cut) for cut in cuts} == by_definition
    assert [len(cut) for cut in cuts] == sorted(map(len, cuts))


@pytest.mark.parametrize("name", REGISTRY)
def test_configurations_are_cuts_without_an_edge_to_spare(name):
    edges = REGISTRY[name].edges
    assert flow.leaks(edges) == []
    assert flow.spare(edges) == ()


@pytest.mark.parametrize("question", [flow.leaks, flow.is_cut, flow.leak_sentences, flow.spare])
def test_name_that_is_no_edge_is_refused(question):
    with pytest.raises(ValueError, match="e10"):
        question({"e10"})


def test_flow_edges_join_every_step():
    names = [step.name for step in SPECTRAL.steps]
    assert len(set(names)) == len(names)
    assert [arrow.edge for arrow in SPECTRAL.arrows] == list(Edge)
    assert {arrow.start for arrow in SPECTRAL.arrows} | {
        arrow.end for arrow in SPECTRAL.arrows
    } == set(names)


def test_flow_drawing_has_no_crossing_edges():
    position = {step.name: (step.x, step.y) for step in SPECTRAL.steps}

    def side(p, q, r):
        return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])

    for arrow, other_arrow in combinations(SPECTRAL.arrows, 2):
        a, b, c, d = (
            position[name] for name in (arrow.start, arrow.end, other_arrow.start, other_arrow.end)
        )
        assert not (side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0), (
            arrow.edge,
            other_arrow.edge,
        )


@pytest.mark.parametrize("arrow", SPECTRAL.arrows, ids=lambda arrow: arrow.edge)
def test_flow_edge_has_a_sentence_with_an_equation(arrow):
    assert arrow.carries
    assert arrow.meaning.endswith(".")
    assert not set("\\$") & set(arrow.equation)


@pytest.mark.parametrize(
    ("edge", "noised", "protected"),
    [
        ("e8", {"e9"}, False),
        ("e8", {"e8"}, True),
        ("e8", {"e2"}, True),
        ("e8", {"e3"}, False),
        ("e6", {"e7", "e8"}, False),
        ("e6", {"e6"}, True),
        ("e6", {"e3"}, False),
        ("e6", {"e3", "e4"}, True),
        ("e9", {"e6"}, False),
        ("e9", {"e6", "e8"}, True),
    ],
)
def test_edge_is_protected_when_every_way_to_it_met_noise(
    edge: str, noised: set[str], protected: bool
) -> None:
    assert flow.is_protected(Edge(edge), noised) is protected
