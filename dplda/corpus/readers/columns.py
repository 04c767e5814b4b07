"""Which column or key of a record holds the text."""

import re
from collections.abc import Sequence

from dplda.errors import ReadError

_USUAL = "text"
_PLAIN_NAME = re.compile(r"[^\W\d][\w .-]{0,39}")
_MOST_NAMED = 20


def text_column(source: str, names: Sequence[str], wanted: str | None, row: int) -> int:
    """Find the column that holds the text.

    Args:
        source: name of the file, for the message.
        names: names of the columns.
        wanted: the name asked for; None takes the only column, or one named ``text``.
        row: where the names stand in the file, from 1.

    Returns:
        Position of the column, from 0.

    Raises:
        ReadError: no such column, or several that could be meant. The message lists at most 20 names of at
            most 40 characters, and only what looks like a name: without a header these are documents.
    """
    if wanted is None and len(names) == 1:
        return 0
    name = _USUAL if wanted is None else wanted
    if names.count(name) == 1:
        return names.index(name)
    problem = "several columns have the name" if name in names else "no column has the name"
    plain = [name for name in names if _PLAIN_NAME.fullmatch(name)][:_MOST_NAMED]
    listed = f"Columns: {', '.join(plain)}." if plain else "The first row must hold the names of columns."
    raise ReadError(source, f"{problem} {name!r}", f"Say which column holds the text. {listed}", row=row)
