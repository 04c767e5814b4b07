"""The first three steps of a release: the documents, the unit of protection, the budget."""

from contextlib import suppress

import streamlit as st

from dplda import figures
from dplda.corpus import Corpus
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

COUNT_WIDTH = 160  # of a number of what was read, in pixels
NO_PERSONS = (
    "The file was read without persons. If one of its columns names them, go back and choose it."
)
PROMISES = {
    DOCUMENT: (
        "**Any one document could be another**, and the result would be nearly as likely. Of"
        " somebody who wrote four, each is protected alone, all four together less."
    ),
    PERSON: (
        "**All documents of any one person could be others**, however many they wrote. What other"
        " people wrote about that person is not hidden."
    ),
}
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
    """Draw the choice of a file or of a release to open, and interrupted releases.

    Releases are drawn once there is a ledger. If no file is read, the documents in use are offered
    for practice. Once one is, its size and remarks are drawn, and the form to read another one is
    folded.
    """
    if default_path().exists():
        _choose_release()
        _draw_interrupted()
    corpus = draft.corpus
    corpus_name = literal(corpus.name)
    if session.uploaded() is None:
        st.markdown(
            f"Choose a file with your documents, or practice with **{corpus_name}**."
            " A file stays on this machine."
        )
        form.draw_form()
        return
    column_names = " and ".join(literal(column.name) for column in corpus.as_read.group_columns)
    summary = f"**{corpus_name}** is open. It stays on this machine."
    if column_names:
        summary += f" Results can be grouped by {column_names}."
    st.markdown(summary)
    _draw_counts(corpus.as_read)
    remark_lines = corpus.intake.remark_lines() if corpus.intake else ()
    for remark_line in remark_lines:
        st.caption(literal(remark_line))
    with st.expander("Read another file, or this one in another way"):
        form.draw_form()


def _draw_counts(corpus_of_documents: Corpus) -> None:
    """Draw how many documents were read, and how many persons, if any."""
    counts = {
        "Documents": corpus_of_documents.n_documents,
        "Persons": corpus_of_documents.n_persons or 0,
    }
    with st.container(horizontal=True, gap="small"):
        for count_name, count in counts.items():
            if count:
                st.metric(count_name, f"{count:,}", border=True, width=COUNT_WIDTH)


def _choose_release() -> None:
    """Draw the choice of topics that were released, the latest first.

    The session keeps the receipt number of the chosen one; at first none is chosen. Draws nothing
    before the first release. A release that was continued is listed once, under its last charge.
    """
    last_charge_of_release = latest_releases(Folder())
    if not last_charge_of_release:
        return

    def describe_release(receipt_number: str) -> str:
        last_charge = last_charge_of_release[receipt_number]
        return f"{last_charge.dataset}, {last_charge.at[:16].replace('T', ' ')} UTC"

    st.selectbox(
        "Topics that you released",
        [
            receipt_number
            for receipt_number in reversed(last_charge_of_release)
            if receipt_of(last_charge_of_release[receipt_number]) == receipt_number
        ],
        index=None,
        format_func=describe_release,
        key=Key.RELEASE_OPENED,
        persist_state="session",
    )


def _draw_interrupted() -> None:
    """Draw a message for each release that was charged and then interrupted: how to finish it.

    Draws nothing while a release is under way, since that may be one of them.
    """
    with suppress(FolderError), Folder().turn(patience=0):  # none of them is under way
        for charge in unfinished_charges(Folder()):
            charge_facts = noted_in(charge)
            charged_epsilon = format_rounded_up(charge.epsilon / EPSILON_UNITS, 3)
            time_text = charge.at[:16].replace("T", " ")
            interruption_line = (
                f"A release of “{charge.dataset}” was interrupted: {charge_facts['method']},"
                f" k = {charge_facts['topics']}, ε = {charged_epsilon}, {time_text} UTC."
                " It is paid for. Choose the same documents and settings to finish it."
            )
            st.info(literal(interruption_line), icon=":material/restart_alt:")


