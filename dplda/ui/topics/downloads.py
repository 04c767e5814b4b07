"""What may be saved: topics as tables and the run card, and nothing at all from a sensitive corpus."""

import streamlit as st

from dplda.run_card import run_card
from dplda.topic_tables import topics_csv, topics_json
from dplda.ui.shell import session
from dplda.ui.shell.frame import Experiment
from dplda.ui.shell.keys import Key
from dplda.ui.topics.comparison import Comparison


def topics(experiment: Experiment, comparison: Comparison) -> None:
    """Buttons that save the private topics under the numbers shown, and the run that found them."""
    if experiment.sensitive:
        st.info("Nothing is saved from a sensitive corpus: this is not a release.", icon=":material/block:")
        return
    chosen = session.choice()
    lane, vocabulary = comparison.lanes[0], experiment.corpus.vocabulary
    with st.container(horizontal=True):
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
            ),
            file_name="dplda-run-card.json",
            mime="application/json",
            on_click="ignore",
            icon=":material/receipt_long:",
            key=Key.SAVE_CARD,
        )
