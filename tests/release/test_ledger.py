"""The ledger: what it refuses, how it adds up, and how it tells who tampered with it."""

import json
import multiprocessing
import os
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest

from dplda.core.errors import DpldaError, InputError
from dplda.privacy.accounting import gaussian
from dplda.privacy.accounting.budget_caps import Spending
from dplda.privacy.noise.exact import delta_of_noise
from dplda.release.ledger.amounts import DELTA_UNITS, EPSILON_UNITS
from dplda.release.ledger.balance import Balance
from dplda.release.ledger.folder import LEDGER, Folder, FolderError
from dplda.release.ledger.ledger import Ledger, LedgerError

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


def by_hand(folder: Folder, *statements: str) -> None:
    """What somebody with the file alone can do to it."""
    with sqlite3.connect(folder.path / LEDGER) as connection:
        for statement in statements:
            connection.execute(statement)
    connection.close()


def rows_in(folder: Folder) -> int:
    """How many entries the database itself holds."""
    with closing(sqlite3.connect(folder.path / LEDGER)) as connection:
        return connection.execute("SELECT count(*) FROM entries").fetchone()[0]


def test_ledger_charges_add_up_against_the_remaining_budget(ledger: Ledger) -> None:
    ledger.charge("mail", epsilon=0.3, delta=1e-7, detail="one")
    ledger.charge("mail", epsilon=0.3, delta=1e-7, detail="two")
    epsilon, delta = ledger.balance("mail").remaining
    assert epsilon == pytest.approx(0.4)
    assert delta == pytest.approx(8e-7)
    assert (ledger.balance("mail").percent_left, ledger.balance("mail").total_guarantee[0]) == (
        40,
        pytest.approx(0.6),
    )
    assert [entry.kind for entry in ledger.entries("mail")] == ["declared", "charged", "charged"]
    assert ledger.faults() == ()


