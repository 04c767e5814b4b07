"""What people call a topic."""

from dplda.core.errors import InputError

LONGEST_NAME = 60  # characters


def named(name: object) -> str | None:
    """A name as it is kept: on one line; None where nothing is left."""
    if name is not None and not isinstance(name, str):
        raise InputError("name of a topic", "a text", f"a value of type {type(name).__name__}")
    kept = " ".join((name or "").split())
    if len(kept) > LONGEST_NAME:
        raise InputError("name of a topic", f"at most {LONGEST_NAME} characters long", f"{len(kept)}")
    return kept or None
