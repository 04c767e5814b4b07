"""Shared look of figures: colors for color-blind readers too, plain text, wrapped titles.

Figures have a transparent ground; the ink follows from the page's shade.
"""

import html
import textwrap

from dplda.evaluation.colours import PALETTE as PALETTE
from dplda.evaluation.colours import UNREADABLE as UNREADABLE
from dplda.evaluation.colours import contrast as contrast
from dplda.evaluation.colours import topic_colour as topic_colour


class Shade(str):
    """A color on the light page that knows its dark counterpart."""

    def __new__(cls, light: str, dark: str) -> "Shade":
        """Both colors, hexadecimal."""
        shade = super().__new__(cls, light)
        shade.dark = dark
        return shade

    dark: str

    def __reduce__(self) -> "tuple[type[Shade], tuple[str, str]]":
        return Shade, (str(self), self.dark)

    def on(self, *, dark: bool) -> str:
        """The color on the light or the dark page."""
        return self.dark if dark else str(self)


INK = Shade("#1a2230", "#e6ebf4")  # text on bars: the theme's gray would be too faint
GROUND = Shade("#ffffff", "#10151f")  # the page's, to cover what lies behind
PRIVATE = PALETTE[0]
EXACT = PALETTE[1]
FLOOR = PALETTE[3]
QUIET = Shade("#5a6474", "#a9b4c6")  # gray text on bars
DARK_GRAY = "#7a8699"  # on the dark page, tones down the colors of large areas
MUTED = "rgba(128,128,128,0.55)"  # readable on both pages: lines and frames only, never text
WHISKER = "#808080"  # error bars, visible on both pages
LONGEST_WORD = 22  # letters of a word
TITLE_LINE = 42  # letters that fit across a phone
NO_BREAK_SPACE = "\u00a0"

SMALL_LETTERS = 12
"""Pixels of letters beside marks, lines and words: the smallest in any figure, as Plotly's own."""
LETTERS = 13
"""Pixels of letters that name a mark, a box or a word."""
ROOM_LETTERS = 14
"""Pixels of the smallest letters where a class reads a figure, as of the page's small print."""
TITLE_LETTERS = 15
"""Pixels of a title's letters, of a figure or of a column in it."""
LARGE_LETTERS = 20
"""Pixels of a question that a figure asks, and of the mark across one for the curator alone."""


def ink_on(colour: str) -> str:
    """Ink of the light or the dark page, whichever contrasts more with a color."""
    dark_ink = GROUND.dark
    light_ink = str(GROUND)
    if contrast(light_ink, colour) > contrast(dark_ink, colour):
        return light_ink
    return dark_ink


def faint(colour: str, opacity: float) -> str:
    """A hexadecimal color made partly transparent.

    Args:
        colour: hexadecimal, such as ``#0072B2``.
        opacity: in [0, 1].
    """
    red, green, blue = _channels(colour)
    return f"rgba({red},{green},{blue},{opacity:g})"


def mixed(color: str, strength: float) -> str:
    """A hexadecimal color mixed with the page's ground, opaque on the light and the dark page.

    Args:
        color: hexadecimal, such as ``#0072B2``, or a ``Shade``.
        strength: the color's part, in (0, 1]; the rest is ground.

    Returns:
        A ``Shade`` with a color for either page; ``color`` itself at strength 1.
    """
    if strength >= 1:
        return color
    dark_color = color.dark if isinstance(color, Shade) else color
    light_color = _blend(color, str(GROUND), strength)
    return Shade(light_color, _blend(dark_color, GROUND.dark, strength))


def softened(color: str) -> Shade:
    """A hexadecimal color for large areas, mixed with gray on the dark page against glare."""
    return Shade(color, _blend(color, DARK_GRAY, 0.55))


def darkened(color: str) -> str:
    """A hexadecimal color halfway to black, for a second form of what has the color."""
    return _blend(color, "#000000", 0.5)


def _blend(color: str, ground: str, strength: float) -> str:
    """A mix of two hexadecimal colors, channel by channel; ``strength`` is the first one's part."""
    mixed_channels = [
        round(strength * channel + (1 - strength) * ground_channel)
        for channel, ground_channel in zip(_channels(color), _channels(ground), strict=True)
    ]
    return "#" + "".join(f"{channel:02x}" for channel in mixed_channels)


def _channels(color: str) -> list[int]:
    """Red, green and blue of a hexadecimal color, each from 0 to 255."""
    channels = [color[1:3], color[3:5], color[5:7]]
    return [int(channel, 16) for channel in channels]


def plain(word: str, most: int = LONGEST_WORD) -> str:
    """A word from a corpus as escaped Plotly text, cut to ``most`` letters.

    Args:
        word: as it is in the corpus.
        most: largest number of letters.
    """
    return html.escape(shortened(word, most), quote=False).replace("$", "&#36;")


def shortened(word: str, most: int = LONGEST_WORD) -> str:
    """A word cut to ``most`` letters, the last of which is then an ellipsis.

    Args:
        word: any text.
        most: largest number of letters.
    """
    if len(word) <= most:
        return word
    return word[: most - 1] + "…"


def title_lines(title: str, most: int = TITLE_LINE) -> list[str]:
    """Lines of a title, at most ``most`` letters each.

    The two sides of an equals sign stay in one line, and so do ε and the word before it.
    Anything longer than a line is cut. An empty title has no lines.

    Args:
        title: any text.
        most: largest number of letters of a line.
    """
    unbreakable_title = title
    for seam in (" = ", " ε"):
        unbreakable_title = unbreakable_title.replace(seam, seam.replace(" ", NO_BREAK_SPACE))
    lines = textwrap.wrap(unbreakable_title, most)
    return [line.replace(NO_BREAK_SPACE, " ") for line in lines]


def above(title: str) -> int:
    """Pixels above a figure's axes: of its title, or a small margin without one."""
    if not title:
        return 4
    return 28 + 20 * len(title_lines(title))
