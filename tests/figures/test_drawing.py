"""Drawings are what Plotly's own classes would build, only not checked; a figure is one for a page and for a room."""

import json

import plotly.graph_objects as go
import pytest
from plotly.subplots import make_subplots
from plotly.tools import return_figure_from_figure_or_data

from dplda.core import assets
from dplda.figures import theme
from dplda.figures.drawing import Drawing, bar, scatter
from dplda.figures.figure import Figure
from tests.figures.checked import checked


def test_drawing_in_panels_equals_plotly_subplots() -> None:
    ours = Drawing(n_panels=3, gap=0.04)
    reference = make_subplots(cols=3, shared_yaxes=True, horizontal_spacing=0.04)
    last_column = {"row": 1, "col": 3}
    last_panel, line = 3, {"dash": "dash"}
    ours.add(bar(x=[1], y=[2], marker_color="#0072B2"), panel=last_panel)
    reference.add_trace(go.Bar(x=[1], y=[2], marker_color="#0072B2"), **last_column)
    ours.hline(1, line)
    reference.add_hline(y=1, line=line, row=1, col=1, exclude_empty_subplots=False)
    ours.vline(2, line)
    reference.add_vline(x=2, line=line, row=1, col=1, exclude_empty_subplots=False)
    ours.annotate(dict(text="a", font_size=13), panel=last_panel)
    reference.add_annotation(text="a", font_size=13, showarrow=False, **last_column)
    ours.x(dict(title_text="ε", title_font_size=9))
    ours.y(dict(type="log"), panel=last_panel)
    reference.update_xaxes(title_text="ε", title_font_size=9).update_yaxes(
        type="log", **last_column
    )
    ours.set(dict(margin={"l": 8}))
    ours.set(dict(margin_t=4))
    reference.update_layout(margin={"l": 8}).update_layout(margin_t=4)
    whole_layout = {"shapes": ours.shapes, "annotations": ours.annotations} | ours.layout
    both_figures = (go.Figure(ours.traces, whole_layout), reference)
    drawn_figure, expected = (
        json.loads(figure.update_layout(template=None).to_json()) for figure in both_figures
    )
    for panel in ("", *range(2, last_panel + 1)):
        for axis in (f"xaxis{panel}", f"yaxis{panel}"):
            domain = drawn_figure["layout"][axis].pop("domain", [0, 1])
            assert domain == pytest.approx(expected["layout"][axis].pop("domain"))
    assert drawn_figure == expected


def test_checked_figure_with_an_unknown_property_is_refused() -> None:
    figure = Figure("", "", 300, Drawing(scatter(x=[1], y=[2], colour="red")))
    with pytest.raises(ValueError, match="colour"):
        checked(figure)


def test_unchecked_figure_with_an_unknown_property_is_shown() -> None:
    figure = Figure("", "", 300, Drawing(scatter(x=[1], y=[2], colour="red")))
    shown_figure = return_figure_from_figure_or_data(figure.unchecked(), validate_figure=True)
    assert shown_figure["data"][0]["colour"] == "red"


def test_drawings_of_equal_settings_share_no_part() -> None:
    line = {"width": 1}
    first_drawing, second = (Drawing(scatter(line=line)) for _ in range(2))
    first_drawing.set(dict(legend=line))
    first_drawing.set(dict(legend_width=2))
    assert line == {"width": 1}
    assert first_drawing.traces[0]["line"] is not second.traces[0]["line"]


def test_figure_enlarged_for_a_room_has_larger_letters_with_marks() -> None:
    drawing = Drawing(scatter(x=[1], y=[1], marker={"size": 8}, textfont={"size": 10}))
    drawing.set(dict(margin={"t": 40}))
    drawing.annotate(dict(text="a", font={"size": 12}, xshift=18, x=3))
    figure = Figure("Found", "", 300, drawing)
    spec_before = figure.spec()
    enlarged_figure = go.Figure(figure.spec(larger=1.5))
    trace, layout = enlarged_figure.data[0], enlarged_figure.layout
    assert (trace.marker.size, trace.textfont.size, trace.x) == (12, 15, (1,))
    assert (layout.height, layout.margin.l, layout.title.font.size) == (450, 8, 22.5)
    assert (
        layout.annotations[0].font.size,
        layout.annotations[0].xshift,
        layout.annotations[0].x,
    ) == (18, 27, 3)
    assert layout.xaxis.tickfont.size == 18
    assert figure.spec() == spec_before


@pytest.mark.parametrize("title", ["", "Found", "word " * 30])
def test_title_has_room_above_what_is_drawn(title) -> None:
    page, room = (
        go.Figure(Figure(title, "", 300, Drawing()).spec(larger=larger)).layout
        for larger in (1, 1.5)
    )
    for layout, larger in ((page, 1), (room, 1.5)):
        lines = len(theme.title_lines(title, round(theme.TITLE_LINE / larger)))
        assert layout.margin.t >= 20 * larger * lines
        assert layout.height - layout.margin.t == pytest.approx(
            (300 - page.margin.t) * larger, abs=1
        )


def test_figure_has_the_colours_of_either_page() -> None:
    figure = Figure(
        "",
        "",
        300,
        Drawing(scatter(textfont={"color": [theme.INK, "red"]}, line={"color": theme.GROUND})),
    )
    for dark in (False, True):
        (trace,) = figure.spec(dark=dark)["data"]
        assert trace["textfont"]["color"] == [theme.INK.on(dark=dark), "red"]
        assert trace["line"]["color"] == theme.GROUND.on(dark=dark)
    styles = (assets.folder() / "styles" / "page.css").read_text(
        "utf-8"
    )  # for a switch of the theme
    for shade in (theme.INK, theme.GROUND, theme.QUIET):
        assert f"light-dark({shade}, {shade.dark})" in styles


def test_figure_made_smaller_keeps_letters_that_can_be_read() -> None:
    drawing = Drawing(scatter(x=[1], y=[1], marker={"size": 8}, textfont={"size": 13}))
    drawing.annotate(dict(text="a", font={"size": 12}, x=3))
    smaller_figure = go.Figure(Figure("Found", "", 300, drawing).spec(larger=0.75))
    assert smaller_figure.data[0].marker.size == 6
    assert (
        smaller_figure.data[0].textfont.size == smaller_figure.layout.annotations[0].font.size == 12
    )
    assert smaller_figure.layout.xaxis.tickfont.size == 12
    assert smaller_figure.layout.height == 225


@pytest.mark.parametrize("height", [200, 640])
def test_title_of_a_figure_of_any_height_keeps_its_distance_from_the_top(height) -> None:
    layout = Figure("A title", "", height, Drawing()).spec()["layout"]
    assert layout["title"]["y"] == 1
    assert layout["title"]["pad"]["t"] == 6


def test_figure_for_a_room_has_no_smaller_letters_than_asked_for() -> None:
    drawing = Drawing()
    drawing.annotate(dict(text="a", x=3, y=1, font={"size": theme.SMALL_LETTERS}))
    figure = Figure("Found", "", 300, drawing)
    layout = go.Figure(figure.spec(larger=0.75, smallest_letters=theme.ROOM_LETTERS)).layout
    sizes = [layout.annotations[0].font.size, layout.xaxis.tickfont.size, layout.legend.font.size]
    assert sizes == [theme.ROOM_LETTERS] * 3
    assert layout.title.font.size >= theme.ROOM_LETTERS
