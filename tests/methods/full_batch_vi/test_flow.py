"""The flow of a refinement: its cut, what each noised edge keeps back, and that it is the flow of the code."""

import pytest

from dplda import flow
from dplda.flow import SINK, SOURCE
from dplda.methods.configurations.choice import without
from dplda.methods.full_batch_vi.flow import REFINED
from dplda.methods.full_batch_vi.recipe import Recipe
from dplda.methods.problem import Budget, Problem
from dplda.privacy.release import Status
from tests.asking import refine
from tests.tiny_corpora import topical_corpus


def wet(noised: set[str]) -> set[str]:
    """Steps that data reaches without meeting noise: an answer that knows nothing of paths."""
    found, before = {SOURCE}, set()
    while found != before:
        before = set(found)
        found |= {arrow.end for arrow in REFINED.arrows if arrow.start in found and arrow.edge not in noised}
    return found


def test_noise_is_on_a_cut_without_an_edge_to_spare() -> None:
    assert SINK not in wet(set(REFINED.noised))
    assert flow.is_cut(REFINED.noised, REFINED)
    assert flow.spare(REFINED.noised, REFINED) == ()
    assert without(REFINED, None, Status.PROVEN).leak == ()
    assert not flow.is_cut({"words", "steps"}, REFINED)


LEAKS = {
    "words": {"Clipped counts", "Private unigram p", "Topics to start from", "Topics"},
    "e2": {"Pair moment M₂", "Spectrum U, Σ", "Topics to start from", "Topics"},
    "e6": {"Whitened tensor T", "Topics to start from", "Topics"},
    "steps": {"Expected counts", "Topics"},
}


@pytest.mark.parametrize("edge", REFINED.noised)
def test_without_one_edges_noise_data_leaks_along_the_path_that_is_drawn(edge: str) -> None:
    verdict = without(REFINED, edge, Status.PROVEN)
    assert verdict.status is Status.NOT_PRIVATE
    assert edge in verdict.leak
    arrows = [REFINED.arrow(name) for name in verdict.leak]
    assert [arrow.end for arrow in arrows[:-1]] == [arrow.start for arrow in arrows[1:]]
    assert (arrows[0].start, arrows[-1].end) == (SOURCE, SINK)
    assert {arrow.end for arrow in arrows} <= wet(set(REFINED.noised) - {edge})
    titles = {step.name: step.title for step in REFINED.steps}
    assert {titles[arrow.start] for arrow in arrows[1:]} == LEAKS[edge]
    assert all(edge in path for path in flow.leaks(verdict.edges, REFINED))


def test_the_loop_leads_back_and_is_protected() -> None:
    loop = REFINED.arrow("loop")
    assert (loop.start, loop.end) == (REFINED.arrow("steps").end, REFINED.arrow("steps").start)
    assert flow.is_protected("loop", REFINED.noised, REFINED)
    assert not flow.is_protected("loop", set(REFINED.noised) - {"words"}, REFINED)
    assert not flow.is_protected("documents", REFINED.noised, REFINED)
    assert not any("loop" in path for path in flow.paths(REFINED))


@pytest.mark.parametrize("bought", [False, True])
def test_noise_is_drawn_where_the_picture_has_it(bought: bool) -> None:
    recipe = Recipe(border=1e9 if bought else 0.0, steps=2, steps_after_start=2)
    corpus = topical_corpus(1, n_documents=1000, n_words=12)
    found = refine(corpus, Problem(3, 1.0), Budget(20.0, 1e-7), recipe=recipe)
    expected = [edge for edge in REFINED.noised if bought or not REFINED.arrow(edge).optional]
    assert {release.edge for release in found.releases} == set(expected)
    for release in found.releases:
        if not REFINED.arrow(release.edge).optional:
            assert REFINED.arrow(release.edge).label == release.symbol
