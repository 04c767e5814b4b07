"""The clock and the tally of a class, as HTML whose style is ``assets/styles/class.css``."""

import html
from collections.abc import Sequence


def class_clock(seconds_left: int, elapsed: float | None) -> str:
    """HTML of a two-minute clock whose digits come from the style sheet, without a script.

    Args:
        seconds_left: for screen readers only; does not set the digits.
        elapsed: seconds that it has run; None for a clock that stands.
    """
    class_names = "class-clock"
    style = ""
    if elapsed is not None:
        class_names = "class-clock running"
        style = f"--elapsed:-{elapsed:.1f}s"
    label = f"{seconds_left} seconds left"
    attributes = f'class="{class_names}" style="{style}" role="timer" aria-label="{label}"'
    return f"<div {attributes}><b></b><i></i></div>"


def class_tally(options: Sequence[str], hands: Sequence[int], right_index: int) -> str:
    """HTML of a bar for each option, as long as its share of all hands, with the number of hands.

    Args:
        options: answers in words.
        hands: how many were for each, at least one in all.
        right_index: of the right answer, which is marked.
    """
    option_rows = []
    for index, (option, n_hands) in enumerate(zip(options, hands, strict=True)):
        class_attribute = ""
        check_mark = ""
        if index == right_index:
            class_attribute = ' class="right"'
            check_mark = "✓ "
        share_text = f"{100 * n_hands / sum(hands):.0f}%"
        option_rows.append(
            f"<span{class_attribute}>{check_mark}{html.escape(option)}</span><b>{n_hands}</b>"
            f'<i{class_attribute} style="--hands:{share_text}"></i>'
        )
    return f'<div class="class-tally">{"".join(option_rows)}</div>'
