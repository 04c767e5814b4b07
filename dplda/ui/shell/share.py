"""Share an experiment: a link to copy, Python that repeats it, and a run card to save and to load."""

import streamlit as st

from dplda.core.errors import DpldaError, InputError
from dplda.corpus import Corpus, Label
from dplda.experiments import run_card, run_script
from dplda.experiments.settings import Card, CorpusKind, Settings
from dplda.ui.shell import downloads, topic_names
from dplda.ui.state import cache, link, session
from dplda.ui.state.keys import Key


def draw(settings: Settings, corpus: Corpus | None) -> None:
    """Draw it, folded; without documents, or of sensitive ones, nothing can be saved."""
    chosen = session.choice()
    with st.sidebar.popover("Share and repeat", icon=":material/share:", width="stretch"):
        st.markdown("**Link to this view**")
        query = {**link.query(settings, chosen.kind, chosen.simulation), **_shown()}
        st.code(link.with_query(str(st.context.url), query), language=None, wrap_lines=True)
        if chosen.kind is CorpusKind.UPLOADED:
            st.caption("The link restores the settings but not the documents: they stay on this machine.")
        if corpus is None or corpus.label is Label.SENSITIVE:
            st.info("You cannot save a run card or a script of sensitive documents.", icon=":material/block:")
        else:
            _files(settings, corpus)
        st.file_uploader(
            "Load a run card",
            type=["json"],
            max_upload_size=1,
            key=Key.CARD_LOAD,
            on_change=_load,
            help="Sets all controls, and the documents if they can be made again.",
        )


def _shown() -> dict[str, str]:
    """What the address says of the view that is open."""
    return {name: st.query_params[name] for name in (Key.VIEW, link.SHOWN_KEY) if name in st.query_params}


def _files(settings: Settings, corpus: Corpus) -> None:
    """Files that repeat the run, each written when it is asked for."""
    chosen, names = session.choice(), topic_names.by_row(corpus, settings)

    def card() -> str:
        found = cache.found_now(corpus, settings)
        return run_card.run_card(found, settings, corpus, chosen.kind, chosen.simulation, names())

    def script() -> str:
        return run_script.script(settings, corpus, chosen.kind, chosen.simulation, names())

    said = "Documents, method, seed, versions, and every release with its noise, as JSON."
    downloads.save("Save run card", card, "dplda-run-card.json", icon="download", key=Key.CARD_SAVE, help=said)
    said = "Python that finds the same topics, to the last bit."
    downloads.save("Script", script, "dplda-run.py", icon="download", key=Key.SCRIPT_SAVE, help=said)


def _load() -> None:
    file = st.session_state[Key.CARD_LOAD]
    if file is None:
        return
    try:
        _adopt(run_card.read_card(file.getvalue().decode("utf-8")))
    except UnicodeDecodeError:
        session.notice("The run card was not loaded: it is not UTF-8 text.")
    except DpldaError as error:
        session.notice(f"The run card was not loaded: {error}")


def _adopt(card: Card) -> None:
    """Set all controls to what the card says, or refuse it before any is changed."""
    settings = card.settings
    query = link.query(settings, card.kind, card.simulation)
    for name, text in link.query(link.read(query), card.kind, card.simulation).items():
        if query.get(name) != text:
            raise InputError(f"{name} of the run card", "a value of the controls", "another", _ELSEWHERE)
    if link.read(query) != settings:
        raise InputError("run card", "what the controls can be set to", "more", _ELSEWHERE)
    session.take(settings)
    topic_names.load(card)
    if card.kind is CorpusKind.UPLOADED:
        session.notice("The settings of the run card are loaded. Read its file in Explore, under Documents.")
    else:
        session.choose(session.Choice(card.kind, card.simulation))
        session.notice("The run card is loaded, with its documents.")


_ELSEWHERE = "Repeat that run from Python."
