"""Top words of topics in lanes side by side: one block per topic, one bar per word."""

import html
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from dplda.evaluation.relevance import find_leading_words, most_probable
from dplda.figures import theme
from dplda.figures.bar_axis import CUT_MARK, shared_axis_end
from dplda.figures.drawing import Drawing, Part, scatter
from dplda.figures.drawing import bar as horizontal_bars
from dplda.figures.figure import Figure
from dplda.figures.topics.lanes import Lane, Slot
from dplda.methods.denoising.possible_topics import N_POSSIBLE_TOPICS

ROW = 19  # pixels per word
HEADING = 1.35  # rows taken by a topic's heading
BOTTOM_MARGIN = 8  # pixels, of every figure
GAP = 0.55  # rows between topics
TITLE_ROWS = 1.3  # rows above the first topic, for the titles of lanes
TOP_OF_HEADING = -0.15  # upper end of a figure of one topic, in rows
BELOW_LAST_BAR = -0.3  # its lower end, in rows from the last one's
MARGINS = 21  # pixels above and below the rows
UNSUPPORTED = "no evidence"  # at the lane's ε; more would reach the next lane on a phone
AXIS_MARGIN = 1.08  # of the axis's end; the bar that is cut fills it
NARROW_FROM = 3  # lanes, whose headings would touch each other with full notes
LANE_GAP = 0.04  # between lanes, of a figure's width
BAR_OPACITY = 0.42
FAINTEST = 0.25  # part of that opacity, of a word that leads no possible topic


def top_words(
    lanes: Sequence[Lane],
    vocabulary: Sequence[str],
    *,
    n_shown: int,
    n_places: int | None = None,
    watermark: str = "",
) -> Figure:
    """One figure of the leading words of all topics, below each other.

    They are the words with the largest scores where a topic has scores, else its most probable
    ones. The most probable of them stands on top.

    Args:
        vocabulary: the d words.
        n_shown: most words of a topic.
        n_places: number of places drawn, from the first; None for all.
        watermark: written across the figure; empty for none.

    Returns:
        Bars on one scale, paler where a word is in fewer of twenty possible topics among the first
        ten, with that number; empty places are frames, unsupported topics gray and without it.
    """
    bars = _WordBars.of_lanes(lanes, vocabulary, n_shown=n_shown, n_places=n_places)
    return bars.figure(range(bars.n_places), has_titles=True, watermark=watermark)


def topic_bars(
    lanes: Sequence[Lane],
    vocabulary: Sequence[str],
    *,
    n_shown: int,
    n_places: int | None = None,
    watermark: str = "",
) -> tuple[Figure, ...]:
    """A figure of the leading words of each topic, which a page may lay out in columns.

    Words and bars are those of ``top_words``.

    Args:
        vocabulary: the d words.
        n_shown: most words of a topic.
        n_places: number of places drawn, from the first; None for all.
        watermark: written across each figure; empty for none.

    Returns:
        One figure per place, in their order, all of the same height and with the same axis, without
        titles of lanes.
    """
    bars = _WordBars.of_lanes(lanes, vocabulary, n_shown=n_shown, n_places=n_places)
    return tuple(
        bars.figure(range(place, place + 1), has_titles=False, watermark=watermark)
        for place in range(bars.n_places)
    )


def lane_titles(lanes: Sequence[Lane]) -> Figure:
    """Titles of lanes in a row, each over its panel.

    They are for ``static_html``, above figures of one topic.
    """
    panel_width = (1 - LANE_GAP * (len(lanes) - 1)) / len(lanes)
    drawing = Drawing()
    for lane_index, lane in enumerate(lanes):
        drawing.annotate(
            dict(
                text=f"<b>{html.escape(lane.title)}</b>",
                x=lane_index * (panel_width + LANE_GAP),
                xanchor="left",
                y=1,
                yanchor="top",
                font={"size": theme.TITLE_LETTERS, "color": theme.INK},
            )
        )
    drawing.x(dict(range=[0, 1]))
    drawing.y(dict(range=[0, 1]))
    alt = f"Side by side: {', '.join(lane.title for lane in lanes)}"
    height = theme.above("") + BOTTOM_MARGIN + theme.TITLE_LETTERS
    return Figure("", alt, height, drawing)


