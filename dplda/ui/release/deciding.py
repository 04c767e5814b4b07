"""The first four steps of a release: the documents, the unit of protection, the budget, a rehearsal."""

import math
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dplda import figures
from dplda.core.errors import DpldaError
from dplda.core.formatting import digits
from dplda.corpus import Corpus, Label, load
from dplda.evaluation import topic_error
from dplda.evaluation.evidence import describe_topics_above_noise
from dplda.experiments.experiment import Experiment
from dplda.figures import NEAR
from dplda.figures.errors.regimes import in_words
from dplda.figures.topics.lanes import lane, lane_as_found
from dplda.methods.look_then_add import FIRST_SHARE
from dplda.methods.registry import parse_method_spec
from dplda.privacy.accounting.odds import (
    best_guess,
    format_chance,
    format_rounded_down,
    format_rounded_up,
)
from dplda.release.ledger.amounts import EPSILON_UNITS
from dplda.release.ledger.balance import Balance
from dplda.release.ledger.folder import RESTORE, Folder, FolderError, default_path
from dplda.release.ledger.ledger import (
    DOCUMENT,
    LONGEST_NAME,
    PERSON,
    Ledger,
    LedgerError,
    noted_in,
)
from dplda.release.workflow.draft import Draft, ReleaseStep
from dplda.release.workflow.price import describe_use
from dplda.release.workflow.recovery import recover_interrupted
from dplda.release.workflow.release_job import ReleaseJob
from dplda.release.workflow.release_store import (
    find_dataset,
    latest_releases,
    receipt_of,
    unfinished_charges,
)
from dplda.release.workflow.reopening import reopen_draft
from dplda.release.workflow.request import Request
from dplda.theory.prediction.expected import MEAN_LENGTH, expected
from dplda.theory.prediction.regime_axes import Point
from dplda.ui.literal import literal
from dplda.ui.release import public_knowledge
from dplda.ui.shell import figure_view, predictions, sidebar, views
from dplda.ui.state import cache, exposure, session
from dplda.ui.state.keys import Key
from dplda.ui.state.link import SEEDS
from dplda.ui.upload import file_preview, form, reading_choice

CAP, CAP_DELTA = 4.0, 1e-6  # first offered
UNITS = {DOCUMENT: "Each document", PERSON: "Each person, with everything they wrote"}


def drafted(corpus: Corpus, settings: Experiment) -> Draft:
    """The decisions so far; widgets not yet drawn count with the values they will start from."""
    state, ledger = st.session_state, Ledger(Folder()) if default_path().exists() else None
    if ledger and (faults := ledger.faults()):
        raise LedgerError(
            f"The ledger was tampered with or damaged: {'; '.join(faults).rstrip('.')}. {RESTORE}"
        )
    if ledger and Folder().rooms():  # of a release under way, or of a process that was killed
        with suppress(FolderError), Folder().turn(patience=0):
            recover_interrupted(Folder())
    try:
        if ledger and (
            opened := reopen_draft(
                state.get(Key.RELEASE_OPENED), corpus, exposure.caveats_for(corpus)
            )
        ):
            return opened
    except DpldaError as damaged:  # others can be opened
        st.error(literal(str(damaged)))
        state[Key.RELEASE_STEP] = ReleaseStep.FILE
    state[Key.RELEASE_OPENED] = None
    unit = str(
        state.get(key_of(Key.RELEASE_UNIT, corpus)) or (PERSON if corpus.of_persons else DOCUMENT)
    )
    held = (
        {name: ledger.balance(name) for name in ledger.datasets() if ledger.protects(name) == unit}
        if ledger
        else {}
    )
    chosen, owner = (
        f"{key_of(key, corpus)}.{unit}" for key in (Key.RELEASE_DATASET, Key.RELEASE_OWNER)
    )
    if state.get(chosen) not in (*held, ""):  # a budget of other documents is never taken unasked
        with st.spinner("Looking for the budget of these documents"):
            own = (ledger and find_dataset(corpus, Folder())) or ""
        state[chosen], state[owner] = own if own in held else "", own
    name = state.get(chosen) or str(state.get(key_of(Key.LEDGER_NAME, corpus), "")).strip()
    request = Request(
        name,
        name,
        public_knowledge.applied(settings),
        corpus.selection,
        exposure.caveats_for(corpus),
    )
    job: ReleaseJob | None = state.get(Key.RELEASE_JOB)
    begun, new = (
        job is not None and job.request_text == request.canonical_text(),
        float(state.get(Key.LEDGER_EPSILON, CAP)),
    )
    cap = None if state.get(chosen) else (new, max(CAP_DELTA, 3 * request.cost[1]))
    return Draft(corpus, unit, held, request, cap, begun, str(state.get(owner, "")))


