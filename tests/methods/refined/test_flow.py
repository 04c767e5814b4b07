"""The flow of a refinement: its cut, what each noised edge keeps back, its loop."""

import pytest

from dplda import flow
from dplda.flow import SINK, SOURCE
from dplda.methods.configurations.verdict import judge_without_edge
from dplda.methods.dpvi.minibatch_run import STATISTIC as MEAN
from dplda.methods.refined.plan.quantities import GAIN, REFINED, STATISTIC, WORDS
from dplda.methods.registry import parse_method
from dplda.privacy.release import Status


def wet(noised: set[str]) -> set[str]:
    """Steps that data reaches without meeting noise: an answer that knows nothing of paths."""
    reached_steps, steps_before = {SOURCE}, set()
    while reached_steps != steps_before:
        steps_before = set(reached_steps)
        reached_steps |= {
            arrow.end
            for arrow in REFINED.arrows
            if arrow.start in reached_steps and arrow.edge not in noised
        }
    return reached_steps


def test_flow_is_noised_on_a_cut_without_an_edge_to_spare() -> None:
    assert SINK not in wet(set(REFINED.noised))
    assert flow.is_cut(REFINED.noised, REFINED)
    assert flow.spare(REFINED.noised, REFINED) == ()
    assert judge_without_edge(REFINED, None, Status.PROVEN).leak == ()
    assert not flow.is_cut({"words", "steps"}, REFINED)


LEAKS = {
    "words": {"Clipped counts", "Private unigram p", "Topics to start from", "Topics"},
    "e2": {"Pair moment M₂", "Spectrum U,\N{NO-BREAK SPACE}Σ", "Topics to start from", "Topics"},
    "e6": {"Whitened tensor T", "Topics to start from", "Topics"},
    "steps": {"Expected counts", "Topics"},
    "evidence": {"Expected counts"},
}


@pytest.mark.parametrize("edge", REFINED.noised)
def test_flow_without_the_noise_of_an_edge_leaks_along_the_drawn_path(edge: str) -> None:
    verdict = judge_without_edge(REFINED, edge, Status.PROVEN)
    assert verdict.status is Status.NOT_PRIVATE
    assert edge in verdict.leak
    arrows = [REFINED.arrow(name) for name in verdict.leak]
    assert [arrow.end for arrow in arrows[:-1]] == [arrow.start for arrow in arrows[1:]]
    assert (arrows[0].start, arrows[-1].end) == (SOURCE, SINK)
    assert {arrow.end for arrow in arrows} <= wet(set(REFINED.noised) - {edge})
    titles = {step.name: step.title for step in REFINED.steps}
    assert {titles[arrow.start] for arrow in arrows[1:]} == LEAKS[edge]
    assert all(edge in path for path in flow.leaks(verdict.edges, REFINED))


def test_arrows_carry_the_symbols_of_what_is_released() -> None:
    for name, quantities in {"refined": (WORDS, STATISTIC, GAIN), "dp-vi": (MEAN,)}.items():
        flow = parse_method(name).flow
        assert [flow.arrow(quantity.edge).label for quantity in quantities] == [
            quantity.symbol for quantity in quantities
        ]
    assert REFINED.arrow(STATISTIC.edge).note == "14 times"


def test_loop_of_the_steps_is_protected() -> None:
    loop = REFINED.arrow("loop")
    assert (loop.start, loop.end) == (REFINED.arrow("steps").end, REFINED.arrow("steps").start)
    assert flow.is_protected("loop", REFINED.noised, REFINED)
    assert not flow.is_protected("loop", set(REFINED.noised) - {"words"}, REFINED)
    assert not flow.is_protected("documents", REFINED.noised, REFINED)
    assert not any("loop" in path and "evidence" not in path for path in flow.paths(REFINED))