def has_cut_bars(lanes: Sequence[Lane], *, n_shown: int, n_places: int | None = None) -> bool:
    """Whether something goes on beyond the axis that the bars of these places share.

    Args:
        n_shown: most words of a topic.
        n_places: number of places drawn, from the first; None for all.
    """
    bars = _WordBars.of_lanes(lanes, (), n_shown=n_shown, n_places=n_places)
    return any(bars.is_cut(bar) for lane_bars in bars.bars for bar in lane_bars)


@dataclass(frozen=True, slots=True, eq=False)
class _Bar:
    """One word of a topic.

    Attributes:
        slot: the topic.
        place: place of the topic in its lane, from 0.
        rank: place of the word in its topic, from 0.
        word: index of the word in the vocabulary.
        length: probability of the word.
    """

    slot: Slot
    place: int
    rank: int
    word: int
    length: float

    @property
    def n_stays(self) -> int | None:
        """In how many of twenty possible topics the word is among the first ten.

        None where that is unknown, or the topic has no evidence.
        """
        if self.slot.stays is None or not self.slot.supported:
            return None
        return int(self.slot.stays[self.word])

    @property
    def opacity(self) -> float:
        """Opacity of the bar: the fewer possible topics the word leads, the paler."""
        if self.n_stays is None:
            return BAR_OPACITY
        return bar_opacity(self.n_stays)

    @property
    def ink(self) -> str:
        """Gray for a word that public knowledge brought and the documents do not bear out."""
        if self.slot.public is not None and self.slot.public[self.word]:
            return theme.QUIET
        return theme.INK

    @property
    def colour(self) -> str:
        """The topic's color; gray for a topic without evidence."""
        if not self.slot.supported:
            return theme.UNREADABLE
        return theme.topic_colour(self.slot.number)


@dataclass(frozen=True, slots=True, eq=False)
class _PlacedBar:
    """A bar, and its row in a figure."""

    bar: _Bar
    row: float


