"""The fourth step: the same settings on documents that need no protection, which costs nothing."""

from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dplda import figures
from dplda.core.formatting import digits
from dplda.corpus import Corpus, Label, load
from dplda.corpus.readers.formats import READERS
from dplda.evaluation import topic_error
from dplda.figures import NEAR
from dplda.figures.errors.regimes import in_words
from dplda.figures.topics.lanes import lane, lane_as_found
from dplda.release.draft import Draft
from dplda.release.ledger import PERSON
from dplda.theory.prediction.expected import MEAN_LENGTH, expected
from dplda.theory.prediction.regime_axes import Point
from dplda.ui.explore import reading_choice
from dplda.ui.shell import figure_view, foreseen, views
from dplda.ui.state import cache
from dplda.ui.state.keys import Key

TWIN, PUBLIC = "a simulated twin", "a public file"
SHOWN, WORDS = 6, 5  # topics, and words of each


def draw(draft: Draft) -> None:
    """Choose what to rehearse on, and see what comes out."""
    st.markdown("Try your settings on documents that need no protection. It is free, and shows what to expect.")
    left, right = st.columns(2)
    with left:
        chosen = views.one_of("Rehearse on", (TWIN, PUBLIC), key=Key.RELEASE_TWIN)
    corpus = _twin(draft, right) if chosen == TWIN else _public(draft)
    if corpus is not None:
        _outcome(draft, corpus, chosen)


def _twin(draft: Draft, place: DeltaGenerator) -> Corpus | None:
    """Documents drawn from the model, as many as there are, over as many words; from public numbers alone."""
    typical = place.number_input(
        f"Words you expect of a {draft.unit}",
        *(1, 10_000, int(MEAN_LENGTH)),
        key=Key.RELEASE_LENGTH,
        persist_state="session",
        help="A guess will do. A number measured on the documents would tell of them.",
        width=240,
    )
    twin, spent = draft.twin(int(typical)), draft.request.settings.budget
    shape = (twin.n_documents, twin.n_topics, twin.n_words, twin.alpha0, twin.mean_length)
    here = Point(*shape, spent.epsilon, spent.delta)
    (error,) = expected([here], draft.request.settings.method.text)
    st.markdown(f"Predicted mean error of a topic: **{in_words(error)}**, at most 2. Below {NEAR:g} is readable.")
    foreseen.fails(here)
    return cache.simulated(twin)


def _public(draft: Draft) -> Corpus | None:
    """Documents that anyone may see, over the same list of words, or their own most frequent ones."""
    file = st.file_uploader("Public documents", type=list(READERS), key=Key.RELEASE_PUBLIC)
    if file is None:
        return None
    chosen, words = reading_choice.choose(file), draft.request.selection
    if chosen.missing:
        return None
    how = partial(
        load,
        reading_choice.openable(file),
        text=chosen.text,
        person=chosen.person,
        encoding=chosen.encoding,
        tokenisation=chosen.tokenisation,
        label=Label.PUBLIC,
        vocabulary=None if words else draft.corpus.vocabulary,
        n_words=words.n_words if words else None,
    )
    corpus = reading_choice.glimpsed("rehearsal", file, how, chosen)
    return corpus and (corpus.by_person() if draft.unit == PERSON else corpus)


def _outcome(draft: Draft, corpus: Corpus, chosen: str) -> None:
    """Topics under noise beside those without, which may be seen of these documents."""
    settings = draft.request.settings
    if corpus.truth is not None:
        known, title = corpus.truth.topics, "true"
    elif (exact := cache.without_noise(corpus, settings, settings.method.beside)) is not None:
        known, title = exact.topics.words, "without noise"
    else:
        return
    found = cache.found(corpus, settings)
    if found is None:
        return
    error = digits(topic_error(known, found.topics.words).l1_mean, 2)
    st.header(f"On {chosen}, the mean error of a topic is {error}", anchor=False)
    noisy = lane(f"ε = {settings.budget.epsilon:g}", found.topics, known, uncertainty=found.uncertainty)
    figure = figures.top_words((noisy, lane_as_found(title, known)), corpus.vocabulary, n_shown=WORDS, last=SHOWN)
    figure_view.draw(figure, "release.rehearsed")
