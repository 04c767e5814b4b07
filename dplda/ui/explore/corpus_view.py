"""The documents in use: an overview, what was read from a file, and ways to get others."""

import numpy as np
import streamlit as st

from dplda import figures
from dplda.core.formatting import counted, digits
from dplda.corpus import Corpus, Label, Selection, VocabularySource
from dplda.methods.base.guarantees import not_private_guarantee
from dplda.privacy.accounting.odds import format_rounded_up
from dplda.privacy.release import Caveat
from dplda.ui.explore import simulation_form
from dplda.ui.literal import literal
from dplda.ui.shell import figure_view
from dplda.ui.shell.frame import Header, LoadedExperiment, describe_documents
from dplda.ui.state import exposure
from dplda.ui.state.keys import Key
from dplda.ui.state.session import DocumentSource
from dplda.ui.upload import form

WORDS_SHOWN = 20
MIN_WORDS_OF_A_TRIPLE = 3
EXACT_NUMBERS = "these are exact numbers of the documents, without noise."
SOURCE_TITLES = {
    DocumentSource.SIMULATED: "Simulate",
    DocumentSource.FILE: "Read a file",
}
FIXED_VOCABULARY = "**Vocabulary**: fixed beforehand, so it gives nothing away."
SENSITIVE_VOCABULARY = (
    "**Vocabulary**: taken from the sensitive documents themselves, so **no result is private**."
)
PUBLIC_VOCABULARY = (
    "**Vocabulary**: taken from these documents, which are public; it is not protected."
)


def header(loaded: LoadedExperiment) -> Header:
    """A header with the documents only: this view does not depend on the method."""
    claim = not_private_guarantee(EXACT_NUMBERS) if loaded.is_sensitive else None
    return Header(describe_documents(loaded), claim)


def draw(loaded: LoadedExperiment) -> None:
    """Draw the ways to other documents, and an overview of those in use while none is open."""
    if _choose_source(loaded.corpus.name):
        return
    draw_overview(loaded)
    draw_intake(loaded.corpus)


def draw_intake(corpus: Corpus) -> None:
    """Draw what was read from a file, what was changed or skipped, and why.

    Draws nothing if no file was read. For sensitive documents a caption says that only the curator
    may see it. If authors are known, a line counts them. The last line says what was kept.
    """
    if corpus.intake is None:
        return
    st.header("What came in", anchor=False)
    if corpus.label is Label.SENSITIVE:
        st.caption("For the curator only: these numbers depend on the documents.")
    for intake_count, count_meaning in corpus.intake.lines():
        st.markdown(f"- **{intake_count:,}** {literal(count_meaning)}")
    n_persons = corpus.as_read.n_persons
    if n_persons is not None:
        persons_sentence = f"**{n_persons:,}** persons wrote them."
        st.markdown(f"- {persons_sentence} All documents of a person count as one.")
    st.markdown(f"- {' '.join(corpus.intake.kept_in_words())}")


def draw_overview(loaded: LoadedExperiment) -> None:
    """Draw lengths of documents, counts, and the most frequent words.

    Records that the documents were looked at, which a release states as a caveat.
    """
    corpus = loaded.corpus
    exposure.record(corpus, Caveat.LOOKED)
    left_column, right_column = st.columns(2, gap="medium")
    with left_column:
        length_figure = figures.document_lengths(
            corpus.lengths, unit=corpus.unit, watermark=loaded.watermark
        )
        figure_view.draw(length_figure, "corpus.lengths")
        _describe_counts(corpus)
    with right_column:
        _draw_frequent_words(loaded)


def _describe_counts(corpus: Corpus) -> None:
    """Draw how many words are counted, and how many documents are too short for triples.

    Below come the origin of the vocabulary, and the true topics if they are known.
    """
    n_counted_words = int(corpus.lengths.sum())
    n_too_short = int((corpus.lengths < MIN_WORDS_OF_A_TRIPLE).sum())
    st.markdown(
        f"**{n_counted_words:,}** words counted. Too short for triples"
        f" (under {MIN_WORDS_OF_A_TRIPLE} words): **{counted(n_too_short, corpus.unit)}**."
    )
    st.markdown(_describe_vocabulary(corpus))
    if corpus.truth is not None:
        topic_alphas = corpus.truth.alpha  # the largest topic first
        smallest_alpha, largest_alpha = digits(topic_alphas[-1], 2), digits(topic_alphas[0], 2)
        st.markdown(
            f"**Truth**: {len(topic_alphas)} topics, α₀ = {digits(topic_alphas.sum())},"
            f" α from {smallest_alpha} to {largest_alpha}."
        )


def _draw_frequent_words(loaded: LoadedExperiment) -> None:
    """Draw the words that most documents use, each with the share of documents that use it."""
    corpus = loaded.corpus
    n_documents_using = np.bincount(corpus.counts.indices, minlength=corpus.n_words)
    most_used_words = np.argsort(-n_documents_using, kind="stable")[:WORDS_SHOWN]
    figure = figures.frequent_words(
        [corpus.vocabulary[word_id] for word_id in most_used_words],
        [float(n_documents_using[word_id] / corpus.n_documents) for word_id in most_used_words],
        unit=corpus.unit,
        watermark=loaded.watermark,
    )
    figure_view.draw(figure, "corpus.words")


def _describe_vocabulary(corpus: Corpus) -> str:
    """A sentence on where the vocabulary comes from, and on what that reveals."""
    if corpus.vocabulary_source is VocabularySource.FIXED:
        return FIXED_VOCABULARY
    if corpus.selection is not None:
        return _describe_selection(corpus.selection)
    return SENSITIVE_VOCABULARY if corpus.label is Label.SENSITIVE else PUBLIC_VOCABULARY


def _describe_selection(selection: Selection) -> str:
    """A sentence on words that noise selected, and on their budget."""
    epsilon, delta = format_rounded_up(selection.epsilon), format_rounded_up(selection.delta)
    return (
        f"**Vocabulary**: selected privately, which costs ε = {epsilon} and δ = {delta},"
        " in addition to the topics."
    )


def _choose_source(name_in_use: str) -> bool:
    """Draw the choice of other documents, and the form of the chosen source.

    The choice is reset once a form is done. While a source is chosen, a caption names the documents
    still in use.

    Returns:
        Whether a source is chosen, so that its form is open.
    """
    if st.session_state.pop(Key.SOURCE_DONE, False):
        st.session_state[Key.SOURCE] = None
    chosen_source = st.segmented_control(
        "Use other documents",
        list(SOURCE_TITLES),
        format_func=SOURCE_TITLES.__getitem__,
        key=Key.SOURCE,
        persist_state="session",
        help="The documents in use stay until others are ready. A second click closes the form.",
    )
    if chosen_source == DocumentSource.SIMULATED:
        simulation_form.draw()
    elif chosen_source == DocumentSource.FILE:
        form.draw_form()
    if chosen_source is None:
        return False
    st.caption(f"Still in use: {literal(name_in_use)}. Close the form to see these documents.")
    return True
