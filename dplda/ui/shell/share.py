"""Share an experiment: a link, Python that repeats it, and a run card to save and to load."""

import streamlit as st

from dplda.core.errors import DpldaError, InputError
from dplda.corpus import Corpus, Label
from dplda.experiments import run_card, run_script
from dplda.experiments.experiment import Experiment, HeldDocuments
from dplda.experiments.run_card import RunCard
from dplda.ui.shell import downloads, topic_names
from dplda.ui.state import cache, link, session
from dplda.ui.state.keys import Key

LINK_CAPTION = "The link restores the settings. Documents and names of topics stay on this machine."
SENSITIVE = "You cannot save a run card or a script of sensitive documents."
CARD_HELP = "Documents, method, seed, versions, and every release with its noise, as JSON."
SCRIPT_HELP = "Python that finds the same topics, to the last bit."
LOAD_HELP = "Sets all controls, and the documents if dplda can make them again."
NOT_LOADED = "The run card was not loaded"
SETTINGS_LOADED = (
    "The settings of the run card are loaded. Read its file in Explore, under Documents."
)


def draw(experiment: Experiment, corpus: Corpus | None) -> None:
    """Draw the sidebar's panel: a link, a run card and a script to save, and a run card to load.

    Without documents, or for sensitive ones, a message stands in place of what could be saved. A
    caption says that a link does not restore documents that somebody holds.

    Args:
        experiment: what the controls ask for.
        corpus: its documents; None where there are none.
    """
    with st.sidebar.popover("Share and repeat", icon=":material/share:", width="stretch"):
        st.markdown("**Link to this view**")
        downloads.draw_links(st.query_params.to_dict())
        if isinstance(experiment.corpus, HeldDocuments):
            st.caption(LINK_CAPTION)
        if corpus is None or corpus.label is Label.SENSITIVE:
            st.info(SENSITIVE, icon=":material/block:")
        else:
            _draw_save_buttons(experiment, corpus)
        st.file_uploader(
            "Load a run card",
            max_upload_size=1,
            key=Key.CARD_LOAD,
            on_change=_load_card,
            help=LOAD_HELP,
        )


def _draw_save_buttons(experiment: Experiment, corpus: Corpus) -> None:
    """Draw the buttons that save run card and script; a press makes the file.

    The run card needs a fit. If topics were named here, both files need fits.
    Fits that are not cached are made then.
    """
    make_topic_names = topic_names.names_by_row(corpus, experiment)

    def make_card() -> str:
        result = cache.fit_quietly(corpus, experiment)
        return run_card.run_card(result, experiment, corpus, make_topic_names())

    def make_script() -> str:
        return run_script.script(experiment, corpus, make_topic_names())

    downloads.draw_save_button(
        "Save run card", make_card, "dplda-run-card.json", icon_name="download", help=CARD_HELP
    )
    downloads.draw_save_button(
        "Script", make_script, "dplda-run.py", icon_name="download", help=SCRIPT_HELP
    )


def _load_card() -> None:
    """Set all controls to an uploaded run card, and use its documents unless somebody holds them.

    Its names are given to the topics once they are fitted. A notice says that it is loaded, or why
    it cannot be; then nothing changes. Nothing happens if the file was removed.
    """
    uploaded_file = st.session_state[Key.CARD_LOAD]
    if uploaded_file is None:
        return
    try:
        card = _read_card(uploaded_file.getvalue())
    except UnicodeDecodeError:
        session.notice(f"{NOT_LOADED}: it is not UTF-8 text.")
        return
    except DpldaError as error:
        session.notice(f"{NOT_LOADED}: {error}")
        return
    session.apply(card.experiment)
    session.put(Key.NAMES_LOADED, card)  # until its run is seen
    if isinstance(card.experiment.corpus, HeldDocuments):
        session.notice(SETTINGS_LOADED)
    else:
        session.choose(card.experiment.corpus)
        session.notice("The run card is loaded, with its documents.")


def _read_card(content: bytes) -> RunCard:
    """Read a run card.

    Raises:
        UnicodeDecodeError: it is no UTF-8 text.
        DpldaError: it is no run card, or holds more than the controls can be set to.
    """
    card = run_card.read_card(content.decode("utf-8"))
    link_query = link.query(card.experiment)
    restored_experiment = link.read({name: text for name, text in link_query.items() if text})
    if restored_experiment != card.experiment:
        fix = "Repeat that run from Python."
        raise InputError("run card", "what the controls can be set to", "more", fix)
    return card
