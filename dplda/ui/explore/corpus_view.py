"""What the corpus looks like, and how to get another: simulate it or read a file."""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dplda import figures
from dplda.core.errors import DpldaError
from dplda.core.formatting import counted, digits
from dplda.corpus import MOST_TOKENS, Corpus, Label, LengthLaw, Simulation, VocabularySource
from dplda.corpus.simulation.newspaper import newspapers
from dplda.methods.base.guarantees import not_private_guarantee
from dplda.privacy.accounting.odds import format_rounded_up
from dplda.privacy.release import Caveat
from dplda.ui.explore import upload
from dplda.ui.literal import literal
from dplda.ui.shell import figure_view
from dplda.ui.shell.frame import Header, LoadedExperiment, describe_documents
from dplda.ui.state import cache, exposure, session
from dplda.ui.state.keys import Key
from dplda.ui.state.link import ALPHAS, TOPICS
from dplda.ui.state.progress import allow
from dplda.ui.state.session import DocumentSource

WORDS_SHOWN = 20


def header(experiment: LoadedExperiment) -> Header:
    """A header with the documents only: this view does not depend on the method."""
    exact = (
        "these are exact numbers of the documents, without noise."
        if experiment.is_sensitive
        else ""
    )
    return Header(describe_documents(experiment), not_private_guarantee(exact) if exact else None)


def draw(experiment: LoadedExperiment) -> None:
    """Draw the ways to other documents, and an overview of those in use."""
    _choose(experiment.corpus.name)
    pictures(experiment)
    intake(experiment.corpus)


def intake(corpus: Corpus) -> None:
    """Draw what was read from a file, what was changed or skipped, and why."""
    if corpus.intake is None:
        return
    st.header("What came in", anchor=False)
    if corpus.label is Label.SENSITIVE:
        st.caption("For the curator only: these numbers depend on the documents.")
    for number, meaning in corpus.intake.lines():
        st.markdown(f"- **{number:,}** {literal(meaning)}")
    if corpus.as_read.n_persons is not None:
        st.markdown(
            f"- **{corpus.as_read.n_persons:,}** persons wrote them. All documents of a person count as one."
        )
    st.markdown(f"- {' '.join(corpus.intake.kept_in_words())}")


def pictures(experiment: LoadedExperiment) -> None:
    """Lengths of documents and the most frequent words."""
    corpus = experiment.corpus
    exposure.record(corpus, Caveat.LOOKED)
    documents = np.bincount(corpus.counts.indices, minlength=corpus.n_words)
    order = np.argsort(-documents, kind="stable")[:WORDS_SHOWN]
    words = [corpus.vocabulary[index] for index in order]
    shares = [float(documents[index] / corpus.n_documents) for index in order]
    left, right = st.columns(2, gap="medium")
    mark = experiment.watermark
    with left:
        figure_view.draw(
            figures.document_lengths(corpus.lengths, unit=corpus.unit, watermark=mark),
            "corpus.lengths",
        )
        total, few = (
            int(corpus.lengths.sum()),
            counted(int((corpus.lengths < 3).sum()), corpus.unit),
        )
        st.markdown(
            f"**{total:,}** words counted. Too short for triples (under 3 words): **{few}**."
        )
        st.markdown(_vocabulary_status(corpus))
        if corpus.truth is not None:
            alpha = corpus.truth.alpha
            least, most = digits(alpha[-1], 2), digits(alpha[0], 2)
            st.markdown(
                f"**Truth**: {len(alpha)} topics, α₀ = {digits(alpha.sum())}, α from {least} to {most}."
            )
    with right:
        figure_view.draw(
            figures.frequent_words(words, shares, unit=corpus.unit, watermark=mark), "corpus.words"
        )


def _vocabulary_status(corpus: Corpus) -> str:
    if corpus.vocabulary_source is VocabularySource.FIXED:
        return "**Vocabulary**: fixed beforehand, so it gives nothing away."
    if corpus.selection is not None:
        one = corpus.selection
        return (
            f"**Vocabulary**: selected privately, which costs ε = {format_rounded_up(one.epsilon)} and"
            f" δ = {format_rounded_up(one.delta)}, in addition to the topics."
        )
    if corpus.label is Label.SENSITIVE:
        return "**Vocabulary**: taken from the sensitive documents themselves, so **no result is private**."
    return "**Vocabulary**: taken from these documents, which are public; it is not protected."


