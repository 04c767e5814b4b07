import math

import numpy as np
import pytest

from dplda import figures
from dplda.figures import theme
from dplda.figures.errors.error_curves import method_colour
from dplda.theory.prediction.expected import Answer, Expected
from dplda.theory.prediction.regime_axes import Axis, Grid, Point
from dplda.theory.prediction.regimes import RegimeMap
from tests.figures.checked import checked

HERE = Point(n_documents=3000, n_topics=4, n_words=60, alpha0=1.0, mean_length=50, epsilon=1.0)
GRID = Grid(HERE, Axis.DOCUMENTS, Axis.EPSILON, (1000.0, 10_000.0, 100_000.0), (0.1, 1.0))
CELLS = tuple(np.ndindex(2, 3))
METHODS = ("adaptive", "config-1/corrected", "private-unigram")


def cell(*errors: float) -> tuple[Expected, ...]:
    return tuple(
        Expected(*((Answer.TOPICS, e, 0.9 * e, 1.1 * e) if e else (Answer.REFUSED,)))
        for e in errors
    )


GOOD, OTHER, BAD, NEAR = (
    cell(0.1, 0.4, 1.0),
    cell(0.3, 0.2, 1.0),
    cell(1.1, 0, 1.0),
    cell(0.4, 0.405, 1.0),
)


def made(cells: dict[tuple[int, int], tuple[Expected, ...]], grid: Grid = GRID) -> RegimeMap:
    unknown = (Expected(Answer.UNKNOWN),) * len(METHODS)
    return RegimeMap(
        grid, METHODS, tuple(cells.get((row, column), unknown) for row, column, _ in grid.points())
    )


FULL = made({(0, 0): BAD, (1, 0): BAD, (0, 1): OTHER, (1, 1): GOOD, (0, 2): GOOD, (1, 2): GOOD})
PART = made({(0, 0): BAD, (1, 2): GOOD})
NOTHING = made({})


def letters(figure) -> list[str]:
    return list(next(trace for trace in figure.data if trace.name == "letters").text)


@pytest.mark.parametrize(
    ("regime_map", "title"),
    [
        (FULL, "Recommended: Adaptive 50%, Priv. unigram 33%"),
        (PART, "Recommended: Adaptive 17%, Priv. unigram 17%"),
        (
            made({(0, 0): NEAR, (0, 1): GOOD, (0, 2): NEAR}),
            "Recommended: too close to call 33%, Adaptive 17%",
        ),
        (made(dict.fromkeys(CELLS, BAD)), "Recommended everywhere: Priv. unigram"),
    ],
)
def test_regimes_title_is_the_finding(regime_map, title) -> None:
    assert figures.regimes(regime_map).title == title
    assert figures.regimes(NOTHING).title == "No error is predicted at these numbers"


def hover(figure) -> list[str]:
    """What stands over each cell, row after row."""
    return next(trace.hovertext for trace in figure.data if trace.name == "letters")


def shades_of(figure) -> list[str]:
    """Color of each cell, row after row."""
    heat = figure.data[0]
    return [heat.colorscale[round(2 * int(code))][1] for code in np.ravel(heat.z)]


def test_regimes_full_map_writes_the_winners_letters() -> None:
    figure = checked(figures.regimes(FULL))
    assert letters(figure) == ["P", "1", "A", "P", "A", "A"]
    legend = [trace.name for trace in figure.data if trace.showlegend]
    assert legend == ["A  Adaptive", "1  Config. 1", "P  Priv. unigram"]


def test_regimes_clear_winner_has_its_full_color() -> None:
    shades = shades_of(checked(figures.regimes(FULL)))  # 0.1 against 0.4, the last of the cells
    assert shades[-1] == method_colour("adaptive")


@pytest.mark.parametrize("dark", [False, True])
def test_regimes_narrow_winner_has_a_weaker_color(dark) -> None:
    errors = {(0, 0): 0.42, (0, 1): 0.5, (0, 2): 0.79, (1, 0): 0.81}
    cells = {place: cell(0.4, error, 1.0) for place, error in errors.items()}
    shades = shades_of(checked(figures.regimes(made(cells)), dark=dark))[:4]
    ground = theme.GROUND.on(dark=dark)
    contrasts = [theme.contrast(shade, ground) for shade in shades]
    assert contrasts == sorted(contrasts)
    assert len(set(shades)) == 4
    assert shades[3] == theme.softened(method_colour("adaptive")).on(dark=dark)


def test_regimes_colors_on_the_dark_page_are_less_saturated_than_the_palette() -> None:
    def saturation(color: str) -> float:
        channels = [int(color[i : i + 2], 16) for i in (1, 3, 5)]
        return (max(channels) - min(channels)) / 255

    for color in theme.PALETTE:
        soft = theme.softened(color)
        assert soft == color, "the light page keeps its colors"
        assert saturation(soft.dark) <= 0.6 * saturation(color) + 0.1
        assert theme.contrast(soft.dark, theme.GROUND.dark) >= 2


