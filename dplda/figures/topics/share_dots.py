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
ABOVE = 0.14  # of dots and rings, in rows
BELOW = 0.26  # of the shares that they are compared with, in rows
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
        """The group, its share and range in percent, a doubt if vague, and what else is known."""
        range_text = f"{100 * self.low:.0f}–{100 * self.high:.0f}"
        phrases = [f"{self.group} {self.mean:.0%} ({range_text})"]
        if self.is_vague:
            phrases.append("too noisy to compare")
        if self.noiseless is not None:
            phrases.append(f"without noise {self.noiseless:.0%}")
        if self.truth is not None:
            phrases.append(f"truth {self.truth:.0%}")
        return ", ".join(phrases)


def share_dots(
    shares: Sequence[ShareOfGroup],
    *,
    title: str,
    colour: str,
    axis_end: float,
    watermark: str = "",
) -> Figure:
    """Shares of a topic in groups, a row of dots for each; dots of vague shares are gray.

    Args:
        shares: one for each group, the first on top.
        title: the finding, or the topic.
        colour: of the topic, hexadecimal.
        axis_end: share at the right end, in (0, 1].
        watermark: written across the figure; empty for none.
    """
    rows = list(range(len(shares)))
    drawing = Drawing(*_dots_of_tables(shares, colour), *_marks_in_rows(shares, rows))
    drawing.x(dict(range=[0, axis_end * 1.02], tickformat=".0%", nticks=6, zeroline=False))
    drawing.y(
        dict(
            tickvals=rows,
            ticktext=[_group_label(share) for share in shares],
            range=[len(shares) - 0.5, -0.5],
            showgrid=False,
            zeroline=False,
            automargin=True,
        )
    )
    return _share_figure(drawing, shares, title, ROW_HEIGHT * len(shares) + FOOT, watermark)


