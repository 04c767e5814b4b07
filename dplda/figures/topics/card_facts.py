"""The words of a topic and a few numbers, as a card shows them below a picture."""

import html
from collections.abc import Sequence
from dataclasses import dataclass

from dplda.figures import theme
from dplda.figures.topics.across_epsilon import ShownWord


@dataclass(frozen=True, slots=True)
class CardFact:
    """One number of a card.

    Attributes:
        label: its name.
        value: the number.
        note: what it is measured by; empty for none.
    """

    label: str
    value: str
    note: str = ""


def card_facts(words: Sequence[ShownWord], message: str, facts: Sequence[CardFact]) -> str:
    """Words and numbers as HTML: a word is bold where it belongs to the topic, else italic.

    Args:
        words: of the topic, the leading ones first; empty where there is none.
        message: why there are no words; empty where there are some.
        facts: a line each.
    """
    fact_lines = "".join(_draw_fact(fact) for fact in facts)
    words_line = html.escape(message)
    if words:
        words_line = _draw_words(words)
    return f'<div class="card-facts"><p class="words-line">{words_line}</p>{fact_lines}</div>'


def _draw_words(words: Sequence[ShownWord]) -> str:
    """Words in a line, bold or italic; long ones are cut."""
    tags = []
    for word in words:
        text = html.escape(theme.shortened(word.text))
        tags.append(f"<{word.tag}>{text}</{word.tag}>")
    return " ".join(tags)


def _draw_fact(fact: CardFact) -> str:
    """A line with label, value and note, if there is a note."""
    note = ""
    if fact.note:
        note = f" {html.escape(fact.note)}"
    return f"<p>{html.escape(fact.label)} <b>{html.escape(fact.value)}</b>{note}</p>"