@dataclass(frozen=True, slots=True, eq=False)
class _WordBars:
    """The bars of all places and lanes, and the axis that they share.

    Attributes:
        lanes: the fits or truths that are compared, side by side.
        vocabulary: the words; empty where nothing is drawn.
        n_shown: most words of a topic.
        n_places: number of places that are drawn.
        bars: bars of each lane, in the order of places.
        axis_end: probability at which the shared axis ends.
    """

    lanes: Sequence[Lane]
    vocabulary: Sequence[str]
    n_shown: int
    n_places: int
    bars: tuple[tuple[_Bar, ...], ...]
    axis_end: float

    @classmethod
    def of_lanes(
        cls,
        lanes: Sequence[Lane],
        vocabulary: Sequence[str],
        *,
        n_shown: int,
        n_places: int | None,
    ) -> "_WordBars":
        """Choose the words of each topic, and the end of the axis that all bars share.

        Args:
            lanes: all with the same number of places.
            vocabulary: the words; empty where nothing is drawn.
            n_shown: most words of a topic.
            n_places: number of places, from the first; None for all.
        """
        slots_of_lanes = [lane.slots[:n_places] for lane in lanes]
        bars = tuple(tuple(_bars_of(slots, n_shown)) for slots in slots_of_lanes)
        every_bar = [bar for lane_bars in bars for bar in lane_bars]
        first_bar_lengths = [bar.length for bar in every_bar if bar.rank == 0]
        longest_length = max((bar.length for bar in every_bar), default=1.0)
        return cls(
            lanes=lanes,
            vocabulary=vocabulary,
            n_shown=n_shown,
            n_places=len(slots_of_lanes[0]),
            bars=bars,
            axis_end=shared_axis_end(first_bar_lengths, longest_length),
        )

    def is_cut(self, bar: _Bar) -> bool:
        """Whether a bar goes on beyond the axis."""
        return bar.length > self.axis_end

    def figure(self, places: range, *, has_titles: bool, watermark: str) -> Figure:
        """Draw the bars of some places, a panel for each lane, with headings and frames.

        A frame stands where a lane has no topic. The figure has no title; its text, for those who
        do not see it, describes each place of each lane.

        Args:
            places: the places that are drawn, from 0.
            has_titles: whether the lanes' titles stand above them.
            watermark: written across the figure; empty for none.
        """
        drawing = Drawing(n_panels=len(self.lanes), gap=LANE_GAP)
        for panel, lane in enumerate(self.lanes, start=1):
            if has_titles:
                _write(drawing, panel, -0.75, f"<b>{lane.title}</b>", size=theme.TITLE_LETTERS)
            self._draw_headings(drawing, panel, places)
        self._draw_bars(drawing, places)
        n_rows = len(places) * self._block_rows
        top_row = TOP_OF_HEADING
        bottom_row = n_rows - GAP + BELOW_LAST_BAR
        if has_titles:
            top_row = -TITLE_ROWS
            bottom_row = n_rows - GAP / 2
        drawing.y(dict(range=[bottom_row, top_row], visible=False, fixedrange=True))
        bare_axis = dict(
            showgrid=False, zeroline=False, showticklabels=False, ticks="", fixedrange=True
        )
        drawing.x(bare_axis | {"range": [0, self.axis_end * AXIS_MARGIN]})
        drawing.set(dict(bargap=0.12, showlegend=False, font_color=theme.INK))
        descriptions = []
        for lane in self.lanes:
            for place in places:
                descriptions.append(self._describe(lane, lane.slots[place]))
        alt = " ".join(descriptions)
        height = round((bottom_row - top_row) * ROW) + MARGINS
        return Figure("", alt, height, drawing, watermark)

    def _draw_bars(self, drawing: Drawing, places: range) -> None:
        """Draw the bars of all lanes with their words, then triangles at those that are cut.

        A lane without a cut bar gets no trace of triangles.
        """
        placed_bars = [self._placed_bars(lane_bars, places) for lane_bars in self.bars]
        for panel, bars in enumerate(placed_bars, start=1):
            words = [self.vocabulary[placed_bar.bar.word] for placed_bar in bars]
            labels = [theme.plain(word) for word in words]
            bar_trace = _bar_trace(bars, labels)
            label_trace = self._label_trace(bars, labels)
            drawing.add(bar_trace, label_trace, panel=panel)
        for panel, bars in enumerate(placed_bars, start=1):
            has_cut_bar = any(self.is_cut(placed_bar.bar) for placed_bar in bars)
            if has_cut_bar:
                drawing.add(self._cut_trace(bars), panel=panel)

    def _draw_headings(self, drawing: Drawing, panel: int, places: range) -> None:
        """Write a heading for each place of a lane, and a frame where it has no topic."""
        lane = self.lanes[panel - 1]
        is_narrow = len(self.lanes) >= NARROW_FROM
        for position, place in enumerate(places):
            slot = lane.slots[place]
            row = position * self._block_rows
            text = _heading(lane, slot, is_narrow=is_narrow)
            _write(drawing, panel, row + 0.35, text, size=theme.LETTERS)
            if slot.words is None:
                self._draw_empty(drawing, panel, row + HEADING, lane.empty)

    def _placed_bars(self, bars: Sequence[_Bar], places: range) -> list[_PlacedBar]:
        """Bars of the chosen places, each with its row in the figure."""
        placed_bars = []
        for bar in bars:
            if bar.place not in places:
                continue
            first_row = (bar.place - places.start) * self._block_rows + HEADING
            placed_bars.append(_PlacedBar(bar, first_row + bar.rank))
        return placed_bars

    def _label_trace(self, bars: Sequence[_PlacedBar], labels: Sequence[str]) -> Part:
        """Words written on their bars, each followed by the note on what its bar does not show."""
        texts = [
            f"{label}{self._note(placed_bar.bar)}"
            for placed_bar, label in zip(bars, labels, strict=True)
        ]
        return scatter(
            x=np.zeros(len(bars)),
            y=[placed_bar.row for placed_bar in bars],
            mode="text",
            text=texts,
            textfont={"size": theme.LETTERS, "color": [placed_bar.bar.ink for placed_bar in bars]},
            textposition="middle right",
            cliponaxis=False,
            hoverinfo="skip",
        )

    def _note(self, bar: _Bar) -> str:
        """HTML behind a word: the probability of a cut bar, and ``bar.n_stays`` of twenty.

        ``n_stays`` is left out where it is twenty or unknown. Empty if neither is written.
        """
        probability = ""
        if self.is_cut(bar):
            probability = f" · {bar.length:.2g}"
        if bar.n_stays is None or bar.n_stays == N_POSSIBLE_TOPICS:
            return probability
        led_topics = f"{bar.n_stays}/{N_POSSIBLE_TOPICS}"
        return f'{probability} <span style="font-size:{theme.SMALL_LETTERS}px">{led_topics}</span>'

    def _cut_trace(self, bars: Sequence[_PlacedBar]) -> Part:
        """A triangle at the end of each bar that goes on beyond the axis."""
        cut_rows = [placed_bar.row for placed_bar in bars if self.is_cut(placed_bar.bar)]
        middle_of_margin = self.axis_end * (1 + AXIS_MARGIN) / 2
        return scatter(
            x=[middle_of_margin] * len(cut_rows),
            y=cut_rows,
            mode="markers",
            marker={"symbol": "triangle-right", "size": 9, "color": theme.INK},
            cliponaxis=False,
            hoverinfo="skip",
            name=f"cut {CUT_MARK}",
        )

    @property
    def _block_rows(self) -> float:
        """Rows that a place takes."""
        return HEADING + self.n_shown + GAP

    def _draw_empty(self, drawing: Drawing, panel: int, top_row: float, message: str) -> None:
        """Draw a dotted frame in the place of a topic that is not there, with a message in it."""
        box = {
            "x0": 0,
            "x1": self.axis_end,
            "y0": top_row - 0.4,
            "y1": top_row + self.n_shown - 0.6,
        }
        frame_style = {"color": theme.MUTED, "dash": "dot", "width": 1}
        drawing.shape(dict(type="rect", line=frame_style, **box), panel=panel)
        middle_row = top_row + (self.n_shown - 1) / 2
        middle_x = self.axis_end / 2
        _write(drawing, panel, middle_row, message, size=theme.LETTERS, x=middle_x, anchor="center")

    def _describe(self, lane: Lane, slot: Slot) -> str:
        """The words of one topic, or why there are none, for those who do not see the figure."""
        word_ids = _chosen_words(slot, self.n_shown)
        words = ", ".join(self.vocabulary[word] for word in word_ids)
        topic = f"{lane.title}, topic {slot.number}{_doubt(slot)}"
        return f"{topic}: {words or lane.empty}."


