"""Runs with one letter and without it, a dot each: one heap where noise hides the letter, two where it does not."""

from collections import Counter
from collections.abc import Sequence

from dplda.figures import theme
from dplda.figures.drawing import Drawing, scatter
from dplda.figures.figure import Figure

BIN, LAST, TALLEST = 0.15, 27, 25  # columns of dots: how wide, how many on a side, how many dots high
MOST = 300  # dots


def heaps(scores: Sequence[float] | None, was_in: Sequence[bool], *, right: float, beside: str) -> Figure:
    """Each run at the attacker's score, the first ``MOST`` of them.

    Args:
        scores: above 0 where the attacker says that the letter was in; None where every run gives it away.
        was_in: whether it was.
        right: how often the attacker is right.
        beside: what the number compares with, in a few words.
    """
    drawing, high, wrong = Drawing(), Counter[int](), 0
    places: dict[bool, tuple[list[float], list[int]]] = {True: ([], []), False: ([], [])}
    for run, was in enumerate(was_in[:MOST]):
        score = (LAST - len(places[was][0]) // TALLEST) * BIN * (1 if was else -1) if scores is None else scores[run]
        wrong += (score > 0) != was
        column = max(-LAST, min(LAST, round(score / BIN)))
        places[was][0].append(round(column * BIN, 2))
        places[was][1].append(high[column])
        high[column] += 1
    for was, name, colour, symbol in (
        (True, "letter was in", theme.PRIVATE, "circle"),
        (False, "it was not", theme.EXACT, "diamond"),
    ):
        (x, y), hover = places[was], f"a run: {name}<extra></extra>"
        look = {"size": 7, "color": colour, "symbol": symbol}
        drawing.add(scatter(x=x, y=y, mode="markers", name=name, marker=look, hovertemplate=hover))
    drawing.vline(0, dict(color=theme.MUTED, width=1.5, dash="dot"))
    look = {"font": {"size": 13, "color": theme.INK}, "y": 1, "borderpad": 0}
    for side, anchor, says in ((-1, "right", "attacker says: not in"), (1, "left", "attacker says: in")):
        note = dict(text=says, x=0, xanchor=anchor, xshift=8 * side, yref="y domain", yanchor="top")
        drawing.annotate(look | note)
    under = dict(text=beside, x=0, xref="paper", xanchor="left", yref="paper", yanchor="bottom", yshift=8)
    drawing.annotate(look | under)
    title, reach = f"Right {100 * right:.0f} times in 100", (LAST + 1) * BIN
    drawing.x(dict(range=[-reach, reach], showgrid=False, zeroline=False, showticklabels=False, ticks=""))
    drawing.y(dict(range=[-0.7, TALLEST + 6], visible=False, fixedrange=True))
    drawing.set(dict(title_font_size=20, margin_t=64, margin_b=36, legend_y=-0.02, legend_itemclick=False))
    shown = min(MOST, len(was_in))
    return Figure(title, f"{title}, {beside}. Of {shown} runs shown, {wrong} lie on the wrong side.", 380, drawing)
