"""Hostile inputs: a sample fails nowhere, what should count as a failure does, and no two have one name."""

import os
import time
from collections import Counter
from pathlib import Path

import pytest

from benchmarks import hostile_inputs
from tests.hostile import entry_points, runner
from tests.hostile.trial import CANARY, Trial

SAMPLED = (
    ("encoding", "utf-16"),
    ("table", "a row too long"),
    ("JSON", "deep arrays"),
    ("mail", "bad base64"),
    ("zip", "up and out"),
    ("packed", "a bad sum"),
    ("Parquet", "cut"),
    ("bag of words", "NaN"),
    ("npz", "objects"),
    ("another kind", "ELF"),
    ("place", "a pipe"),
    ("name", "b'-k.txt'"),
    ("method", "unnoised"),
)
NAMES = [(trial.kind, trial.what) for trial in runner.trials()]


def test_hostile_inputs_sampled_fail_nowhere(monkeypatch) -> None:
    monkeypatch.setattr(
        hostile_inputs, "PROCESSES", 1
    )  # each imports for two seconds what it tries
    outcomes = list(hostile_inputs.sample([NAMES.index(name) for name in SAMPLED]))
    assert [outcome for outcome in outcomes if outcome.failed] == []
    assert {outcome.came for outcome in outcomes} == {"done", "refused"}


def test_hostile_inputs_of_one_kind_have_distinct_names() -> None:
    assert not [name for name, times in Counter(NAMES).items() if times > 1]


def _said(text: str, status: int = 0):
    def door(trial: Trial, path: str, folder: Path) -> int:
        os.write(2, text.encode())
        return status

    return door


def _raises(trial: Trial, path: str, folder: Path) -> int:
    raise ValueError(path)


def _takes_memory(trial: Trial, path: str, folder: Path) -> int:
    return (
        len(bytes(b"x" * 600_000_000)) * 0
    )  # more than what files back, which a fork does not take over


def _computes(trial: Trial, path: str, folder: Path) -> int:
    while True:
        pass


def _waits(trial: Trial, path: str, folder: Path) -> int:
    time.sleep(60)
    return 0


def _leaves(trial: Trial, path: str, folder: Path) -> int:
    (Path(os.environ["TMPDIR"]) / "left").touch()
    return 0


FAILING = {
    "a document's word came out": _said(f"row 3: {CANARY.upper()}", entry_points.REFUSED),
    "a raw traceback": _raises,
    "more than 1 GB": _takes_memory,
    "more than 1 s of a processor": _computes,
    "more than 2 s": _waits,
    "temporary files left": _leaves,
    "exit status 1": _said("", 1),
    "accepted": _said(""),
}


@pytest.mark.parametrize("came", FAILING)
def test_runner_of_failing_entry_point_names_the_failure(came, monkeypatch) -> None:
    monkeypatch.setitem(entry_points.DOORS, "broken", FAILING[came])
    if came.startswith("more than ") and came.endswith(("s", "processor")):
        monkeypatch.setattr(runner, "SECONDS", 1)
        monkeypatch.setattr(runner, "LONGEST", 2.0 if came.endswith("s") else 60.0)
    resident_bytes = runner._resident(os.getpid())  # a fork begins with what other tests left here
    monkeypatch.setattr(
        runner, "BYTES", resident_bytes + (0 if came == "more than 1 GB" else runner.BYTES)
    )
    trial = Trial("test", came, str, doors=("broken",), wrong=came == "accepted")
    monkeypatch.setattr(runner, "trials", lambda: (trial,))
    expected_verdict = came.replace("1 GB", f"{runner.BYTES / 1e9:.0f} GB")
    assert [(outcome.came, outcome.failed) for outcome in runner.tried(0)] == [
        (expected_verdict, True)
    ]