def file(draft: Draft) -> None:
    """Draw the choice of a file with the usual form, or of a release; the documents in use are there for practice."""
    if kept := latest_releases(Folder()) if default_path().exists() else {}:
        st.selectbox(
            "Topics that you released",
            [number for number in reversed(kept) if receipt_of(kept[number]) == number],
            index=None,
            format_func=lambda number: (
                f"{kept[number].dataset}, {kept[number].at[:16].replace('T', ' ')} UTC"
            ),
            key=Key.RELEASE_OPENED,
            persist_state="session",
        )
    _say_interrupted()
    name = literal(draft.corpus.name)
    if session.uploaded() is None:
        st.markdown(
            f"Choose a file with your documents, or practice with **{name}**. A file stays on this machine."
        )
        return form.draw_form()
    st.markdown(
        f"**{name}** is open: {draft.corpus.as_read.n_documents:,} documents. They stay on this machine."
    )
    for line in draft.corpus.intake.remark_lines() if draft.corpus.intake else ():
        st.caption(literal(line))
    with st.expander("Read another file, or this one in another way"):
        form.draw_form()


def _say_interrupted() -> None:
    """Say which releases were charged and then interrupted, and how to get them."""
    if not default_path().exists():
        return
    with suppress(FolderError), Folder().turn(patience=0):  # none of them is under way
        for charge in unfinished_charges(Folder()):
            noted = noted_in(charge)
            epsilon = format_rounded_up(charge.epsilon / EPSILON_UNITS, 3)
            at = charge.at[:16].replace("T", " ")
            st.info(
                literal(
                    f"A release of “{charge.dataset}” was interrupted: {noted['method']},"
                    f" k = {noted['topics']}, ε = {epsilon}, {at} UTC. It is paid for. Choose the same"
                    " documents and settings to finish it."
                ),
                icon=":material/restart_alt:",
            )


def whom(draft: Draft) -> None:
    """Draw the choice of what to protect: one document, or one person with everything they wrote."""
    read = draft.corpus.as_read
    without = "The file was read without persons. If one of its columns names them, go back and choose it."
    persons = (
        f"{read.n_persons:,} persons. All documents of a person are read as one."
        if read.n_persons
        else without
    )
    st.radio(
        "Whom should the result protect?",
        list(UNITS),
        index=list(UNITS).index(draft.unit),
        format_func=lambda unit: UNITS[unit],
        captions=[
            f"{read.n_documents:,} documents. Enough if nobody wrote more than one of them.",
            persons,
        ],
        key=key_of(Key.RELEASE_UNIT, read),
        persist_state="session",
    )


def budget(draft: Draft) -> None:
    """Draw the choice of method and topics, how much privacy to use, and from which budget."""
    left, right = st.columns(2, gap="large")
    with left:
        settings = draft.request.settings
        sidebar.write_promise(
            sidebar.draw_epsilon(draft.unit),
            settings.registered_method.guarantee(draft.corpus, settings.budget),
            draft.unit,
        )
        sidebar.draw_method_controls()
    with right:
        _account(draft, draft.datasets)
        guess = format_chance(best_guess(*draft.request.cost))
        said = f"Somebody who guesses which of two {draft.unit}s was in can be right {guess} (a coin: half the time)."
        st.markdown(said)
        others = (
            (*draft.datasets, draft.owner) if draft.new_budget else ()
        )  # which a new budget may not be called
        if draft.request.dataset not in ("", *others) and draft.receipt() is None:
            cost = describe_use(draft.rows, draft.request, draft.balance)
            st.markdown(f"**{literal(cost if draft.progress is None else draft.price()[0])}**")
        public_knowledge.draw(draft)


def _account(draft: Draft, held: Mapping[str, Balance]) -> None:
    if held:
        st.selectbox(
            "Budget",
            [*held, ""],
            format_func=lambda name: (
                f"{name}: ε = {format_rounded_down(held[name].remaining[0], 3)} left"
                if name
                else "a new one"
            ),
            key=f"{key_of(Key.RELEASE_DATASET, draft.corpus)}.{draft.unit}",
            persist_state="session",
            help="Use the same budget for the same documents, whatever the file is called, and a new one for others.",
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
            *(0.1, 100.0, CAP),
            key=Key.LEDGER_EPSILON,
            persist_state="session",
            help="The most that all these releases may ever use together. It can be lowered later, never raised.",
        )


def key_of(key: Key, corpus: Corpus) -> str:
    """The key of a choice that is separate for each file."""
    return f"{key}.{corpus.as_read.digest[:12]}"


ONCE, LOOK = "one release", "look, then add"
TWIN, PUBLIC = "a simulated twin", "a public file"
SHOWN, WORDS = 6, 5  # topics, and words of each


def rehearse(draft: Draft) -> None:
    """Draw the choice of documents to rehearse on, and the outcome."""
    st.markdown(
        "Try your settings on documents that need no protection. It is free, and shows what to expect."
    )
    left, right = st.columns(2)
    with left:
        chosen = views.choose_one("Rehearse on", (TWIN, PUBLIC), key=Key.RELEASE_TWIN)
    corpus = _twin(draft, right) if chosen == TWIN else _public(draft)
    if corpus is not None:
        _outcome(draft, corpus, chosen)


