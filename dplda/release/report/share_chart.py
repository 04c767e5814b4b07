"""Topic shares by group or over time as a picture of possible tables, in HTML without a script.

Each group's share is a cloud of twenty faint dots, one for each of twenty tables that the noisy one
leaves possible; over time they are a sheaf of twenty lines. A page can step through them by style
alone. A share that cannot be told from those of all other groups is gray and says so.
"""

import math
from base64 import b64encode
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from markupsafe import Markup

from dplda.core.types import Matrix, Tensor3
from dplda.figures import theme
from dplda.methods.shares.groups import Groups
from dplda.methods.shares.share_result import TopicShares
from dplda.release.artefact.artefact import Artefact
from dplda.release.report.markup import TEMPLATES
from dplda.release.shares.shares_file import AxisKind, ReleasedShares
from dplda.release.shares.shown_topics import NO_TOPIC_SHOWN, shares_of_shown_topics
from dplda.release.shares.texts import (
    describe_surest,
    describe_topic_change,
    describe_topic_difference,
)

N_DRAWS_SHOWN = 20
DRAW_OPACITY = 0.3  # of a dot or line
DRAW_OPACITY_ON_DARK = 0.5
MIN_LIGHT = 128  # of the red in a color, 0 to 255
MAX_ROWS = 40  # groups drawn in a panel; of more, the largest
LONGEST_LABEL = 16  # letters of a group's name beside its dots
AXIS_STEP = 0.05  # ends of axes are multiples of it
ROW_HEIGHT = 18  # of a group, in units of the picture, like all that follow
WIDTH = 320
LEFT = 118  # where the axis begins, after the names of groups
RIGHT = 308
TIME_LEFT = 34
TIME_HEIGHT = 120
TOP = 8
FOOT = 18  # below the axis
INHERITED = "inherit"  # color of a drawing in a page of our own
CHOSEN_BY_SIZE = "The groups were chosen by size, with noise, as part of the same release."
VAGUE = "the noise hides how it differs from the other groups"


@dataclass(frozen=True, slots=True)
class SharePoint:
    """The share of a topic in one group.

    Attributes:
        group: its name, whole.
        label: its name, shortened.
        x: place of the mean across, as text.
        y: place of the mean down, as text.
        in_words: share and interval, written in percent.
        is_vague: whether the noise hides how it differs from the other groups.
    """

    group: str
    label: str
    x: str
    y: str
    in_words: str
    is_vague: bool


@dataclass(frozen=True, slots=True)
class SharePanel:
    """The shares of one topic, in all groups or in one over time.

    Attributes:
        title: name of the topic, and of the group where there is one panel for each.
        colour: of the topic, in hexadecimal.
        points: one for each group or time.
        draws: for each possible table the places of its shares, ``x,y`` pairs as text.
        is_time: whether groups follow each other in time.
        height: of the panel.
        axis_end: share at the end of the axis, written in percent.
        ends: first and last label of an axis of time; empty without one.
        sentence: the largest difference or change in the panel, counted in the possible tables;
            empty where there is nothing to compare.
    """

    title: str
    colour: str
    points: tuple[SharePoint, ...]
    draws: tuple[tuple[str, ...], ...]
    is_time: bool
    height: int
    axis_end: str
    ends: tuple[str, ...] = ()
    sentence: str = ""


@dataclass(frozen=True, slots=True)
class ShareChart:
    """A table of shares as a page shows it.

    Attributes:
        title: what is shown, such as ``By department``.
        sentence: the surest difference, counted in the possible tables.
        panels: one for each topic, or for each topic and group; empty if no topic has evidence.
        columns: names of the columns of the table of numbers.
        rows: group, size, and each topic's share with its interval.
        promise: the guarantee of the table in words.
        note: what is left out; empty for nothing.
    """

    title: str
    sentence: str
    panels: tuple[SharePanel, ...]
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    promise: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class PanelPicture:
    """A panel as HTML.

    Attributes:
        title: of the panel.
        sentence: of the panel.
        alt: every share in words.
        svg: the drawing, for a page of our own; empty where images stand in its place.
        images: addresses of two images, one that stands still and one that steps through the
            tables; empty for a page of our own.
    """

    title: str
    sentence: str
    alt: str
    svg: Markup
    images: tuple[str, ...] = ()


