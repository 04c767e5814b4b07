"""Stored results of the built-in presets, written by ``python -m benchmarks presets``."""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from dplda.core import assets
from dplda.core.errors import InputError

FORMAT = "dplda preset"
FORMAT_VERSION = 1
_FIX = "Compute it again: python -m benchmarks presets."


@dataclass(frozen=True, slots=True, eq=False)
class Precomputed:
    """A preset's results and their origin; ``computed`` is a day such as 2026-01-31."""

    name: str
    spec: str
    version: str
    computed: str
    seconds: float
    machine: Mapping[str, str]
    frame: pd.DataFrame

    def label(self, *, spec: str | None, version: str) -> str:
        """Origin of the numbers, and whether the current code (``spec``, None if it cannot run) gives the same."""
        machine = f" on {self.machine['processors']} cores" if "processors" in self.machine else ""
        said = f"Computed on {self.computed} by version {self.version} in {self.seconds:.0f} s{machine}."
        if spec is None:
            return said
        if self.spec != spec:
            return said + " The preset has changed since then: run it again."
        if self.version != version:
            return (
                said + f" The code is now {version}: run it again to see whether a number changes."
            )
        return said


def folder() -> Path:
    """The folder of the built-in results."""
    return assets.folder() / "presets"


def stored_results(name: str, where: Path | None = None) -> Precomputed | None:
    """The stored results of a preset, by default the built-in ones; None if there is no file."""
    path = (where or folder()) / f"{name}.json"
    if not path.is_file():
        return None
    try:
        content = json.loads(path.read_text("utf-8"))
        if (content["format"], content["version"], content["name"]) != (
            FORMAT,
            FORMAT_VERSION,
            name,
        ):
            raise InputError(
                f"stored results of {name}",
                f"a file of version {FORMAT_VERSION}",
                "another kind",
                _FIX,
            )
        spec, version, computed = (str(content[key]) for key in ("spec", "code", "computed"))
        machine = {str(key): str(value) for key, value in content["machine"].items()}
        frame = _frame(content["rows"], content["columns"])
        return Precomputed(name, spec, version, computed, float(content["seconds"]), machine, frame)
    except InputError:
        raise
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise InputError(
            f"stored results of {name}", "complete JSON", "something else", _FIX
        ) from error


def _frame(rows: int, columns: Mapping[str, object]) -> pd.DataFrame:
    """A frame from columns, each a list or one repeated value; null becomes NaN."""
    full = {
        name: value if isinstance(value, list) else [value] * rows
        for name, value in columns.items()
    }
    if any(len(values) != rows for values in full.values()):
        raise ValueError("columns of different length")
    return pd.DataFrame(
        {name: [math.nan if value is None else value for value in full[name]] for name in full}
    )
