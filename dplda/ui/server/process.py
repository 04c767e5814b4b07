"""The server process: Streamlit, adapted before it starts, and what it prepares and ends."""

import os
import signal
import socket
import sys
import threading
from contextlib import ExitStack
from tempfile import TemporaryDirectory
from types import FrameType

from starlette.formparsers import MultiPartParser
from streamlit import config, net_util
from streamlit.runtime import runtime
from streamlit.runtime.pages_manager import PagesManager
from streamlit.web import bootstrap, cli
from streamlit.web.server import Server, server_util
from streamlit.web.server import server as streamlit_server
from streamlit.web.server.starlette import starlette_server

from dplda.core import demo
from dplda.core.memory import OVERWRITING, forbid_core_dumps, overwrites_freed_memory
from dplda.ui.server import headers, log, visit_log
from dplda.ui.server.media_files import PatientMediaFiles
from dplda.ui.server.session_storage import TimedSessionStorage

GRACE = 5.0  # seconds to end politely
SECONDS_BEFORE_PROCESS = 5.0  # after the start: a first page is drawn by then
_bind_socket = starlette_server._bind_socket


def put_right() -> None:
    """Adapt Streamlit in this process, before it starts, and protect what the process holds.

    Streamlit asks nobody for its address, keeps downloads and sessions as this folder says, binds
    its socket without delay, and writes no upload to disk. Files are private, errors are logged
    without their texts, responses have security headers, and there are no core dumps. Linear
    algebra takes one thread, unless the environment says otherwise. A signal ends the process, its
    address is printed, and visits are logged if the environment asks for it.
    """
    PagesManager.uses_pages_directory = False
    runtime.MediaFileManager = PatientMediaFiles  # type: ignore[attr-defined]
    net_util.get_external_ip = lambda: None  # nobody is asked
    bootstrap._set_up_signal_handler = _announce
    starlette_server._bind_socket = _bind_without_delay
    setattr(streamlit_server, "MemorySessionStorage", TimedSessionStorage)  # noqa: B010
    MultiPartParser.spool_max_size = 0  # no limit: an upload is never written to disk
    forbid_core_dumps()
    for variable in (
        "OPENBLAS_NUM_THREADS",
        "OMP_NUM_THREADS",
        "MKL_NUM_THREADS",
    ):  # before numpy is imported
        os.environ.setdefault(variable, "1")
    os.umask(0o077)  # all files have mode 0600 in folders of mode 0700
    log.install()
    visit_log.install()
    headers.install()


def _bind_without_delay(address: str, port: int, backlog: int) -> socket.socket:
    """Listen for connections that send at once.

    Otherwise most answers wait 40 ms for the browser to confirm a part.
    """
    listener = _bind_socket(address, port, backlog)
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # every connection inherits it
    return listener


def _announce(server: Server) -> None:
    """Set handlers of signals, prepare for visitors, and print the address.

    On SIGTERM or SIGINT the server stops; the process ends within ``GRACE`` seconds whatever still
    runs, and then with status 0.
    """

    def stop(signal_number: int, frame: FrameType | None) -> None:
        """Stop the server; the process ends within ``GRACE`` seconds whatever still runs."""
        exit_timer = threading.Timer(GRACE, os._exit, (0,))
        exit_timer.daemon = True
        exit_timer.start()
        server.stop()

    for signal_number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(signal_number, stop)
    _warm_up()
    _warm_process_later()
    url = server_util.get_url(config.get_option("server.address"))
    print(f"dplda runs at {url} (Ctrl+C stops it)", flush=True)


def _warm_up() -> None:
    """Import all pages and prepare their caches, before the server answers.

    During a visit, imports take twice as long. They are statements, so that a type checker finds
    one that is out of date.
    """
    import dplda.ui.compare.curves
    import dplda.ui.compare.regime_map
    import dplda.ui.explore.bounds.bounds_view
    import dplda.ui.explore.configurations.board_view
    import dplda.ui.explore.corpus_view
    import dplda.ui.explore.noise_view
    import dplda.ui.explore.topics_view
    import dplda.ui.play.page  # noqa: F401
    from dplda.theory.prediction import expected
    from dplda.ui.state import first_visit

    expected.known()
    first_visit.warm()


def _warm_process_later() -> None:
    """Prepare a process for first fits once the first visitor's page is likely drawn."""
    from dplda.ui.state.warm_process import warm_process

    timer = threading.Timer(SECONDS_BEFORE_PROCESS, warm_process)
    timer.daemon = True
    timer.start()


def main() -> None:
    """Run the server until it is stopped.

    On Linux the process first replaces itself by one that overwrites freed memory, unless it does
    already. A demo takes no upload larger than a run card, and deletes its cache at the end.
    """
    if sys.platform == "linux" and not overwrites_freed_memory():  # started without `dplda app`
        os.execve(sys.executable, [sys.executable, *sys.orig_argv[1:]], os.environ | OVERWRITING)
    put_right()
    extra_options = []
    with ExitStack() as stack:
        if demo.is_on():
            os.environ["DPLDA_CACHE"] = stack.enter_context(
                TemporaryDirectory(prefix="dplda-temporary-")
            )
            extra_options = ["--server.maxUploadSize=1"]  # MB
        cli.main(["run", *sys.argv[1:], *extra_options])
