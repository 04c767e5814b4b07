"""What all figures share: colours that colour-blind readers can tell apart, sizes, plain text, the watermark.

The ground is never painted: the page's shows through, light or dark. The ink of words follows from which it is.
"""

import html
import textwrap

from dplda.evaluation.colours import PALETTE as PALETTE
from dplda.evaluation.colours import UNREADABLE as UNREADABLE
from dplda.evaluation.colours import contrast as contrast
from dplda.evaluation.colours import topic_colour as topic_colour
from dplda.figures.plain import Figure

PRIVATE, EXACT, FLOOR = PALETTE[0], PALETTE[1], PALETTE[3]
MUTED = "rgba(128,128,128,0.55)"  # between both grounds: lines and frames only, never text
WHISKER = "#808080"  # error bars, seen on both grounds
LONGEST_WORD = 22  # letters shown of a word
TITLE_LINE = 42  # letters that fit across a phone


def ink(*, dark: bool) -> str:
    """The colour of text on bars: the page's own, as the theme's grey would be too faint there."""
    return "#e6ebf4" if dark else "#1a2230"


def ground(*, dark: bool) -> str:
    """The colour of the page's ground, for what has to cover what lies behind it."""
    return "#10151f" if dark else "#ffffff"


def ink_on(colour: str) -> str:
    """The ground of the dark page or of the light one: whichever is read better on a colour."""
    return max((ground(dark=True), ground(dark=False)), key=lambda letters: contrast(letters, colour))


def faint(colour: str, opacity: float) -> str:
    """A hexadecimal colour that lets what is behind it through."""
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({red},{green},{blue},{opacity:g})"


def plain(word: str) -> str:
    """A word from a corpus as Plotly text: markup in it is shown, never obeyed."""
    return html.escape(shortened(word)).replace("$", "&#36;")


def shortened(word: str) -> str:
    """A word that fits, however long it is."""
    return word if len(word) <= LONGEST_WORD else word[: LONGEST_WORD - 1] + "…"


def above(title: str) -> int:
    """Pixels that a figure's title takes."""
    return 28 + 20 * len(_lines(title, TITLE_LINE))


def enlarge(figure: Figure, times: float) -> Figure:
    """A figure for a room: letters, marks and height so many times as large, its title in lines that still fit.

    Args:
        figure: made by ``finish``; it is changed.
        times: at least 1.
    """
    figure.enlarge(times)
    layout = figure.layout
    before = str(layout.title.text).split("<br>")
    lines = _lines(" ".join(before), round(TITLE_LINE / times))
    more = round(20 * times) * (len(lines) - len(before))
    height = layout.height + more
    title_y = 1 - times * _down(lines) / height
    return figure.update_layout(
        dict(title_text="<br>".join(lines), title_y=title_y, height=height, margin_t=layout.margin.t + more)
    )


def _lines(title: str, most: int) -> list[str]:
    """A title in lines of so many letters; none ends between a symbol, or a unit, and its value."""
    lines = textwrap.wrap(title.replace(" = ", "\u00a0=\u00a0").replace(" %", "\u00a0%"), most)
    return [line.replace("\u00a0", " ") for line in lines]


def _down(lines: list[str]) -> int:
    """Pixels from the top to a title: the first of several lines is set higher than a lone one."""
    return 6 if len(lines) == 1 else 22


def finish(figure: Figure, *, title: str, height: int, watermark: str = "") -> Figure:
    """Titles, margins and behaviour that every figure has.

    Args:
        watermark: drawn across the figure, for figures that may not leave the curator's hands.
    """
    lines = _lines(title, TITLE_LINE)
    figure.update_layout(
        dict(
            title={"text": "<br>".join(lines), "x": 0, "xanchor": "left", "yanchor": "top", "yref": "container"},
            title_y=1 - _down(lines) / height,
            title_font_size=15,
            height=height,
            margin={"l": 8, "r": 8, "t": above(title), "b": 8},
            uirevision="keep",
            hoverlabel_align="left",
            legend={"orientation": "h", "x": 0, "y": -0.3, "yanchor": "top"},
        )
    )
    if watermark:
        figure.add_annotation(
            dict(
                text=html.escape(watermark),
                x=0.5,
                y=0.5,
                xref="paper",
                yref="paper",
                textangle=-24,
                opacity=0.35,
                font={"size": 22, "color": "#D55E00"},
                name="watermark",
            )
        )
    return figure
