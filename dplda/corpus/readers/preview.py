"""The first rows of a table, to pick its columns from."""

from dataclasses import dataclass

LONGEST = 80
"""Characters of a cell that are shown."""


@dataclass(frozen=True, slots=True)
class Head:
    """The first rows of a table."""

    names: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def shortened(self) -> tuple[tuple[str, ...], ...]:
        """The rows with long cells cut, on one line each."""
        return tuple(tuple(_short(cell) for cell in row) for row in self.rows)


def _short(cell: str) -> str:
    line = " ".join(cell[: 4 * LONGEST].split())
    return line if len(line) <= LONGEST else line[: LONGEST - 1] + "…"
