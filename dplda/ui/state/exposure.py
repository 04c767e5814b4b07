"""What a session has shown of sensitive documents; a request to release them states it automatically."""

import hashlib

import streamlit as st

from dplda.corpus import Corpus, Label
from dplda.privacy.release import Caveat
from dplda.ui.state.keys import Key


def record(corpus: Corpus, seen: Caveat) -> None:
    """Remember that something that depends on these documents was shown."""
    if corpus.label is Label.SENSITIVE:
        st.session_state[Key.LOOKS] = _all() | {(_documents(corpus), seen)}


def caveats_for(corpus: Corpus) -> tuple[Caveat, ...]:
    """What was shown of these documents, no matter which words were counted then."""
    return tuple(
        seen for seen in (Caveat.LOOKED, Caveat.TRIED) if (_documents(corpus), seen) in _all()
    )


def _documents(corpus: Corpus) -> str:
    """A digest of the documents' texts, if known, which does not depend on the words counted."""
    texts = corpus.as_read.texts
    return corpus.as_read.digest if texts is None else hashlib.sha256(texts.tobytes()).hexdigest()


def _all() -> frozenset[tuple[str, Caveat]]:
    found: frozenset[tuple[str, Caveat]] = st.session_state.get(Key.LOOKS, frozenset())
    return found
