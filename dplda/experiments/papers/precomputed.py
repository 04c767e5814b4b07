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
    """A preset's results and their origin.

    Attributes:
        name: of the preset.
        spec: what was computed, as text.
        version: of the code that computed it.
        computed: a day such as 2026-01-31.
        seconds: it took.
        machine: facts of the machine by name.
        frame: the results.
    """

    name: str
    spec: str
    version: str
    computed: str
    seconds: float
    machine: Mapping[str, str]
    frame: pd.DataFrame

    def label(self, *, spec: str | None, version: str) -> str:
        """Origin of the numbers, and a remark if the preset or the code has changed since.

        Without ``spec`` there is no remark.

        Args:
            spec: what the current code would compute; None if it cannot run.
            version: of the current code.
        """
        machine_phrase = ""
        if "processors" in self.machine:
            machine_phrase = f" on {self.machine['processors']} cores"
        origin_text = (
            f"Computed on {self.computed} by version {self.version} in {self.seconds:.0f} s"
            f"{machine_phrase}.{self._describe_kept_rows()}"
        )
        if spec is None:
            return origin_text
        if self.spec != spec:
            return f"{origin_text} The preset has changed since then: run it again."
        if self.version != version:
            advice = "run it again to see whether a number changes."
            return f"{origin_text} The code is now {version}: {advice}"
        return origin_text

    def _describe_kept_rows(self) -> str:
        """A sentence on rows that another version computed, after a space; "" without such rows.

        It counts the methods that have such rows.
        """
        if "version" not in self.frame:
            return ""
        versions = set(self.frame["version"].dropna())
        other_versions = sorted(versions - {self.version})
        if not other_versions:
            return ""
        is_kept = self.frame["version"].isin(other_versions)
        n_methods = self.frame.loc[is_kept, "method"].nunique()
        kept_numbers_phrase = f"the numbers of {n_methods} methods"
        if n_methods == 1:
            kept_numbers_phrase = "the number of one method"
        versions_text = " and ".join(other_versions)
        return f" It kept {kept_numbers_phrase} from version {versions_text}."


def folder() -> Path:
    """The folder of the built-in results."""
    return assets.folder() / "presets"


def stored_results(name: str, stored_in: Path | None = None) -> Precomputed | None:
    """Read the stored results of a preset; None if there is no file.

    Args:
        name: of the preset.
        stored_in: their folder; None for the built-in one.

    Raises:
        InputError: the file has another format or version of it, is of another preset, or is
            damaged.
    """
    path = (stored_in or folder()) / f"{name}.json"
    if not path.is_file():
        return None
    description = f"stored results of {name}"
    try:
        stored_content = json.loads(path.read_text("utf-8"))
        heading = (stored_content["format"], stored_content["version"], stored_content["name"])
        if heading != (FORMAT, FORMAT_VERSION, name):
            raise InputError(
                description, f"a file of version {FORMAT_VERSION}", "another kind", _FIX
            )
        return Precomputed(
            name=name,
            spec=str(stored_content["spec"]),
            version=str(stored_content["code"]),
            computed=str(stored_content["computed"]),
            seconds=float(stored_content["seconds"]),
            machine={str(key): str(value) for key, value in stored_content["machine"].items()},
            frame=_as_frame(stored_content["rows"], stored_content["columns"]),
        )
    except InputError:
        raise
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise InputError(description, "complete JSON", "something else", _FIX) from error


def _as_frame(n_rows: int, columns: Mapping[str, object]) -> pd.DataFrame:
    """Make a frame from columns, each a list or one repeated value; null becomes NaN.

    Raises:
        ValueError: a list has another number of rows.
    """
    lists_by_column = {
        name: value if isinstance(value, list) else [value] * n_rows
        for name, value in columns.items()
    }
    if any(len(values) != n_rows for values in lists_by_column.values()):
        raise ValueError("columns of different length")
    return pd.DataFrame(
        {
            name: [math.nan if value is None else value for value in values]
            for name, values in lists_by_column.items()
        }
    )
