"""The draft of a release, made anew on every run from what the session holds."""

import math

import streamlit as st

from dplda.corpus import Corpus
from dplda.privacy.odds import short
from dplda.release.draft import Draft, ReleaseStep
from dplda.release.folder import Folder, default_path
from dplda.release.ledger import DOCUMENT, PERSON, Ledger, LedgerError
from dplda.release.request import Request
from dplda.ui.literal import literal
from dplda.ui.release import job
from dplda.ui.shell.frame import Experiment
from dplda.ui.state import looks
from dplda.ui.state.keys import Key


def drafted(experiment: Experiment) -> Draft:
    """The draft, with the very values that widgets begin with where they are not drawn yet."""
    corpus, state = experiment.corpus, st.session_state
    unit = str(state.get(unit_key(corpus)) or (PERSON if corpus.of_persons else DOCUMENT))
    ledger = Ledger(Folder()) if default_path().exists() else None
    if ledger and (faults := ledger.faults()):
        raise LedgerError(f"The ledger was tampered with or damaged: {'; '.join(faults)}. Restore the whole folder.")
    named = ledger.datasets() if ledger else ()
    held = {name: ledger.balance(name) for name in named if ledger and ledger.protects(name) == unit}
    chosen = state.get(Key.RELEASE_DATASET)
    dataset = chosen if chosen in {*held, ""} else next(iter(held), "")
    dataset = dataset or str(state.get(Key.LEDGER_NAME, "")).strip()
    title = str(state.get(Key.RELEASE_TITLE) or "the documents")
    request = Request(dataset, title, experiment.settings, corpus.selection, looks.of(corpus))
    cap = (float(state.get(cap_key(request), least_cap(request))), max(1e-6, 3 * request.cost[1]))
    return Draft(corpus, unit, held, request, None if dataset in held else cap, job.running(request) is not None)


def decided(draft: Draft, step: ReleaseStep) -> tuple[str, ...]:
    """What the steps before this one decided, as parts of a line."""
    one, corpus = draft.request.settings, draft.corpus
    numbers = f"k {one.problem.n_topics}, ε {one.budget.epsilon:g}, δ {short(one.budget.delta)}"
    return (
        f"**{literal(corpus.name)}** ({corpus.label}), {corpus.as_read.n_documents:,} documents",
        f"each {draft.unit} protected",
        f"{one.method.title}, {numbers}, budget “{literal(draft.request.dataset)}”",
    )[: step - 1]


def unit_key(corpus: Corpus) -> str:
    """Of the choice of whom to protect: each file has its own."""
    return f"{Key.RELEASE_UNIT}.{corpus.as_read.digest[:12]}"


def least_cap(request: Request) -> float:
    """The cap of ε first offered, which is enough: none is ever raised."""
    return min(100.0, max(3.0, math.ceil(10 * request.cost[0]) / 10))


def cap_key(request: Request) -> str:
    """Of the cap of ε, which begins anew with what is enough."""
    return f"{Key.LEDGER_EPSILON}.{least_cap(request)}"
