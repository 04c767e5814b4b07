"""One session of the dashboard: what a browser sends and waits for, without a browser."""

import http.client
import re
import socket
import time
from urllib.parse import urlencode

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.Slider_pb2 import Slider
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.sync.client import ClientConnection, connect

HOST = "127.0.0.1"
COOKIE = re.compile(r"dplda=[^;]+")
PATIENCE = 300  # seconds


def free_port() -> int:
    """A port on loopback that nobody listens on."""
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        port: int = probe.getsockname()[1]
    return port


class Visitor:
    """A tab on one page, which may run it again with a widget set.

    Args:
        port: of the dashboard.
        page: its name.
        query: of the address.

    Attributes:
        buttons: number of a button by its label, of all that were drawn so far.
        sliders: likewise.
        failed: whether an error was drawn.
    """

    def __init__(self, port: int, page: str, query: dict[str, str]) -> None:
        self._page, self._query = page, urlencode(query)
        self.buttons: dict[str, str] = {}
        self.sliders: dict[str, Slider] = {}
        self.failed = False
        first = http.client.HTTPConnection(HOST, port, timeout=PATIENCE)
        first.request("GET", "/")
        answer = first.getresponse()
        given = COOKIE.search(
            answer.getheader("Set-Cookie") or ""
        )  # of the process that all else goes to
        answer.read()
        self._line: ClientConnection = connect(
            f"ws://{HOST}:{port}/_stcore/stream",
            subprotocols=["streamlit"],
            additional_headers={"Cookie": given.group()} if given else None,
            max_size=None,
            ping_interval=None,
            open_timeout=PATIENCE,
        )

    def run(self, *states: WidgetState) -> float:
        """Ask for a run, with widgets set if any are given; seconds until all of it has arrived."""
        asked = BackMsg()
        asked.rerun_script.query_string, asked.rerun_script.page_name = self._query, self._page
        asked.rerun_script.widget_states.widgets.extend(states)
        start = time.perf_counter()
        self._line.send(asked.SerializeToString())
        while True:
            told = ForwardMsg()
            told.ParseFromString(self._line.recv(timeout=PATIENCE))
            kind = told.WhichOneof("type")
            if kind == "delta":
                self._drawn(told)
            elif kind == "page_info_changed":
                self._query = told.page_info_changed.query_string
            elif kind == "script_finished":
                return time.perf_counter() - start

    def click(self, label: str) -> float:
        """Press a button; seconds as of a run."""
        return self.run(WidgetState(id=self.buttons[label], trigger_value=True))

    def leave(self) -> None:
        """Close the tab."""
        self._line.close()

    def _drawn(self, told: ForwardMsg) -> None:
        element = told.delta.new_element
        match element.WhichOneof("type"):
            case "button":
                self.buttons[element.button.label] = element.button.id
            case "slider":
                self.sliders[element.slider.label] = element.slider
            case "exception":
                self.failed = True
