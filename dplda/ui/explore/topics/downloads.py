"""What may be saved: a report and topics as tables, and nothing at all from a sensitive corpus."""

from collections.abc import Sequence

import streamlit as st

from dplda.release.topic_tables import topics_csv, topics_json
from dplda.ui.explore.topics.comparison import Comparison
from dplda.ui.shell import downloads, figure_view, topic_names
from dplda.ui.shell.choices import one_of
from dplda.ui.shell.frame import Experiment
from dplda.ui.state.keys import Key


def topics(experiment: Experiment, comparison: Comparison) -> None:
    """Buttons that save the private topics under the numbers shown."""
    if experiment.sensitive:
        st.info(
            "These documents are sensitive, so nothing can be saved here. Make a release to get topics and a report.",
            icon=":material/block:",
        )
        st.page_link("pages/release.py", label="Release topics of these documents", icon=":material/outbox:")
        return
    lane, vocabulary = comparison.lanes[0], experiment.corpus.vocabulary
    names = topic_names.by_row(experiment.corpus, experiment.settings)
    with st.container(horizontal=True):
        downloads.report(lambda: _report(experiment, comparison, names()))
        downloads.save(
            "Topics (CSV)", lambda: topics_csv(lane, vocabulary), "dplda-topics.csv", icon="table", key=Key.SAVE_CSV
        )
        downloads.save(
            "Topics (JSON)",
            lambda: topics_json(lane, vocabulary),
            "dplda-topics.json",
            icon="data_object",
            key=Key.SAVE_JSON,
        )
    one_of(
        "Figure format",
        figure_view.PICTURES,
        key=Key.PICTURE,
        help="PNG for slides, at twice the size shown; SVG for papers and for changing it.",
    )


def _report(experiment: Experiment, comparison: Comparison, names: Sequence[str | None]) -> str:
    """Written when it is asked for; so are its imports, which take longer than a page."""
    from dplda.release.report.page import page
    from dplda.release.report.released import released

    corpus = experiment.corpus
    return page(
        released(
            comparison.private,
            experiment.settings,
            vocabulary=corpus.vocabulary,
            documents=corpus.name,
            n_documents=corpus.n_documents,
            names=names,
        )
    )
