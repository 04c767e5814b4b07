"""Text that several pages share: from outside, as text whatever it looks like; and what a sensitivity says."""

import re

from dplda.privacy.release import Status

_SPECIAL = re.compile(r"([!-/:-@\[-`{-~])")


def literal(text: str) -> str:
    """Escape a file name, a message or any other text so that Markdown shows it as it is, on one line."""
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))


def sensitivity_means(status: Status) -> str:
    """What a sensitivity says where a method has this status: a theorem, or a claim."""
    if status is Status.AS_PUBLISHED:
        return (
            "how far one replaced document moves it as the paper has it, which is not proven: where Proofs has a"
            " counterexample one document moves it further"
        )
    return "how far one replaced document can move it"
