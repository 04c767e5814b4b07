"""Keyed hashes by which a charge is known again: of its request, and of its documents.

They stay in the ledger. Without the folder's key they say nothing.
"""

from dplda.corpus import Corpus
from dplda.release.ledger.folder import Folder
from dplda.release.ledger.records.entry import LedgerEntry, noted_in
from dplda.release.workflow.request import Request

KEY_DIGITS = 32  # hexadecimal digits


def keys_of_request(corpus: Corpus, request: Request, folder: Folder) -> tuple[str, ...]:
    """Keys under which a request may have been charged, today's first.

    They are equal for the same documents and request.
    """
    digest = corpus.digest.encode()
    texts = request.texts_of_charges()
    return tuple(folder.sign(b"request", digest, text.encode())[:KEY_DIGITS] for text in texts)


def key_of_documents(corpus: Corpus, folder: Folder) -> str:
    """The key of documents over their words."""
    return folder.sign(b"documents", corpus.as_read.digest.encode())[:KEY_DIGITS]


def text_noted_in(entry: LedgerEntry, name: str) -> str | None:
    """A fact noted in a charge, as text; None if it is not there."""
    fact = noted_in(entry).get(name)
    return None if fact is None else str(fact)
