import socket
from unittest.mock import Mock

import pytest
from streamlit import net_util
from streamlit.runtime.pages_manager import PagesManager
from streamlit.web.server import server_util

from dplda.ui import server


def test_a_strange_origin_is_refused_without_asking_the_internet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(net_util, "get_external_ip", net_util.get_external_ip)
    monkeypatch.setattr(PagesManager, "uses_pages_directory", PagesManager.uses_pages_directory)
    monkeypatch.setattr(net_util, "get_internal_ip", lambda: "192.0.2.1")
    asked = Mock(side_effect=OSError)
    monkeypatch.setattr(socket, "getaddrinfo", asked)
    server_util.is_url_from_allowed_origins("https://elsewhere.invalid")
    assert asked.called, "Streamlit asks, and this test would see it"
    asked.reset_mock()
    server.put_right()
    assert not server_util.is_url_from_allowed_origins("https://elsewhere.invalid")
    assert not asked.called
