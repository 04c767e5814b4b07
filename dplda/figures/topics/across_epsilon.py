"""Topics across ε as small multiples: a row a method or a topic, a column a value of ε."""

import html
from collections.abc import Sequence
from dataclasses import dataclass

from dplda.core.types import Vector
from dplda.figures import theme

STRONGEST = 0.38  # opacity of the ground of a topic's most probable word: ink stays readable
RIGHT_GROUND = theme.PRIVATE  # color behind a word of the topic
WRONG_GROUND = theme.PALETTE[1]  # color behind any other word
FOUND = "✓"
NOT_FOUND = "✗"
MAX_LETTERS = 12  # of a word


@dataclass(frozen=True, slots=True)
class ShownWord:
    """A word of a topic in one cell.

    Attributes:
        text: the word.
        strength: its probability over the largest one of the topic as it should be, in [0, 1].
        is_right: whether it belongs to the topic.
    """

    text: str
    strength: float
    is_right: bool

    @property
    def tag(self) -> str:
        """HTML element of the word: bold if it belongs to the topic, else italic."""
        return "b" if self.is_right else "i"


@dataclass(frozen=True, slots=True, eq=False)
class RightTopic:
    """A topic as it should be.

    Attributes:
        words: shape (d,), on the simplex.
        leading_words: indices of its words: a word of a topic is right if it is one of these.
    """

    words: Vector
    leading_words: frozenset[int]


@dataclass(frozen=True, slots=True)
class AcrossCell:
    """One topic at one ε.

    Attributes:
        words: the leading ones, first; empty where there is no topic.
        note: its error, or why there is no topic; empty for none.
        is_found: whether the topic is readable.
    """

    words: tuple[ShownWord, ...]
    note: str = ""
    is_found: bool = False


@dataclass(frozen=True, slots=True)
class AcrossRow:
    """A row of cells.

    Attributes:
        title: of the method, or of the topic.
        cells: one for each column.
    """

    title: str
    cells: tuple[AcrossCell, ...]


def shown_words(
    words: Vector,
    leading_words: Sequence[int],
    right: RightTopic | None,
    vocabulary: Sequence[str],
) -> tuple[ShownWord, ...]:
    """The leading words of a topic, each with its strength and whether it is right.

    Strength is measured by the largest probability of the right topic, or of the topic itself where
    that is unknown; it is at most 1. A word is right if it describes the right topic, too.

    Args:
        words: shape (d,), the topic.
        leading_words: indices of the words that describe it, the best first.
        right: the topic as it should be; None where unknown, so that every word is right.
        vocabulary: the d words.
    """
    strongest_topic = words
    if right is not None:
        strongest_topic = right.words
    full_strength = float(strongest_topic.max())
    return tuple(
        ShownWord(
            text=vocabulary[word_id],
            strength=min(1.0, float(words[word_id]) / full_strength),
            is_right=right is None or word_id in right.leading_words,
        )
        for word_id in leading_words
    )


def across_epsilon(
    rows: Sequence[AcrossRow], columns: Sequence[str], *, label: str, in_lines: bool = False
) -> str:
    """The small multiples as an HTML table; on a phone each cell has a line of its own.

    Roles are written out, since a style that draws lines takes those of a table away. A cell knows
    the title of its column, which stands before it there.

    Args:
        rows: methods or topics.
        columns: titles of the columns, such as ``ε = 1``.
        label: the table in a few words, for readers that do not see it.
        in_lines: whether the words of a cell stand in a line, not below each other.
    """
    css_class = "across in-lines" if in_lines else "across"
    headings = "".join(
        f'<th scope="col" role="columnheader">{html.escape(title)}</th>' for title in columns
    )
    body = "".join(_draw_row(row, columns) for row in rows)
    escaped_label = html.escape(label, quote=True)
    return (
        f'<div class="{css_class}" role="region" tabindex="0" aria-label="{escaped_label}">'
        f'<table role="table"><thead role="rowgroup"><tr role="row"><td role="cell"></td>{headings}'
        f'</tr></thead><tbody role="rowgroup">{body}</tbody></table></div>'
    )


def _draw_row(row: AcrossRow, columns: Sequence[str]) -> str:
    """A row of the table, with its title as a heading."""
    cells = "".join(
        _draw_cell(cell, column) for cell, column in zip(row.cells, columns, strict=False)
    )
    title = html.escape(row.title)
    return f'<tr role="row"><th scope="row" role="rowheader">{title}</th>{cells}</tr>'


def _draw_cell(cell: AcrossCell, column: str) -> str:
    """The words of a cell, then its note."""
    words = "".join(_draw_word(word) for word in cell.words)
    column_title = html.escape(column, quote=True)
    return f'<td role="cell" data-column="{column_title}">{words}{_draw_note(cell)}</td>'


def _draw_note(cell: AcrossCell) -> str:
    """A cell's note in small print, marked as found or not if there are words; empty for none."""
    if not cell.note:
        return ""
    note = html.escape(cell.note)
    if not cell.words:
        return f"<small>{note}</small>"
    mark = FOUND if cell.is_found else NOT_FOUND
    return f"<small>{mark} {note}</small>"


def _draw_word(word: ShownWord) -> str:
    """HTML of a word, bold if right, else italic, on a ground as opaque as its strength.

    Right and wrong words have grounds of different color. A word beyond ``MAX_LETTERS`` is cut.
    """
    text = html.escape(theme.shortened(word.text, MAX_LETTERS))
    ground = RIGHT_GROUND if word.is_right else WRONG_GROUND
    colour = theme.faint(ground, round(STRONGEST * word.strength, 2))
    return f'<{word.tag} style="background:{colour}">{text}</{word.tag}>'
