"""The topics, in one view at a time: only the chosen one is computed."""

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from functools import partial

import streamlit as st

from dplda import figures
from dplda.corpus import Label
from dplda.evaluation import topic_error
from dplda.evaluation.relevance import default_names
from dplda.release.artefact.topic_tables import topics_csv, topics_json
from dplda.ui.explore import closer_views, comparison
from dplda.ui.explore.comparison import Comparison
from dplda.ui.shell import downloads, figure_view, glossary, predictions, topic_names, views
from dplda.ui.shell.frame import Header, LoadedExperiment, describe_method
from dplda.ui.state import cache, null_runs, session
from dplda.ui.state.keys import Key

WRITTEN = 6  # topics whose words a map has room for


class TopicView(StrEnum):
    """What to look at."""

    WORDS = "Words"
    MAP = "Map"
    CARDS = "Cards and names"
    SEARCH = "Find a word"
    DOCUMENTS = "Documents"
    TABLE = "Public knowledge"


def header(experiment: LoadedExperiment) -> Header:
    """The method's header; it puts the open view in the address before the link is drawn."""
    views.open_title("topics", list(TopicView), Key.LOOK)
    return describe_method(experiment)


def draw(experiment: LoadedExperiment) -> None:
    """Draw the topics, and numbers and downloads in expanders."""
    found = comparison.compare(experiment)
    if found is not None:
        topic_names.apply_card_names(experiment.corpus, experiment.settings, found.lanes[0])
        title, worth = comparison.finding(found)
        steps = found.private.curator.components
        if steps is not None and not steps.converged:
            worth += " The decomposition **did not converge**: do not trust these topics. Try a larger ε."
        glossary.draw_heading(
            title,
            "topic above_noise twin unreadable interval l1 spectrum release sensitivity noise_scale signal_to_noise",
        )
        prior = found.private.prior
        st.caption(f"{worth} {prior.in_words() if prior else ''}")
        table = found.private.prior_topics is not None
        looks = [look for look in TopicView if table or look is not TopicView.TABLE]
        barred = (
            TopicView.WORDS,
            TopicView.SEARCH,
            TopicView.CARDS if table else None,
        )  # by them words turn gray
        look = TopicView(views.choose("topics", looks, Key.LOOK, LOOK))
        if experiment.is_sensitive:
            said = "A request to release topics of these documents will say that you looked."
            st.toggle("Show the topics without noise", key=Key.UNNOISED, help=said)
        if found.lanes[0].filled or look is TopicView.WORDS:
            LOOKS[look](experiment, found, names(experiment, found))
        else:
            st.info("No topic is above the noise. Choose a larger ε.", icon=":material/waves:")
        place = st.container()  # of progress, once the rest is drawn
        if found.private.evidence is not None:
            null_runs.panel(experiment.corpus, experiment.settings, found.private.evidence)
        with st.expander("Numbers", icon=":material/tag:"):
            _errors(experiment, found)
            _spectrum(experiment, found)
        saved = st.expander(
            "Download", icon=":material/download:", key=f"{Key.SAVE}.topics", on_change="rerun"
        )
        with saved:
            _downloads(experiment, found)
    if experiment.corpus.label is Label.SIMULATED:  # from the model, which predictions are of
        predictions.warn_if_unreadable(predictions.own_point(experiment))
    if found is not None and found.ranges_follow and (look in barred or saved.open):
        with place:
            if cache.ranges(experiment.corpus, experiment.settings, found.private) is not None:
                session.put(
                    Key.NOTICES,
                    (*st.session_state[Key.SAID], *st.session_state.get(Key.NOTICES, ())),
                )
                st.rerun()  # with what was said on top


def names(experiment: LoadedExperiment, found: Comparison) -> dict[int, str]:
    """What each private topic is called, by number: its name, or its three most relevant words."""
    slots = [slot for slot in found.lanes[0].slots if slot.row is not None]
    topics = found.private.topics
    default = default_names(topics.words, topics.mean_words, experiment.corpus.vocabulary)
    given = topic_names.names_by_number(experiment.corpus, experiment.settings)
    return {slot.number: given.get(slot.number) or default[slot.row or 0] for slot in slots}