def render_share_chart(chart: ShareChart, key: str, *, ink: str = "") -> Markup:
    """A chart as HTML with its own style.

    Args:
        chart: to draw.
        key: letters and digits that no other chart of the page has.
        ink: color of letters, for a page that allows no drawings in its HTML: panels are images
            then. Empty for drawings in the color of the text around them.
    """
    template = TEMPLATES.get_template("share_chart.html.jinja")
    pictures = [_picture(panel, ink) for panel in chart.panels]
    return Markup(
        template.render(
            chart=chart,
            pictures=pictures,
            key=key,
            n_draws=N_DRAWS_SHOWN,
            dark_opacity=DRAW_OPACITY_ON_DARK,
        )
    )


def _picture(panel: SharePanel, ink: str) -> PanelPicture:
    """A panel as a drawing that stands still; with a color of ink as two images in it instead.

    One image stands still, the other steps through the possible tables.
    """
    svg = Markup("")
    image_addresses: tuple[str, ...] = ()
    if ink:
        drawings = (_draw_panel(panel, ink, steps=False), _draw_panel(panel, ink, steps=True))
        image_addresses = tuple(_as_address(drawing) for drawing in drawings)
    else:
        svg = _draw_panel(panel, INHERITED, steps=False)
    return PanelPicture(panel.title, panel.sentence, _describe_panel(panel), svg, image_addresses)


def _draw_panel(panel: SharePanel, ink: str, *, steps: bool) -> Markup:
    """Render a panel as SVG markup; every name in it is escaped.

    Args:
        panel: the panel.
        ink: color of text and lines; any but ``INHERITED`` makes it an image of its own.
        steps: whether it steps through the possible tables, else it stands still.
    """
    template = TEMPLATES.get_template("share_panel.svg.jinja")
    drawing = template.render(
        panel=panel,
        describe=_describe_panel,
        ink=ink,
        is_image=ink != INHERITED,
        steps=steps,
        n_draws=N_DRAWS_SHOWN,
        draw_opacity=DRAW_OPACITY_ON_DARK if _is_light(ink) else DRAW_OPACITY,
        width=WIDTH,
        left=LEFT,
    )
    return Markup(drawing)


def _is_light(ink: str) -> bool:
    """Whether letters of this color stand on a dark ground."""
    return ink != INHERITED and int(ink[1:3], 16) >= MIN_LIGHT


def _as_address(drawing: Markup) -> str:
    """A drawing as the address of an image."""
    return f"data:image/svg+xml;base64,{b64encode(str(drawing).encode()).decode()}"


def _describe_panel(panel: SharePanel) -> str:
    """Every share of a panel in words, for readers that do not see it."""
    shares_text = "; ".join(f"{point.group} {point.in_words}" for point in panel.points)
    return f"{panel.title}: {shares_text}"


def share_chart(table: ReleasedShares, topics: Artefact) -> ShareChart:
    """Make the chart of a released table: panels, a sentence, and a table of numbers.

    Topics are those of the rest of the page: with evidence, merged and named as their owner chose.
    If there are none, a sentence says so in place of all numbers. Pictures show the ``MAX_ROWS``
    largest groups; a note says so if there are more, and the chart's table has all of them. The
    sentence is on what it says most surely.

    Args:
        table: the released table.
        topics: the release that it was made with, before its owner's arrangement is applied.
    """
    shown_shares = shares_of_shown_topics(table, topics)
    topic_shares = shown_shares.topic_shares
    if topic_shares is None:
        return ShareChart(
            title=_title(table),
            sentence=NO_TOPIC_SHOWN,
            panels=(),
            columns=(),
            rows=(),
            promise=table.guarantee.in_words(),
        )
    topic_names = shown_shares.names
    topic_colours = [theme.topic_colour(group[0] + 1) for group in shown_shares.topic_groups]
    rows_of_shown_groups = _largest_rows(topic_shares)
    panels = tuple(
        panel
        for topic, (name, colour) in enumerate(zip(topic_names, topic_colours, strict=True))
        for panel in _panels(topic_shares, table.groups, topic, name, colour, rows_of_shown_groups)
    )
    n_groups_not_shown = len(topic_shares.groups) - 1 - len(rows_of_shown_groups)
    return ShareChart(
        title=_title(table),
        sentence=describe_surest(topic_shares, table.groups, topic_names),
        panels=panels,
        columns=("group", f"{table.unit}s, about", *topic_names),
        rows=tuple(_table_rows(topic_shares)),
        promise=table.guarantee.in_words(),
        note=_note(table, n_groups_not_shown),
    )


