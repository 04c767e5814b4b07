"""Views in addresses: an address that a view writes leads back to it."""

import pytest
import streamlit as st

from dplda.ui.explore.open_view import UNNAMED, ExploreView
from dplda.ui.shell import views
from dplda.ui.state.keys import Key

TITLES = list(ExploreView)


@pytest.mark.parametrize("title", TITLES)
def test_address_written_by_a_view_opens_that_view_again(title, monkeypatch) -> None:
    address = {"view": views.address_name(title)}
    monkeypatch.setattr(st, "query_params", address)
    for _ in ("first visit", "reload"):
        monkeypatch.setattr(st, "session_state", {Key.NEWS: True})
        assert views.open_title("explore", TITLES, "view", unnamed=UNNAMED) == title


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("topcis", ExploreView.TOPICS),
        ("bound", ExploreView.BOUNDS),
        ("configuration", ExploreView.CONFIGURATIONS),
        ("xyzzy", TITLES[0]),
        ("x" * 5000, TITLES[0]),
    ],
)
def test_misspelled_view_in_an_address_opens_the_nearest_with_a_notice(
    name, title, monkeypatch
) -> None:
    monkeypatch.setattr(st, "query_params", {"view": name})
    monkeypatch.setattr(st, "session_state", {Key.NEWS: True})
    assert views.open_title("explore", TITLES, "view", unnamed=UNNAMED) == title
    (notice,) = st.session_state[Key.NOTICES]
    assert notice == (
        f"This link names “{name[:40]}”, which does not exist here. “{title}” is open."
    )
    assert views.open_title("explore", TITLES, "view", unnamed=UNNAMED) == title
    assert st.session_state[Key.NOTICES] == (notice,), "it is said once"


def test_view_in_capital_letters_is_opened_in_silence(monkeypatch) -> None:
    monkeypatch.setattr(st, "query_params", {"view": "Topics"})
    monkeypatch.setattr(st, "session_state", {Key.NEWS: True})
    assert views.open_title("explore", TITLES, "view", unnamed=UNNAMED) == ExploreView.TOPICS
    assert Key.NOTICES not in st.session_state


def test_view_linked_by_one_of_its_words_is_the_one_that_has_it(monkeypatch) -> None:
    monkeypatch.setattr(st, "query_params", {"view": "class"})
    monkeypatch.setattr(st, "session_state", {Key.NEWS: True})
    assert views.open_title("learn", ["Lessons", "Ten-minute class"], "view") == "Ten-minute class"
    assert "class" in st.session_state[Key.NOTICES][0]


def test_number_that_no_lesson_has_opens_the_first_one_with_a_toast(monkeypatch) -> None:
    toasts: list[str] = []
    monkeypatch.setattr(st, "query_params", {"lesson": "99"})
    monkeypatch.setattr(st, "session_state", {Key.NEWS: True})
    monkeypatch.setattr(st, "toast", lambda text, **_: toasts.append(text))
    assert views.open_title("learn", [str(number) for number in range(1, 12)], "lesson") == "1"
    assert "the lesson “99”" in toasts[0]