def test_ledger_units_round_decimals_against_the_curator(ledger: Ledger) -> None:
    """A tenth is a tenth; what lies between two units is the larger of a charge and the smaller of a cap."""
    charge = ledger.charge("mail", epsilon=0.1, delta=1e-7, detail="")
    assert (charge.epsilon, charge.delta) == (EPSILON_UNITS // 10, DELTA_UNITS // 10**7)
    charge = ledger.charge("mail", epsilon=1e-10, delta=1e-19, detail="")
    assert (charge.epsilon, charge.delta) == (1, 1)
    declared = ledger.declare("news", epsilon=1.0000000009, delta=1.9e-18)
    assert (declared.epsilon, declared.delta) == (EPSILON_UNITS, 1)


def paid(epsilon: float = 0.5, delta: float = 1e-7) -> dict:
    """A charge of a Gaussian release."""
    mu = gaussian.mu_for(epsilon, delta_of_noise(delta))
    return {
        "epsilon": epsilon,
        "delta": delta,
        "spending": Spending(mu, 0.0, 1e-17),
        "detail": '{"title": "tea"}',
    }


def test_gaussian_charges_add_in_squares_leaving_others_no_room(
    ledger: Ledger,
) -> None:
    """What was charged by its sum before them keeps its part of the budget."""
    ledger.charge("mail", epsilon=0.2, delta=1e-7, detail="the old way")
    first_charge, *_, last_charge = [ledger.charge("mail", **paid()) for _ in range(2)]
    balance, spending = ledger.balance("mail"), paid(1.01)["spending"]
    assert Balance(balance.cap).share_of_budget(epsilon=1.01, delta=1e-7, spending=spending) > 1, (
        "although it counts as less"
    )
    assert (
        balance.percent_left,
        1e9 * balance.total_guarantee[0] < balance.cap[0] < balance.added_up[0],
    ) == (
        30,
        True,
    )
    assert "caps" in json.loads(first_charge.detail)
    assert "caps" not in json.loads(last_charge.detail)
    for refused_charge in (
        paid(0.7),
        paid(delta=1e-6),
        {"epsilon": 0.01, "delta": 0.0, "detail": ""},
    ):
        with pytest.raises(LedgerError, match="this would cost"):
            ledger.charge("mail", **refused_charge)
    assert ledger.lower("mail", epsilon=0.95, delta=1e-6).detail != ""
    assert (
        ledger.balance("mail").after_release(epsilon=0.1, delta=1e-7, spending=Spending(0.12))
        is None
    )
    assert [entry.kind for entry in ledger.entries()] == [
        "declared",
        "charged",
        "charged",
        "charged",
        "lowered",
    ]
    assert ledger.faults() == ()


def test_ledger_of_an_older_version_charges_by_the_new_rule(folder: Folder, ledger: Ledger) -> None:
    """Its trigger adds ε up; it gives way to the one that adds as noise does."""
    old_trigger = "CREATE TRIGGER never_overspent BEFORE INSERT ON entries BEGIN SELECT RAISE(ABORT, 'the old rule'); END"
    by_hand(folder, "DROP TRIGGER within_caps", "DROP VIEW amounts", old_trigger)
    reopened_ledger = Ledger(Folder(folder.path))
    assert [reopened_ledger.charge("mail", **paid(0.6)).number for _ in range(2)] == [2, 3]
    assert reopened_ledger.faults() == ()


@pytest.mark.parametrize(
    "detail", ['{"adds": [1e15, 0, 0]}', '{"adds": [0, 1e12, 0]}', '{"adds": [0, 0, 1e12]}', "{}"]
)
def test_database_trigger_refuses_a_charge_beyond_the_caps(
    folder: Folder, ledger: Ledger, detail: str
) -> None:
    ledger.charge("mail", **paid())
    with pytest.raises(sqlite3.IntegrityError, match="the cap would be passed"):
        by_hand(
            folder, f"INSERT INTO entries VALUES (3, '', 'charged', 'mail', 1, 0, '{detail}', 'x')"
        )
    by_hand(
        folder,
        "DROP TRIGGER never_changed",
        "UPDATE entries SET detail = replace(detail, 'adds', 'odds')",
    )
    assert ledger.faults() == ("entry 2 was changed, or the one before it",)


def test_budget_cap_that_was_lowered_cannot_be_raised(ledger: Ledger) -> None:
    ledger.lower("mail", epsilon=0.5, delta=1e-6)
    for epsilon, delta in ((0.6, 1e-6), (0.5, 2e-6)):
        with pytest.raises(LedgerError, match="only be lowered"):
            ledger.lower("mail", epsilon=epsilon, delta=delta)
    with pytest.raises(LedgerError, match="already"):
        ledger.declare("mail", epsilon=9.0, delta=1e-6)


def test_budget_cap_that_was_lowered_limits_charges(ledger: Ledger) -> None:
    ledger.lower("mail", epsilon=0.5, delta=1e-6)
    with pytest.raises(LedgerError, match=r"0\.5"):
        ledger.charge("mail", epsilon=0.6, delta=0.0, detail="")


@pytest.mark.parametrize(
    "name", ["", " mail", "a" * 81, "two\nlines", "\u202email", "cafe\u0301", "Mail"]
)
def test_dataset_name_that_cannot_be_told_apart_is_refused(ledger: Ledger, name: str) -> None:
    ledger.declare("caf\u00e9", epsilon=1.0, delta=1e-6)
    with pytest.raises(LedgerError, match=r"printable|already"):
        ledger.declare(name, epsilon=1.0, delta=1e-6)
    assert ledger.datasets() == ("mail", "caf\u00e9")


def test_numbers_out_of_range_are_refused(ledger: Ledger) -> None:
    for epsilon, delta in (
        (0.0, 0.0),
        (-1.0, 0.0),
        (float("nan"), 0.0),
        (1e9, 0.0),
        (0.1, 2.0),
        (0.1, float("nan")),
    ):
        with pytest.raises(InputError):
            ledger.charge("mail", epsilon=epsilon, delta=delta, detail="")
    with pytest.raises(InputError, match="cap of ε"):
        ledger.declare("nothing", epsilon=1e-12, delta=1e-6)
    with pytest.raises(LedgerError, match="no dataset"):
        ledger.charge("nobody's", epsilon=0.1, delta=0.0, detail="")


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE entries SET epsilon = 0 WHERE number = 2",
        "DELETE FROM entries WHERE number = 2",
        "INSERT INTO entries VALUES (9, '', 'charged', 'mail', 1, 0, '', 'x')",
        "INSERT INTO entries VALUES (3, '', 'lowered', 'mail', 2000000000, 0, '', 'x')",
        "INSERT INTO entries VALUES (3, '', 'charged', 'mail', 2000000000, 0, '', 'x')",
        "INSERT INTO entries VALUES (3, '', 'declared', 'mail', 1, 0, '', 'x')",
        "INSERT INTO entries VALUES (3, '', 'charged', 'mail', -1, 0, '', 'x')",
    ],
)
def test_database_triggers_refuse_changed_or_invalid_entries(
    folder: Folder, ledger: Ledger, statement: str
) -> None:
    ledger.charge("mail", epsilon=0.1, delta=0.0, detail="")
    with pytest.raises(sqlite3.IntegrityError):
        by_hand(folder, statement)
    assert ledger.faults() == ()


