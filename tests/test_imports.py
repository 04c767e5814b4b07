"""What must start at once imports nothing that takes a second."""

import subprocess
import sys
from pathlib import Path

import pytest

import dplda

ROOT = Path(__file__).resolve().parents[1]
SLOW = {"dp_accounting", "scipy.stats", "sklearn"}
BARE = {*SLOW, "pandas", "streamlit"}  # what shows no page does without these too


def test_a_quick_start() -> None:
    """One after the other in one process: what none has loaded, each alone has not."""
    quick = {
        "dplda": BARE,
        "dplda.cli.main": BARE,
        "dplda.cli.fit": BARE,
        "dplda.experiments.sweeps.job": BARE,
        "dplda.ui.shell.sidebar": SLOW,
    }
    code = "import sys\n" + "\n".join(f"import {module}\nprint(*sys.modules)" for module in quick)
    said = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout
    for (module, slow), line in zip(quick.items(), said.splitlines(), strict=True):
        found = set(line.split())
        assert module in found
        assert not found & slow, module


def test_estimators_are_names_of_the_package() -> None:
    for name in ("SpectralLDA", "RefinedLDA", "DPVariationalLDA"):
        assert getattr(dplda, name).__name__ == name
        assert name in dplda.__all__
    with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
        _ = dplda.Nothing
