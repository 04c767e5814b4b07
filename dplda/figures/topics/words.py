"""Top words of topics, lanes side by side: one block a topic, one bar a word."""

from collections.abc import Sequence

import numpy as np

from dplda.core.formatting import COVERAGE
from dplda.core.types import Vector
from dplda.evaluation.relevance import most_probable
from dplda.figures import theme
from dplda.figures.drawing import Drawing, bar, scatter
from dplda.figures.figure import Figure
from dplda.figures.topics.lanes import Lane, Slot

ROW = 19  # pixels for one word
HEADING = 1.35  # rows taken by a topic's heading
GAP = 0.55  # rows between topics
UNREADABLE = "not readable at this ε"
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
        n_shown: words shown of each topic, at least 1.
        first: index of the first place to draw, so that a long list can be split over two figures.
        last: index after the last place to draw; None for all.

    Returns:
        A figure whose bars all have the same scale, with whiskers where lanes know their uncertainty; places without
        a topic are frames that say so, and topics no further from the unigram than noise are grey.
    """
    places = range(len(lanes[0].slots))[first:last]
    block = HEADING + n_shown + GAP
    largest = max((_largest(lane, places, n_shown) for lane in lanes), default=1.0)
    drawing = Drawing(beside=len(lanes), gap=0.04)
    for column, lane in enumerate(lanes, start=1):
        _write(drawing, column, -0.75, f"<b>{lane.title}</b>", size=14)
        for position, place in enumerate(places):
            _topic_heading(drawing, column, lane, lane.slots[place], position * block)
            if lane.slots[place].words is None:
                _empty(drawing, column, position * block + HEADING, n_shown, largest, lane.empty)
        slots = [lane.slots[place] for place in places]
        _bars(drawing, column, slots, vocabulary, n_shown, block)
    for column, lane in enumerate(lanes, start=1):
        if lane.knows_uncertainty:
            _whiskers(drawing, column, [lane.slots[place] for place in places], n_shown, block)
    rows = len(places) * block
    drawing.y(dict(range=[rows - GAP / 2, -1.3], visible=False, fixedrange=True))
    drawing.x(
        dict(range=[0, largest * 1.08], showgrid=False, zeroline=False, showticklabels=False, ticks="", fixedrange=True)
    )
    drawing.set(dict(bargap=0.12, showlegend=False, font_color=theme.INK))
    alt = _in_words(lanes, places, vocabulary, n_shown)
    return Figure("", alt, round((rows + 1.3) * ROW) + 16, drawing, watermark)


def _in_words(lanes: Sequence[Lane], places: range, vocabulary: Sequence[str], n_shown: int) -> str:
    """Each topic's most probable words, lane by lane."""
    sentences = []
    for lane in lanes:
        for slot in (lane.slots[place] for place in places):
            said = (
                lane.empty
                if slot.words is None
                else ", ".join(vocabulary[i] for i in most_probable(slot.words, n_shown))
            )
            doubt = "" if slot.readable else f", {UNREADABLE}"
            sentences.append(f"{lane.title}, topic {slot.number}{doubt}: {said}.")
    return " ".join(sentences)


def _largest(lane: Lane, places: range, n_shown: int) -> float:
    slots = [lane.slots[place] for place in places]
    return max(
        (float(np.max(_reach(slot, most_probable(slot.words, n_shown)))) for slot in slots if slot.words is not None),
        default=0.01,
    )


def _reach(slot: Slot, shown: list[int]) -> Vector:
    """How far to the right bars and whiskers of the words shown go."""
    assert slot.words is not None
    return (slot.words if slot.upper is None else slot.upper)[shown]