DEFAULT = Simulation()
_Number: TypeAlias = tuple[str, str, float, float, float, str]
_CONCENTRATION = "topic_concentration"
_NUMBERS: tuple[_Number, ...] = (  # field of a simulation, label, least, largest, step, help
    ("n_documents", "Documents N", 3, 1_000_000, 1000, "Noise falls as 1/N."),
    ("n_words", "Vocabulary d", 2, 3000, 100, "Noise goes on every pair of words."),
    ("n_topics", "True topics k", *TOPICS, 1, "The sidebar's k follows it."),
    ("alpha0", "True mixing α₀", *ALPHAS, 0.1, "Small: a document keeps to one topic."),
    ("mean_length", "Mean length L", 1, 10_000, 10, "Words in a document, on average."),
    (
        _CONCENTRATION,
        "Topic concentration",
        0.001,
        100.0,
        0.05,
        "Small: each topic has a few words of its own.",
    ),
    ("seed", "Seed of the documents", 0, 2**31 - 1, 1, "The same seed draws the same documents."),
)


def _choose(in_use: str) -> None:
    """Draw the choice of other documents; each form opens on request."""
    if st.session_state.pop(Key.SOURCE_DONE, False):
        st.session_state[Key.SOURCE] = None
    source = st.segmented_control(
        "Use other documents",
        [DocumentSource.SIMULATED, DocumentSource.FILE],
        format_func=lambda place: (
            "Simulate" if place is DocumentSource.SIMULATED else "Read a file"
        ),
        key=Key.SOURCE,
        persist_state="session",
        help="The corpus in use stays until another one is ready.",
    )
    if source == DocumentSource.SIMULATED:
        _simulate()
    elif source == DocumentSource.FILE:
        upload.choose()
    if source is not None:
        st.header(f"Still in use: {literal(in_use)}", anchor=False)


def _simulate() -> None:
    st.markdown(
        f"The true topics are known here, so the error can be measured. At most {MOST_TOKENS:,} words in all."
    )
    with st.form(Key.SIMULATE):
        newspaper = st.selectbox(
            "Words",
            ["", *newspapers()],
            format_func=lambda name: (
                f"An invented newspaper, in {name.capitalize()}" if name else "w0000, w0001, …"
            ),
            key=f"{Key.SIMULATE}.newspaper",
            persist_state="session",
            help="The topics of a newspaper are its sections, in real words. Other topics are drawn at random.",
        )
        columns = st.columns(3)
        numbers = [_number(columns[place % 3], *one) for place, one in enumerate(_NUMBERS[:5])]
        law = columns[2].selectbox(
            "Law of lengths",
            list(LengthLaw),
            format_func=str.capitalize,
            key=f"{Key.SIMULATE}.lengths",
            persist_state="session",
            help="Log-normal: a few documents are very long, as in real collections.",
        )
        numbers += [_number(columns[place % 3], *one) for place, one in enumerate(_NUMBERS[5:])]
        drawn = st.form_submit_button(
            "Simulate", type="primary", key=Key.SIMULATE_NOW, on_click=allow
        )
    if drawn:
        make: Callable[..., Simulation] = Simulation
        try:
            simulation = make(
                **dict(numbers),
                lengths=LengthLaw(law or LengthLaw.POISSON),
                newspaper=newspaper or "",
            )
            corpus = cache.simulated(simulation)
        except DpldaError as error:
            st.error(literal(str(error)))
            return
        if corpus is not None:
            session.simulate(simulation)
            st.session_state[Key.SOURCE_DONE] = True
            st.rerun()


def _number(
    column: DeltaGenerator, field: str, label: str, low: float, high: float, step: float, said: str
) -> tuple[str, float]:
    first: float = getattr(DEFAULT, field)
    form, key = "%.3f" if field == _CONCENTRATION else None, f"{Key.SIMULATE}.{field}"
    value = column.number_input(
        label, low, high, first, step, form, key=key, persist_state="session", help=said
    )
    return field, type(first)(value)
