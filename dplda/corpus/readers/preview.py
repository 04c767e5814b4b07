"""The first rows of a table, to pick its columns from."""

from dataclasses import dataclass

LONGEST = 80
"""Characters of a cell that are shown."""


@dataclass(frozen=True, slots=True)
class Head:
    """The first rows of a table.

    Attributes:
        names: of the columns, as the file has them.
        rows: the first ones, a text a column.
    """

    names: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def shortened(self) -> tuple[tuple[str, ...], ...]:
        """The rows with long cells cut, on one line each."""
        return tuple(tuple(_short(cell) for cell in row) for row in self.rows)

    def likely_text(self) -> str | None:
        """The column that looks most like documents: one named ``text``, else the one with the longest cells."""
        if "text" in self.names or not self.names:
            return "text" if self.names else None
        lengths = [sum(len(row[column]) for row in self.rows) for column in range(len(self.names))]
        return self.names[lengths.index(max(lengths))]


def _short(cell: str) -> str:
    line = " ".join(cell[: 4 * LONGEST].split())
    return line if len(line) <= LONGEST else line[: LONGEST - 1] + "…"
