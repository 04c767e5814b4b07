import numpy as np
import pytest

from dplda import figures
from dplda.figures.flows.edge_marks import COLOURS
from dplda.figures.flows.edge_numbers import EdgeNumbers, Standing
from dplda.figures.flows.flow_graph import ROW
from dplda.flow import SPECTRAL, Edge
from dplda.methods.configurations import REGISTRY
from dplda.methods.configurations.verdict import EdgeVerdict, judge_edges, judge_without_edge
from dplda.methods.refined.plan.quantities import REFINED
from dplda.methods.registry import parse_method
from dplda.privacy.release import Status
from tests.figures.checked import checked

LEAK = (Edge.E0, Edge.E2, Edge.E5, Edge.E8, Edge.E9)


def on(*edges: str) -> EdgeVerdict:
    return judge_edges(edges, REGISTRY)


def said(figure) -> list[str]:
    return [note.text for note in figure.layout.annotations if note.name == "said"]


def test_flow_graph_has_a_marker_for_every_edge() -> None:
    figure = checked(figures.flow_graph(on("e2", "e6")))
    markers = figure.data[-1]
    assert [data[0] for data in markers.customdata] == [arrow.edge for arrow in SPECTRAL.arrows]


def test_noised_edge_has_its_own_color_shape_with_a_word() -> None:
    figure = checked(figures.flow_graph(on("e2", "e6")))
    markers = figure.data[-1]
    by_edge = dict(
        zip(
            markers.text, zip(markers.marker.symbol, markers.marker.color, strict=True), strict=True
        )
    )
    assert by_edge["e2"] == by_edge["e6"]
    assert by_edge["e2"][0] != by_edge["e3"][0]
    assert by_edge["e2"][1] != by_edge["e3"][1]
    assert said(figure) == ["<b>noise</b>"] * 2
    assert "carries noise" in markers.hovertext[2]


def test_leaking_edge_is_dashed_with_a_word() -> None:
    figure = checked(figures.flow_graph(on("e6")))
    lines = [trace for trace in figure.data if trace.mode == "lines"]
    dashed = {
        arrow.edge
        for arrow, line in zip(SPECTRAL.arrows, lines, strict=True)
        if line.line.dash != "solid"
    }
    assert dashed == set(LEAK)
    assert said(figure).count("<b>leak</b>") == len(LEAK)
    assert "e0 → e2 → e5 → e8 → e9" in figures.flow_graph(on("e6")).alt


FLOWS = {
    "spectral": judge_edges(["e2", "e6"], REGISTRY),
    "refined": judge_without_edge(REFINED, None, Status.PROVEN),
    "minibatches": judge_without_edge(parse_method("dp-vi").flow, None, Status.PROVEN),
}
COLUMN = 98  # pixels, on a phone


@pytest.mark.parametrize("verdict", FLOWS.values(), ids=FLOWS)
def test_flow_arrows_run_through_no_box_of_others(verdict: EdgeVerdict) -> None:
    figure = checked(figures.flow_graph(verdict))
    lines = [trace for trace in figure.data if trace.mode == "lines"]
    for arrow, line in zip(verdict.flow.arrows, lines, strict=True):
        for step, box in zip(verdict.flow.steps, figure.layout.shapes, strict=True):
            if step.name not in (arrow.start, arrow.end):
                x, y = (
                    np.interp(np.linspace(0, 1, 500), np.linspace(0, 1, len(part)), part)
                    for part in (line.x, line.y)
                )
                inside = (box.x0 < x) & (x < box.x1) & (box.y0 < y) & (y < box.y1)
                assert not inside.any(), (arrow.edge, step.name)


@pytest.mark.parametrize("verdict", FLOWS.values(), ids=FLOWS)
def test_markers_hide_neither_each_other_nor_the_middle_of_a_box_on_a_phone(
    verdict: EdgeVerdict,
) -> None:
    figure = checked(figures.flow_graph(verdict))
    markers = figure.data[-1]
    spots = np.column_stack([markers.x, markers.y]) * (COLUMN, ROW)
    distances = np.linalg.norm(spots[:, None] - spots[None], axis=2) + 1e9 * np.eye(len(spots))
    assert distances.min() > 33
    for box in figure.layout.shapes:
        middle = np.array([(box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2]) * (COLUMN, ROW)
        assert np.all(np.linalg.norm(spots - middle, axis=1) > 33)


def test_flow_steps_that_are_optional_are_dotted() -> None:
    figure = checked(figures.flow_graph(FLOWS["refined"]))
    lines = [trace for trace in figure.data if trace.mode == "lines"]
    for arrow, line in zip(REFINED.arrows, lines, strict=True):
        assert (line.line.dash != "solid") == arrow.optional
    for step, box in zip(REFINED.steps, figure.layout.shapes, strict=True):
        assert (box.line.dash == "dot") == step.optional


def test_budget_bars_show_known_shares_in_the_flows_order() -> None:
    known_numbers = [
        EdgeNumbers("e8", 0.25, Standing.CLEAR, ("25%",), ()),
        EdgeNumbers("e6", 0.75, Standing.BELOW, ("75%",), ()),
        EdgeNumbers("e2", 0.0, Standing.AFTER_RUN, ("± 3",), ()),
    ]
    figure = figures.budget_bars(SPECTRAL, known_numbers)
    assert figure is not None
    (trace,) = checked(figure).data
    assert (list(trace.y), list(trace.x), list(trace.text)) == (
        ["e6", "e8"],
        [0.75, 0.25],
        ["75%", "25%"],
    )
    assert figure.title == "e6 uses the most of the budget"
    assert trace.marker.color == (COLOURS[Standing.BELOW], COLOURS[Standing.CLEAR])


def test_budget_bars_of_ranges_name_no_largest_share() -> None:
    ranges = [
        EdgeNumbers(edge, share, Standing.AFTER_RUN, (text,), ())
        for edge, share, text in [("e6", 0.5, "5–95 %"), ("e8", 0.1, "10 %")]
    ]
    figure = figures.budget_bars(SPECTRAL, ranges)
    assert figure is not None
    assert figure.title == "Budget shares: middle of ranges"


def test_budget_bars_of_a_single_share_are_none() -> None:
    single_number = EdgeNumbers("e6", 1.0, Standing.CLEAR, ("100%",), ())
    assert figures.budget_bars(SPECTRAL, [single_number]) is None
