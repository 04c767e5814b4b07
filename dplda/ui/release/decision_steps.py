"""The first three steps of a release: the documents, the unit of protection, the budget."""

from contextlib import suppress

import streamlit as st

from dplda.privacy.accounting.odds import format_rounded_up
from dplda.release.ledger.amounts import EPSILON_UNITS
from dplda.release.ledger.folder import Folder, FolderError, default_path
from dplda.release.ledger.ledger import DOCUMENT, LONGEST_NAME, PERSON, noted_in
from dplda.release.workflow.draft import Draft
from dplda.release.workflow.price import describe_use
from dplda.release.workflow.release_store import latest_releases, receipt_of, unfinished_charges
from dplda.ui.literal import literal
from dplda.ui.release import public_knowledge, verdict_view
from dplda.ui.release.choices import FIRST_EPSILON, UNITS, key_of, unit_key
from dplda.ui.shell import sidebar
from dplda.ui.state import session
from dplda.ui.state.keys import Key
from dplda.ui.upload import form

NO_PERSONS = (
    "The file was read without persons. If one of its columns names them, go back and choose it."
)
BUDGET_HELP = (
    "Use the same budget for the same documents, whatever the file is called, and a new one for"
    " others."
)
TOPICS_ADVICE = (
    "Too many topics cost little: twice as many as there are cost 5% of perplexity on one"
    " collection. α₀ from 0.1 to 1 costs at most 3%, and 5 costs 1 to 12%."
)
WORDS_HELP = (
    "Suggested from the number of rows, ε and k: as many as leave topics readable, and 50 a topic"
    " at least. Fewer words mean less noise; you chose the largest number with the file."
)
TOTAL_HELP = (
    "The most that all these releases may ever use together. It can be lowered later, never raised."
)


def choose_file(draft: Draft) -> None:
    """Draw the choice of a file, or of a release; the documents in use are there for practice.

    Releases that were charged and interrupted are listed. Once a file is read, how it was read is
    said, and another one can be read instead.
    """
    if default_path().exists():
        _choose_release()
        _draw_interrupted()
    corpus = draft.corpus
    name = literal(corpus.name)
    if session.uploaded() is None:
        st.markdown(
            f"Choose a file with your documents, or practice with **{name}**. A file stays on this"
            " machine."
        )
        form.draw_form()
        return
    n_documents = corpus.as_read.n_documents
    st.markdown(f"**{name}** is open: {n_documents:,} documents. They stay on this machine.")
    remarks = corpus.intake.remark_lines() if corpus.intake else ()
    for line in remarks:
        st.caption(literal(line))
    with st.expander("Read another file, or this one in another way"):
        form.draw_form()


def _choose_release() -> None:
    """Draw the choice of topics that were released, the last ones first; nothing before the first.

    A release that was continued is listed once, under its first charge.
    """
    entries = latest_releases(Folder())
    if not entries:
        return

    def title(number: str) -> str:
        entry = entries[number]
        return f"{entry.dataset}, {entry.at[:16].replace('T', ' ')} UTC"

    st.selectbox(
        "Topics that you released",
        [number for number in reversed(entries) if receipt_of(entries[number]) == number],
        index=None,
        format_func=title,
        key=Key.RELEASE_OPENED,
        persist_state="session",
    )


def _draw_interrupted() -> None:
    """Say which releases were charged and then interrupted, and how to get them.

    Nothing while a release is under way, since that may be one of them.
    """
    with suppress(FolderError), Folder().turn(patience=0):  # none of them is under way
        for charge in unfinished_charges(Folder()):
            details = noted_in(charge)
            epsilon = format_rounded_up(charge.epsilon / EPSILON_UNITS, 3)
            time = charge.at[:16].replace("T", " ")
            message = (
                f"A release of “{charge.dataset}” was interrupted: {details['method']},"
                f" k = {details['topics']}, ε = {epsilon}, {time} UTC. It is paid for."
                " Choose the same documents and settings to finish it."
            )
            st.info(literal(message), icon=":material/restart_alt:")


