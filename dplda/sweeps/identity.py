"""Whose results these are: of which sweep, which documents and which code."""

import hashlib
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from dplda.sweeps.spec import Sweep
from dplda.versions import installed_version

PACKAGE = Path(__file__).resolve().parents[1]
NOT_NUMBERS = frozenset(
    {
        "_app",
        "cli.py",
        "figures",
        "launch.py",
        "__main__.py",
        "papers",
        "prediction",
        "run_card.py",
        "settings.py",
        "spreadsheet.py",
        "topic_tables.py",
        "ui",
    }
)
"""Parts of the package that no number of a sweep comes from: a change there leaves results valid."""

OUR_NUMBERS = frozenset(
    {
        *(f"sweeps/{name}.py" for name in ("measure", "prepared", "row", "setting", "sources", "spec")),
        *(f"prediction/{name}.py" for name in ("__init__", "accuracy")),  # the registry of methods holds predictors
    }
)
"""Files of this folder and of parts left out otherwise that a run imports for its numbers."""


@cache
def code_version() -> str:
    """Version of the package, a plus sign and a digest of the sources that numbers come from.

    Computed once a process; results of other code are never taken for those of this one.
    """
    digest = hashlib.sha256()
    for path in numerical_sources():
        digest.update(path.relative_to(PACKAGE).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return f"{installed_version('dplda', 'checkout')}+{digest.hexdigest()[:12]}"


def numerical_sources() -> list[Path]:
    """Files of the package that numbers of a sweep may come from, in a fixed order."""
    found = []
    for path in sorted(PACKAGE.rglob("*.py")):
        place = path.relative_to(PACKAGE).as_posix()
        part = place.split("/")[0]
        if place in OUR_NUMBERS or part not in NOT_NUMBERS | {"sweeps"}:
            found.append(path)
    return found


def identity(sweep: Sweep, contents: Sequence[str]) -> str:
    """SHA-256 in hexadecimal of sweep, documents outside it, and code: results are shared under equal ones only.

    Args:
        sweep: what is computed.
        contents: of every setting's source, as `dplda.sweeps.sources.content_of` tells them.
    """
    parts = [sweep.digest, code_version(), *contents]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()
