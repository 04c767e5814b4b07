"""Temporary folders are gone when a process ends, is asked to end, or, at the next start, was killed."""

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from dplda.core.temporary import PREFIX, sweep, temporary_folder

FIT = """
import sys, time
from dplda.cli import fit, main
fit._found = lambda *given: print("fitting", flush=True) or time.sleep(600)
sys.exit(main.main(["fit", "documents.txt", "--label", "public", "-k", "2", "--alpha0", "1", "--out", "out.json"]))
"""


@pytest.fixture
def place(tmp_path, monkeypatch) -> Path:
    place = tmp_path / "temporary"
    place.mkdir()
    monkeypatch.setenv("TMPDIR", str(place))
    monkeypatch.setattr(tempfile, "tempdir", None)
    return place


@pytest.mark.skipif(sys.platform == "win32", reason="nothing is swept there")
def test_what_nobody_holds_is_swept_and_nothing_else(place, tmp_path) -> None:
    (place / f"{PREFIX}left").mkdir()
    (place / f"{PREFIX}left" / "counts").write_bytes(b"x")
    (place / "dplda-other").mkdir()
    (place / f"{PREFIX}link").symlink_to(tmp_path)
    with temporary_folder() as folder:
        sweep()
        assert sorted(place.iterdir()) == sorted([folder, place / "dplda-other", place / f"{PREFIX}link"])
    assert tmp_path.is_dir()


@pytest.mark.skipif(sys.platform == "win32", reason="nothing is swept there")
@pytest.mark.parametrize("farewell", [signal.SIGTERM, signal.SIGKILL])
def test_a_fit_that_is_ended_leaves_nothing(farewell, place, tmp_path) -> None:
    (tmp_path / "documents.txt").write_text("tea milk sugar rain\nwind cloud tea milk\nmilk rain wind tea\n" * 20)
    with subprocess.Popen(
        [sys.executable, "-c", FIT],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as fitting:
        assert fitting.stdout.readline() == "fitting\n"
        assert len(list(place.iterdir())) == 1
        fitting.send_signal(farewell)
        assert fitting.wait(30) == (130 if farewell == signal.SIGTERM else -signal.SIGKILL)
        assert fitting.stderr.read().splitlines()[1:] == ["", "dplda: interrupted."] * (farewell == signal.SIGTERM)
    if farewell == signal.SIGKILL:
        sweep()
    assert not list(place.iterdir())
