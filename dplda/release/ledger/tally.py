"""Sums of the entries of a dataset, and faults in a row of entries."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import reduce
from itertools import pairwise
from pathlib import Path

from dplda.core.errors import ReadError
from dplda.privacy.accounting.budget_caps import BudgetCaps, BudgetTotals
from dplda.release.artefact.released_file import read_release_file
from dplda.release.ledger.amounts import sum_pairs
from dplda.release.ledger.balance import Balance
from dplda.release.ledger.folder import Folder
from dplda.release.ledger.head import FIRST
from dplda.release.ledger.records.entry import (
    KINDS,
    LedgerEntry,
    LedgerError,
    numbers_noted_in,
    receipt_of,
)

HOW_TO_DECLARE = "Declare one: dplda ledger declare NAME --epsilon 3."


def balance_of(entries: Sequence[LedgerEntry], dataset: str) -> Balance:
    """The balance of a dataset's budget.

    Raises:
        LedgerError: no entry declares such a dataset.
    """
    entries_of_dataset = [entry for entry in entries if entry.dataset == dataset]
    if not any(entry.kind == "declared" for entry in entries_of_dataset):
        raise LedgerError(f"There is no dataset {dataset!r}. {HOW_TO_DECLARE}")
    return reduce(_with_entry, entries_of_dataset, Balance((0, 0)))


def check_kinds(entries: Iterable[LedgerEntry]) -> None:
    """Refuse entries of a kind that this version does not know.

    Raises:
        LedgerError: there is one; it names the first, and asks for the newer version.
    """
    for entry in entries:
        if entry.kind not in KINDS:
            raise LedgerError(
                f"Entry {entry.number} of the ledger was written by a newer version of dplda. Use"
                " that version."
            )


def find_faults(
    entries: Sequence[LedgerEntry], hash_of: Callable[[str, LedgerEntry], str]
) -> Iterator[str]:
    """Yield sentences on entries that are missing or changed, and on charges beyond a budget.

    Stops at the first missing or changed entry, since nothing is known of those after it. A dataset
    that no entry declared has a budget of 0.

    Args:
        entries: all entries, in order.
        hash_of: keyed hash of an entry, given the hash of the one before.
    """
    last_hash = FIRST
    balance_by_dataset: dict[str, Balance] = {}
    for expected_number, entry in enumerate(entries, start=1):
        if entry.number != expected_number:
            yield f"entry {expected_number} is missing"
            return
        if entry.hash != hash_of(last_hash, entry):
            yield f"entry {expected_number} was changed, or the one before it"
            return
        last_hash = entry.hash
        dataset = entry.dataset
        balance_by_dataset[dataset] = _with_entry(
            balance_by_dataset.get(dataset, Balance((0, 0))), entry
        )
        if entry.kind == "charged" and balance_by_dataset[dataset].exceeded:
            yield f"entry {expected_number} exceeds the budget of {dataset!r}"


def are_linked(entries: Sequence[LedgerEntry], hash_of: Callable[[str, LedgerEntry], str]) -> bool:
    """Whether each entry after the first follows the one before it unchanged."""
    return all(
        entry.number == previous.number + 1 and entry.hash == hash_of(previous.hash, entry)
        for previous, entry in pairwise(entries)
    )


def find_unpaid(folder: Folder, entries: Iterable[LedgerEntry]) -> Iterator[str]:
    """Yield sentences on released files and journals whose charge the ledger lacks.

    There are some after an older ledger was restored. The receipt number is taken from a file's
    name, so that a damaged file is found too. A file whose name gives none of the charges, as the
    first versions named them, is read for the charge that it states.
    """
    charges = [entry for entry in entries if entry.kind == "charged"]
    paid_charges = {receipt_of(entry) for entry in charges} | {entry.hash for entry in charges}
    for file_name, charge_in_name in folder.files_of_charges().items():
        if (
            charge_in_name not in paid_charges
            and _charge_named_in(folder.path / file_name) not in paid_charges
        ):
            yield f"{file_name} was not paid for by this ledger"


def _charge_named_in(path: Path) -> str:
    """The charge that a released file names; empty if it cannot be read."""
    try:
        return read_release_file(path).receipt_number
    except ReadError:
        return ""


def _with_entry(balance: Balance, entry: LedgerEntry) -> Balance:
    """The balance after one more entry, even if the entry exceeds the budget.

    A declaration begins a new balance. A lowering lowers its cap, and replaces the Gaussian caps
    where it notes some. Every charge adds to the sum of all releases. One that notes Gaussian
    totals adds these, too, and the first such fixes the Gaussian caps. Any other adds to the sum of
    basic composition. Other entries change nothing.
    """
    entry_units = (entry.epsilon, entry.delta)
    if entry.kind == "declared":
        return Balance(entry_units)
    if entry.kind == "lowered":
        lowered_balance = balance.with_lower_cap(entry_units)
        return replace(lowered_balance, budget_caps=_caps_of(entry) or lowered_balance.budget_caps)
    if entry.kind != "charged":
        return balance
    sum_of_all_units = sum_pairs(balance.added_up, entry_units)
    noted_totals = numbers_noted_in(entry, "adds")
    if not noted_totals:
        sum_of_basic_units = sum_pairs(balance.basic_added_up, entry_units)
        return replace(balance, added_up=sum_of_all_units, basic_added_up=sum_of_basic_units)
    totals_of_entry = BudgetTotals(*(int(number) for number in noted_totals))
    return replace(
        balance,
        added_up=sum_of_all_units,
        budget_caps=balance.budget_caps or _caps_of(entry),
        used_totals=balance.used_totals.plus(totals_of_entry),
    )


def _caps_of(entry: LedgerEntry) -> BudgetCaps | None:
    """The caps that an entry fixes; None if it fixes none."""
    epsilon_and_caps = numbers_noted_in(entry, "caps")
    if not epsilon_and_caps:
        return None
    epsilon, *caps = epsilon_and_caps
    return BudgetCaps(epsilon, *(int(cap) for cap in caps))