def choose_unit(draft: Draft) -> None:
    """Draw the choice of what to protect: one document, or one person with all they wrote.

    Captions count both, and foresee readable topics; if no person is known, one says so. Pictures
    of what each choice protects follow.
    """
    corpus_of_documents = draft.corpus.as_read
    n_documents = corpus_of_documents.n_documents
    n_persons = corpus_of_documents.n_persons
    persons_caption = NO_PERSONS
    if n_persons:
        persons_caption = (
            f"{n_persons:,} persons. All documents of a person are read as one."
            f"{_foretell(draft, PERSON)}"
        )
    st.radio(
        "Whom should the result protect?",
        list(UNITS),
        index=list(UNITS).index(draft.unit),
        format_func=UNITS.__getitem__,
        captions=[
            f"{n_documents:,} documents. Enough if nobody wrote more than one of them."
            f"{_foretell(draft, DOCUMENT)}",
            persons_caption,
        ],
        key=key_of(Key.RELEASE_UNIT, corpus_of_documents),
        persist_state="session",
    )
    _draw_promises()


def _draw_promises() -> None:
    """Draw a picture of invented people for each unit, and below it what its choice promises."""
    is_dark = st.context.theme.type == "dark"
    picture_columns = st.columns(len(PROMISES), gap="small")
    for picture_column, (unit, promise) in zip(picture_columns, PROMISES.items(), strict=True):
        with picture_column.container(border=True, height="stretch"):
            st.html(figures.protected_unit(is_person=unit == PERSON, dark=is_dark))
            st.markdown(promise)


def _foretell(draft: Draft, unit: str) -> str:
    """A sentence on what to expect if a unit is protected; empty without a verdict."""
    verdict = verdict_view.foresee_draft(draft, unit)
    if verdict is None:
        return ""
    epsilon = draft.request.experiment.budget.epsilon
    return f" At ε = {epsilon:g}: {verdict.readability}."


def choose_budget(draft: Draft) -> None:
    """Draw the step of the budget: ε, method, topics and words on the left; on the right, who pays.

    Below the budget come price, verdict, public knowledge and the owner's guesses.
    """
    left_column, right_column = st.columns(2, gap="large")
    with left_column:
        experiment = draft.request.experiment
        promise_place = sidebar.draw_epsilon(draft.unit)
        claim = experiment.registered_method.guarantee(draft.corpus, experiment.budget)
        sidebar.write_promise(promise_place, claim, draft.unit)
        sidebar.draw_method_controls()
        st.caption(TOPICS_ADVICE + _describe_mixing(draft))
        _choose_words(draft)
    with right_column:
        _choose_dataset(draft)
        _draw_price(draft)
        verdict_view.draw(draft)
        public_knowledge.draw(draft)
        verdict_view.draw_guesses(draft)


def _describe_mixing(draft: Draft) -> str:
    """A sentence on α0 of a person, which follows from α0 of a document; empty for documents."""
    if draft.document_alpha0 is None:
        return ""
    alpha0 = draft.request.experiment.problem.alpha0
    return f" All documents of a person together mix more: this release uses α₀ = {alpha0:g}."


def _choose_words(draft: Draft) -> None:
    """Draw the choice of the most words; the suggestion moves with ε until the owner chooses.

    The choice is from 2 to as many as the file was read for. The session keeps the owner's choice.
    Draws nothing if the word list is fixed.
    """
    selection = draft.request.selection
    selection_as_read = draft.corpus.selection
    if selection is None or selection_as_read is None:
        return
    choice_key = key_of(Key.RELEASE_WORDS, draft.corpus)
    widget_key = f"{choice_key}.widget"
    st.session_state[widget_key] = selection.n_words
    st.number_input(
        "At most d words",
        2,
        selection_as_read.n_words,
        step=10,
        key=widget_key,
        on_change=lambda: session.put(choice_key, int(st.session_state[widget_key])),
        help=WORDS_HELP,
    )


def _draw_price(draft: Draft) -> None:
    """Draw what the release uses of its budget, or what it is charged already.

    Draws nothing if the budget has no name or that of another one, or the release was made already.
    """
    dataset = draft.request.dataset
    is_name_of_another = draft.new_budget is not None and dataset in (*draft.datasets, draft.owner)
    if not dataset or is_name_of_another or draft.receipt() is not None:
        return
    price_sentence = describe_use(draft.rows, draft.request, draft.balance)
    if draft.progress is not None:  # it was charged before
        price_sentence = draft.price()[0]
    st.markdown(f"**{literal(price_sentence)}**")


def _choose_dataset(draft: Draft) -> None:
    """Draw the choice of a budget if there are any, and for a new one its name and total ε.

    The session keeps all three under their keys; nothing is returned.
    """
    balances = draft.datasets

    def describe_budget(name: str) -> str:
        if not name:
            return "a new one"
        return f"{name}: {balances[name].percent_left}% left"

    if balances:
        st.selectbox(
            "Budget",
            [*balances, ""],
            format_func=describe_budget,
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
