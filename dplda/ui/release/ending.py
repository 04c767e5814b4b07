"""The last two steps: the release, behind a button that says what it uses, and what comes of it."""

import time
from collections.abc import Callable
from functools import partial

import streamlit as st

from dplda import figures
from dplda.cli.release import receipt_lines
from dplda.core.errors import DpldaError, NotReleasable
from dplda.core.formatting import counted
from dplda.evaluation.evidence import beyond_noise
from dplda.evaluation.relevance import LONGEST_NAME, default_names
from dplda.figures.topics.lanes import lane_as_found
from dplda.privacy.odds import remaining, short
from dplda.release.draft import Draft, ReleaseStep
from dplda.release.folder import Folder, FolderError, UnwrittenError
from dplda.release.kept import name_topics
from dplda.release.ledger import LedgerError
from dplda.release.released_file import SUFFIX, write
from dplda.release.report.page import page as report
from dplda.release.report.released import released_from
from dplda.release.request import Receipt
from dplda.release.under_way import ReleaseJob
from dplda.ui.literal import literal
from dplda.ui.shell import downloads, figure_view
from dplda.ui.state import session
from dplda.ui.state.keys import Key

EVERY = 0.2  # seconds between two looks at a release
WORDS = 8  # shown of a topic


def release(draft: Draft) -> None:
    """What it uses, what it states, and the button."""
    if draft.receipt() is not None:
        if st.session_state.pop(Key.RELEASE_NEWS, False):
            session.put(Key.RELEASE_STEP, ReleaseStep.SHARE)
            st.rerun()
        st.success("This request is released. Releasing it again costs nothing and gives the same topics.")
        return
    first, *others = draft.price()
    st.markdown("\n".join((f"**{literal(first)}**\n", *(f"- {literal(said)}" for said in others))))
    with st.expander("What is released, and what it promises"):
        st.markdown("\n".join(f"- {literal(said)}" for said in draft.terms()))
    st.button("Use the budget and release", type="primary", key=Key.RELEASE_NOW, on_click=_begin, args=(draft,))
    if draft.begun:
        try:
            _watch(st.session_state[Key.RELEASE_JOB])
        except UnwrittenError as lost:
            st.error(literal(str(lost)))
            _file(partial(bytes, lost.content))
        except (NotReleasable, LedgerError, FolderError):
            raise  # before anything was charged
        except DpldaError as error:
            st.error(literal(f"{error} The budget is used anyway."))


def _begin(draft: Draft) -> None:
    try:
        session.put(Key.RELEASE_JOB, ReleaseJob(draft.corpus, draft.request, draft.unit, draft.cap))
    except DpldaError as error:
        return session.notice(str(error))
    session.put(Key.RELEASE_DATASET, draft.request.dataset)
    session.put(Key.RELEASE_NEWS, True)


def _watch(under_way: ReleaseJob) -> None:
    """Draws how far a release is, then what it ended with."""
    place = st.empty()
    while not under_way.done.done():
        share, step = under_way.told
        place.progress(share, text=f"Releasing: {step}. Leaving this page does not stop it.")
        time.sleep(EVERY)
    under_way.done.result()
    st.rerun()


def share(draft: Draft) -> None:
    """The topics, from the released file alone; names, report, file, and what is left."""
    receipt = draft.receipt()
    assert receipt is not None  # else this step is not reached
    one, (epsilon, delta) = receipt.artefact, receipt.left
    with st.container(horizontal=True, vertical_alignment="center"):
        downloads.report(lambda: report(released_from(one)))
        _file(lambda: write(one))
        st.markdown(f"Left of “{literal(draft.request.dataset)}”: ε = {remaining(epsilon)}, δ = {remaining(delta)}.")
    st.header(f"{counted(len(one.words), 'topic')} of {literal(one.documents)}", anchor=False)
    if not len(one.words):
        st.info("No topic rises above the noise. Rehearse with a larger ε or fewer topics before you release again.")
    elif one.evidence is not None:
        st.markdown(f"**{one.evidence.in_words()}** {beyond_noise(one.evidence)}")
    said, ends = f"released, ε = {short(one.promise.epsilon, 3)}", (one.lower, one.upper)
    lanes = [lane_as_found(said, one.words, *ends, evidence=one.evidence, names=one.names)]
    half = (len(one.words) + 1) // 2
    for column, first, last in zip(st.columns(2, gap="medium"), (0, half), (half, len(one.words)), strict=True):
        if first < last:
            figure = figures.top_words(lanes, one.vocabulary, n_shown=WORDS, first=first, last=last)
            with column:
                figure_view.draw(figure, f"release.topics.{first > 0}")
    with st.expander("Name the topics", icon=":material/edit:"):
        _names(receipt)
    with st.expander("Receipt", icon=":material/receipt_long:"):
        st.markdown("\n".join(f"- {literal(said)}" for said in receipt_lines(receipt)))


def _names(receipt: Receipt) -> None:
    one = receipt.artefact
    words, columns = default_names(one.words, one.mean_words, one.vocabulary), st.columns(2)
    keys = [f"{Key.RELEASE_NAME}.{one.charge[:12]}.{i}" for i in range(len(words))]
    for i, key in enumerate(keys):
        st.session_state[key] = (one.names[i] if one.names else None) or ""
        columns[2 * i // len(keys)].text_input(
            f"Topic {i + 1}: {literal(words[i])}",
            max_chars=LONGEST_NAME,
            key=key,
            on_change=_name,
            args=(receipt, keys),
        )
    st.caption("Names are your reading of the words. They are kept in the report and the file, outside its checksum.")


def _name(receipt: Receipt, keys: list[str]) -> None:
    try:
        name_topics(receipt, [" ".join(str(st.session_state[key]).split()) or None for key in keys], Folder())
    except DpldaError as error:
        session.notice(str(error))


def _file(content: Callable[[], bytes]) -> None:
    said = "Everything that was released. Keep it: dplda can make the report from it again."
    downloads.save("The released file", content, f"release{SUFFIX}", icon="download", key=Key.RELEASE_SAVE, help=said)
