"""The verdict on a release before it is paid for, and buttons for what would improve it."""

import math
from collections.abc import Iterable

import streamlit as st

from dplda.core.formatting import counted
from dplda.methods.registry import parse_method
from dplda.release.ledger.ledger import DOCUMENT, PERSON
from dplda.release.verdict.remedies import Remedy, find_remedies
from dplda.release.verdict.request_numbers import ExpectedTexts, foresee_method, numbers_of
from dplda.release.verdict.signal_strength import (
    LISTED_SHARE,
    TYPICAL_DOCUMENTS,
    TYPICAL_LENGTH,
    PublicNumbers,
)
from dplda.release.verdict.verdict import Readability, ReleaseVerdict
from dplda.release.workflow.draft import Draft
from dplda.ui.literal import literal
from dplda.ui.release import public_knowledge
from dplda.ui.release.choices import key_of
from dplda.ui.state import method_choice, session
from dplda.ui.state.keys import Key
from dplda.ui.state.link import EPSILONS

ICONS = {
    Readability.READABLE: ":material/visibility:",
    Readability.WEAK: ":material/visibility_lock:",
    Readability.NOTHING: ":material/visibility_off:",
}
TYPICAL_WORDS = round(TYPICAL_LENGTH / LISTED_SHARE)
LENGTH_HELP = "Count every word. About a third of them are on a list of English words."
GUESS_HELP = (
    "A guess will do. A number measured on the documents would reveal something about them."
)
VERDICT_HELP = (
    "From the numbers here alone, never from your documents. In 269 tests on invented newspapers"
    " and public collections, *readable* was right 92 times in 100, and *nothing* 95 times. Topics"
    " counted as reports count them. For persons, *readable* was right 79 times in 100, and on"
    " collections alone 91 times."
)


NO_REMEDY = (
    "No single change here would make the topics better. More documents would, or several changes"
    " at once."
)


def read_texts() -> ExpectedTexts:
    """The owner's guesses about the documents; usual ones before their controls were drawn.

    The mean length is that of counted words: ``LISTED_SHARE`` of the words that the owner expects,
    and at least 1.
    """
    session_state = st.session_state
    n_expected_words = float(session_state.get(Key.RELEASE_LENGTH, TYPICAL_WORDS))
    return ExpectedTexts(
        mean_length=max(1.0, LISTED_SHARE * n_expected_words),
        documents_per_person=float(session_state.get(Key.RELEASE_LETTERS, TYPICAL_DOCUMENTS)),
    )


def draw_guesses(draft: Draft) -> None:
    """Draw fields for the owner's guesses about the documents: words each, and documents a person.

    The latter only if persons are protected. Verdict and rehearsal use both guesses, and α0 of a
    person rests on the latter. Both are side by side where there is room.
    """
    field_places = st.columns(2 if draft.unit == PERSON else 1, vertical_alignment="bottom")
    field_places[0].number_input(
        "Words you expect in a document",
        1,
        10_000,
        TYPICAL_WORDS,
        key=Key.RELEASE_LENGTH,
        persist_state="session",
        help=f"{LENGTH_HELP} {GUESS_HELP}",
    )
    if draft.unit == PERSON:
        field_places[1].number_input(
            "Documents you expect of a person",
            1,
            1_000,
            int(TYPICAL_DOCUMENTS),
            key=Key.RELEASE_LETTERS,
            persist_state="session",
            help=GUESS_HELP,
        )


def public_numbers(draft: Draft, unit: str | None = None) -> PublicNumbers:
    """The public numbers of a draft.

    Where the corpus names no persons, each document counts as a person of its own.

    Args:
        draft: the decisions so far.
        unit: what is protected; None for what the draft protects.
    """
    unit = unit or draft.unit
    corpus_of_documents = draft.corpus.as_read
    n_rows = corpus_of_documents.n_documents
    if unit == PERSON and corpus_of_documents.n_persons:
        n_rows = corpus_of_documents.n_persons
    return numbers_of(
        draft.experiment_on_documents,
        n_rows=n_rows,
        n_words=draft.request.n_words(draft.corpus),
        protects_persons=unit == PERSON,
        texts=read_texts(),
    )


def foresee_draft(draft: Draft, unit: str | None = None) -> ReleaseVerdict | None:
    """The verdict on a draft; None where its method finds no topics, or it was released.

    Args:
        draft: the decisions so far.
        unit: what is protected; None for what the draft protects.
    """
    if draft.opened is not None:
        return None
    method = draft.request.experiment.registered_method
    return foresee_method(method, public_numbers(draft, unit))