def _twin(draft: Draft, place: DeltaGenerator) -> Corpus | None:
    """Draw a twin's settings and simulate it: as many documents and words, from public numbers alone."""
    typical = place.number_input(
        f"Words you expect from each {draft.unit}",
        *(1, 10_000, int(MEAN_LENGTH)),
        key=Key.RELEASE_LENGTH,
        persist_state="session",
        help="A guess will do. A number measured on the documents would reveal something about them.",
        width=240,
    )
    twin, spent = draft.twin_simulation(int(typical)), draft.request.settings.budget
    shape = (twin.n_documents, twin.n_topics, twin.n_words, twin.alpha0, twin.mean_length)
    here = Point(*shape, spent.epsilon, spent.delta)
    (error,) = expected([here], draft.request.settings.method.text)
    if math.isfinite(error.error):
        st.markdown(f"Predicted mean error of a topic: **{in_words(error)}**.")
    predictions.warn_if_unreadable(here, draft.unit)
    return cache.simulated(twin)


def _public(draft: Draft) -> Corpus | None:
    """Draw an upload of public documents and read them over the same word list or their own most frequent words."""
    file = public_knowledge.kept_file("Public documents", Key.RELEASE_PUBLIC)
    if file is None:
        return None
    chosen, words = reading_choice.choose_reading(file), draft.request.selection
    if chosen.missing:
        return None
    how = partial(
        chosen.bind(load, file),
        person=chosen.person,
        label=Label.PUBLIC,
        vocabulary=None if words else draft.corpus.vocabulary,
        n_words=words.n_words if words else None,
    )
    corpus = file_preview.cached_preview("rehearsal", file, how, chosen, draft.corpus.digest, words)
    return corpus and (corpus.by_person() if draft.unit == PERSON else corpus)


def _outcome(draft: Draft, corpus: Corpus, chosen: str) -> None:
    """Draw noisy topics next to the true or un-noised ones, which are not secret for these documents."""
    settings = draft.request.settings
    steps, made_up = (
        settings.registered_method.fit_continued is not None and settings.method.prior is None,
        chosen == TWIN,
    )
    if made_up and settings.method.prior is not None:
        settings = replace(settings, method=parse_method_spec(public_knowledge.PLAIN))
        st.info(
            "Public knowledge is left out here: no table knows a twin's words. Rehearse it on a public file."
        )
    once, look = settings, 0.0
    if steps and views.choose_one("Plan", (ONCE, LOOK), key=Key.RELEASE_PLAN) == LOOK:
        settings = replace(once, method=replace(once.method, first_share=FIRST_SHARE))
        look = FIRST_SHARE * once.budget.epsilon
    if corpus.truth is not None:
        known, title = corpus.truth.topics, "true"
    elif (exact := cache.noiseless_twin(corpus, settings)) is not None:
        known, title = exact.topics.words, "without noise"
    else:
        return
    found = cache.fit(corpus, settings)
    if found is None:
        return
    error = topic_error(known, found.topics.words).l1_mean
    verdict = f"{'near' if error < NEAR else 'not near'} {'the true ones' if title == 'true' else f'those {title}'}"
    st.header(
        f"On {chosen}, topics are {verdict}: their mean error is {digits(error, 2)}", anchor=False
    )
    again = (Key.SEED, (settings.seed + 1) % SEEDS[1])
    st.button(
        "New noise", icon=":material/casino:", key=Key.REROLL, on_click=session.put, args=again
    )
    if error >= NEAR:
        more = "" if draft.request.settings.method.prior else ", public knowledge"
        st.markdown(
            f"Below {NEAR:g} counts as near; 2 is the maximum. Fewer topics{more} or a larger ε may help."
        )
    if look:
        before = cache.fit(corpus, replace(once, budget=replace(once.budget, epsilon=look)))
        at_once = cache.fit(corpus, once)
        if before is None or at_once is None:
            return
        early, all_in_one = (
            digits(topic_error(known, each.topics.words).l1_mean, 2) for each in (before, at_once)
        )
        st.markdown(
            f"A first release at ε = {look:g} has an error of {early}. One with all ε has {all_in_one}."
        )
    said, ends, evidence = (
        f"ε = {settings.budget.epsilon:g}",
        cache.ranges(corpus, settings, found),
        found.evidence,
    )
    noisy = lane(
        said,
        found.topics,
        known,
        uncertainty=ends,
        evidence=evidence,
        leans=found.prior_topics is not None,
    )
    if evidence is not None:
        st.markdown(f"{evidence.describe_gain('these')} {describe_topics_above_noise(evidence)}")
    if made_up:
        st.caption("A twin's words are made up. Rehearse on a public file to see real ones.")
    elif found.prior is not None:
        st.markdown(literal(found.prior.in_words()))
    figure = figures.top_words(
        (noisy, lane_as_found(title, known)), corpus.vocabulary, n_shown=WORDS, last=SHOWN
    )
    figure_view.draw(figure, "release.rehearsed")
