"""Runs with one letter as dots above a line, and runs without it below: heaps that mirror each other if noise hides it."""

from collections import Counter
from collections.abc import Sequence

from dplda.figures import theme
from dplda.figures.drawing import Drawing, scatter
from dplda.figures.figure import Figure

BIN, LAST, TALLEST = 0.15, 27, 10  # columns of dots: width, number per side, height in dots
NEAREST = 0.7  # of a dot to the line, in dots
MOST = 300  # dots


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
    """Dots at the attacker's score of each run, the first ``MOST`` of them.

    Runs with the letter stand above the line, runs without it hang below.

    Args:
        scores: above 0 where the attacker says that the letter was in.
        was_in: whether it was in.
        title: the finding, or a question.
        beside: short text that the finding compares with.
        names: of the heaps with and without the letter.
        sides: texts right and left of 0.
        seen: score and name of one more run, shown above the heaps.
    """
    drawing = Drawing()
    column_heights = Counter[tuple[bool, int]]()
    n_wrong = 0
    places: dict[bool, tuple[list[float], list[float]]] = {True: ([], []), False: ([], [])}
    beyond = Counter[tuple[bool, bool]]()  # dots beyond the last column go into it
    for run, was in enumerate(was_in[:MOST]):
        score = scores[run]
        n_wrong += (score > 0) != was
        column = round(max(-LAST, min(LAST, score / BIN)))
        if abs(score) > (LAST + 1) * BIN:
            column -= beyond[was, score > 0] // TALLEST * (1 if score > 0 else -1)
            beyond[was, score > 0] += 1
        distance = column_heights[was, column] + NEAREST
        places[was][0].append(round(column * BIN, 2))
        places[was][1].append(distance if was else -distance)
        column_heights[was, column] += 1
    tallest = max(TALLEST, *column_heights.values(), 0)
    for was, name, colour, symbol in (
        (True, names[0], theme.PRIVATE, "circle"),
        (False, names[1], theme.EXACT, "diamond"),
    ):
        (x, y), hover = places[was], f"a run: {theme.plain(name)}<extra></extra>"
        look = {"size": 7, "color": colour, "symbol": symbol}
        drawing.add(
            scatter(
                x=x, y=y, mode="markers", name=theme.plain(name), marker=look, hovertemplate=hover
            )
        )
    drawing.vline(0, dict(color=theme.MUTED, width=1.5, dash="dot"))
    drawing.hline(0, dict(color=theme.MUTED, width=1))
    look = {"font": {"size": 13, "color": theme.INK}, "y": 1, "borderpad": 0}
    for side, anchor, says in ((1, "left", sides[0]), (-1, "right", sides[1])):
        note = dict(text=says, x=0, xanchor=anchor, xshift=8 * side, yref="y domain", yanchor="top")
        drawing.annotate(look | note)
    under = dict(
        text=comparison, x=0, xref="paper", xanchor="left", yref="paper", yanchor="bottom", yshift=8
    )
    drawing.annotate(look | under)
    if marked_run is not None:
        place, name = max(-LAST * BIN, min(LAST * BIN, marked_run[0])), theme.plain(marked_run[1])
        drawing.shape(
            dict(
                type="line",
                line=dict(color=theme.INK, width=1.5),
                x0=place,
                x1=place,
                y0=0,
                y1=tallest,
            )
        )
        ring, hover = dict(size=15, color=theme.INK, symbol="star"), f"{name}<extra></extra>"
        drawing.add(
            scatter(
                x=[place],
                y=[tallest + 1],
                mode="markers",
                name=name,
                marker=ring,
                hovertemplate=hover,
            )
        )
    reach = (LAST + 1) * BIN
    drawing.x(
        dict(range=[-reach, reach], showgrid=False, zeroline=False, showticklabels=False, ticks="")
    )
    drawing.y(dict(range=[-tallest - 1, tallest + 5], visible=False, fixedrange=True))
    drawing.set(
        dict(
            title_font_size=20,
            margin_t=64,
            margin_b=36,
            legend_y=-0.02,
            legend_itemclick=False,
        )
    )
    shown = min(MOST, len(was_in))
    return Figure(
        title,
        f"{title}, {comparison}. Of {shown} runs shown, {n_wrong} are on the wrong side.",
        340,
        drawing,
    )
