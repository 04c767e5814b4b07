"""Plain figures are what Plotly's own classes would build, only not checked before they are read."""

import json

import plotly.graph_objects as go
import pytest
from plotly.subplots import make_subplots
from plotly.tools import return_figure_from_figure_or_data

from dplda.figures import plain


def as_plotly(figure: go.Figure) -> dict:
    return json.loads(figure.update_layout(template=None).to_json())


def test_panels_and_what_stands_in_them_lie_where_plotly_puts_them() -> None:
    ours = plain.Figure(beside=3, gap=0.04)
    reference = make_subplots(cols=3, shared_yaxes=True, horizontal_spacing=0.04)
    where = {"row": 1, "col": 3}
    last, line = 3, {"dash": "dash"}
    ours.add_trace(plain.bar(x=[1], y=[2], marker_color="#0072B2"), panel=last)
    reference.add_trace(go.Bar(x=[1], y=[2], marker_color="#0072B2"), **where)
    ours.add_hline(y=1, line=line)
    reference.add_hline(y=1, line=line, row=1, col=1, exclude_empty_subplots=False)
    ours.add_vline(x=2, line=line)
    reference.add_vline(x=2, line=line, row=1, col=1, exclude_empty_subplots=False)
    ours.add_annotation({"text": "a", "font_size": 13}, panel=last)
    reference.add_annotation(text="a", font_size=13, showarrow=False, **where)
    ours.update_xaxes({"title_text": "ε", "title_font_size": 9}).update_yaxes({"type": "log"}, panel=last)
    reference.update_xaxes(title_text="ε", title_font_size=9).update_yaxes(type="log", **where)
    ours.update_layout({"margin": {"l": 8}}).update_layout({"margin_t": 4})
    reference.update_layout(margin={"l": 8}).update_layout(margin_t=4)
    drawn, expected = (as_plotly(go.Figure(figure.to_dict())) for figure in (ours, reference))
    for panel in ("", *range(2, last + 1)):
        for axis in (f"xaxis{panel}", f"yaxis{panel}"):
            domain = drawn["layout"][axis].pop("domain", [0, 1])
            assert domain == pytest.approx(expected["layout"][axis].pop("domain"))
    assert drawn == expected


def test_reading_a_figure_refuses_what_no_browser_could_draw_and_showing_it_checks_nothing() -> None:
    figure = plain.Figure(plain.scatter(x=[1], y=[2], colour="red"))
    with pytest.raises(ValueError, match="colour"):
        _ = figure.data
    assert return_figure_from_figure_or_data(figure, validate_figure=True)["data"][0]["colour"] == "red"


def test_two_figures_share_no_part() -> None:
    line = {"width": 1}
    first, second = (plain.Figure(plain.scatter(line=line)) for _ in range(2))
    first.update_layout({"legend": line})
    first.update_layout({"legend_width": 2})
    assert line == {"width": 1}
    assert first.to_dict()["data"][0]["line"] is not second.to_dict()["data"][0]["line"]


def test_a_figure_is_enlarged_for_a_room_letters_marks_and_height() -> None:
    figure = plain.Figure(plain.scatter(x=[1], y=[1], marker={"size": 8}, textfont={"size": 10}))
    figure.update_layout(dict(height=300, margin={"t": 40, "l": 8}, title_font_size=15))
    figure.add_annotation(dict(text="a", font={"size": 12}, xshift=18, x=3))
    figure.enlarge(1.5)
    shown, layout = figure.data[0], figure.layout
    assert (shown.marker.size, shown.textfont.size, shown.x) == (12, 15, (1,))
    assert (layout.height, layout.margin.t, layout.margin.l, layout.title.font.size) == (450, 60, 8, 22.5)
    assert (layout.annotations[0].font.size, layout.annotations[0].xshift, layout.annotations[0].x) == (18, 27, 3)
    assert layout.xaxis.tickfont.size == 18