def _map(experiment: LoadedExperiment, found: Comparison, names: Mapping[int, str]) -> None:
    lanes = found.lanes[:2]
    corpus = experiment.corpus  # many topics would write their words over each other
    given = (
        names if len(names) <= WRITTEN else topic_names.names_by_number(corpus, experiment.settings)
    )
    figure = figures.topic_map(
        lanes, names, corpus.vocabulary, given=given, watermark=experiment.watermark
    )
    figure_view.draw(figure, "topics.map")
    st.caption(
        "Near topics are alike. A larger disk has more of all words. A dotted line leads to the topic without noise.",
        help=f"The plane shows {figures.topic_map_shown(lanes):.0%} of the squared distances (Jensen–Shannon).",
    )


def _errors(experiment: LoadedExperiment, found: Comparison) -> None:
    truth, k = experiment.corpus.truth, experiment.settings.problem.n_topics
    if truth is None:
        return
    if len(truth.topics) != k:
        st.caption(
            f"The documents have {len(truth.topics)} true topics. Set k to {len(truth.topics)} to see errors."
        )
        return
    of = ((found.private, "private"), (found.exact, "without noise"))
    said = (
        f"**{topic_error(truth.topics, fit.topics.words).l1_mean:.3f}** {name}"
        for fit, name in of
        if fit
    )
    st.markdown(
        f"L1 error to the true topics: {', '.join(said)} (0: the same; 2: no word in common)."
    )


def _spectrum(experiment: LoadedExperiment, found: Comparison) -> None:
    """Draw the noisy pair moment's eigenvalues, the un-noised ones and the noise floor, if the method has them."""
    private = found.private.curator.whitening
    if private is None:
        return
    beside = found.exact.curator.whitening if found.exact else None
    exact = beside.spectrum if beside else None
    figure = figures.spectrum(
        private.spectrum,
        noise_floor=private.noise_floor,
        rising=private.rising,
        exact=exact,
        watermark=experiment.watermark,
    )
    figure_view.draw(figure, "topics.spectrum")
    said = "Each topic lifts one eigenvalue of the pair moment M₂."
    if private.noise_floor:
        said += " Noise alone would lift them up to the dashed line."
        if private.rising < private.resolved:
            said += f" As published, the first {private.resolved} are used as topics anyway."
        elif not private.rising and private.spectrum[0] > private.noise_floor:
            said += " A single one above it shows only the overall word frequencies, not a topic."
    else:
        said += " This method puts no noise on it."
    st.caption(said)


def _downloads(experiment: LoadedExperiment, found: Comparison) -> None:
    """A report and topics as tables, under the numbers shown; nothing at all from a sensitive corpus."""
    if experiment.is_sensitive:
        st.info(
            "These documents are sensitive, so nothing can be saved here.", icon=":material/block:"
        )
        st.page_link(
            "pages/release.py", label="Release topics of these documents", icon=":material/outbox:"
        )
        return
    if found.ranges_follow:
        st.caption("Downloads include error bars, so they wait until these are ready.")
        return
    lane, vocabulary = found.lanes[0], experiment.corpus.vocabulary
    names = topic_names.names_by_row(experiment.corpus, experiment.settings)
    csv, json = partial(topics_csv, lane, vocabulary), partial(topics_json, lane, vocabulary)
    with st.container(horizontal=True):
        downloads.draw_report_button(lambda: _report(experiment, found, names()))
        downloads.draw_save_button("Topics (CSV)", csv, "dplda-topics.csv", icon="table")
        downloads.draw_save_button("Topics (JSON)", json, "dplda-topics.json", icon="data_object")
    said = "What the camera button of a figure saves: PNG for slides, SVG for papers."
    views.choose_one("Figure format", figure_view.PICTURES, key=Key.PICTURE, help=said)


def _report(experiment: LoadedExperiment, found: Comparison, names: Sequence[str | None]) -> str:
    """The report, written on request; its imports are late because they take longer than a page."""
    from dplda.release.report.page import render_report
    from dplda.release.report.released import report_contents

    corpus = experiment.corpus
    return render_report(
        report_contents(
            found.private,
            experiment.settings,
            vocabulary=corpus.vocabulary,
            documents=corpus.name,
            n_documents=corpus.n_documents,
            names=names,
        )
    )


LOOK = partial(st.segmented_control, "Look at", required=True, label_visibility="collapsed")
LOOKS: dict[TopicView, Callable[[LoadedExperiment, Comparison, dict[int, str]], None]] = {
    TopicView.WORDS: lambda experiment, found, names: comparison.words(experiment, found),
    TopicView.MAP: _map,
    TopicView.CARDS: closer_views.cards,
    TopicView.SEARCH: closer_views.word,
    TopicView.DOCUMENTS: closer_views.documents,
    TopicView.TABLE: lambda experiment, found, names: comparison.table(experiment, found),
}
"""Views of topics by their names."""
