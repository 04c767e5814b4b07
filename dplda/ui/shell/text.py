"""Text that several pages share: from outside, as text whatever it looks like; and what a sensitivity says."""

import re

from dplda.privacy.release import Status

_SPECIAL = re.compile(r"([!-/:-@\[-`{-~])")


def literal(text: str) -> str:
    """Escape a file name, a message or any other text so that Markdown shows it as it is, on one line."""
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))


def sensitivity_means(status: Status, unit: str) -> str:
    """What a sensitivity says of a document or a person, where a method has this status: a theorem, or a claim."""
    if status is Status.AS_PUBLISHED:
        return (
            f"how far one replaced {unit} moves it as the paper has it, which is not proven: where Proofs has a"
            f" counterexample one {unit} moves it further"
        )
    return f"how far one replaced {unit} can move it"
