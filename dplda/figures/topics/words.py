"""Top words of topics in lanes side by side: one block per topic, one bar per word."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dplda.core.formatting import COVERAGE
from dplda.core.types import Vector
from dplda.evaluation.relevance import leading, most_probable
from dplda.figures import theme
from dplda.figures.drawing import Drawing, bar, scatter
from dplda.figures.figure import Figure
from dplda.figures.topics.lanes import Lane, Slot

ROW = 19  # pixels per word
HEADING = 1.35  # rows taken by a topic's heading
GAP = 0.55  # rows between topics
UNSUPPORTED = "no evidence"  # at the lane's ε; more would reach the next lane on a phone
OUTLIER = 3.0  # times the usual longest bar, beyond which a bar is cut at the end of the axis
FOOT = 0.36  # rows from the middle of a bar to its whiskers


def top_words(
    lanes: Sequence[Lane],
    vocabulary: Sequence[str],
    *,
    n_shown: int,
    first: int = 0,
    last: int | None = None,
    watermark: str = "",
) -> Figure:
    """Bars of the most probable words of each topic.

    Args:
        first, last: range of places to draw, so that a long list can be split over two figures.

    Returns:
        Bars on one scale, with whiskers where uncertainty is known; empty places are frames, unsupported topics gray
        and without whiskers, which would make all other bars short.
    """
    places = range(len(lanes[0].slots))[first:last]
    block = HEADING + n_shown + GAP
    bars = [_bars(lane.slots[first:last], n_shown) for lane in lanes]
    spans = (max(one.span) if one.slot.supported else one.length for lane in bars for one in lane)
    largest = _scale(list(spans), bars)
    drawing = Drawing(beside=len(lanes), gap=0.04)
    for column, (lane, shown) in enumerate(zip(lanes, bars, strict=True), start=1):
        _write(drawing, column, -0.75, f"<b>{lane.title}</b>", size=14)
        for position, place in enumerate(places):
            _topic_heading(drawing, column, lane, lane.slots[place], position * block)
            if lane.slots[place].words is None:
                _empty(drawing, column, position * block + HEADING, n_shown, largest, lane.empty)
        _draw(drawing, column, shown, [theme.plain(vocabulary[one.word]) for one in shown])
    for column, (lane, shown) in enumerate(zip(lanes, bars, strict=True), start=1):
        if lane.knows_uncertainty:
            _whiskers(
                drawing,
                column,
                [
                    one
                    for one in shown
                    if one.slot.lower is not None and one.slot.supported and one.length <= largest
                ],
            )
    rows = len(places) * block
    drawing.y(dict(range=[rows - GAP / 2, -1.3], visible=False, fixedrange=True))
    axis = dict(showgrid=False, zeroline=False, showticklabels=False, ticks="", fixedrange=True)
    drawing.x(axis | {"range": [0, largest * 1.08]})
    drawing.set(dict(bargap=0.12, showlegend=False, font_color=theme.INK))
    said = [
        _in_words(lane, slot, vocabulary, n_shown)
        for lane in lanes
        for slot in lane.slots[first:last]
    ]
    return Figure("", " ".join(said), round((rows + 1.3) * ROW) + 16, drawing, watermark)


def _scale(spans: list[float], bars: Sequence[Sequence["_Bar"]]) -> float:
    """Length of the axis: what noise hides sets no scale, nor does one word that is far longer than other topics' first."""
    longest: dict[tuple[int, int], float] = {}
    for column, shown in enumerate(bars):
        for one in shown:
            place = column, one.slot.number
            longest[place] = max(longest.get(place, 0.0), one.length)
    usual = float(np.median(list(longest.values()))) if longest else 1.0
    return min(max(spans, default=1.0), OUTLIER * usual)


def _in_words(lane: Lane, slot: Slot, vocabulary: Sequence[str], n_shown: int) -> str:
    words = _leading(slot, n_shown)
    doubt = "" if slot.supported else f", {UNSUPPORTED}"
    return f"{lane.title}, topic {slot.number}{doubt}: {', '.join(vocabulary[i] for i in words) or lane.empty}."


def _leading(slot: Slot, n_shown: int) -> list[int]:
    if slot.words is None:
        return []
    if slot.scores is None:
        return most_probable(slot.words, n_shown)
    chosen = leading(slot.scores, n_shown)  # by these scores, and shown with the longest bar first
    return sorted(chosen, key=lambda word: -float(slot.words[word]))  # type: ignore[index]


@dataclass(frozen=True, slots=True, eq=False)
class _Bar:
    """One word of a topic; ``length`` is its probability, ``span`` the interval around it."""

    slot: Slot
    rank: int
    word: int
    row: float
    length: float
    span: tuple[float, float]