def _whiskers(drawing: Drawing, column: int, slots: Sequence[Slot], n_shown: int, block: float) -> None:
    """From the lower to the upper end of each bar's interval, at its foot, where no word is crossed out."""
    ends, rows, over, under = [], [], [], []
    for position, slot in enumerate(slots):
        if slot.words is None or slot.lower is None or slot.upper is None:
            continue
        for rank, index in enumerate(most_probable(slot.words, n_shown)):
            ends.append(float(slot.words[index]))
            rows.append(position * block + HEADING + rank + FOOT)
            over.append(float(slot.upper[index] - slot.words[index]))
            under.append(float(slot.words[index] - slot.lower[index]))
    whiskers = {"array": over, "arrayminus": under, "symmetric": False, "thickness": 1.3, "width": 2.5}
    drawing.add(
        scatter(
            x=ends,
            y=rows,
            mode="markers",
            marker_opacity=0,
            error_x=whiskers | {"color": theme.WHISKER},
            cliponaxis=False,
            hoverinfo="skip",
            name="whiskers",
        ),
        panel=column,
    )


def _bars(
    drawing: Drawing,
    column: int,
    slots: Sequence[Slot],
    vocabulary: Sequence[str],
    n_shown: int,
    block: float,
) -> None:
    lengths, rows, colours, labels, hovers = [], [], [], [], []
    for position, slot in enumerate(slots):
        if slot.words is None:
            continue
        for rank, index in enumerate(most_probable(slot.words, n_shown)):
            length, label = float(slot.words[index]), theme.plain(vocabulary[index])
            lengths.append(length)
            rows.append(position * block + HEADING + rank)
            colours.append(theme.topic_colour(slot.number) if slot.readable else theme.UNREADABLE)
            labels.append(label)
            known = ""
            if slot.lower is not None and slot.upper is not None:
                low, high = float(slot.lower[index]), float(slot.upper[index])
                known = f"<br>interval {low:.4f} to {high:.4f}:<br>{COVERAGE}"
            doubt = "" if slot.readable else f", {UNREADABLE}"
            hovers.append(f"{known}<br>topic {slot.number}, word {rank + 1}{doubt}")
    bars = bar(
        x=lengths,
        y=rows,
        orientation="h",
        width=0.86,
        marker={"color": colours, "opacity": 0.42, "line": {"width": 0}},
        customdata=list(zip(labels, hovers, strict=True)),
        hovertemplate="%{customdata[0]}: probability %{x:.4f}%{customdata[1]}<extra></extra>",
    )
    words = scatter(
        x=np.zeros(len(rows)),
        y=rows,
        mode="text",
        text=labels,
        textfont={"size": 13, "color": theme.INK},
        textposition="middle right",
        cliponaxis=False,
        hoverinfo="skip",
    )
    drawing.add(bars, panel=column)
    drawing.add(words, panel=column)


def _topic_heading(drawing: Drawing, column: int, lane: Lane, slot: Slot, row: float) -> None:
    share = f" · {slot.overlap:.0%} signal" if lane.shows_overlap and slot.words is not None else ""
    if not slot.readable:
        share = f' · <span style="font-size:11px">{UNREADABLE}</span>'
    square = f'<span style="color:{theme.topic_colour(slot.number)}">■</span>'
    _write(drawing, column, row + 0.35, f"{square} Topic {slot.number}{share}", size=13)


def _empty(drawing: Drawing, column: int, row: float, n_shown: int, largest: float, said: str) -> None:
    drawing.shape(
        dict(
            type="rect",
            x0=0,
            x1=largest,
            y0=row - 0.4,
            y1=row + n_shown - 0.6,
            line={"color": theme.MUTED, "dash": "dot", "width": 1},
        ),
        panel=column,
    )
    _write(drawing, column, row + (n_shown - 1) / 2, said, size=13, x=largest / 2, anchor="center")


def _write(
    drawing: Drawing, column: int, row: float, text: str, *, size: int, x: float = 0.0, anchor: str = "left"
) -> None:
    drawing.annotate(
        dict(text=text, x=x, y=row, xanchor=anchor, font_size=size, align="left", borderpad=0), panel=column
    )