def test_regimes_cells_without_topics_are_gray() -> None:
    shades = shades_of(checked(figures.regimes(FULL)))
    assert shades[0] == shades[3] != method_colour("private-unigram")


def test_regimes_letters_are_readable_on_every_shade() -> None:
    methods = ("config-1/corrected", "config-2/corrected", "refined", "adaptive/corrected")
    colors = [method_colour(method) for method in methods]
    for dark in (False, True):
        for color in (*colors, *map(theme.darkened, colors)):
            for strength in (0.3, 0.52, 0.76, 1.0):
                shade = theme.mixed(color, strength)
                code = shade.on(dark=dark) if isinstance(shade, theme.Shade) else shade
                assert theme.contrast(theme.ink_on(code), code) > 4.5


def test_regimes_contour_passes_where_the_least_error_has_its_level() -> None:
    cells = {
        place: cell(error, 0, 1.9)
        for place, error in zip(CELLS, (1.6, 0.8, 0.3, 0.9, 0.4, 0.2), strict=True)
    }
    figure = checked(figures.regimes(made(cells)))
    contours = {trace.name: trace for trace in figure.data if trace.type == "contour"}
    assert list(contours) == ["error 0.5", "error 1"], "no cell is as good as 0.1"
    assert np.array(contours["error 1"].z).tolist() == [[1.6, 0.8, 0.3], [0.9, 0.4, 0.2]]
    assert contours["error 0.5"].contours.start == contours["error 0.5"].contours.end == 0.5
    assert len({contour.line.dash for contour in contours.values()}) == 2
    assert all(contour.contours.showlabels for contour in contours.values())


def test_regimes_of_two_calibrations_differ_by_letter_with_color() -> None:
    methods = ("config-1/corrected", "config-1/as published", "private-unigram")
    cells = (cell(0.1, 0.4, 1.0), cell(0.4, 0.1, 1.0), cell(1.2, 1.3, 1.0)) * 2
    figure = checked(figures.regimes(RegimeMap(GRID, methods, cells)))
    assert letters(figure)[:3] == ["1", "1*", "P"]
    corrected, published = shades_of(figure)[:2]
    assert theme.contrast(corrected, published) > 1.5


def test_cells_that_are_left_out_are_not_empty() -> None:
    figure = checked(figures.regimes(PART))
    assert letters(figure) == ["P", "×", "×", "×", "×", "A"]
    assert "not predicted" in hover(figure)[1]
    for regime_map in (FULL, PART, NOTHING):
        assert "NaN" not in checked(figures.regimes(regime_map, here=HERE)).to_json(), (
            "which JSON cannot hold"
        )
    assert "Configuration 1: refused" in hover(figure)[0]
    assert "Adaptive: 1.1 (0.99 to 1.2)" in hover(figure)[0]
    assert letters(checked(figures.regimes(made({(0, 0): NEAR})))) == ["?", *["×"] * 5]


@pytest.mark.parametrize("dark", [False, True])
def test_experiment_is_marked_where_it_is(dark) -> None:
    figure = checked(figures.regimes(FULL, here=HERE), dark=dark)
    cross = next(trace for trace in figure.data if trace.name == "your experiment")
    assert cross.x[0] == pytest.approx(
        math.log10(3)
    )  # between the first and the second of values ten times apart
    assert cross.y[0] == pytest.approx(1)
    assert cross.marker.line.color == theme.INK.on(dark=dark)
    far = checked(figures.regimes(FULL, here=HERE.moved(Axis.DOCUMENTS, 10_000_000)))
    assert all(trace.name != "your experiment" for trace in far.data)


def test_axes_carry_few_values() -> None:
    assert list(checked(figures.regimes(FULL)).layout.xaxis.ticktext) == ["1k", "10k", "100k"]
    wide_grid = Grid(HERE, Axis.ALPHA0, Axis.EPSILON, Axis.ALPHA0.values(0.01, 10, 13), (0.1, 1.0))
    assert len(checked(figures.regimes(made({}, wide_grid))).layout.xaxis.tickvals) <= 6


@pytest.mark.parametrize("dark", [False, True])
def test_letters_of_a_map_have_halos_of_their_cells_colors(dark) -> None:
    cells, *other_traces = figures.regimes(PART).spec(dark=dark)["data"]
    halos = next(trace for trace in other_traces if trace["name"] == "letters")["textfont"][
        "shadow"
    ]
    color_by_number = {start: color for start, color in cells["colorscale"][::2]}
    n_colors = len(color_by_number)
    for (row, column), halo in zip(CELLS, halos, strict=True):
        if (row, column) in ((0, 0), (1, 2)):
            cell_color = color_by_number[cells["z"][row][column] / n_colors]
            assert halo.count(cell_color) > 4