def _bars(slots: Sequence[Slot], n_shown: int) -> list[_Bar]:
    found = []
    for position, slot in enumerate(slots):
        top = position * (HEADING + n_shown + GAP) + HEADING
        for rank, word in enumerate(_leading(slot, n_shown)):
            length, low, high = (
                _at(values, slot, word) for values in (slot.words, slot.lower, slot.upper)
            )
            found.append(_Bar(slot, rank, word, top + rank, length, (low, high)))
    return found


def _at(values: Vector | None, slot: Slot, word: int) -> float:
    known = slot.words if values is None else values
    assert known is not None
    return float(known[word])


def _whiskers(drawing: Drawing, column: int, bars: Sequence[_Bar]) -> None:
    """Each bar's interval, drawn at its foot so that it crosses no word."""
    under, over = (
        [one.length - one.span[0] for one in bars],
        [one.span[1] - one.length for one in bars],
    )
    ends = {"array": over, "arrayminus": under, "symmetric": False}
    whiskers = scatter(
        x=[one.length for one in bars],
        y=[one.row + FOOT for one in bars],
        mode="markers",
        marker_opacity=0,
        error_x=ends | {"thickness": 1.3, "width": 2.5, "color": theme.WHISKER},
        cliponaxis=False,
        hoverinfo="skip",
        name="whiskers",
    )
    drawing.add(whiskers, panel=column)


def _draw(drawing: Drawing, column: int, shown: Sequence[_Bar], labels: Sequence[str]) -> None:
    rows, hovers = [one.row for one in shown], []
    for one in shown:
        low, high = one.span
        holds = COVERAGE.replace("; ", ";<br>")
        known = (
            "" if one.slot.lower is None else f"<br>interval {low:.4f} to {high:.4f},<br>{holds}"
        )
        doubt = "" if one.slot.supported else f", {UNSUPPORTED}"
        hovers.append(f"{known}<br>topic {one.slot.number}, word {one.rank + 1}{doubt}")
    colours = [
        theme.topic_colour(one.slot.number) if one.slot.supported else theme.UNREADABLE
        for one in shown
    ]
    bars = bar(
        x=[one.length for one in shown],
        y=rows,
        orientation="h",
        width=0.86,
        marker={"color": colours, "opacity": 0.42, "line": {"width": 0}},
        customdata=list(zip(labels, hovers, strict=True)),
        hovertemplate="%{customdata[0]}: probability %{x:.4f}%{customdata[1]}<extra></extra>",
        cliponaxis=True,
    )
    words = scatter(
        x=np.zeros(len(rows)),
        y=rows,
        mode="text",
        text=labels,
        textfont={"size": 13, "color": [_ink(one) for one in shown]},
        textposition="middle right",
        cliponaxis=False,
        hoverinfo="skip",
    )
    drawing.add(bars, words, panel=column)


def _ink(one: _Bar) -> str:
    """Gray for a word that public knowledge brought and the documents do not bear out."""
    return theme.QUIET if one.slot.public is not None and one.slot.public[one.word] else theme.INK


def _topic_heading(drawing: Drawing, column: int, lane: Lane, slot: Slot, row: float) -> None:
    share = f"{slot.overlap:.0%} signal" if lane.shows_overlap and slot.words is not None else ""
    said = share if slot.supported else UNSUPPORTED
    note = f' · <span style="font-size:11px">{said}</span>' if said else ""
    square = f'<span style="color:{theme.topic_colour(slot.number)}">■</span>'
    name = f" · {theme.plain(slot.name)}" if slot.name else ""
    _write(drawing, column, row + 0.35, f"{square} Topic {slot.number}{name}{note}", size=13)


def _empty(
    drawing: Drawing, column: int, row: float, n_shown: int, largest: float, said: str
) -> None:
    box = {"x0": 0, "x1": largest, "y0": row - 0.4, "y1": row + n_shown - 0.6}
    line = {"color": theme.MUTED, "dash": "dot", "width": 1}
    drawing.shape(dict(type="rect", line=line, **box), panel=column)
    _write(drawing, column, row + (n_shown - 1) / 2, said, size=13, x=largest / 2, anchor="center")


def _write(
    drawing: Drawing,
    column: int,
    row: float,
    text: str,
    *,
    size: int,
    x: float = 0.0,
    anchor: str = "left",
) -> None:
    look = dict(xanchor=anchor, font_size=size, align="left", borderpad=0)
    drawing.annotate(dict(text=text, x=x, y=row, **look), panel=column)
