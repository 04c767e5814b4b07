import pytest

from dplda import figures
from dplda.flow import ARROWS, STEPS, Edge

LEAK = (Edge.E0, Edge.E2, Edge.E5, Edge.E8, Edge.E9)


def said(figure) -> list[str]:
    return [note.text for note in figure.layout.annotations if note.name == "said"]


def test_every_edge_has_a_marker_that_can_be_selected() -> None:
    markers = figures.flow_graph({Edge.E2, Edge.E6}).data[-1]
    assert markers.mode == "markers+text"
    assert [data[0] for data in markers.customdata] == [arrow.edge for arrow in ARROWS]
    assert markers.unselected.marker.opacity == 1


def test_every_step_has_a_box() -> None:
    figure = figures.flow_graph(())
    assert len(figure.layout.shapes) == len(STEPS)
    names = {note.text.replace("<br>", " ") for note in figure.layout.annotations if note.name == "step"}
    assert names == {step.title for step in STEPS}


def test_noise_is_colour_shape_and_word() -> None:
    markers = figures.flow_graph({Edge.E2, Edge.E6}).data[-1]
    by_edge = dict(zip(markers.text, zip(markers.marker.symbol, markers.marker.color, strict=True), strict=True))
    assert by_edge["e2"] == by_edge["e6"]
    assert by_edge["e2"][0] != by_edge["e3"][0]
    assert by_edge["e2"][1] != by_edge["e3"][1]
    assert said(figures.flow_graph({Edge.E2, Edge.E6})) == ["<b>≈ noise</b>"] * 2


def test_a_leak_is_colour_dash_and_word() -> None:
    figure = figures.flow_graph({Edge.E6}, LEAK)
    lines = [trace for trace in figure.data if trace.mode == "lines"]
    dashed = {arrow.edge for arrow, line in zip(ARROWS, lines, strict=True) if line.line.dash != "solid"}
    assert dashed == set(LEAK)
    assert said(figure).count("<b>leak</b>") == len(LEAK)
    assert "leaks" in figure.layout.title.text


def test_hovering_says_words_and_equation() -> None:
    hovers = figures.flow_graph({Edge.E2}).data[-1].hovertext
    for arrow, hover in zip(ARROWS, hovers, strict=True):
        assert arrow.carries in hover
        assert arrow.equation.split(" = ")[0] in hover
    assert "carries noise" in hovers[2]
    assert max(len(line) for hover in hovers for line in hover.split("<br>")) < 60


@pytest.mark.parametrize("dark", [True, False])
def test_markers_hide_the_line_behind_them(dark) -> None:
    markers = figures.flow_graph((), dark=dark).data[-1]
    assert set(markers.marker.color) == {"#10151f" if dark else "#ffffff"}


def test_the_graph_in_words() -> None:
    alt = figures.flow_graph_alt({Edge.E6}, LEAK)
    assert "e4 from Spectrum U, Σ to Whitened tensor T" in alt
    assert "Noise enters on e6" in alt
    assert "e0 → e2 → e5 → e8 → e9" in alt