def choose_unit(draft: Draft) -> None:
    """Draw the choice of what to protect: one document, or one person with all they wrote."""
    documents = draft.corpus.as_read
    persons = NO_PERSONS
    if documents.n_persons:
        persons = f"{documents.n_persons:,} persons. All documents of a person are read as one."
    st.radio(
        "Whom should the result protect?",
        list(UNITS),
        index=list(UNITS).index(draft.unit),
        format_func=UNITS.__getitem__,
        captions=[
            f"{documents.n_documents:,} documents. Enough if nobody wrote more than one of them."
            f"{_foretell(draft, DOCUMENT)}",
            f"{persons}{_foretell(draft, PERSON) if documents.n_persons else ''}",
        ],
        key=key_of(Key.RELEASE_UNIT, documents),
        persist_state="session",
    )


def _foretell(draft: Draft, unit: str) -> str:
    """A sentence on what to expect if a unit is protected; empty without a verdict."""
    verdict = verdict_view.foresee_draft(draft, unit)
    if verdict is None:
        return ""
    epsilon = draft.request.experiment.budget.epsilon
    return f" At ε = {epsilon:g}: {verdict.readability}."


def choose_budget(draft: Draft) -> None:
    """Draw the choice of method and topics, how much privacy to use, and from which budget."""
    left_column, right_column = st.columns(2, gap="large")
    with left_column:
        experiment = draft.request.experiment
        promise_place = sidebar.draw_epsilon(draft.unit)
        claim = experiment.registered_method.guarantee(draft.corpus, experiment.budget)
        sidebar.write_promise(promise_place, claim, draft.unit)
        sidebar.draw_method_controls()
        st.caption(TOPICS_ADVICE)
        _choose_words(draft)
    with right_column:
        _choose_dataset(draft)
        _draw_price(draft)
        verdict_view.draw(draft)
        public_knowledge.draw(draft)
        verdict_view.draw_guesses(draft)


def _choose_words(draft: Draft) -> None:
    """Draw the choice of the most words, where noise picks them; the suggestion moves with ε."""
    selection = draft.request.selection
    as_read = draft.corpus.selection
    if selection is None or as_read is None:
        return
    own_choice = key_of(Key.RELEASE_WORDS, draft.corpus)
    key = f"{own_choice}.widget"
    st.session_state[key] = selection.n_words
    st.number_input(
        "At most d words",
        2,
        as_read.n_words,
        step=10,
        key=key,
        on_change=lambda: session.put(own_choice, int(st.session_state[key])),
        help=WORDS_HELP,
    )


def _draw_price(draft: Draft) -> None:
    """Draw what the release uses, once its budget has a name that may be used.

    Nothing for one that was released already; for one that was charged before, only that.
    """
    dataset = draft.request.dataset
    is_name_of_another = draft.new_budget is not None and dataset in (*draft.datasets, draft.owner)
    if not dataset or is_name_of_another or draft.receipt() is not None:
        return
    price = describe_use(draft.rows, draft.request, draft.balance)
    if draft.progress is not None:  # it was charged before
        price = draft.price()[0]
    st.markdown(f"**{literal(price)}**")


def _choose_dataset(draft: Draft) -> None:
    """Draw the choice of a budget if there are any, and name and size of one that is new."""
    balances = draft.datasets

    def title(name: str) -> str:
        if not name:
            return "a new one"
        return f"{name}: {balances[name].percent_left}% left"

    if balances:
        st.selectbox(
            "Budget",
            [*balances, ""],
            format_func=title,
            key=unit_key(Key.RELEASE_DATASET, draft.corpus, draft.unit),
            persist_state="session",
            help=BUDGET_HELP,
        )
    if draft.new_budget:
        st.text_input(
            "Name of the documents",
            placeholder="mail, for example",
            max_chars=LONGEST_NAME,
            key=key_of(Key.LEDGER_NAME, draft.corpus),
            persist_state="session",
            help="It names their budget and appears on the report.",
        )
        st.number_input(
            "Total ε for all releases",
            0.1,
            100.0,
            FIRST_EPSILON,
            key=Key.LEDGER_EPSILON,
            persist_state="session",
            help=TOTAL_HELP,
        )
