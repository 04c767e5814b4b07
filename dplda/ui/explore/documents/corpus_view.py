"""What a corpus looks like: its size, what a reader met, the lengths of documents, the frequent words."""

import numpy as np
import streamlit as st

from dplda import figures
from dplda.core.formatting import digits
from dplda.corpus import Corpus, Label, VocabularySource
from dplda.methods.chain.guarantees import not_private
from dplda.privacy.odds import short
from dplda.privacy.release import Caveat
from dplda.ui.explore.documents import corpus_choice
from dplda.ui.shell import figure_view
from dplda.ui.shell.frame import Experiment, Header, of_documents
from dplda.ui.state import looks

WORDS_SHOWN = 20


def header(experiment: Experiment) -> Header:
    """The documents alone: whatever the plan, they are shown as they are."""
    exact = "these are exact numbers of the documents, without noise." if experiment.sensitive else ""
    return Header(of_documents(experiment), not_private(exact) if exact else None)


def draw(experiment: Experiment) -> None:
    """Other documents where they are asked for, and a look at those in use."""
    corpus_choice.choose(experiment.corpus.name)
    pictures(experiment)
    overview(experiment)
    intake(experiment.corpus)


def overview(experiment: Experiment) -> None:
    """Size of the corpus, and where its words come from."""
    corpus = experiment.corpus
    st.markdown(
        f"**{int(corpus.lengths.sum()):,}** words counted. **{int((corpus.lengths < 3).sum()):,}** {corpus.unit}s with"
        " fewer than 3 words stay in N and contribute zero."
    )
    st.markdown(_vocabulary_status(corpus))
    if corpus.truth is not None:
        alpha = corpus.truth.alpha
        st.markdown(
            f"**Truth**: {len(alpha)} topics, α₀ = {digits(alpha.sum())}, α from {digits(alpha[-1], 2)} to"
            f" {digits(alpha[0], 2)}."
        )


def intake(corpus: Corpus) -> None:
    """What came in with a file, what was changed or passed over, and why."""
    if corpus.intake is None:
        return
    st.header("What came in", anchor=False)
    if corpus.label is Label.SENSITIVE:
        st.caption("For the curator's eyes: these numbers depend on the documents.")
    for number, meaning in corpus.intake.lines():
        st.markdown(f"- **{number:,}** {meaning}")
    if corpus.as_read.n_persons is not None:
        st.markdown(f"- **{corpus.as_read.n_persons:,}** persons wrote them: theirs are read as one, and protected.")
    st.markdown(f"- {' '.join(corpus.intake.kept_in_words())}")


def pictures(experiment: Experiment) -> None:
    """Lengths of documents and the most frequent words."""
    corpus = experiment.corpus
    looks.note(corpus, Caveat.LOOKED)
    documents = np.bincount(corpus.counts.indices, minlength=corpus.n_words)
    order = np.argsort(-documents, kind="stable")[:WORDS_SHOWN]
    words = [corpus.vocabulary[index] for index in order]
    shares = [float(documents[index] / corpus.n_documents) for index in order]
    left, right = st.columns(2, gap="medium")
    mark = experiment.watermark
    with left:
        figure_view.draw(figures.document_lengths(corpus.lengths, unit=corpus.unit, watermark=mark), "corpus.lengths")
    with right:
        figure_view.draw(figures.frequent_words(words, shares, unit=corpus.unit, watermark=mark), "corpus.words")
        st.caption("Words that nearly every document uses blur topics: a fixed vocabulary without them helps.")


def _vocabulary_status(corpus: Corpus) -> str:
    if corpus.vocabulary_source is VocabularySource.FIXED:
        return "**Vocabulary**: fixed beforehand, so it gives nothing away."
    if corpus.selection is not None:
        one = corpus.selection
        return (
            f"**Vocabulary**: selected privately, which is part of the promise: ε = {short(one.epsilon)} and"
            f" δ = {short(one.delta)}, beside what the topics cost."
        )
    if corpus.label is Label.SENSITIVE:
        return "**Vocabulary**: taken from the sensitive documents themselves, so that **no result is private**."
    return "**Vocabulary**: taken from these documents, which are public; it is not protected."
