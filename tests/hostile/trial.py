"""What is tried: a hostile input, by which doors it comes in, and what it is made of; nothing of it is stored."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

CANARY = "zanzibarcanary"
"""A word of every document: it must not come out anywhere."""

LINES = (
    f"wolves hunt deer {CANARY}\ndeer graze snow {CANARY}\nwolves howl deer snow\nsnow deer wolves {CANARY}\n"
    * 3
)
"""Good documents, one a line."""


@dataclass(frozen=True, slots=True)
class Trial:
    """A hostile input.

    Attributes:
        kind: what it is counted under.
        what: its name, unique within its kind.
        make: writes it into an empty folder and says which path to give.
        doors: names of ``entry_points.DOORS``.
        options: further words for a command line.
        settings: of a fit in Python, where that is a door.
        wrong: whether only a refusal will do.
        circumstance: name of one of ``entry_points.CIRCUMSTANCES``, or nothing.
        out: where topics go, seen from the folder.
    """

    kind: str
    what: str
    make: Callable[[Path], str]
    doors: tuple[str, ...] = ("load", "fit", "upload")
    options: tuple[str, ...] = ()
    settings: tuple[tuple[str, float | str], ...] = ()
    wrong: bool = False
    circumstance: str = ""
    out: str = "out/topics.json"


def file(
    kind: str,
    trial_name: str,
    name: str,
    content: bytes | Callable[[], bytes],
    *,
    words: str | None = None,
    options: tuple[str, ...] = (),
) -> Trial:
    """A file of a name; counts come with the list of their ``words``."""

    def make(folder: Path) -> str:
        (folder / name).write_bytes(content if isinstance(content, bytes) else content())
        if words is not None:
            (folder / "vocab.txt").write_text(words, "utf-8", errors="surrogateescape")
        return str(folder / name)

    return Trial(kind, trial_name, make, options=options)
