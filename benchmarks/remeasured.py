"""A few rows measured anew among those of an earlier measurement, which would take hours."""

import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

RESULTS = Path(__file__).parent / "results"
Row = TypeVar("Row", bound=Mapping[str, object])


def replace_rows(file: str, new_rows: Iterable[Row], keys: Sequence[str]) -> Iterator[Row]:
    """Yield the stored rows of a file in their order, with new ones in their places.

    New rows that had no place come last.

    Args:
        file: of results, without its ending.
        new_rows: measured anew, all of them before the first row is yielded.
        keys: columns that name a row.
    """
    row_by_key = {}
    for row in new_rows:
        print(json.dumps(row), file=sys.stderr, flush=True)  # it survives an end before the last
        row_by_key[tuple(row[key] for key in keys)] = row
    for stored_row in json.loads((RESULTS / f"{file}.json").read_text("utf-8"))["rows"]:
        yield row_by_key.pop(tuple(stored_row[key] for key in keys), stored_row)
    yield from row_by_key.values()