@pytest.mark.parametrize(
    ("statements", "fault"),
    [
        (
            ("DROP TRIGGER never_changed", "UPDATE entries SET epsilon = 1 WHERE number = 2"),
            "entry 2 was changed",
        ),
        (
            ("DROP TRIGGER never_changed", "UPDATE entries SET detail = 'x' WHERE number = 3"),
            "entry 3 was changed",
        ),
        (
            ("DROP TRIGGER never_changed", "UPDATE entries SET at = '' WHERE number = 1"),
            "entry 1 was changed",
        ),
        (
            ("DROP TRIGGER never_removed", "DELETE FROM entries WHERE number = 2"),
            "entry 2 is missing",
        ),
    ],
)
def test_ledger_changed_without_its_triggers_has_a_fault(
    folder: Folder, ledger: Ledger, statements, fault: str
) -> None:
    for _ in range(2):
        ledger.charge("mail", epsilon=0.1, delta=0.0, detail="")
    by_hand(folder, *statements)
    assert ledger.faults() == (
        fault if fault.endswith("missing") else f"{fault}, or the one before it",
    )


def test_ledger_with_a_flipped_byte_has_a_fault(folder: Folder, ledger: Ledger) -> None:
    """Each byte of an entry in turn, where it lies in the file."""
    ledger.charge("mail", epsilon=0.1, delta=0.0, detail="a needle in the file")
    by_hand(folder, "PRAGMA wal_checkpoint(TRUNCATE)")
    path = folder.path / LEDGER
    honest = path.read_bytes()
    begin = (
        honest.index(b"a needle in the file") - 40
    )  # time, kind, dataset and sums stand before it
    for place in range(begin + 20, begin + 124, 7):
        flipped = bytearray(honest)
        flipped[place] ^= 1
        path.write_bytes(bytes(flipped))
        assert ledger.faults() != (), place
    path.write_bytes(honest)
    assert ledger.faults() == ()


def test_ledger_under_another_key_has_a_fault(folder: Folder, ledger: Ledger) -> None:
    (folder.path / "key").write_bytes(os.urandom(32))
    assert Ledger(Folder(folder.path)).faults() == ("entry 1 was changed, or the one before it",)
    with pytest.raises(LedgerError, match="changed from outside"):
        Ledger(Folder(folder.path)).charge("mail", epsilon=0.1, delta=0.0, detail="")
    (folder.path / "key").unlink()
    with pytest.raises(FolderError, match="ledger's key is missing"):
        Folder(folder.path)


def test_ledger_that_lost_entries_refuses_charges(folder: Folder, ledger: Ledger) -> None:
    """A lowered cap does not come back."""
    old_content = (folder.path / LEDGER).read_bytes()
    ledger.lower("mail", epsilon=0.1, delta=1e-6)
    ledger.charge("mail", epsilon=0.05, delta=0.0, detail="")
    assert ledger.faults() == ()
    by_hand(folder, "DROP TRIGGER never_removed", "DELETE FROM entries WHERE number >= 2")
    for _ in range(2):
        assert ledger.faults() == ("entry 2 is missing: this is an old copy of the ledger",)
        with pytest.raises(LedgerError, match="changed from outside"):
            ledger.charge("mail", epsilon=0.9, delta=0.0, detail="")
        for part in folder.path.glob(f"{LEDGER}-*"):
            part.unlink()
        (folder.path / LEDGER).write_bytes(old_content)


def test_ledger_without_a_sound_head_file_has_a_fault(folder: Folder, ledger: Ledger) -> None:
    ledger.lower("mail", epsilon=0.1, delta=1e-6)
    (folder.path / "head").unlink()
    assert ledger.faults() == ("the file head, which names the last entry, is missing",)
    (folder.path / "head").write_bytes(b"[1]")
    assert ledger.faults() == ("the file head, which names the last entry, is damaged",)


