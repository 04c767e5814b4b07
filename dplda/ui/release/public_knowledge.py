"""Public knowledge: whether a release uses it, and where it comes from."""

from dataclasses import replace

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from dplda.core.errors import InputError
from dplda.experiments.experiment import Experiment
from dplda.methods.base.method import Method
from dplda.methods.base.prior_source import PriorKind, PriorSource
from dplda.methods.refined.prior.prior_files import prior_from_source
from dplda.methods.refined.prior.prior_mixtures import mix_prior_sources
from dplda.methods.refined.refined_methods import refined_with
from dplda.methods.registry import parse_method
from dplda.release.workflow.draft import Draft
from dplda.ui.literal import literal
from dplda.ui.state import method_choice, session
from dplda.ui.state.keys import Key

PLAIN, ENGLISH = "refined", "refined-english"  # the method without and with the shipped table
NONE = "None"
SEEDS_EXAMPLE = "space: orbit, nasa\nhealth: doctor"
MAX_UNKNOWN_WORDS_LISTED = 8  # that are not on the list
OWN_KINDS = (PriorKind.SEEDS, PriorKind.FILE)  # which the owner writes
CAPTIONS = {
    NONE: "A table helps where noise hides which words belong together.",
    PriorKind.ENGLISH: "Topics of Wikipedia articles say which words belong together.",
    PriorKind.SEEDS: "One line for each topic that you can name.",
    PriorKind.FILE: "A CSV file with a column called word, and a column of ratios for each topic."
    " A ratio of 2 means twice as frequent in this topic as in all text.",
}
NOT_FROM_DOCUMENTS = (
    "Use general knowledge. **Words that you took from these documents, or a table made from them,"
    " are not public:** the release would expose the documents."
)
TESTED = "Your documents are asked first, privately, whether it fits them."
TRUSTED = (
    "Your documents are not asked. The topics have no error bars, and a wrong table can hide what"
    " documents say."
)
SEVERAL_HELP = "Several tables are mixed in equal parts, and tested as one."
COST_HELP = "Only asking your documents costs privacy budget, at most 10% of it."


def apply_prior(experiment: Experiment) -> Experiment:
    """The experiment with the public knowledge that was chosen, and whether that is trusted.

    It comes back as it is if none is chosen, or for a method that takes none.
    """
    kind = _chosen_kind(experiment.registered_method)
    if not isinstance(kind, PriorKind):
        return experiment
    is_trusted = bool(st.session_state.get(Key.TRUST))
    source = _chosen_source(kind, experiment.problem.n_topics)
    method = refined_with(source, trusted=is_trusted)
    return replace(experiment, method=method.spec)


def _chosen_source(prior_kind: PriorKind, n_topics: int) -> PriorSource:
    """The seed words or tables that were given; an empty source where none are given or needed.

    Several tables are mixed as one. One that cannot be read comes back alone, so that its error is
    said where a table's errors are.

    Args:
        prior_kind: kind of public knowledge.
        n_topics: number of topics k.
    """
    if prior_kind is PriorKind.SEEDS:
        return PriorSource(prior_kind, str(st.session_state.get(Key.SEEDS) or ""), "")
    files: list[UploadedFile] = st.session_state.get(Key.TABLE) or []
    if prior_kind is not PriorKind.FILE or not files:
        return PriorSource(prior_kind, "", "")
    tables = [
        PriorSource(prior_kind, file.getvalue().decode("utf-8-sig", "replace"), file.name)
        for file in files
    ]
    if len(tables) > 1:
        unreadable_table = _first_unreadable(tables, n_topics)
        if unreadable_table is not None:
            return unreadable_table
    return mix_prior_sources(tables, n_topics)


def _first_unreadable(tables: list[PriorSource], n_topics: int) -> PriorSource | None:
    """The first table that cannot be read for k topics; None if all can."""
    for table in tables:
        try:
            prior_from_source(table, n_topics)
        except InputError:
            return table
    return None


