"""What must start at once imports nothing that takes a second."""

import subprocess
import sys
from pathlib import Path

import pytest

import dplda

ROOT = Path(__file__).resolve().parents[1]
SLOW = {"dp_accounting", "scipy.stats", "sklearn"}


def imported_by(code: str) -> set[str]:
    """Modules that a new process has loaded after these lines."""
    command = [sys.executable, "-c", f"{code}\nimport sys\nprint(*sys.modules)"]
    return set(subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split())


@pytest.mark.parametrize("module", ["dplda", "dplda.cli", "dplda.sweeps.child", "dplda.ui.shell.sidebar"])
def test_a_quick_start(module: str) -> None:
    found = imported_by(f"import {module}")
    assert module in found
    assert not found & SLOW


def test_estimators_are_imported_when_they_are_asked_for() -> None:
    assert "sklearn" in imported_by("from dplda import SpectralLDA")
    for name in ("SpectralLDA", "RefinedLDA", "DPVariationalLDA"):
        assert getattr(dplda, name).__name__ == name
        assert name in dplda.__all__
    with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
        _ = dplda.Nothing