def test_ledger_with_a_changed_first_entry_refuses_every_write(
    folder: Folder, ledger: Ledger
) -> None:
    """Nor declared or lowered against: not only the last one is looked at before anything is written."""
    ledger.charge("mail", epsilon=0.1, delta=0.0, detail="")
    ledger.charge("mail", epsilon=0.1, delta=0.0, detail="")
    by_hand(
        folder,
        "DROP TRIGGER never_changed",
        "UPDATE entries SET epsilon = 9000000000 WHERE number = 1",
    )
    for refused_action in (
        lambda: ledger.charge("mail", epsilon=5.0, delta=0.0, detail=""),
        lambda: ledger.declare("news", epsilon=1.0, delta=0.0),
        lambda: ledger.lower("mail", epsilon=0.5, delta=0.0),
    ):
        with pytest.raises(LedgerError, match="changed from outside"):
            refused_action()
    assert len(ledger.entries()) == 3


def test_ledger_without_its_last_entries_or_head_refuses_charges(folder, ledger: Ledger) -> None:
    """No key is needed for that. Only where nothing is declared may the file be missing."""
    ledger.charge("mail", epsilon=0.9, delta=0.0, detail="")
    by_hand(folder, "DROP TRIGGER never_removed", "DELETE FROM entries WHERE number = 2")
    (folder.path / "head").unlink()
    with pytest.raises(LedgerError, match="changed from outside"):
        ledger.charge("mail", epsilon=0.95, delta=0.0, detail="")
    assert ledger.faults() == ("the file head, which names the last entry, is missing",)
    empty = Ledger(Folder(folder.path.parent / "empty"))
    assert empty.faults() == ()
    assert empty.declare("mail", epsilon=1.0, delta=0.0).number == 1


@pytest.mark.parametrize("kind_of_first_entry", ["charged", "lowered"])
def test_ledger_without_its_last_entry_still_counts_it_from_the_head_file(
    folder: Folder, ledger: Ledger, kind_of_first_entry: str
) -> None:
    """It is in the file beside the ledger, and comes back with the next one."""
    if kind_of_first_entry == "charged":
        ledger.charge("mail", epsilon=0.9, delta=0.0, detail="lost")
    else:
        ledger.lower("mail", epsilon=0.1, delta=1e-6)
    by_hand(folder, "DROP TRIGGER never_removed", "DELETE FROM entries WHERE number = 2")
    assert ledger.faults() == ()
    assert ledger.balance("mail").remaining[0] == pytest.approx(0.1)
    assert ledger.balance("mail").after_release(epsilon=0.2, delta=0.0) is None
    with pytest.raises(LedgerError, match="this would cost"):
        ledger.charge("mail", epsilon=0.95, delta=0.0, detail="")
    ledger.charge("mail", epsilon=0.05, delta=0.0, detail="next")
    assert [entry.kind for entry in ledger.entries()] == [
        "declared",
        kind_of_first_entry,
        "charged",
    ]
    assert ledger.faults() == ()
    assert rows_in(folder) == 3


def test_head_file_of_an_older_version_still_finds_missing_entries(
    folder: Folder, ledger: Ledger
) -> None:
    """It named an entry and held none; more may follow that entry, and none may be missing up to it."""
    older, newer = ledger.entries()[0], ledger.charge("mail", epsilon=0.1, delta=0.0, detail="")
    for order_of_files in (older, newer):
        signed = folder.sign(
            b"head", f"{order_of_files.number}".encode(), order_of_files.hash.encode()
        )
        (folder.path / "head").write_text(
            json.dumps([order_of_files.number, order_of_files.hash, signed])
        )
        assert ledger.faults() == ()
    by_hand(folder, "DROP TRIGGER never_removed", "DELETE FROM entries WHERE number = 2")
    assert ledger.faults() == ("entry 2 is missing: this is an old copy of the ledger",)


def test_release_folder_is_closed_to_other_users(folder: Folder, ledger: Ledger) -> None:
    with ledger._opened():
        files = list(folder.path.iterdir())
        assert {path.name for path in files} >= {LEDGER, "key"}
        assert {stat.S_IMODE(path.stat().st_mode) for path in files} == {0o600}
    assert stat.S_IMODE(folder.path.stat().st_mode) == 0o700
    folder.path.chmod(0o755)
    with pytest.raises(FolderError, match="Other users can open"):
        Folder(folder.path)


def test_release_folder_below_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(DpldaError, match="cannot be used"):
        Folder(tmp_path / "file" / "below")
