"""What may be saved: topics as tables and the run card, and nothing at all from a sensitive corpus."""

from collections.abc import Sequence

import streamlit as st

from dplda.experiments.settings import CorpusKind
from dplda.release.topic_tables import topics_csv, topics_json
from dplda.ui.shell import downloads, figure_view
from dplda.ui.shell.choices import one_of
from dplda.ui.shell.frame import Experiment
from dplda.ui.shell.repeated import repeated
from dplda.ui.state.keys import Key
from dplda.ui.topics.comparison import Comparison


def topics(experiment: Experiment, comparison: Comparison) -> None:
    """Buttons that save the private topics under the numbers shown, and the run that found them."""
    if experiment.sensitive:
        st.info(
            "Nothing is saved from here: these documents are sensitive, and this is not a release. The page Release"
            " draws noise that may leave, charges it, and hands out topics and a report.",
            icon=":material/block:",
        )
        st.page_link("pages/release.py", label="Release topics of these documents", icon=":material/outbox:")
        return
    lane, vocabulary = comparison.lanes[0], experiment.corpus.vocabulary
    files = repeated(experiment.corpus, experiment.settings)
    with st.container(horizontal=True):
        downloads.report(lambda: _report(experiment, comparison, files.names()))
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
        downloads.save("Run card", files.card, "dplda-run-card.json", icon="receipt_long", key=Key.SAVE_CARD)
    one_of(
        "The camera button of figures saves",
        figure_view.PICTURES,
        key=Key.PICTURE,
        help="PNG for slides, at twice the size shown; SVG for papers and for changing it.",
    )
    # Code in colours is a megabyte and a half of scripts for the browser: fetched by who asks.
    code = st.expander("Copy as Python", icon=":material/code:", key=Key.SCRIPT_OPEN, on_change="rerun")
    with code:
        if code.open:
            st.code(files.script(), language="python", height=320)
        downloads.save("Script", files.script, "dplda-run.py", icon="code", key=Key.SAVE_SCRIPT)
        if files.chosen.kind is CorpusKind.UPLOADED:
            st.caption("Fill in where your file is: the script holds none of its documents.")


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
