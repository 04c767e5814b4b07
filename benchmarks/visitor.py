"""One session of the dashboard: what a browser sends and waits for, without a browser."""

import http.client
import math
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
LATER_WORK = ("All documents", "Error bars")  # first words of the progress after a picture


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
        picture: seconds until the page was complete but for later work: after a first look at some
            documents the topics of all of them, and error bars.
        whole: seconds until that was there, too; None if the visitor moved on before.
    """

    picture: float
    whole: float | None


class _StepProgress:
    """Times of a step, by the messages that were received so far.

    Attributes:
        picture_seconds: until the picture was drawn; None before that is known.
        whole_seconds: until the page was complete; None before.
    """

    def __init__(self) -> None:
        """Begin a step now; what an earlier run still sends is not of it."""
        self.picture_seconds: float | None = None
        self.whole_seconds: float | None = None
        self._started_at = self._drawn_at = time.perf_counter()
        self._has_begun = False

    def patience(self, seconds_to_look: float) -> float:
        """Seconds to wait for another message: until the picture was looked at for so long."""
        if self.picture_seconds is None:
            return PATIENCE
        leaves_at = self._started_at + self.picture_seconds + seconds_to_look
        return min(PATIENCE, max(0.0, leaves_at - time.perf_counter()))

    def note(self, message: ForwardMsg) -> None:
        """Take the time of a message of this run."""
        seconds = time.perf_counter() - self._started_at
        kind = message.WhichOneof("type")
        if kind == "new_session":
            self._has_begun = True
        if not self._has_begun:
            return
        if kind == "delta":
            element = message.delta.new_element
            if not _is_progress(element):
                self._drawn_at = time.perf_counter()
            elif element.progress.text.startswith(LATER_WORK) and self.picture_seconds is None:
                self.picture_seconds = self._drawn_at - self._started_at
        elif kind == "script_finished" and message.script_finished in _ENDS:
            self.whole_seconds = seconds
            if self.picture_seconds is None:
                self.picture_seconds = seconds

    def step(self) -> Step:
        """The step, whose picture is drawn."""
        assert self.picture_seconds is not None
        return Step(picture=self.picture_seconds, whole=self.whole_seconds)


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
        whole_seconds = self.ask(*states).whole
        assert whole_seconds is not None  # as it is waited for
        return whole_seconds

    def ask(self, *states: WidgetState, seconds_to_look: float = math.inf) -> Step:
        """Ask for a run, with widgets set if any are given, and look at the picture.

        A run that the page itself begins again, as for error bars, belongs to the same step.

        Args:
            states: widgets that are set.
            seconds_to_look: from the picture until the visitor moves on; ∞ until the page is
                complete.
        """
        request = BackMsg()
        rerun = request.rerun_script
        rerun.query_string = self._query
        rerun.page_name = self._page
        rerun.widget_states.widgets.extend(states)
        progress = _StepProgress()
        self._socket.send(request.SerializeToString())
        while progress.whole_seconds is None:
            message = ForwardMsg()
            try:
                message.ParseFromString(self._socket.recv(progress.patience(seconds_to_look)))
            except TimeoutError:
                if progress.picture_seconds is None:
                    raise
                break
            kind = message.WhichOneof("type")
            if kind == "page_info_changed":
                self._query = message.page_info_changed.query_string
            elif kind == "delta":
                self._note(message.delta.new_element)
            progress.note(message)
        return progress.step()

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
