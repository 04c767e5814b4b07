"""The ledger in several processes: kills at any point, and races."""

import multiprocessing
import os
import signal
import time
from pathlib import Path

import numpy as np
import pytest

from dplda.release.ledger.amounts import EPSILON_UNITS
from dplda.release.ledger.folder import Folder
from dplda.release.ledger.ledger import Ledger, LedgerError
from tests.release.test_ledger import paid, rows_in
from tests.yardstick import waited_for

FORK = multiprocessing.get_context("fork")
pytestmark = pytest.mark.filterwarnings(
    "ignore:.*multi-threaded:DeprecationWarning"
)  # a child only writes to files


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path / "releases")


@pytest.fixture
def ledger(folder: Folder) -> Ledger:
    new_ledger = Ledger(folder)
    new_ledger.declare("mail", epsilon=1.0, delta=1e-6)
    return new_ledger


POINTS = ["before the file", "between file and ledger", "after the ledger"]


def _charge_and_die(path: Path, point: str) -> None:
    folder, die = Folder(path), lambda: os.kill(os.getpid(), signal.SIGKILL)
    write = folder.write

    def dying(name: str, content: bytes) -> None:
        if point == POINTS[0]:
            die()
        write(name, content)
        if point == POINTS[1]:
            die()

    folder.write = dying
    Ledger(folder).charge("mail", epsilon=0.3, delta=1e-7, detail="paid", documents="[]")
    die()


def _killed(folder: Folder, point: str) -> None:
    process = FORK.Process(target=_charge_and_die, args=(folder.path, point))
    process.start()
    process.join(60)
    assert process.exitcode == -signal.SIGKILL


@pytest.mark.parametrize("point", POINTS)
def test_ledger_killed_at_any_point_keeps_each_charge_once(
    folder, ledger: Ledger, point: str
) -> None:
    """A charge counts from the moment on from which it may have been seen on the disk, once, and for good."""
    was_paid = point != POINTS[0]
    _killed(folder, point)
    assert rows_in(folder) == (3 if point == POINTS[2] else 1)
    _killed(folder, point)  # the next one too
    assert ledger.faults() == ()
    assert ledger.balance("mail").remaining[0] == pytest.approx(0.4 if was_paid else 1.0)
    if was_paid:
        with pytest.raises(LedgerError, match="this would cost"):
            ledger.charge("mail", epsilon=0.5, delta=0.0, detail="")
    ledger.charge("mail", epsilon=0.4, delta=0.0, detail="last")
    paid_for = [entry.detail for entry in ledger.entries() if entry.kind == "charged"]
    assert paid_for == [*["paid"] * (2 * was_paid), "last"]
    assert ledger.faults() == ()
    assert rows_in(folder) == len(ledger.entries())


def _spend(path: Path, tries: int, charge: dict) -> None:
    ledger = Ledger(Folder(path))
    for _ in range(tries):
        try:
            ledger.charge("mail", **charge)
        except LedgerError:
            os._exit(0)
    os._exit(1)


@pytest.mark.parametrize("charge", [{"epsilon": 0.05, "delta": 1e-9, "detail": ""}, paid(0.2)])
def test_ledger_charged_by_eight_racing_processes_is_never_overspent(
    folder: Folder, ledger: Ledger, charge: dict
) -> None:
    """Each would take more than there is; together they take what there is, and not a unit more."""
    racing = [FORK.Process(target=_spend, args=(folder.path, 30, charge)) for _ in range(8)]
    for process in racing:
        process.start()
    for process in racing:
        process.join(240)
        assert process.exitcode == 0
    balance = ledger.balance("mail")
    assert (
        balance.after_release(
            **{name: amount for name, amount in charge.items() if name != "detail"}
        )
        is None
    )
    assert (
        balance.added_up[0] <= balance.cap[0] < balance.added_up[0] + EPSILON_UNITS // 20 + 1
    ) == (balance.budget_caps is None)
    assert not balance.exceeded
    assert ledger.faults() == ()


def _release_for_ever(path: Path) -> None:
    folder = Folder(path)
    ledger = Ledger(folder)
    while True:
        entry = ledger.charge("mail", **paid(1e-4))
        folder.write(f"{entry.hash}.json", entry.hash.encode())


def test_release_killed_at_any_point_leaves_no_file_without_its_charge(
    folder: Folder, ledger: Ledger
) -> None:
    """Eight kills at random moments."""
    rng = np.random.default_rng(0)
    for _ in range(8):
        process = FORK.Process(target=_release_for_ever, args=(folder.path,))
        n_before = len(list(folder.path.glob("*.json")))
        process.start()
        waited_for(lambda n=n_before: len(list(folder.path.glob("*.json"))) > n)
        time.sleep(0.08 * rng.random())
        os.kill(process.pid, signal.SIGKILL)
        process.join(240)
    charged_hashes = {entry.hash for entry in ledger.entries() if entry.kind == "charged"}
    written_names = {path.stem for path in folder.path.glob("*.json")}
    assert written_names
    assert written_names <= charged_hashes
    assert len(charged_hashes - written_names) <= 8
    assert all((folder.path / f"{name}.json").read_text() == name for name in written_names)
    assert ledger.faults() == ()
