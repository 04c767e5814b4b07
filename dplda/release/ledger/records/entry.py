"""An entry of the ledger, and the facts noted in its detail."""

import json
import re
from dataclasses import dataclass

from dplda.core.errors import DpldaError, ReadError

DOCUMENT = "document"
PERSON = "person"
KEPT = "kept"  # an answer of a release, until its file is written (``release.workflow.journal``)
KINDS = ("declared", "lowered", "charged", "documents", KEPT)
"""Kinds of entries that this version writes. One of another kind was written by a newer version."""

_RECEIPT = re.compile("[0-9a-f]{32}")


class LedgerError(DpldaError):
    """A refusal of the ledger."""


class LedgerUnavailable(LedgerError):  # noqa: N818 - a state of the disk rather than a fault
    """A ledger that cannot be used now, without a fault: in use, read-only, or on a full disk."""


@dataclass(frozen=True, slots=True)
class LedgerEntry:
    """A line of the ledger.

    Attributes:
        number: from 1.
        at: when, in UTC, ISO 8601.
        kind: one of ``KINDS``.
        dataset: name of the dataset that it belongs to.
        epsilon, delta: in units of 1e-9 and 1e-18.
        detail: what it was for; a JSON object in charges of this version.
        hash: keyed hash of the entry and of the one before, in hexadecimal.
    """

    number: int
    at: str
    kind: str
    dataset: str
    epsilon: int
    delta: int
    detail: str
    hash: str


def noted_in(entry: LedgerEntry) -> dict[str, object]:
    """The JSON object in the detail of a charge or a lowered budget; empty where there is none.

    Empty for entries of all other kinds, too, whatever their detail holds.

    Raises:
        LedgerError: the detail was changed and is no JSON any more.
    """
    if entry.kind not in ("charged", "lowered") or not entry.detail.startswith("{"):
        return {}
    try:
        return dict(json.loads(entry.detail))
    except (ValueError, TypeError):
        raise changed_entry(entry) from None


def numbers_noted_in(entry: LedgerEntry, name: str) -> list[float]:
    """A list of numbers, as noted in an entry under a name; empty where there is none.

    Empty for all entries but charges and lowered budgets, too.

    Raises:
        LedgerError: it holds something else, or the entry's detail is no JSON any more.
    """
    numbers = noted_in(entry).get(name, [])
    if not isinstance(numbers, list) or not all(
        isinstance(number, int | float) for number in numbers
    ):
        raise changed_entry(entry)
    return numbers


def receipt_of(entry: LedgerEntry) -> str | None:
    """The receipt number of a charged release, which names its file; None for other entries."""
    receipt = noted_in(entry).get("receipt")
    return receipt if isinstance(receipt, str) and _RECEIPT.fullmatch(receipt) else None


def check_receipt(receipt_number: str, entry: LedgerEntry, file_name: str) -> None:
    """Refuse a file whose receipt is that of another charge.

    Args:
        receipt_number: as the file has it.
        entry: the charge that should have paid for the file.
        file_name: named in the error.

    Raises:
        ReadError: it belongs to another charge.
    """
    if receipt_number != receipt_of(entry):
        raise ReadError(file_name, "belongs to another charge", "Run dplda ledger verify.")


def changed_entry(entry: LedgerEntry) -> LedgerError:
    """The refusal of an entry that does not hold what it should."""
    return LedgerError(f"Entry {entry.number} of the ledger was changed. Run dplda ledger verify.")