def _bars_of(slots: Sequence[Slot], n_shown: int) -> Iterator[_Bar]:
    """Bars of the words shown of each topic, in the order of places; none for an empty place."""
    for place, slot in enumerate(slots):
        for rank, word in enumerate(_chosen_words(slot, n_shown)):
            assert slot.words is not None  # else it has no words to choose
            length = float(slot.words[word])
            yield _Bar(slot, place, rank, word, length)


def _chosen_words(slot: Slot, n_shown: int) -> list[int]:
    """Ids of the words shown of a topic, the most probable first; none for an empty place.

    They are its most probable words, or those with the largest scores if it has scores.
    """
    probabilities = slot.words
    if probabilities is None:
        return []
    if slot.scores is None:
        return most_probable(probabilities, n_shown)
    by_score = find_leading_words(slot.scores, n_shown)
    return sorted(by_score, key=lambda word: -float(probabilities[word]))


def _bar_trace(bars: Sequence[_PlacedBar], labels: Sequence[str]) -> Part:
    """Bars as long as the words' probabilities, cut at the axis' end."""
    hover_texts = [_hover_text(placed_bar.bar) for placed_bar in bars]
    colours = [placed_bar.bar.colour for placed_bar in bars]
    opacities = [placed_bar.bar.opacity for placed_bar in bars]
    return horizontal_bars(
        x=[placed_bar.bar.length for placed_bar in bars],
        y=[placed_bar.row for placed_bar in bars],
        orientation="h",
        width=0.86,
        marker={"color": colours, "opacity": opacities, "line": {"width": 0}},
        customdata=list(zip(labels, hover_texts, strict=True)),
        hovertemplate="%{customdata[0]}: probability %{x:.4f}%{customdata[1]}<extra></extra>",
        cliponaxis=True,
    )


