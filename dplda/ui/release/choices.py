"""Choices of a release that are kept in the session, separately for each file."""

from dplda.corpus import Corpus
from dplda.release.ledger.ledger import DOCUMENT, PERSON
from dplda.ui.state.keys import Key

UNITS = {DOCUMENT: "Each document", PERSON: "Each person, with everything they wrote"}
FIRST_EPSILON = 4.0  # total ε that is first offered for a new budget
MIN_TOTAL_DELTA = 1e-6  # of a new budget


def key_of(key: Key, corpus: Corpus) -> str:
    """The key of a choice that is separate for each file."""
    return f"{key}.{corpus.as_read.digest[:12]}"


def unit_key(key: Key, corpus: Corpus, unit: str) -> str:
    """The key of a choice that is separate for each file and each unit of protection."""
    return f"{key_of(key, corpus)}.{unit}"
