"""The decisions on a release so far, as the session's widgets and the ledger have them."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace

import streamlit as st

from dplda.core.errors import DpldaError
from dplda.corpus import Corpus, Selection
from dplda.experiments.experiment import Experiment
from dplda.release.ledger.balance import Balance
from dplda.release.ledger.folder import RESTORE, Folder, FolderError, default_path
from dplda.release.ledger.ledger import DOCUMENT, PERSON, Ledger, LedgerError
from dplda.release.verdict.request_numbers import numbers_of
from dplda.release.verdict.word_count import suggest_word_count
from dplda.release.workflow.draft import Draft, ReleaseStep
from dplda.release.workflow.recovery import recover_interrupted
from dplda.release.workflow.release_job import ReleaseJob
from dplda.release.workflow.release_store import find_dataset
from dplda.release.workflow.reopening import reopen_draft
from dplda.release.workflow.request import Request
from dplda.ui.literal import literal
from dplda.ui.release import public_knowledge, verdict_view
from dplda.ui.release.choices import FIRST_EPSILON, MIN_TOTAL_DELTA, key_of, unit_key
from dplda.ui.state import exposure
from dplda.ui.state.keys import Key

ROOM_IN_DELTA = 3  # a new budget has the δ of so many releases like the first


def read_draft(corpus: Corpus, experiment: Experiment) -> Draft:
    """Read the decisions so far from the session, or reopen the chosen release.

    Clears the choice of a release that cannot be reopened.

    Args:
        corpus: the documents.
        experiment: what the controls are set to.

    Returns:
        The decisions, or the release that is opened.

    Raises:
        LedgerError: the ledger was tampered with or damaged.
    """
    ledger = _open_ledger()
    draft_of_opened = _reopen(corpus) if ledger is not None else None
    if draft_of_opened is not None:
        return draft_of_opened
    st.session_state[Key.RELEASE_OPENED] = None
    return _read_decisions(ledger, corpus, experiment)


def _read_decisions(ledger: Ledger | None, corpus: Corpus, experiment: Experiment) -> Draft:
    """Read the decisions on a new release; widgets not yet drawn count with their first values.

    The budget of these documents is looked for, and chosen if none is.
    """
    unit = _chosen_unit(corpus)
    balances = _balances(ledger, unit)
    dataset_key = unit_key(Key.RELEASE_DATASET, corpus, unit)
    owner_key = unit_key(Key.RELEASE_OWNER, corpus, unit)
    _find_budget(ledger, corpus, balances, dataset_key=dataset_key, owner_key=owner_key)
    session_state = st.session_state
    chosen_dataset = session_state.get(dataset_key)
    name_of_new_budget = str(session_state.get(key_of(Key.LEDGER_NAME, corpus), "")).strip()
    request = _request(corpus, experiment, chosen_dataset or name_of_new_budget, unit)
    document_alpha0 = experiment.problem.alpha0
    job: ReleaseJob | None = session_state.get(Key.RELEASE_JOB)
    return Draft(
        corpus=corpus,
        unit=unit,
        datasets=balances,
        request=request,
        new_budget=None if chosen_dataset else _new_budget(request),
        is_started=job is not None and job.request_text == request.canonical_text(),
        owner=str(session_state.get(owner_key, "")),
        document_alpha0=document_alpha0 if unit == PERSON else None,
    )


def _open_ledger() -> Ledger | None:
    """Open and check the ledger, and recover interrupted releases; None before the first one.

    Releases are not recovered while another is under way; what the folder's system refuses waits
    for the next time.

    Raises:
        LedgerError: the ledger was tampered with or damaged.
    """
    if not default_path().exists():
        return None
    ledger = Ledger(Folder())
    ledger_faults = ledger.faults()
    if ledger_faults:
        faults_text = "; ".join(ledger_faults).rstrip(".")
        raise LedgerError(f"The ledger was tampered with or damaged: {faults_text}. {RESTORE}")
    if Folder().rooms():  # of a release under way, or of a process that was killed
        with suppress(FolderError), Folder().turn(patience=0):
            recover_interrupted(Folder())
    return ledger


def _reopen(corpus: Corpus) -> Draft | None:
    """The release that is to be opened; None without one, or if it is damaged.

    Then the error is drawn, and the first step will be open.
    """
    receipt_number = st.session_state.get(Key.RELEASE_OPENED)
    try:
        return reopen_draft(receipt_number, corpus, exposure.caveats_for(corpus))
    except DpldaError as error:  # others can be opened
        st.error(literal(str(error)))
        st.session_state[Key.RELEASE_STEP] = ReleaseStep.FILE
        return None


def _chosen_unit(corpus: Corpus) -> str:
    """The unit protected: as chosen, or persons if the documents were read with persons."""
    unit = st.session_state.get(key_of(Key.RELEASE_UNIT, corpus))
    return str(unit or (PERSON if corpus.of_persons else DOCUMENT))


def _balances(ledger: Ledger | None, unit: str) -> dict[str, Balance]:
    """Balances of the datasets that protect a unit, by name."""
    if ledger is None:
        return {}
    names = (name for name in ledger.datasets() if ledger.protects(name) == unit)
    return {name: ledger.balance(name) for name in names}


def _find_budget(
    ledger: Ledger | None,
    corpus: Corpus,
    balances: Mapping[str, Balance],
    *,
    dataset_key: str,
    owner_key: str,
) -> None:
    """Choose the documents' own budget in the session, unless a budget is chosen.

    Own is the one that was charged for these documents; it must protect the same unit. Without one,
    a new budget is chosen, never that of others. The name of their own is kept too, whatever it
    protects; empty for none.

    Args:
        ledger: None before there is one.
        corpus: the documents.
        balances: budgets that can be chosen, by name.
        dataset_key: under which the session keeps the chosen budget; empty for a new one.
        owner_key: under which it keeps the name of their own.
    """
    session_state = st.session_state
    if session_state.get(dataset_key) in (*balances, ""):
        return
    with st.spinner("Looking for the budget of these documents"):
        own_dataset = (ledger and find_dataset(corpus, Folder())) or ""
    session_state[dataset_key] = own_dataset if own_dataset in balances else ""
    session_state[owner_key] = own_dataset


def _request(corpus: Corpus, experiment: Experiment, dataset: str, unit: str) -> Request:
    """Make the request that the controls ask for; its title is the name of the dataset.

    Public knowledge that was chosen is applied, and caveats on the documents come with it. Where
    persons are protected, α0 is that of all documents of a person.
    """
    experiment = public_knowledge.apply_prior(experiment)
    selection = _choose_selection(corpus, experiment, unit)
    if unit == PERSON:
        problem = experiment.problem
        alpha0 = verdict_view.read_texts().alpha0_of_person(problem.alpha0)
        experiment = replace(experiment, problem=replace(problem, alpha0=alpha0))
    return Request(dataset, dataset, experiment, selection, exposure.caveats_for(corpus))


def _choose_selection(corpus: Corpus, experiment: Experiment, unit: str) -> Selection | None:
    """How words are selected: as many as the owner chose, or as suit the public numbers.

    Never more than the file was read for. None for a list that is fixed.
    """
    selection = corpus.selection
    if selection is None:
        return None
    corpus_of_documents = corpus.as_read
    protects_persons = unit == PERSON and corpus_of_documents.n_persons is not None
    n_rows = corpus_of_documents.n_documents
    if protects_persons:
        n_rows = corpus_of_documents.n_persons or 1
    public_numbers = numbers_of(
        experiment,
        n_rows=n_rows,
        n_words=selection.n_words,
        protects_persons=protects_persons,
        texts=verdict_view.read_texts(),
    )
    chosen_n_words = st.session_state.get(key_of(Key.RELEASE_WORDS, corpus))
    wanted_n_words = int(chosen_n_words or suggest_word_count(public_numbers))
    return replace(selection, n_words=min(wanted_n_words, selection.n_words))


def _new_budget(request: Request) -> tuple[float, float]:
    """Total ε as chosen, and a δ with room for more releases like this one."""
    epsilon = float(st.session_state.get(Key.LEDGER_EPSILON, FIRST_EPSILON))
    delta = max(MIN_TOTAL_DELTA, ROOM_IN_DELTA * request.cost[1])
    return epsilon, delta
