"""Share an experiment: a link to copy, Python that repeats it, and a run card to save and to load."""

import streamlit as st

from dplda.core.errors import DpldaError, InputError
from dplda.corpus import Corpus, Label
from dplda.experiments import run_card, run_script
from dplda.experiments.experiment import Experiment, HeldDocuments
from dplda.ui.shell import downloads, topic_names
from dplda.ui.state import cache, link, session
from dplda.ui.state.keys import Key


def draw(settings: Experiment, corpus: Corpus | None) -> None:
    """Draw the folded panel. It saves nothing without documents, or of sensitive ones."""
    with st.sidebar.popover("Share and repeat", icon=":material/share:", width="stretch"):
        st.markdown("**Link to this view**")
        downloads.draw_links(st.query_params.to_dict())
        if isinstance(settings.corpus, HeldDocuments):
            st.caption(
                "The link restores the settings. Documents and names of topics stay on this machine."
            )
        if corpus is None or corpus.label is Label.SENSITIVE:
            st.info(
                "You cannot save a run card or a script of sensitive documents.",
                icon=":material/block:",
            )
        else:
            _files(settings, corpus)
        st.file_uploader(
            "Load a run card",
            max_upload_size=1,
            key=Key.CARD_LOAD,
            on_change=_load,
            help="Sets all controls, and the documents if dplda can make them again.",
        )


def _files(settings: Experiment, corpus: Corpus) -> None:
    names = topic_names.names_by_row(corpus, settings)

    def card() -> str:
        found = cache.fit_quietly(corpus, settings)
        return run_card.run_card(found, settings, corpus, names())

    def script() -> str:
        return run_script.script(settings, corpus, names())

    said = "Documents, method, seed, versions, and every release with its noise, as JSON."
    downloads.draw_save_button(
        "Save run card", card, "dplda-run-card.json", icon="download", help=said
    )
    said = "Python that finds the same topics, to the last bit."
    downloads.draw_save_button("Script", script, "dplda-run.py", icon="download", help=said)


def _load() -> None:
    file = st.session_state[Key.CARD_LOAD]
    if file is None:
        return
    try:
        card = run_card.read_card(file.getvalue().decode("utf-8"))
        query = link.query(card.experiment)
        if link.read({name: text for name, text in query.items() if text}) != card.experiment:
            fix = "Repeat that run from Python."
            raise InputError("run card", "what the controls can be set to", "more", fix)
    except UnicodeDecodeError:
        return session.notice("The run card was not loaded: it is not UTF-8 text.")
    except DpldaError as error:
        return session.notice(f"The run card was not loaded: {error}")
    session.apply(card.experiment)
    session.put(Key.NAMES_LOADED, card)  # until its run is seen
    if isinstance(card.experiment.corpus, HeldDocuments):
        session.notice(
            "The settings of the run card are loaded. Read its file in Explore, under Documents."
        )
    else:
        session.choose(card.experiment.corpus)
        session.notice("The run card is loaded, with its documents.")
