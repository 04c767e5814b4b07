"""What may be saved: topics as tables and the run card, and nothing at all from a sensitive corpus."""

from collections.abc import Sequence

import streamlit as st

from dplda.run_card import run_card
from dplda.run_script import notebook, script
from dplda.settings import CorpusKind
from dplda.topic_tables import topics_csv, topics_json
from dplda.ui.shell import session, topic_names
from dplda.ui.shell.downloads import report_button
from dplda.ui.shell.frame import Experiment
from dplda.ui.shell.keys import Key
from dplda.ui.topics.comparison import PICTURES, Comparison


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
    chosen = session.choice()
    lane, vocabulary = comparison.lanes[0], experiment.corpus.vocabulary
    names = topic_names.by_row(experiment.corpus, experiment.settings)
    with st.container(horizontal=True):
        report_button(lambda: _report(experiment, comparison, names()))
        st.download_button(
            "Topics (CSV)",
            data=lambda: topics_csv(lane, vocabulary),
            file_name="dplda-topics.csv",
            mime="text/csv",
            on_click="ignore",
            icon=":material/table:",
            key=Key.SAVE_CSV,
        )
        st.download_button(
            "Topics (JSON)",
            data=lambda: topics_json(lane, vocabulary),
            file_name="dplda-topics.json",
            mime="application/json",
            on_click="ignore",
            icon=":material/data_object:",
            key=Key.SAVE_JSON,
        )
        st.download_button(
            "Run card",
            data=lambda: run_card(
                comparison.private,
                experiment.settings,
                experiment.corpus,
                chosen.kind,
                chosen.simulation,
                names(),
            ),
            file_name="dplda-run-card.json",
            mime="application/json",
            on_click="ignore",
            icon=":material/receipt_long:",
            key=Key.SAVE_CARD,
        )
    st.segmented_control(
        "The camera button of figures saves",
        PICTURES,
        default=PICTURES[0],
        required=True,
        key=Key.PICTURE,
        persist_state="session",
        help="PNG for slides, at twice the size shown; SVG for papers and for changing it.",
    )
    # Code in colours is a megabyte and a half of scripts for the browser: fetched by who asks.
    code = st.expander("Copy as Python", icon=":material/code:", key=Key.SCRIPT_OPEN, on_change="rerun")
    with code:
        repeated = (experiment.settings, experiment.corpus, chosen.kind, chosen.simulation, names())
        if code.open:
            st.code(script(*repeated), language="python", height=320)
        with st.container(horizontal=True):
            st.download_button(
                "Script",
                data=lambda: script(*repeated),
                file_name="dplda-run.py",
                mime="text/x-python",
                on_click="ignore",
                icon=":material/code:",
                key=Key.SAVE_SCRIPT,
            )
            st.download_button(
                "Notebook",
                data=lambda: notebook(*repeated),
                file_name="dplda-run.ipynb",
                mime="application/x-ipynb+json",
                on_click="ignore",
                icon=":material/note_stack:",
                key=Key.SAVE_NOTEBOOK,
            )
        if chosen.kind is CorpusKind.UPLOADED:
            st.caption("Fill in where your file is: the script holds none of its documents.")


def _report(experiment: Experiment, comparison: Comparison, names: Sequence[str | None]) -> str:
    """Written when it is asked for; so are its imports, which take longer than a page."""
    from dplda.report.page import page
    from dplda.report.released import released

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
