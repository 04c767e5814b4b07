"""Whose results they are: which files the code version covers."""

import subprocess
import sys
from pathlib import Path

from dplda.sweeps import identity
from dplda.sweeps.identity import NOT_NUMBERS, OUR_NUMBERS, PACKAGE, code_version, numerical_sources

LOADED = """
import sys
from dplda.sweeps import child
for module in list(sys.modules.values()):
    if (module.__name__ + ".").startswith("dplda."):
        print(module.__file__)
"""


def test_no_number_comes_from_a_file_left_out() -> None:
    """What a run imports is covered, but for the parts of this folder that only order, keep and show numbers."""
    command = [sys.executable, "-c", LOADED]
    found = subprocess.run(command, cwd=PACKAGE.parent, capture_output=True, text=True, check=True)
    imported = {Path(line) for line in found.stdout.splitlines()}
    assert PACKAGE / "fitting" / "pipeline.py" in imported
    ours = {path for path in imported if path.parent == PACKAGE / "sweeps"}
    assert imported - ours - set(numerical_sources()) <= {PACKAGE / "spreadsheet.py"}


def test_what_is_named_is_there() -> None:
    """A file renamed would drop out of the version without a word."""
    assert all((PACKAGE / place).is_file() for place in OUR_NUMBERS)
    assert all((PACKAGE / place).exists() for place in NOT_NUMBERS - {"_app"})
    covered = {path.relative_to(PACKAGE).as_posix() for path in numerical_sources()}
    assert covered >= OUR_NUMBERS | {
        "fitting/pipeline.py",
        "methods/method.py",
        "privacy/noise.py",
        "baselines/unigram.py",
        "corpus/simulate.py",
    }
    assert not [place for place in covered if place.startswith(("ui/", "figures/"))]


def test_the_version_follows_the_sources(tmp_path, monkeypatch) -> None:
    (tmp_path / "ui").mkdir()
    for place in ("pipeline.py", "ui/page.py", "cli.py"):
        (tmp_path / place).write_text("x = 1\n")
    monkeypatch.setattr(identity, "PACKAGE", tmp_path)

    def version() -> str:
        code_version.cache_clear()
        return code_version()

    try:
        first = version()
        (tmp_path / "ui" / "page.py").write_text("x = 2\n")
        (tmp_path / "cli.py").write_text("x = 2\n")
        assert version() == first
        (tmp_path / "pipeline.py").write_text("x = 2\n")
        second = version()
        (tmp_path / "pipeline.py").rename(tmp_path / "other.py")
        assert len({first, second, version()}) == 3
    finally:
        code_version.cache_clear()
