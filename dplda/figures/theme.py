"""What all figures share: colours that colour-blind readers can tell apart, plain text, titles in lines.

The ground is never painted: the page's shows through, light or dark. The ink of words follows from which it is.
"""

import html
import textwrap

from dplda.evaluation.colours import PALETTE as PALETTE
from dplda.evaluation.colours import UNREADABLE as UNREADABLE
from dplda.evaluation.colours import contrast as contrast
from dplda.evaluation.colours import topic_colour as topic_colour


class Shade(str):
    """A colour on the light page, which knows what it is on the dark one."""

    def __new__(cls, light: str, dark: str) -> "Shade":
        """Both, hexadecimal."""
        shade = super().__new__(cls, light)
        shade.dark = dark
        return shade

    dark: str

    def __reduce__(self) -> "tuple[type[Shade], tuple[str, str]]":
        return Shade, (str(self), self.dark)

    def on(self, *, dark: bool) -> str:
        """The colour on one of both pages."""
        return self.dark if dark else str(self)


INK = Shade("#1a2230", "#e6ebf4")  # text on bars: the page's own, as the theme's grey would be too faint there
GROUND = Shade("#ffffff", "#10151f")  # the page's, for what has to cover what lies behind it
PRIVATE, EXACT, FLOOR = PALETTE[0], PALETTE[1], PALETTE[3]
MUTED = "rgba(128,128,128,0.55)"  # between both grounds: lines and frames only, never text
WHISKER = "#808080"  # error bars, seen on both grounds
LONGEST_WORD = 22  # letters shown of a word
TITLE_LINE = 42  # letters that fit across a phone


def ink_on(colour: str) -> str:
    """The ground of the dark page or of the light one: whichever is read better on a colour."""
    return max((GROUND.dark, str(GROUND)), key=lambda letters: contrast(letters, colour))


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


def title_lines(title: str, most: int = TITLE_LINE) -> list[str]:
    """A title in lines of so many letters; none ends between a symbol, or a unit, and its value."""
    for seam in (" = ", " %", " ε"):
        title = title.replace(seam, seam.replace(" ", "\u00a0"))
    return [line.replace("\u00a0", " ") for line in textwrap.wrap(title, most)]


def above(title: str) -> int:
    """Pixels that a figure's title takes."""
    return 28 + 20 * len(title_lines(title)) if title else 4
