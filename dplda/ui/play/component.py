"""The living picture as a component, whose script runs in the browser without asking the server."""

from collections.abc import Callable
from threading import Lock

import streamlit as st
from streamlit.components.v2.get_bidi_component_manager import get_bidi_component_manager
from streamlit.components.v2.manifest_scanner import ComponentConfig, ComponentManifest

from dplda.core.versions import VERSION
from dplda.lessons.play.picture import JsonValue
from dplda.lessons.play.shipped_numbers import FOLDER

PROJECT = "dplda"
NAME = "play"
_registering = Lock()


def draw_picture(data: dict[str, JsonValue], key: str, tell: Callable[[], None]) -> None:
    """Draw the living picture.

    Args:
        data: its numbers and words.
        key: under which the session keeps its state, whose ``stop`` names the slider's stop.
        tell: called when the slider comes to rest at another stop.
    """
    _register_folder()
    component = st.components.v2.component(
        f"{PROJECT}.{NAME}", html='<div class="play"></div>', css="play.css", js="picture.js"
    )
    component(data=data, key=key, on_stop_change=tell)


def _register_folder() -> None:
    """Tell Streamlit, once a server, which folder holds the picture's files.

    Files of a registered folder are served by this server under their names, so that its policy
    needs to allow no inline scripts.
    """
    manager = get_bidi_component_manager()
    with _registering:
        if manager.get_component_path(f"{PROJECT}.{NAME}") is None:
            components = [ComponentConfig(NAME, FOLDER.name)]
            manifest = ComponentManifest(PROJECT, VERSION, components)
            manager.register_from_manifest(manifest, FOLDER.parent)
