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
