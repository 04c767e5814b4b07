import pytest

from dplda import figures
from dplda.configurations import REGISTRY, Calibration
from dplda.configurations.choice import TOO_SMALL, EdgeVerdict, judge
from dplda.flow import SPECTRAL, Edge
from dplda.privacy.release import Status

LEAK = (Edge.E0, Edge.E2, Edge.E5, Edge.E8, Edge.E9)


def on(*edges: str, calibration: Calibration | None = None) -> EdgeVerdict:
    return judge(edges, REGISTRY, calibration)


def said(figure) -> list[str]:
    return [note.text for note in figure.layout.annotations if note.name == "said"]


def test_every_edge_has_a_marker_that_can_be_selected() -> None:
    markers = figures.flow_graph(on("e2", "e6")).data[-1]
    assert markers.mode == "markers+text"
    assert [data[0] for data in markers.customdata] == [arrow.edge for arrow in SPECTRAL.arrows]
    assert markers.unselected.marker.opacity == 1


def test_every_step_has_a_box() -> None:
    figure = figures.flow_graph(on())
    assert len(figure.layout.shapes) == len(SPECTRAL.steps)
    names = {note.text.replace("<br>", " ") for note in figure.layout.annotations if note.name == "step"}
    assert names == {step.title for step in SPECTRAL.steps}


def test_noise_is_colour_shape_and_word() -> None:
    markers = figures.flow_graph(on("e2", "e6")).data[-1]
    by_edge = dict(zip(markers.text, zip(markers.marker.symbol, markers.marker.color, strict=True), strict=True))
    assert by_edge["e2"] == by_edge["e6"]
    assert by_edge["e2"][0] != by_edge["e3"][0]
    assert by_edge["e2"][1] != by_edge["e3"][1]
    assert said(figures.flow_graph(on("e2", "e6"))) == ["<b>≈ noise</b>"] * 2


def test_a_leak_is_colour_dash_and_word() -> None:
    figure = figures.flow_graph(on("e6"))
    lines = [trace for trace in figure.data if trace.mode == "lines"]
    dashed = {arrow.edge for arrow, line in zip(SPECTRAL.arrows, lines, strict=True) if line.line.dash != "solid"}
    assert dashed == set(LEAK)
    assert said(figure).count("<b>leak</b>") == len(LEAK)
    assert "leaks" in figure.layout.title.text


def test_hovering_says_words_and_equation() -> None:
    hovers = figures.flow_graph(on("e2")).data[-1].hovertext
    for arrow, hover in zip(SPECTRAL.arrows, hovers, strict=True):
        assert arrow.carries in hover
        assert arrow.equation.split(" = ")[0] in hover
    assert "carries noise" in hovers[2]
    assert max(len(line) for hover in hovers for line in hover.split("<br>")) < 60


@pytest.mark.parametrize("dark", [True, False])
def test_markers_hide_the_line_behind_them(dark) -> None:
    markers = figures.flow_graph(on(), dark=dark).data[-1]
    assert set(markers.marker.color) == {"#10151f" if dark else "#ffffff"}


def test_the_graph_in_words() -> None:
    alt = figures.flow_graph_alt(on("e6"))
    assert "e4 from Spectrum U, Σ to Whitened tensor T" in alt
    assert "Noise enters on e6" in alt
    assert "e0 → e2 → e5 → e8 → e9" in alt


@pytest.mark.parametrize(
    ("name", "calibration"), [(name, how) for name, known in REGISTRY.items() for how in known.variants]
)
def test_noise_that_is_known_to_be_too_small_is_said_to_be(name, calibration) -> None:
    known = REGISTRY[name]
    verdict = on(*known.edges, calibration=calibration)
    title = figures.flow_graph(verdict).layout.title.text.replace("<br>", " ")
    for text in (title, figures.flow_graph_alt(verdict)):
        assert "meets noise" in text
        assert (TOO_SMALL in text) == (known.variants[calibration].status is not Status.PROVEN)


def test_a_cut_that_nothing_implements_is_not_said_to_meet_noise() -> None:
    for text in (figures.flow_graph(on("e0", "e1")).layout.title.text, figures.flow_graph_alt(on("e0", "e1"))):
        assert "no configuration" in text.replace("<br>", " ")
        assert "meets noise" not in text.replace("<br>", " ")
