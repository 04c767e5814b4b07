"""Pictures of lessons, each made once for all sessions: its settings are public, and nothing else goes in."""

import streamlit as st

from dplda.core.single_flight import Once
from dplda.core.types import silent
from dplda.lessons import Picture, PictureView
from dplda.ui.shell.progress import unneeded, watched

KEPT = 600  # of some 100 kB


@st.cache_resource(show_spinner=False)
def _kept() -> Once[Picture]:
    return Once(KEPT)


def picture(view: PictureView, seed: int) -> Picture | None:
    """The picture of a view, made where it was not yet; None where that was cancelled."""
    kept, key = _kept(), _key(view, seed)
    if (before := kept.known(key)) is not None:
        return unneeded(before)
    return watched(f"learn{hash(key)}", lambda report: kept.get(key, lambda: view.look(key[1], report), report))


def made(view: PictureView, seed: int) -> Picture:
    """As ``picture``, where nothing can be drawn meanwhile."""
    key = _key(view, seed)
    return _kept().get(key, lambda: view.look(key[1], silent), silent)


def _key(view: PictureView, seed: int) -> tuple[PictureView, int]:
    return view, seed if view.draws else 0