def _note(table: ReleasedShares, n_left_out: int) -> str:
    """Sentences on groups that were chosen by size, and on groups that the picture leaves out.

    Empty for public lists that are drawn whole.
    """
    sentences = []
    if table.selection is not None:
        sentences.append(CHOSEN_BY_SIZE)
    if n_left_out:
        sentences.append(f"The picture shows the {MAX_ROWS} largest of them.")
    return " ".join(sentences)


def _title(table: ReleasedShares) -> str:
    """Title by the table's axes: the column of groups, or whether dates count by month or year."""
    axis_names = [
        source.column if source.kind is AxisKind.GROUP else source.kind.value
        for source in table.sources
    ]
    return f"By {' and '.join(axis_names)}"


def _largest_rows(shares: TopicShares) -> list[int]:
    """Rows to draw, in their order: all groups but ``other``, or the ``MAX_ROWS`` largest."""
    group_rows = range(len(shares.groups) - 1)
    largest_rows = sorted(group_rows, key=lambda row: -shares.sizes[row])[:MAX_ROWS]
    return sorted(largest_rows)


def _panels(
    shares: TopicShares,
    groups: Groups,
    topic: int,
    name: str,
    colour: str,
    rows_shown: Sequence[int],
) -> Iterator[SharePanel]:
    """Yield the panels of a topic: one for each series in time, or one for all groups.

    A series in time shows all of its rows; ``rows_shown`` counts only for groups without an
    order. A series is named in the title only if groups have a second label.
    """
    if not groups.chains:
        yield _group_panel(shares, rows_shown, topic, name, colour)
        return
    for series_index, rows_in_time in enumerate(groups.chains):
        title = name
        if len(groups.axes) > 1:
            title = f"{name}: {groups.axes[0].labels[series_index]}"
        time_labels = groups.axes[-1].labels
        yield _time_panel(shares, rows_in_time, time_labels, topic, title, colour)


def _group_panel(
    shares: TopicShares, rows: Sequence[int], topic: int, title: str, colour: str
) -> SharePanel:
    """Place shares of a topic in groups without an order: a row of dots for each group.

    A row has one dot for each possible table that is shown, and a point for the estimate. The
    panel's sentence is on the largest difference.
    """
    drawn_shares = _draws_shown(shares.draws)[:, rows, topic]
    axis_end = _axis_end(drawn_shares, shares.shares[rows, topic])
    row_middles = [TOP + ROW_HEIGHT * (row_index + 0.5) for row_index in range(len(rows))]
    share_points = tuple(
        _point(shares, row, topic, x=_across(shares.shares[row, topic], axis_end), y=row_middle)
        for row, row_middle in zip(rows, row_middles, strict=True)
    )
    dot_positions = tuple(
        tuple(
            f"{_across(share, axis_end):.1f},{row_middle + _shift(draw_number):.1f}"
            for share, row_middle in zip(draw, row_middles, strict=True)
        )
        for draw_number, draw in enumerate(drawn_shares)
    )
    height = TOP + ROW_HEIGHT * len(rows) + FOOT
    sentence = describe_topic_difference(shares, topic, rows)
    return SharePanel(
        title,
        colour,
        share_points,
        dot_positions,
        is_time=False,
        height=height,
        axis_end=f"{axis_end:.0%}",
        sentence=sentence,
    )


