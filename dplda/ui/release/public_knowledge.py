"""Public knowledge: whether a release uses it, and where it comes from."""

from dataclasses import replace

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from dplda.experiments.experiment import Experiment
from dplda.methods.base.method import Method
from dplda.methods.refined.prior_sources import PriorKind, PriorSource
from dplda.methods.refined.refined_methods import refined_with
from dplda.methods.registry import parse_method
from dplda.release.workflow.draft import Draft
from dplda.ui.literal import literal
from dplda.ui.shell import method_choice
from dplda.ui.state import session
from dplda.ui.state.keys import Key

PLAIN, ENGLISH = "refined", "refined-english"  # the method by whether it leans on the shipped table
NONE = "None"
EXAMPLE = "space: orbit, nasa\nhealth: doctor"
NAMED = 8  # words that are not on the list
SAID = {
    NONE: "It helps most with few documents.",
    PriorKind.ENGLISH: "Topics of Wikipedia articles say which words belong together.",
    PriorKind.SEEDS: "One line for each topic that you can name.",
    PriorKind.FILE: "A CSV file with a column called word, and a column of ratios for each topic. A ratio of 2"
    " means twice as frequent in this topic as in all text.",
}
FORBIDDEN = (
    " Use general knowledge. **Words that you took from these documents, or a table made from them, are not public:**"
    " the release would expose the documents."
)
ASKED = " Your documents are asked first, privately, whether it fits them."
TRUSTED = " Your documents are not asked. The topics have no error bars, and a wrong table can hide what documents say."


def applied(settings: Experiment) -> Experiment:
    """The settings with the public knowledge that was chosen."""
    state, kind = st.session_state, _chosen(settings.registered_method)
    if not isinstance(kind, PriorKind):
        return settings
    name, content = "", ""
    if kind is PriorKind.SEEDS:
        content = str(state.get(Key.SEEDS) or "")
    elif kind is PriorKind.FILE and (file := state.get(Key.TABLE)) is not None:
        name, content = file.name, file.getvalue().decode("utf-8-sig", "replace")
    return replace(
        settings,
        method=refined_with(
            PriorSource(kind, content, name), trusted=bool(state.get(Key.TRUST))
        ).spec,
    )


def draw(draft: Draft) -> None:
    """Draw the choice, its inputs, and what may count as public; nothing for methods that take no table."""
    chosen = _chosen(draft.request.settings.registered_method)
    if chosen is None:
        return
    key, kinds = f"{Key.KNOWLEDGE}.{chosen}", [NONE, *PriorKind]
    asks = "Only asking your documents costs privacy budget, at most 10% of it."
    st.segmented_control(
        "Use public knowledge",
        kinds,
        default=chosen,
        required=True,
        key=key,
        on_change=_choose,
        args=(key,),
        help=asks,
    )
    if chosen == PriorKind.SEEDS:
        st.text_area("Seed words", placeholder=EXAMPLE, key=Key.SEEDS, persist_state="session")
    elif chosen == PriorKind.FILE:
        kept_file("Table", Key.TABLE)
    if lacking := draft.unknown_words:
        named = ", ".join([*lacking[:NAMED], "…"][: len(lacking)])
        st.warning(literal(f"Not on the word list, so they may have no effect: {named}"))
    said = SAID[chosen] + (FORBIDDEN if chosen in (PriorKind.SEEDS, PriorKind.FILE) else "")
    if chosen != NONE:
        trusted = st.toggle("Trust it", key=Key.TRUST, persist_state="session")
        said += TRUSTED if trusted else ASKED
    st.caption(said)


def _chosen(method: Method) -> str | None:
    if method.name not in (PLAIN, ENGLISH):
        return None
    kept = st.session_state.get(Key.KNOWLEDGE)
    if method.name == ENGLISH:
        return PriorKind.ENGLISH
    return PriorKind(kept) if kept in (PriorKind.SEEDS, PriorKind.FILE) else NONE


def _choose(key: str) -> None:
    kind = st.session_state[key]
    session.put(Key.KNOWLEDGE, kind)
    method_choice.select(parse_method(ENGLISH if kind == PriorKind.ENGLISH else PLAIN))


def kept_file(label: str, key: Key) -> UploadedFile | None:
    """Draw an uploader and keep its file under ``key``, since an uploader that is not drawn forgets it."""
    own = f"{key}.file"
    chosen = st.file_uploader(
        label, key=own, on_change=lambda: session.put(key, st.session_state[own])
    )
    kept: UploadedFile | None = st.session_state.get(key)
    if kept is not None and chosen is None:
        st.markdown(f":small[In use: **{literal(kept.name)}**. Choose another file to replace it.]")
    return kept
