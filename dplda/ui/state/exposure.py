"""Exposure of sensitive documents in a session.

A request to release them states it automatically.
"""

import hashlib

import streamlit as st

from dplda.corpus import Corpus, Label
from dplda.privacy.release import Caveat
from dplda.ui.state.keys import Key


def record(corpus: Corpus, caveat: Caveat) -> None:
    """Remember that something that depends on these documents was shown."""
    if corpus.label is Label.SENSITIVE:
        st.session_state[Key.LOOKS] = _all() | {(_documents_digest(corpus), caveat)}


def caveats_for(corpus: Corpus) -> tuple[Caveat, ...]:
    """Caveats of what was shown of these documents, no matter which words were counted then."""
    digest = _documents_digest(corpus)
    exposures = _all()
    caveats = (Caveat.LOOKED, Caveat.TRIED)
    return tuple(caveat for caveat in caveats if (digest, caveat) in exposures)


def _documents_digest(corpus: Corpus) -> str:
    """A digest of the documents' texts, if known, which does not depend on the words counted."""
    texts = corpus.as_read.texts
    if texts is None:
        return corpus.as_read.digest
    return hashlib.sha256(texts.tobytes()).hexdigest()


def _all() -> frozenset[tuple[str, Caveat]]:
    exposures: frozenset[tuple[str, Caveat]] = st.session_state.get(Key.LOOKS, frozenset())
    return exposures
