"""The ledger's entries on answers: each identifies its record and decrypts it."""

import json
import secrets
from collections.abc import Iterable
from dataclasses import dataclass

from dplda.release.ledger.folder import Folder
from dplda.release.ledger.records.entry import LedgerEntry, changed_entry
from dplda.release.workflow.journal.record import RecordDigest

NONCE_BYTES = 32
ENDED = "ended"  # in the detail of an entry after which nothing more is drawn


@dataclass(frozen=True, slots=True)
class CountedRecord:
    """What the ledger says of the record of one answer.

    Attributes:
        number: how many answers of its charge are kept with it, from 1.
        digest: of its record in the journal.
        nonce: in hexadecimal; decrypts the record, together with the folder's key.
    """

    number: int
    digest: RecordDigest
    nonce: str

    def as_detail(self, receipt_number: str) -> str:
        """Write the detail of its entry in the ledger as JSON, with a charge's receipt number."""
        facts = {
            "receipt": receipt_number,
            "values": self.number,
            "bytes": self.digest.size,
            "SHA-256": self.digest.sha256,
            "nonce": self.nonce,
        }
        return json.dumps(facts)


@dataclass(frozen=True, slots=True)
class KeptAnswers:
    """What the ledger says of all answers of one charge.

    Attributes:
        records: of the answers that are counted, in order.
        ended_without_topics: whether these answers are all, and say that there are no topics.
    """

    records: tuple[CountedRecord, ...] = ()
    ended_without_topics: bool = False


def kept_answers_of(receipt_number: str, entries: Iterable[LedgerEntry]) -> KeptAnswers:
    """Collect what the ledger's entries on kept answers say of one charge, in their order.

    Entries of other charges are passed over.

    Raises:
        LedgerError: an entry was changed.
    """
    counted_records = []
    ended_without_topics = False
    for entry in entries:
        try:
            entry_facts = json.loads(entry.detail)
            if entry_facts["receipt"] != receipt_number:
                continue
            if ENDED in entry_facts:
                ended_without_topics = True
                continue
            digest = RecordDigest(int(entry_facts["bytes"]), str(entry_facts["SHA-256"]))
            counted_records.append(
                CountedRecord(int(entry_facts["values"]), digest, str(entry_facts["nonce"]))
            )
        except (ValueError, TypeError, KeyError):
            raise changed_entry(entry) from None
    return KeptAnswers(tuple(counted_records), ended_without_topics)


def ending_detail(receipt_number: str) -> str:
    """The detail of the entry which says that a charge's answers are all, and without topics."""
    return json.dumps({"receipt": receipt_number, ENDED: "without topics"})


def draw_nonce() -> str:
    """A nonce for one record, in hexadecimal."""
    return secrets.token_hex(NONCE_BYTES)


def key_of_record(folder: Folder, nonce: str) -> bytes:
    """The key that encrypts a record: nobody has it without the folder's key and the nonce."""
    return bytes.fromhex(folder.sign(b"journal", nonce.encode()))
