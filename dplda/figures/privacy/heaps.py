"""Runs with one letter as dots above a line, and runs without it below.

The heaps mirror each other if noise hides the letter.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from dplda.figures import theme
from dplda.figures.drawing import Drawing, scatter
from dplda.figures.figure import Figure

COLUMN_WIDTH = 0.15
"""Score between two columns of dots."""
LAST_COLUMN = 27
"""Number of columns on either side of 0."""
COLUMN_HEIGHT = 10
"""Dots in a column, from which those beyond the last column start the next one inward."""
NEAREST = 0.7
"""Distance from the line to the nearest dot, in dots."""
MAX_DOTS = 300
"""Runs that are drawn."""


def heaps(
    scores: Sequence[float],
    was_in: Sequence[bool],
    *,
    title: str,
    comparison: str,
    names: tuple[str, str],
    sides: tuple[str, str],
    marked_run: tuple[float, str] | None = None,
) -> Figure:
    """Dots at the attacker's score of each run, the first ``MAX_DOTS`` of them.

    Runs with the letter stand above the line, runs without it hang below. Dots of a column are
    stacked; those beyond the last column fill it, then columns inward. The text for those who do
    not see it says how many of these runs are on the wrong side.

    Args:
        scores: above 0 where the attacker says that the letter was in.
        was_in: whether it was in.
        title: the finding, or a question.
        comparison: short text that the finding compares with, below the title.
        names: of the heaps with and without the letter.
        sides: texts right and left of 0.
        marked_run: score and name of one more run, shown as a star above the heaps; None for none.
    """
    stacked_dots = _stack_dots(scores[:MAX_DOTS], was_in[:MAX_DOTS])
    drawing = Drawing()
    _draw_heap(drawing, stacked_dots.above, names[0], colour=theme.PRIVATE, symbol="circle")
    _draw_heap(drawing, stacked_dots.below, names[1], colour=theme.EXACT, symbol="diamond")
    drawing.vline(0, dict(color=theme.MUTED, width=1.5, dash="dot"))
    drawing.hline(0, dict(color=theme.MUTED, width=1))
    _write_sides(drawing, sides, comparison)
    tallest_column = max(COLUMN_HEIGHT, stacked_dots.tallest)
    if marked_run is not None:
        _draw_marked_run(drawing, marked_run, tallest_column)
    axis_end = (LAST_COLUMN + 1) * COLUMN_WIDTH
    hidden_ticks = dict(showgrid=False, zeroline=False, showticklabels=False, ticks="")
    drawing.x(hidden_ticks | {"range": [-axis_end, axis_end]})
    height_range = [-tallest_column - 1, tallest_column + 5]
    drawing.y(dict(range=height_range, visible=False, fixedrange=True))
    drawing.set(
        dict(
            title_font_size=theme.LARGE_LETTERS,
            margin_t=64,
            margin_b=36,
            legend_y=-0.02,
            legend_itemclick=False,
        )
    )
    n_shown = min(MAX_DOTS, len(was_in))
    n_wrong = sum(
        (score > 0) != was_in_run
        for score, was_in_run in zip(scores[:n_shown], was_in[:n_shown], strict=True)
    )
    alt = f"{title}, {comparison}. Of {n_shown} runs shown, {n_wrong} are on the wrong side."
    return Figure(title, alt, 340, drawing)


@dataclass(frozen=True, slots=True)
class _StackedDots:
    """Places of dots in columns.

    Attributes:
        above: places (x, y) of runs with the letter, y > 0.
        below: places (x, y) of runs without it, y < 0.
        tallest: dots in the tallest column, of either side.
    """

    above: list[tuple[float, float]]
    below: list[tuple[float, float]]
    tallest: int


def _stack_dots(scores: Sequence[float], was_in: Sequence[bool]) -> _StackedDots:
    """Stack a dot for each run in the column of its score, outward from the line.

    Runs with the letter stand above it, the others below. Dots beyond the last column fill it to
    ``COLUMN_HEIGHT``, then the columns inward of it.
    """
    above: list[tuple[float, float]] = []
    below: list[tuple[float, float]] = []
    column_heights = Counter[tuple[bool, int]]()
    n_beyond = Counter[tuple[bool, bool]]()
    for score, was_in_run in zip(scores, was_in, strict=True):
        column_number = score / COLUMN_WIDTH
        column = round(max(-LAST_COLUMN, min(LAST_COLUMN, column_number)))
        if abs(score) > (LAST_COLUMN + 1) * COLUMN_WIDTH:
            is_right = score > 0
            columns_inward = n_beyond[was_in_run, is_right] // COLUMN_HEIGHT
            if is_right:
                column -= columns_inward
            else:
                column += columns_inward
            n_beyond[was_in_run, is_right] += 1
        distance_from_line = column_heights[was_in_run, column] + NEAREST
        column_heights[was_in_run, column] += 1
        x = round(column * COLUMN_WIDTH, 2)
        if was_in_run:
            above.append((x, distance_from_line))
        else:
            below.append((x, -distance_from_line))
    tallest = max(column_heights.values(), default=0)
    return _StackedDots(above, below, tallest)


def _draw_heap(
    drawing: Drawing,
    dot_positions: list[tuple[float, float]],
    name: str,
    *,
    colour: str,
    symbol: str,
) -> None:
    """Draw the dots of one heap at their (x, height), with its name in the legend."""
    shown_name = theme.plain(name)
    drawing.add(
        scatter(
            x=[x for x, _ in dot_positions],
            y=[y for _, y in dot_positions],
            mode="markers",
            name=shown_name,
            marker={"size": 7, "color": colour, "symbol": symbol},
            hovertemplate=f"a run: {shown_name}<extra></extra>",
        )
    )


def _write_sides(drawing: Drawing, sides: tuple[str, str], comparison: str) -> None:
    """Write a text at the upper end of either side of 0, and the comparison above the drawing.

    Args:
        drawing: to which the texts are added.
        sides: texts right and left of 0.
        comparison: short text.
    """
    text_style = dict(y=1, borderpad=0, font={"size": theme.LETTERS, "color": theme.INK})
    beside_zero = dict(x=0, yref="y domain", yanchor="top")
    right_text, left_text = sides
    drawing.annotate(text_style | beside_zero | dict(xanchor="left", xshift=8, text=right_text))
    drawing.annotate(text_style | beside_zero | dict(xanchor="right", xshift=-8, text=left_text))
    above = dict(x=0, xref="paper", xanchor="left", yref="paper", yanchor="bottom", yshift=8)
    drawing.annotate(text_style | above | dict(text=comparison))


def _draw_marked_run(drawing: Drawing, marked_run: tuple[float, str], tallest: int) -> None:
    """Draw a star above the heaps, and a line down from it.

    A score beyond the last column is drawn there.
    """
    score, run_name = marked_run
    last_score = LAST_COLUMN * COLUMN_WIDTH
    x = max(-last_score, min(last_score, score))
    line_style = dict(color=theme.INK, width=1.5)
    drawing.shape(dict(type="line", line=line_style, x0=x, x1=x, y0=0, y1=tallest))
    shown_name = theme.plain(run_name)
    drawing.add(
        scatter(
            x=[x],
            y=[tallest + 1],
            mode="markers",
            name=shown_name,
            marker=dict(size=15, color=theme.INK, symbol="star"),
            hovertemplate=f"{shown_name}<extra></extra>",
        )
    )