def _hover_text(bar: _Bar) -> str:
    """Lines after a bar's word and probability: how stable the word is, and the bar's place.

    The first says how many possible topics have the word among their first ten.
    It is left out where that number is unknown.
    The second has the topic's number, the word's rank from 1, and any doubt about the topic.
    """
    stability_lines = ""
    if bar.n_stays is not None:
        stability_lines = (
            f"<br>among the first ten in {bar.n_stays}<br>of {N_POSSIBLE_TOPICS} possible topics"
        )
    place_line = f"topic {bar.slot.number}, word {bar.rank + 1}{_doubt(bar.slot)}"
    return f"{stability_lines}<br>{place_line}"


def _doubt(slot: Slot) -> str:
    """A remark behind a topic without evidence; empty for any other."""
    if slot.supported:
        return ""
    return f", {UNSUPPORTED}"


def bar_opacity(n_stays: int) -> float:
    """Opacity of a word's bar by the number of possible topics that it leads."""
    return BAR_OPACITY * (FAINTEST + (1 - FAINTEST) * n_stays / N_POSSIBLE_TOPICS)


def _heading(lane: Lane, slot: Slot, *, is_narrow: bool) -> str:
    """A topic's colored square and number, then its name and a note in small print, if any.

    A dot separates the note, unless the heading is narrow.
    """
    square_html = f'<span style="color:{theme.topic_colour(slot.number)}">■</span>'
    heading = f"{square_html} Topic {slot.number}"
    if slot.name:
        heading += f" · {theme.plain(slot.name)}"
    note_text = _heading_note(lane, slot)
    if not note_text:
        return heading
    separator = "" if is_narrow else " ·"
    note_html = f'<span style="font-size:{theme.SMALL_LETTERS}px">{note_text}</span>'
    return f"{heading}{separator} {note_html}"


def _heading_note(lane: Lane, slot: Slot) -> str:
    """That a topic has no evidence, or else its signal share where the lane shows that."""
    if not slot.supported:
        return UNSUPPORTED
    if lane.shows_overlap and slot.words is not None:
        return f"{slot.overlap:.0%} signal"
    return ""


def _write(
    drawing: Drawing,
    panel: int,
    row: float,
    text: str,
    *,
    size: int,
    x: float = 0.0,
    anchor: str = "left",
) -> None:
    """Write a text into a panel, with its anchor at ``x`` and its middle in a row."""
    style = dict(xanchor=anchor, font_size=size, align="left", borderpad=0)
    drawing.annotate(dict(text=text, x=x, y=row, **style), panel=panel)
