"""The clock and the tally of a class, as HTML whose style is ``assets/styles/class.css``."""

import html
from collections.abc import Sequence


def class_clock(seconds_left: int, elapsed: float | None) -> str:
    """Draw a clock whose digits move by a style's animation, without a script.

    Args:
        seconds_left: said to those who do not see the digits.
        elapsed: seconds that it has run; None for a clock that stands.
    """
    look = "class-clock"
    style = ""
    if elapsed is not None:
        look = "class-clock running"
        style = f"--elapsed:-{elapsed:.1f}s"
    label = f"{seconds_left} seconds left"
    attributes = f'class="{look}" style="{style}" role="timer" aria-label="{label}"'
    return f"<div {attributes}><b></b><i></i></div>"


def class_tally(options: Sequence[str], hands: Sequence[int], right_index: int) -> str:
    """Draw a bar for each option, as long as its share of all hands.

    Args:
        options: answers in words.
        hands: how many were for each, at least one in all.
        right_index: of the right answer, which is marked.
    """
    rows = []
    for index, (option, count) in enumerate(zip(options, hands, strict=True)):
        style = ""
        mark = ""
        if index == right_index:
            style = ' class="right"'
            mark = "✓ "
        share = f"{100 * count / sum(hands):.0f}%"
        rows.append(
            f"<span{style}>{mark}{html.escape(option)}</span><b>{count}</b>"
            f'<i{style} style="--hands:{share}"></i>'
        )
    return f'<div class="class-tally">{"".join(rows)}</div>'
