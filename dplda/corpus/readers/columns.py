"""Which column or key of a record holds the text."""

from collections.abc import Sequence

from dplda.errors import ReadError

_USUAL = "text"


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
        ReadError: no such column, or several that could be meant. The message counts the columns and names none:
            without a header the names are documents.
    """
    if wanted is None and len(names) == 1:
        return 0
    name = _USUAL if wanted is None else wanted
    if names.count(name) == 1:
        return names.index(name)
    problem = "several columns have the name" if name in names else "no column has the name"
    fix = f"There are {len(names)} columns here; say which one holds the text. The first row must hold their names."
    raise ReadError(source, f"{problem} {name!r}", fix, row=row)