def share_lines(
    shares: Sequence[ShareOfGroup],
    *,
    title: str,
    colour: str,
    axis_end: float,
    watermark: str = "",
) -> Figure:
    """Shares of a topic over time, a line for each possible table, with marks in front of them.

    Marks are those of every time: the mean, the share without noise and the true one, where known.
    At most four times are labeled.

    Args:
        shares: one for each time, in order.
        title: the finding, or the topic.
        colour: of the topic, hexadecimal.
        axis_end: share at the upper end, in (0, 1].
        watermark: written across the figure; empty for none.
    """
    time_places = list(range(len(shares)))
    drawing = Drawing(
        *_lines_of_tables(shares, time_places, colour), *_marks_over_time(shares, time_places)
    )
    times_between_labels = max(1, -(-len(shares) // 4))
    labeled_places = time_places[::times_between_labels]
    label_texts = [theme.plain(shares[place].group, LONGEST_NAME) for place in labeled_places]
    drawing.x(dict(tickvals=labeled_places, ticktext=label_texts, showgrid=False, zeroline=False))
    drawing.y(dict(range=[0, axis_end * 1.02], tickformat=".0%", nticks=5, zeroline=False))
    return _share_figure(drawing, shares, title, TIME_HEIGHT, watermark)


def _share_figure(
    drawing: Drawing,
    shares: Sequence[ShareOfGroup],
    title: str,
    height_without_title: int,
    watermark: str,
) -> Figure:
    """A drawing of shares without a legend, with every share in its alt text."""
    drawing.set({"showlegend": False})
    shares_in_words = "; ".join(share.in_words for share in shares)
    alt = f"{title}. Shares of words: {shares_in_words}."
    return Figure(title, alt, theme.above(title) + height_without_title, drawing, watermark)


def _dots_of_tables(shares: Sequence[ShareOfGroup], colour: str) -> list[Part]:
    """A dot for each possible table in every row: one trace of clear shares, and one of vague ones.

    A trace without dots is left out.
    """
    traces = []
    for is_vague in (False, True):
        xs: list[float] = []
        ys: list[float] = []
        for row, share in enumerate(shares):
            if share.is_vague is is_vague:
                xs += share.draws.tolist()
                ys += _dot_heights(row, len(share.draws))
        if not xs:
            continue
        dot_colour = GRAY if is_vague else colour
        marker = {"size": 6, "color": dot_colour, "opacity": DOT_OPACITY}
        trace = scatter(x=xs, y=ys, mode="markers", marker=marker, hoverinfo="skip")
        traces.append(trace)
    return traces


def _lines_of_tables(
    shares: Sequence[ShareOfGroup], times: Sequence[int], colour: str
) -> list[Part]:
    """A line over time for each possible table that every time has."""
    n_tables = min((len(share.draws) for share in shares), default=0)
    line_style = {"color": theme.faint(colour, LINE_OPACITY), "width": 1.6}
    traces = []
    for table in range(n_tables):
        ys = [float(share.draws[table]) for share in shares]
        trace = scatter(x=list(times), y=ys, mode="lines", line=line_style, hoverinfo="skip")
        traces.append(trace)
    return traces


@dataclass(frozen=True, slots=True, eq=False)
class _MarkKind:
    """Marks of one kind, one for each share.

    Attributes:
        values: where they are on the axis of shares; None for no mark.
        marker: their look.
        row_shift: of a mark from the middle of a group's row.
    """

    values: list[float | None]
    marker: Part
    row_shift: float


def _mark_kinds(
    shares: Sequence[ShareOfGroup], *, ring_size: int, tick_symbol: str, diamond_size: int
) -> list[_MarkKind]:
    """Rings at the means, ticks at shares without noise and diamonds at true ones.

    Rings at vague means are gray and crossed. A kind of which nothing is known is left out.
    """
    ring_markers: Part = {
        "symbol": [_ring_symbol(share) for share in shares],
        "size": ring_size,
        "color": [_ring_colour(share) for share in shares],
        "line": {"width": 1.8},
    }
    tick_markers: Part = {
        "symbol": tick_symbol,
        "size": 13,
        "color": theme.EXACT,
        "line": {"width": 2.6},
    }
    diamond_markers: Part = {"symbol": "diamond", "size": diamond_size, "color": theme.INK}
    kinds = (
        _MarkKind([share.mean for share in shares], ring_markers, -ABOVE),
        _MarkKind([share.noiseless for share in shares], tick_markers, BELOW),
        _MarkKind([share.truth for share in shares], diamond_markers, BELOW),
    )
    return [kind for kind in kinds if any(value is not None for value in kind.values)]


def _ring_symbol(share: ShareOfGroup) -> str:
    if share.is_vague:
        return "circle-x-open"
    return "circle-open"


def _ring_colour(share: ShareOfGroup) -> str:
    if share.is_vague:
        return GRAY
    return theme.INK


def _marks_in_rows(shares: Sequence[ShareOfGroup], rows: Sequence[int]) -> list[Part]:
    """Marks in the groups' rows: rings in their upper part, the others below them."""
    kinds = _mark_kinds(shares, ring_size=11, tick_symbol="line-ns-open", diamond_size=8)
    return [
        _mark_trace(shares, kind.values, [row + kind.row_shift for row in rows], kind.marker)
        for kind in kinds
    ]


def _marks_over_time(shares: Sequence[ShareOfGroup], times: Sequence[int]) -> list[Part]:
    """Marks over the times."""
    kinds = _mark_kinds(shares, ring_size=8, tick_symbol="line-ew-open", diamond_size=6)
    return [_mark_trace(shares, times, kind.values, kind.marker) for kind in kinds]


def _mark_trace(
    shares: Sequence[ShareOfGroup],
    xs: Sequence[float | None],
    ys: Sequence[float | None],
    marker: Part,
) -> Part:
    """Marks at these places; hovering one shows its share in words, of limited length."""
    return scatter(
        x=list(xs),
        y=list(ys),
        mode="markers",
        marker=marker,
        customdata=[theme.plain(share.in_words, LONGEST_WORDS) for share in shares],
        hovertemplate="%{customdata}<extra></extra>",
    )


def _group_label(share: ShareOfGroup) -> str:
    """A group's name before its row, with a mark of doubt where the share is vague."""
    name = theme.plain(share.group, LONGEST_NAME)
    if share.is_vague:
        return f"{name} {DOUBT_MARK}"
    return name


def _dot_heights(row: int, n_draws: int) -> list[float]:
    """The y coordinate of each dot of a row, spread about its ring; y grows downward.

    The ring is ``ABOVE`` over the row; dots are at most ``SPREAD`` from its height, in rows.
    All heights differ unless ``n_draws`` is a multiple of 7.
    """
    n_steps = max(n_draws - 1, 1)
    heights = []
    for draw_number in range(n_draws):
        level = draw_number * 7 % n_draws
        shift = SPREAD * (2 * level / n_steps - 1)
        heights.append(row - ABOVE + shift)
    return heights
