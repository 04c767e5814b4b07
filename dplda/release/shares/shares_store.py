"""Charges for tables of shares and their files, and how both are found again."""

from dataclasses import dataclass
from pathlib import Path

from dplda.corpus import Corpus
from dplda.release.ledger.folder import Folder
from dplda.release.ledger.ledger import Ledger, LedgerEntry
from dplda.release.ledger.records.entry import check_receipt, receipt_of
from dplda.release.shares.request import SharesRequest, digest_of_labels
from dplda.release.shares.shares_file import (
    SHARES_SUFFIX,
    ReleasedShares,
    check_shares_seal,
    read_shares_file,
)
from dplda.release.workflow.journal.progress import Progress, last_unfinished, progress_of
from dplda.release.workflow.receipt import CommonReceipt
from dplda.release.workflow.request_keys import KEY_DIGITS, text_noted_in

OF = "of"  # in the detail of a charge: receipt number of the topics


@dataclass(frozen=True, slots=True, kw_only=True)
class SharesReceipt(CommonReceipt):
    """The outcome of a release of shares.

    Attributes:
        shares: the released table.
    """

    shares: ReleasedShares


def find_existing_shares(
    corpus: Corpus, request: SharesRequest, folder: Folder
) -> SharesReceipt | None:
    """The receipt of the same request for the same documents and labels, if its file is kept.

    The latest if there are several; None without one. The file's seal is checked.

    Raises:
        ReadError: the file is damaged, belongs to another charge, or was forged.
    """
    for entry in reversed(_charges_of(corpus, request, folder)):
        file_path = _path_of(entry, folder)
        if file_path.exists():
            share_table = _read_table_of(entry, folder)
            balance = Ledger(folder).balance(entry.dataset)
            return SharesReceipt(shares=share_table, path=file_path, charged=False, balance=balance)
    return None


def find_shares_progress(corpus: Corpus, request: SharesRequest, folder: Folder) -> Progress | None:
    """Progress of an earlier charge of the same request that is finished free; None without one."""
    charge = find_unfinished_shares(corpus, request, folder)
    return None if charge is None else progress_of(charge, folder)


def shares_of(parent_receipt: str, folder: Folder) -> list[ReleasedShares]:
    """Read the tables of shares that were released for a release of topics, oldest first.

    A table whose file is missing is left out.

    Raises:
        ReadError: a file is damaged, belongs to another charge, or was forged.
    """
    tables = []
    for entry in Ledger(folder).entries():
        if text_noted_in(entry, OF) != parent_receipt or not _path_of(entry, folder).exists():
            continue
        tables.append(_read_table_of(entry, folder))
    return tables


def shares_of_chain(parent_receipt: str, folder: Folder) -> list[ReleasedShares]:
    """Read the tables of a release of topics and of all that it continues, oldest release first.

    Readers have all of these beside the topics.

    Raises:
        ReadError: a file is damaged, belongs to another charge, or was forged.
    """
    continued_receipts = {
        receipt_of(entry): text_noted_in(entry, "continues") for entry in Ledger(folder).entries()
    }
    tables: list[ReleasedShares] = []
    receipt_number: str | None = parent_receipt
    while receipt_number is not None:
        tables = [*shares_of(receipt_number, folder), *tables]
        receipt_number = continued_receipts.pop(receipt_number, None)
    return tables


def find_unfinished_shares(
    corpus: Corpus, request: SharesRequest, folder: Folder
) -> LedgerEntry | None:
    """The last charge of the same request that can be finished free.

    Raises:
        LedgerError: the ledger is older than the journal of such a charge.
    """
    return last_unfinished(_charges_of(corpus, request, folder), folder)


def _charges_of(corpus: Corpus, request: SharesRequest, folder: Folder) -> list[LedgerEntry]:
    """Charges of the same request for the same documents and labels, oldest first."""
    key = key_of_shares_request(corpus, request, folder)
    entries = Ledger(folder).entries(request.dataset)
    return [entry for entry in entries if text_noted_in(entry, "request") == key]


def key_of_shares_request(corpus: Corpus, request: SharesRequest, folder: Folder) -> str:
    """The key of a request, its documents and their labels."""
    labels = digest_of_labels(request.labels_of(corpus))
    parts = (b"shares request", corpus.digest.encode(), labels, request.canonical_text().encode())
    return folder.sign(*parts)[:KEY_DIGITS]


def _read_table_of(entry: LedgerEntry, folder: Folder) -> ReleasedShares:
    """Read the table that a charge paid for, from its file.

    Raises:
        ReadError: the file is damaged, belongs to another charge, or was forged.
    """
    file_path = _path_of(entry, folder)
    share_table = read_shares_file(file_path)
    check_receipt(share_table.receipt_number, entry, file_path.name)
    check_shares_seal(share_table, folder, file_path.name)
    return share_table


def _path_of(entry: LedgerEntry, folder: Folder) -> Path:
    return folder.path / f"{receipt_of(entry)}{SHARES_SUFFIX}"