def _time_panel(
    shares: TopicShares,
    rows: Sequence[int],
    times: Sequence[str],
    topic: int,
    title: str,
    colour: str,
) -> SharePanel:
    """Place shares of a topic over time: a line for each possible table, and the estimate.

    The panel's sentence is on the change from the first time to the last.
    """
    drawn_shares = _draws_shown(shares.draws)[:, list(rows), topic]
    axis_end = _axis_end(drawn_shares, shares.shares[list(rows), topic])
    x_distance = (RIGHT - TIME_LEFT) / max(len(rows) - 1, 1)
    xs = [TIME_LEFT + x_distance * time_index for time_index in range(len(rows))]
    share_points = tuple(
        _point(shares, row, topic, x=x, y=_down(shares.shares[row, topic], axis_end))
        for row, x in zip(rows, xs, strict=True)
    )
    line_positions = tuple(
        tuple(f"{x:.1f},{_down(share, axis_end):.1f}" for x, share in zip(xs, draw, strict=True))
        for draw in drawn_shares
    )
    height = TOP + TIME_HEIGHT + FOOT
    first_and_last_time = (times[0], times[-1])
    return SharePanel(
        title,
        colour,
        share_points,
        line_positions,
        is_time=True,
        height=height,
        axis_end=f"{axis_end:.0%}",
        ends=first_and_last_time,
        sentence=describe_topic_change(shares, topic, rows),
    )


def _draws_shown(draws: Tensor3) -> Tensor3:
    """``N_DRAWS_SHOWN`` of the draws, evenly spaced from the first to the last."""
    places = np.linspace(0, len(draws) - 1, N_DRAWS_SHOWN).astype(int)
    return np.asarray(draws[places])


def _axis_end(draws: Matrix, means: Matrix) -> float:
    """Share at the end of an axis that holds all draws and means."""
    largest = max(float(np.max(draws)), float(np.max(means)))
    return min(1.0, AXIS_STEP * math.ceil(largest / AXIS_STEP))


def _across(share: float, axis_end: float) -> float:
    return LEFT + (RIGHT - LEFT) * share / axis_end


def _down(share: float, axis_end: float) -> float:
    return TOP + TIME_HEIGHT * (1 - share / axis_end)


def _shift(number: int) -> float:
    """A draw's own height in a row, so that its dots do not hide each other."""
    return (number * 7 % N_DRAWS_SHOWN - N_DRAWS_SHOWN / 2) * 0.5


def _point(shares: TopicShares, row: int, topic: int, *, x: float, y: float) -> SharePoint:
    """The point of a topic's mean share in a group, with its text, which says if it is vague.

    ``x`` and ``y`` place it in the panel. Its label is the group's name, shortened if long.
    """
    group_name = shares.groups[row]
    is_vague = bool(shares.is_vague[row, topic])
    share_text = _share_in_words(shares, row, topic)
    return SharePoint(
        group=group_name,
        label=theme.shortened(group_name, LONGEST_LABEL),
        x=f"{x:.1f}",
        y=f"{y:.1f}",
        in_words=f"{share_text}; {VAGUE}" if is_vague else share_text,
        is_vague=is_vague,
    )


def _share_in_words(shares: TopicShares, row: int, topic: int) -> str:
    low, high = shares.interval()
    return (
        f"{shares.shares[row, topic]:.0%}"
        f" ({100 * low[row, topic]:.0f}–{100 * high[row, topic]:.0f})"
    )


def _table_rows(shares: TopicShares) -> Iterator[tuple[str, ...]]:
    """Rows of the table of numbers: group, size, and each topic's share, gray ones in brackets."""
    for row, group in enumerate(shares.groups):
        cells = []
        for topic in range(shares.shares.shape[1]):
            share_text = _share_in_words(shares, row, topic)
            cells.append(f"[{share_text}]" if shares.is_vague[row, topic] else share_text)
        yield group, f"{shares.sizes[row]:,.0f}", *cells
