"""Numbers of topics in an expander, and their downloads."""

from collections.abc import Sequence
from functools import partial

import streamlit as st

from dplda import figures
from dplda.evaluation import topic_error
from dplda.figures import theme
from dplda.release.artefact.topic_tables import topics_csv, topics_json
from dplda.spectral.whitening import Whitening
from dplda.ui.explore.comparison import Comparison
from dplda.ui.shell import downloads, figure_view, topic_names, views
from dplda.ui.shell.frame import LoadedExperiment
from dplda.ui.state.keys import Key

SENSITIVE = "These documents are sensitive, so nothing can be saved here."
WAITS_FOR_ERROR_BARS = "Downloads include error bars, so they wait until these are ready."
FORMAT_HELP = "What the camera button of a figure saves: PNG for slides, SVG for papers."


def draw_errors(loaded: LoadedExperiment, comparison: Comparison) -> None:
    """Draw the mean L1 errors to the true topics, from 0 to 2, with and without noise.

    Draws nothing if the truth is unknown; if k is not the number of true topics, only a caption
    that says so.
    """
    truth = loaded.corpus.truth
    if truth is None:
        return
    n_true_topics = len(truth.topics)
    if n_true_topics != loaded.experiment.problem.n_topics:
        st.caption(
            f"The documents have {n_true_topics} true topics. Set k to {n_true_topics} to see"
            " errors."
        )
        return
    fits_by_name = {"private": comparison.private, "without noise": comparison.noiseless}
    error_texts = [
        f"**{topic_error(truth.topics, fit.topics.words).l1_mean:.3f}** {fit_name}"
        for fit_name, fit in fits_by_name.items()
        if fit is not None
    ]
    errors_text = ", ".join(error_texts)
    st.markdown(f"L1 error to the true topics: {errors_text} (0: the same; 2: no word in common).")


def draw_spectrum(loaded: LoadedExperiment, comparison: Comparison) -> None:
    """Draw eigenvalues of the pair moment with and without noise, the noise floor, and a caption.

    Draws nothing for a method that does not whiten. Noiseless ones are drawn if that fit is there.
    """
    whitening = comparison.private.curator.whitening
    if whitening is None:
        return
    noiseless_whitening = None
    if comparison.noiseless is not None:
        noiseless_whitening = comparison.noiseless.curator.whitening
    figure = figures.spectrum(
        whitening.spectrum,
        noise_floor=whitening.noise_floor,
        rising=whitening.rising,
        exact=None if noiseless_whitening is None else noiseless_whitening.spectrum,
        watermark=loaded.watermark,
    )
    figure_view.draw(figure, "topics.spectrum", smallest_letters=theme.ROOM_LETTERS)
    st.caption(
        f"Each topic lifts one eigenvalue of the pair moment M₂. {_spectrum_note(whitening)}"
    )


def _spectrum_note(whitening: Whitening) -> str:
    """Explain what the noise does to the eigenvalues, and which of them mislead.

    Without noise says only that there is none.
    """
    if not whitening.noise_floor:
        return "This method puts no noise on it."
    sentences = ["Noise alone would lift them up to the dashed line."]
    n_used = whitening.resolved
    if whitening.rising < n_used:
        sentences.append(f"As published, the first {n_used} are used as topics anyway.")
    elif not whitening.rising and whitening.spectrum[0] > whitening.noise_floor:
        sentences.append(
            "A single one above it shows only the overall word frequencies, not a topic."
        )
    return " ".join(sentences)


def draw_downloads(loaded: LoadedExperiment, comparison: Comparison) -> None:
    """Draw buttons of a report and of tables of the topics, and the choice of figures' format.

    For a sensitive corpus draws a refusal and a link to the page Release instead; while error bars
    are worked out, only a caption. A file is made when its button is pressed.
    """
    if loaded.is_sensitive:
        st.info(SENSITIVE, icon=":material/block:")
        link_label = "Release topics of these documents"
        st.page_link("pages/release.py", label=link_label, icon=":material/outbox:")
        return
    if comparison.error_bars_pending:
        st.caption(WAITS_FOR_ERROR_BARS)
        return
    private_lane = comparison.lanes[0]
    vocabulary = loaded.corpus.vocabulary
    make_topic_names = topic_names.names_by_row(loaded.corpus, loaded.experiment)
    make_csv = partial(topics_csv, private_lane, vocabulary)
    make_json = partial(topics_json, private_lane, vocabulary)
    with st.container(horizontal=True):
        downloads.draw_report_button(lambda: _write_report(loaded, comparison, make_topic_names()))
        draw_save_button = downloads.draw_save_button
        draw_save_button("Topics (CSV)", make_csv, "dplda-topics.csv", icon_name="table")
        draw_save_button("Topics (JSON)", make_json, "dplda-topics.json", icon_name="data_object")
    views.choose_one("Figure format", figure_view.PICTURES, key=Key.PICTURE, help=FORMAT_HELP)


def _write_report(
    loaded: LoadedExperiment, comparison: Comparison, names: Sequence[str | None]
) -> str:
    """Render the report of the private topics as HTML.

    Imports are inside because they take longer than a page.

    Args:
        loaded: documents and experiment.
        comparison: its topics.
        names: one for each row of the private topics; None for a default name.
    """
    from dplda.release.report.page import render_report
    from dplda.release.report.released import report_contents

    corpus = loaded.corpus
    contents = report_contents(
        comparison.private,
        loaded.experiment,
        vocabulary=corpus.vocabulary,
        documents=corpus.name,
        n_documents=corpus.n_documents,
        names=names,
    )
    return render_report(contents)
