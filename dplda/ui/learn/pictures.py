"""Pictures of lessons, each made once for all sessions: its settings are public, and nothing else goes in."""

from dataclasses import dataclass, field
from threading import Lock

import streamlit as st

from dplda._types import Report
from dplda.lessons import Picture, View
from dplda.ui.shell.bounded_cache import BoundedCache
from dplda.ui.shell.progress import unneeded, watched

CAPACITY, WEIGHT = 60_000_000, 100_000  # bytes, kept and of one picture


@dataclass(frozen=True, slots=True, eq=False)
class _Kept:
    """What is shared between sessions: pictures, and a lock for each that is being made."""

    pictures: BoundedCache[Picture] = field(default_factory=lambda: BoundedCache(CAPACITY))
    locks: BoundedCache[Lock] = field(default_factory=lambda: BoundedCache(CAPACITY))


@st.cache_resource(show_spinner=False)
def _kept() -> _Kept:
    return _Kept()


def picture(view: View, seed: int) -> Picture | None:
    """The picture of a view, made where it was not yet; None where that was cancelled.

    Raises:
        DpldaError: the experiment was refused.
    """
    kept = _kept()
    key = _key(view, seed)
    if (before := kept.pictures.get(key)) is not None:
        return unneeded(before)
    lock = kept.locks.put(key, Lock(), WEIGHT)

    def work(report: Report) -> Picture:
        while not lock.acquire(timeout=0.2):  # a class that opens a step together makes its picture once
            report(0.0, "Another session is making this picture")
        try:
            return kept.pictures.get(key) or kept.pictures.put(key, view.look(key[1], report), WEIGHT)
        finally:
            lock.release()

    return watched(f"learn{hash(key)}", work)


def made(view: View, seed: int) -> Picture:
    """As ``picture``, where nothing can be drawn meanwhile."""
    key = _key(view, seed)
    return _kept().pictures.get(key) or _kept().pictures.put(key, view.look(seed, lambda share, line: None), WEIGHT)


def _key(view: View, seed: int) -> tuple[View, int]:
    return view, seed if view.draws else 0