def expects_nothing(draft: Draft) -> bool:
    """Whether the verdict on a draft is that nothing will be readable."""
    verdict = foresee_draft(draft)
    return verdict is not None and verdict.readability is Readability.NOTHING


def is_readable(draft: Draft) -> bool:
    """Whether the verdict on a draft is that topics will be readable, or there is none."""
    verdict = foresee_draft(draft)
    return verdict is None or verdict.readability is Readability.READABLE


def expects_table_alone(draft: Draft) -> bool:
    """Whether the verdict on a draft is that its topics would be a public table's own."""
    verdict = foresee_draft(draft)
    return verdict is not None and verdict.is_table_alone


def draw(draft: Draft) -> None:
    """Draw a box with the verdict, the numbers that it rests on, and buttons that improve it.

    Draws nothing for a method without a verdict.
    """
    verdict = foresee_draft(draft)
    if verdict is None:
        return
    numbers_of_draft = public_numbers(draft)
    counted_unit = counted(numbers_of_draft.n_rows, draft.unit)
    basis_text = (
        f"{counted_unit}, a list of {numbers_of_draft.n_words:,} words,"
        f" {numbers_of_draft.n_topics} topics, ε = {numbers_of_draft.epsilon:g}."
    )
    icon = ICONS[verdict.readability]
    meaning_text, _, explanation_text = verdict.describe().partition(": ")
    with st.container(border=True, key=Key.RELEASE_VERDICT):
        st.markdown(
            f"{icon} **{meaning_text}**: {literal(explanation_text)} :small[{literal(basis_text)}]",
            help=VERDICT_HELP,
        )
        _draw_remedies(draft, numbers_of_draft)


def _draw_remedies(draft: Draft, numbers: PublicNumbers) -> None:
    """Draw a button for each change that would improve the verdict; pressing it sets the controls.

    No change needs more than an existing budget has left. A new budget has no such limit: where a
    change needs a larger total ε, the button names that total and sets it, too.
    A change from persons to documents is offered only if these documents belong to no dataset.
    Without a change, a caption says that none would help, unless topics will be readable anyway.
    """
    n_documents_of_persons = None
    if draft.unit == PERSON and not draft.owner:
        n_documents_of_persons = draft.corpus.as_read.n_documents
    epsilons: Iterable[float] = EPSILONS
    if draft.new_budget is None:
        epsilons = [epsilon for epsilon in EPSILONS if draft.affords(epsilon)]
    remedies = find_remedies(
        numbers,
        epsilons=epsilons,
        n_documents=n_documents_of_persons,
        can_change_words=draft.request.selection is not None,
    )
    if not remedies:
        if not is_readable(draft):
            st.caption(NO_REMEDY)
        return
    with st.container(horizontal=True, gap="small"):
        for remedy_index, remedy in enumerate(remedies):
            new_total_epsilon = _find_needed_total(draft, remedy)
            change = remedy.describe()
            if new_total_epsilon is not None:
                change += f" and a total of {new_total_epsilon:g}"
            st.button(
                f"{change}: {remedy.readability.short}",
                key=f"{Key.RELEASE_VERDICT}.{remedy_index}",
                on_click=_apply,
                args=(draft, remedy, new_total_epsilon),
            )


def _find_needed_total(draft: Draft, remedy: Remedy) -> float | None:
    """The total ε, a whole number, that a new budget needs for a remedy; None if it has enough."""
    if draft.new_budget is None or remedy.epsilon is None or draft.affords(remedy.epsilon):
        return None
    charged_epsilon, _ = draft.with_epsilon(remedy.epsilon).request.cost
    return float(math.ceil(charged_epsilon))


def _apply(draft: Draft, remedy: Remedy, total_epsilon: float | None) -> None:
    """Set the session's controls to what a remedy changes; those that it leaves alone stay.

    Without the table of public knowledge, the plain method is chosen, too.

    Args:
        draft: the decisions so far.
        remedy: what changes.
        total_epsilon: total that a new budget needs for it; None for the one that it has.
    """
    if total_epsilon is not None:
        session.put(Key.LEDGER_EPSILON, total_epsilon)
    if remedy.epsilon is not None:
        session.put(Key.EPSILON, remedy.epsilon)
    if remedy.n_topics is not None:
        session.put(Key.N_TOPICS, remedy.n_topics)
    if remedy.n_words is not None:
        session.put(key_of(Key.RELEASE_WORDS, draft.corpus), remedy.n_words)
    if remedy.protects_documents:
        session.put(key_of(Key.RELEASE_UNIT, draft.corpus.as_read), DOCUMENT)
    if remedy.drops_table:
        session.put(Key.KNOWLEDGE, public_knowledge.NONE)
        method_choice.select(parse_method(public_knowledge.PLAIN))
