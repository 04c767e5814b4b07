"""Temporary folders are gone when a process is asked to end."""

import os
import subprocess
import sys

FIT = """
import sys, time
from dplda.cli import fit, main
fit.computing_with = lambda *given: print("fitting", flush=True) or time.sleep(600)
sys.exit(main.main(["fit", "documents.txt", "--label", "public", "-k", "2", "--alpha0", "1", "--out", "out.json"]))
"""


def test_fit_that_is_ended_leaves_no_temporary_file(tmp_path) -> None:
    place = tmp_path / "temporary"
    place.mkdir()
    (tmp_path / "documents.txt").write_text(
        "tea milk sugar rain\nwind cloud tea milk\nmilk rain wind tea\n" * 20
    )
    with subprocess.Popen(
        [sys.executable, "-c", FIT],
        cwd=tmp_path,
        env={
            **os.environ,
            "TMPDIR": str(place),
            "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as fitting:
        assert fitting.stdout.readline() == "fitting\n"
        assert len(list(place.iterdir())) == 1
        fitting.terminate()
        assert fitting.wait(30) == 130
        assert fitting.stderr.read().splitlines()[1:] == ["", "dplda: interrupted."]
    assert not list(place.iterdir())
