"""One session of the dashboard: what a browser sends and waits for, without a browser."""

import http.client
import re
import socket
import time
from dataclasses import dataclass
from urllib.parse import urlencode

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Element_pb2 import Element
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.Slider_pb2 import Slider
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.sync.client import ClientConnection, connect

HOST = "127.0.0.1"
COOKIE = re.compile(r"dplda=[^;]+")
PATIENCE = 300  # seconds
ERROR_BARS = "Error bars"  # first words of the progress of what follows the picture


def free_port() -> int:
    """A port on loopback that nobody listens on."""
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        port: int = probe.getsockname()[1]
    return port


@dataclass(frozen=True, slots=True)
class Step:
    """Time that a run of a page took.

    Attributes:
        whole: seconds until the page was complete.
        picture: seconds until it was complete but for error bars.
    """

    whole: float
    picture: float


class Visitor:
    """A tab on one page, which may run it again with a widget set.

    Args:
        port: of the dashboard.
        page: its name.
        query: of the address.

    Attributes:
        buttons: identifier of a button by its label, of all that were drawn so far.
        sliders: sliders by their labels, likewise.
        failed: whether an error was drawn.
    """

    def __init__(self, port: int, page: str, query: dict[str, str]) -> None:
        self._page = page
        self._query = urlencode(query)
        self.buttons: dict[str, str] = {}
        self.sliders: dict[str, Slider] = {}
        self.failed = False
        first_request = http.client.HTTPConnection(HOST, port, timeout=PATIENCE)
        first_request.request("GET", "/")
        response = first_request.getresponse()
        # Names the process that all else goes to.
        cookie = COOKIE.search(response.getheader("Set-Cookie") or "")
        response.read()
        self._socket: ClientConnection = connect(
            f"ws://{HOST}:{port}/_stcore/stream",
            subprotocols=["streamlit"],
            additional_headers={"Cookie": cookie.group()} if cookie else None,
            max_size=None,
            ping_interval=None,
            open_timeout=PATIENCE,
        )

    def run(self, *states: WidgetState) -> float:
        """Ask for a run, with widgets set if any are given; seconds until the page is complete."""
        return self.ask(*states).whole

    def ask(self, *states: WidgetState) -> Step:
        """Ask for a run, with widgets set if any are given, and wait until the page is complete.

        A run that the page itself begins again, as for error bars, belongs to the same step.
        """
        request = BackMsg()
        rerun = request.rerun_script
        rerun.query_string = self._query
        rerun.page_name = self._page
        rerun.widget_states.widgets.extend(states)
        started_at = drawn_at = time.perf_counter()
        picture_seconds: float | None = None
        self._socket.send(request.SerializeToString())
        while True:
            message = ForwardMsg()
            message.ParseFromString(self._socket.recv(timeout=PATIENCE))
            kind = message.WhichOneof("type")
            if kind == "delta":
                element = message.delta.new_element
                self._note(element)
                if _is_progress(element):
                    waits_for_error_bars = element.progress.text.startswith(ERROR_BARS)
                    if waits_for_error_bars and picture_seconds is None:
                        picture_seconds = drawn_at - started_at
                else:
                    drawn_at = time.perf_counter()
            elif kind == "page_info_changed":
                self._query = message.page_info_changed.query_string
            elif kind == "script_finished" and message.script_finished in _ENDS:
                whole_seconds = time.perf_counter() - started_at
                if picture_seconds is None:
                    picture_seconds = whole_seconds
                return Step(whole=whole_seconds, picture=picture_seconds)

    def click(self, label: str) -> float:
        """Press a button; seconds as of a run."""
        return self.run(WidgetState(id=self.buttons[label], trigger_value=True))

    def leave(self) -> None:
        """Close the tab."""
        self._socket.close()

    def _note(self, element: Element) -> None:
        """Keep buttons and sliders by their labels, and whether an error was drawn."""
        match element.WhichOneof("type"):
            case "button":
                self.buttons[element.button.label] = element.button.id
            case "slider":
                self.sliders[element.slider.label] = element.slider
            case "exception":
                self.failed = True


_ENDS = (ForwardMsg.FINISHED_SUCCESSFULLY, ForwardMsg.FINISHED_WITH_COMPILE_ERROR)


def _is_progress(element: Element) -> bool:
    """Whether an element belongs to a progress bar: the bar, its button Cancel, its empty place."""
    kind = element.WhichOneof("type")
    return kind in ("progress", "empty") or (kind == "button" and element.button.label == "Cancel")
