import pytest

from dplda.figures import theme
from dplda.figures.drawing import Drawing
from dplda.figures.figure import Figure
from dplda.figures.line_ends import PITCH, POINTER, LineEnd, margin_for, name_lines, spread
from dplda.methods.base.method_names import name_beside_line, short_title
from dplda.methods.registry import AUTHORS_METHODS, METHODS
from tests.figures.checked import checked


def test_spread_names_stay_on_the_axis_at_nearest_places() -> None:
    assert spread([9.9, 9.8, 0.0], pitch=1.0, low=0.0, high=10.0) == pytest.approx([10.0, 9.0, 0.0])
    assert spread([5.0] * 5, pitch=10.0, low=0.0, high=10.0) == pytest.approx(
        [0.0, 2.5, 5.0, 7.5, 10.0]
    )
    assert spread([5.0, 5.2, 9.0], pitch=1.0, low=0.0, high=10.0) == pytest.approx(
        [4.6, 5.6, 9.0]
    )  # as near as can be
    assert spread([], pitch=1.0, low=0.0, high=1.0) == []
    assert spread([3.0], pitch=1.0, low=0.0, high=1.0) == [1.0]


def test_lines_on_the_axis_are_named_once_with_their_own_mark() -> None:
    drawing = Drawing()
    line_ends = [
        LineEnd("A<b>", "#0072B2", False, 0.5),
        LineEnd("B", "#E69F00", True, 0.5),
        LineEnd("C", "#000000", True, 7),
    ]
    name_lines(drawing, line_ends, axis=(0.0, 1.0), pixels=300)
    first_note, second = checked(Figure("", "", 400, drawing)).layout.annotations
    assert "●" in first_note.text
    assert "A&lt;b&gt;" in first_note.text
    assert "○" in second.text
    assert (first_note.arrowcolor, second.arrowcolor) == ("#0072B2", "#E69F00")
    assert abs(first_note.ay - second.ay) == pytest.approx(PITCH)
    assert first_note.y == second.y == 0.5


def test_short_titles_of_methods_are_distinct() -> None:
    titles = [method.title for method in METHODS.values()]
    assert len({short_title(title) for title in titles}) == len(titles)
    assert max(len(short_title(title)) for title in titles) <= len("Config. 1, as published")


def test_margin_of_line_names_widens_with_the_longest_name() -> None:
    drawings = [Drawing(), Drawing()]
    for drawing, title in zip(drawings, ["Refined", "Configuration 1, as published"], strict=True):
        name_lines(drawing, [LineEnd(title, "#0072B2", False, 0.5)], axis=(0.0, 1.0), pixels=300)
    narrow, wide_margin = (
        checked(Figure("", "", 400, drawing)).layout.margin.r for drawing in drawings
    )
    assert narrow == margin_for(["Refined"])
    assert wide_margin == margin_for(["Configuration 1, as published"])
    assert narrow < 100 < wide_margin


def test_name_beside_line_of_every_method_leaves_a_phone_most_of_its_width() -> None:
    """A plot 368 pixels wide keeps 0.6 of them, as on a phone."""
    titles = [method.title for method in (METHODS | AUTHORS_METHODS).values()]
    names = [name_beside_line(title) for title in titles]
    assert len(set(names)) == len(names)
    for title in titles:
        assert 368 - margin_for([title]) > 0.6 * 368, title


@pytest.mark.parametrize(
    ("title", "pixels"),
    [
        ("Configuration 4, as published", 112.7),
        ("Shared moment", 81.1),
        ("Unigram", 43.2),
        ("DP variational inference, as published, each document", 110.0),
    ],
)
def test_margin_of_line_names_holds_a_name_as_wide_as_browsers_draw_it(
    title: str, pixels: float
) -> None:
    """Widths of the page's typeface at the size of names, as a browser measures them."""
    mark_pixels = 9.6
    assert theme.SMALL_LETTERS == 12
    assert margin_for([title]) >= POINTER + mark_pixels + pixels