def draw(draft: Draft) -> None:
    """Draw the choice of public knowledge, its input, whether to trust it, and a caption.

    Words that the list lacks get a warning. Draws nothing for a method that takes none.
    """
    chosen_kind = _chosen_kind(draft.request.experiment.registered_method)
    if chosen_kind is None:
        return
    choice_key = f"{Key.KNOWLEDGE}.{chosen_kind}"
    st.segmented_control(
        "Use public knowledge",
        [NONE, *PriorKind],
        default=chosen_kind,
        required=True,
        key=choice_key,
        on_change=_choose,
        args=(choice_key,),
        help=COST_HELP,
    )
    if chosen_kind == PriorKind.SEEDS:
        st.text_area(
            "Seed words", placeholder=SEEDS_EXAMPLE, key=Key.SEEDS, persist_state="session"
        )
    elif chosen_kind == PriorKind.FILE:
        _draw_tables()
    _warn_of_unknown_words(draft.unknown_words)
    caption_sentences = [CAPTIONS[chosen_kind]]
    if chosen_kind in OWN_KINDS:
        caption_sentences.append(NOT_FROM_DOCUMENTS)
    if chosen_kind != NONE:
        is_trusted = st.toggle("Trust it", key=Key.TRUST, persist_state="session")
        caption_sentences.append(TRUSTED if is_trusted else TESTED)
    st.caption(" ".join(caption_sentences))


def _draw_tables() -> None:
    """Draw an uploader of one or more tables, and keep its files in the session.

    An uploader that is not drawn forgets its files. Kept ones that it has forgotten are named
    below.
    """
    widget_key = f"{Key.TABLE}.file"

    def keep() -> None:
        session.put(Key.TABLE, st.session_state[widget_key])

    files_in_widget = st.file_uploader(
        "Table", key=widget_key, accept_multiple_files=True, on_change=keep, help=SEVERAL_HELP
    )
    kept_files: list[UploadedFile] = st.session_state.get(Key.TABLE) or []
    if kept_files and not files_in_widget:
        file_names = literal(", ".join(file.name for file in kept_files))
        st.markdown(f":small[In use: **{file_names}**. Choose other files to replace them.]")


def _warn_of_unknown_words(words: list[str]) -> None:
    """Warn of seed words that are not on the word list; draws nothing without any.

    Of more than ``MAX_UNKNOWN_WORDS_LISTED``, the first are named.
    """
    if not words:
        return
    listed_words = words[:MAX_UNKNOWN_WORDS_LISTED]
    if len(words) > MAX_UNKNOWN_WORDS_LISTED:
        listed_words = [*listed_words, "…"]
    message = f"Not on the word list, so they may have no effect: {', '.join(listed_words)}"
    st.warning(literal(message))


def _chosen_kind(method: Method) -> str | None:
    """The kind of public knowledge that is chosen, or ``NONE``; None for methods without priors.

    The method ``ENGLISH`` always has its own kind. For the method ``PLAIN``, the session keeps the
    choice; ``NONE`` if it keeps no kind of the owner's.
    """
    if method.name == ENGLISH:
        return PriorKind.ENGLISH
    if method.name != PLAIN:
        return None
    kind = st.session_state.get(Key.KNOWLEDGE)
    return PriorKind(kind) if kind in OWN_KINDS else NONE


def _choose(key: str) -> None:
    kind = st.session_state[key]
    session.put(Key.KNOWLEDGE, kind)
    method_choice.select(parse_method(ENGLISH if kind == PriorKind.ENGLISH else PLAIN))


def draw_kept_file(label: str, key: Key) -> UploadedFile | None:
    """Draw an uploader, and keep its file in the session, and return it.

    An uploader that is not drawn forgets its file. A kept one that it has forgotten is named below.

    Args:
        label: written above it.
        key: under which the file is kept.

    Returns:
        The file; None before one was chosen.
    """
    widget_key = f"{key}.file"

    def keep() -> None:
        session.put(key, st.session_state[widget_key])

    file_in_widget = st.file_uploader(label, key=widget_key, on_change=keep)
    kept_file: UploadedFile | None = st.session_state.get(key)
    if kept_file is not None and file_in_widget is None:
        file_name = literal(kept_file.name)
        st.markdown(f":small[In use: **{file_name}**. Choose another file to replace it.]")
    return kept_file
