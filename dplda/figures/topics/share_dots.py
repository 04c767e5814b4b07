"""Shares of one topic by group or over time, as the tables that noise leaves possible.

Each of twenty possible tables is a faint dot in every group, or a faint line over time. A ring is
their mean. Without noise and in truth a share is one mark.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from dplda.core.types import Vector
from dplda.figures import theme
from dplda.figures.drawing import Drawing, Part, scatter
from dplda.figures.figure import Figure

N_DRAWS_SHOWN = 20
ROW_HEIGHT = 36  # pixels, of a group
FOOT = 46  # pixels, of the axis
TIME_HEIGHT = 190  # pixels, of a picture over time
DOT_OPACITY = 0.42
LINE_OPACITY = 0.28
SPREAD = 0.17  # of dots about the height of their ring, in rows
ABOVE, BELOW = 0.14, 0.26  # of dots and rings, and of what they are compared with, in rows
DOUBT_MARK = "?"  # after a group whose share tells nothing
GRAY = "#808080"
LONGEST_NAME = 14  # letters of a group
LONGEST_WORDS = 160  # letters of what a mark says


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ShareOfGroup:
    """A topic's share in one group.

    Attributes:
        group: its name.
        mean: of the possible tables, in [0, 1].
        low: end of the range that nine in ten possible tables hold.
        high: the other end.
        draws: the share in some possible tables, (n,).
        is_vague: whether noise hides how it differs from the other groups.
        noiseless: without any noise; None where unknown.
        truth: None where unknown.
    """

    group: str
    mean: float
    low: float
    high: float
    draws: Vector
    is_vague: bool
    noiseless: float | None = None
    truth: float | None = None

    @property
    def in_words(self) -> str:
        """The share in percent, with what it is compared with."""
        parts = [f"{self.group} {self.mean:.0%} ({100 * self.low:.0f}–{100 * self.high:.0f})"]
        if self.is_vague:
            parts.append("too noisy to compare")
        if self.noiseless is not None:
            parts.append(f"without noise {self.noiseless:.0%}")
        if self.truth is not None:
            parts.append(f"truth {self.truth:.0%}")
        return ", ".join(parts)


def share_dots(
    shares: Sequence[ShareOfGroup],
    *,
    title: str,
    colour: str,
    axis_end: float,
    watermark: str = "",
) -> Figure:
    """Shares of a topic in groups, a row of dots for each.

    Args:
        shares: one for each group, the first on top.
        title: the finding, or the topic.
        colour: of the topic, hexadecimal.
        axis_end: share at the right end, in (0, 1].
        watermark: written across the figure; empty for none.
    """
    drawing = Drawing()
    for is_vague in (False, True):
        rows = [row for row, share in enumerate(shares) if share.is_vague is is_vague]
        xs = [x for row in rows for x in shares[row].draws.tolist()]
        ys = [row - ABOVE + shift for row in rows for shift in _shifts(len(shares[row].draws))]
        dots = {"size": 6, "color": GRAY if is_vague else colour, "opacity": DOT_OPACITY}
        if xs:
            drawing.add(scatter(x=xs, y=ys, mode="markers", marker=dots, hoverinfo="skip"))
    rows = list(range(len(shares)))
    for part in _marks(shares, rows, is_time=False):
        drawing.add(part)
    labels = [_label(share) for share in shares]
    drawing.x(dict(range=[0, axis_end * 1.02], tickformat=".0%", nticks=6, zeroline=False))
    drawing.y(
        dict(
            tickvals=rows,
            ticktext=labels,
            range=[len(shares) - 0.5, -0.5],
            showgrid=False,
            zeroline=False,
            automargin=True,
        )
    )
    drawing.set({"showlegend": False})
    height = theme.above(title) + ROW_HEIGHT * len(shares) + FOOT
    return Figure(title, _alt(title, shares), height, drawing, watermark)


def share_lines(
    shares: Sequence[ShareOfGroup],
    *,
    title: str,
    colour: str,
    axis_end: float,
    watermark: str = "",
) -> Figure:
    """Shares of a topic over time, a line for each possible table.

    Args:
        shares: one for each time, in order.
        title: the finding, or the topic.
        colour: of the topic, hexadecimal.
        axis_end: share at the upper end, in (0, 1].
        watermark: written across the figure; empty for none.
    """
    drawing = Drawing()
    places = list(range(len(shares)))
    line = {"color": theme.faint(colour, LINE_OPACITY), "width": 1.6}
    for draw in range(min((len(share.draws) for share in shares), default=0)):
        ys = [float(share.draws[draw]) for share in shares]
        drawing.add(scatter(x=places, y=ys, mode="lines", line=line, hoverinfo="skip"))
    for part in _marks(shares, places, is_time=True):
        drawing.add(part)
    step = max(1, -(-len(shares) // 4))
    ticks = places[::step]
    names = [theme.plain(shares[place].group, LONGEST_NAME) for place in ticks]
    drawing.x(dict(tickvals=ticks, ticktext=names, showgrid=False, zeroline=False))
    drawing.y(dict(range=[0, axis_end * 1.02], tickformat=".0%", nticks=5, zeroline=False))
    drawing.set({"showlegend": False})
    height = theme.above(title) + TIME_HEIGHT
    return Figure(title, _alt(title, shares), height, drawing, watermark)


def _marks(shares: Sequence[ShareOfGroup], places: Sequence[int], *, is_time: bool) -> list[Part]:
    """Rings at the means, and marks of shares without noise and in truth, where these are known.

    In rows of groups the latter lie below the rings, so that they do not hide each other.
    """
    rings: Part = {
        "symbol": ["circle-x-open" if share.is_vague else "circle-open" for share in shares],
        "size": 8 if is_time else 11,
        "color": [GRAY if share.is_vague else theme.INK for share in shares],
        "line": {"width": 1.8},
    }
    upright = "line-ew-open" if is_time else "line-ns-open"
    ticks: Part = {"symbol": upright, "size": 13, "color": theme.EXACT, "line": {"width": 2.6}}
    diamonds: Part = {"symbol": "diamond", "size": 6 if is_time else 8, "color": theme.INK}
    kinds: tuple[tuple[list[float | None], Part, float], ...] = (
        ([share.mean for share in shares], rings, -ABOVE),
        ([share.noiseless for share in shares], ticks, BELOW),
        ([share.truth for share in shares], diamonds, BELOW),
    )
    words = [theme.plain(share.in_words, LONGEST_WORDS) for share in shares]
    return [
        scatter(
            x=list(places) if is_time else values,
            y=values if is_time else [place + shift for place in places],
            mode="markers",
            marker=marker,
            customdata=words,
            hovertemplate="%{customdata}<extra></extra>",
        )
        for values, marker, shift in kinds
        if any(value is not None for value in values)
    ]


def _label(share: ShareOfGroup) -> str:
    name = theme.plain(share.group, LONGEST_NAME)
    return f"{name} {DOUBT_MARK}" if share.is_vague else name


def _shifts(n_draws: int) -> list[float]:
    """Height of each dot about its row, so that dots do not hide each other."""
    return [
        SPREAD * (2 * (number * 7 % n_draws) / max(n_draws - 1, 1) - 1) for number in range(n_draws)
    ]


def _alt(title: str, shares: Sequence[ShareOfGroup]) -> str:
    return f"{title}. Shares of words: {'; '.join(share.in_words for share in shares)}."
