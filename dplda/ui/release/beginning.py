"""The first two steps: which documents, and what of them is protected."""

import streamlit as st

from dplda.core.formatting import counted
from dplda.experiments.settings import CorpusKind
from dplda.release.draft import Draft
from dplda.release.ledger import DOCUMENT, PERSON
from dplda.ui.explore.documents import upload
from dplda.ui.literal import literal
from dplda.ui.release.drafted import unit_key
from dplda.ui.state import session


def file(draft: Draft) -> None:
    """The file, in the form of every upload; documents in use may be practised on."""
    read, name = draft.corpus.as_read, literal(draft.corpus.name)
    if session.choice().kind is CorpusKind.UPLOADED:
        st.markdown(f"**{name}** is open: {counted(read.n_documents, 'document')}. They stay on this machine.")
        with st.expander("Read another file, or this one in another way"):
            upload.choose()
    else:
        st.markdown(f"Choose a file with your documents, or practice with **{name}**. A file stays on this machine.")
        upload.choose()


def whom(draft: Draft) -> None:
    """One document, or one person with everything they wrote."""
    read, key = draft.corpus.as_read, unit_key(draft.corpus)
    persons = f"{read.n_persons:,} persons." if read.n_persons else "The file needs a column that says who wrote what."
    st.session_state.setdefault(key, draft.unit)
    st.radio(
        "Whom should the result protect?",
        [DOCUMENT, PERSON],
        format_func=lambda unit: {DOCUMENT: "Each document", PERSON: "Each person, with everything they wrote"}[unit],
        captions=[
            f"{read.n_documents:,} documents. Enough if nobody wrote more than one of them.",
            f"{persons} All documents of a person are read as one.",
        ],
        key=key,
        persist_state="session",
    )
    if read.n_persons is None:
        st.caption("To protect persons, go back, read the file again, and pick its column of the person.")
