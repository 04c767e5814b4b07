"""The server process: ``python -m dplda.ui.server app.py`` and Streamlit's own options."""

import os
import sys
import threading

from streamlit import config, net_util
from streamlit.runtime.pages_manager import PagesManager
from streamlit.web import bootstrap, cli
from streamlit.web.server import Server, server_util

from dplda.ui import headers, log

GRACE = 5.0  # seconds to end politely
_STOP = Server.stop


def put_right() -> None:
    """Change Streamlit in this process, before it starts."""
    PagesManager.uses_pages_directory = False
    net_util.get_external_ip = lambda: None  # nobody is asked
    bootstrap._print_url = _say
    Server.stop = _end  # type: ignore[method-assign, assignment]
    os.umask(0o077)  # files of mode 0600 in folders of mode 0700, whoever writes them
    log.install()
    headers.install()


def _say(is_running_hello: bool) -> None:
    """Where it is, once it answers."""
    print(f"dplda runs at {server_util.get_url(config.get_option('server.address'))} (Ctrl+C stops it)", flush=True)


def _end(server: Server) -> None:
    """As asked, whatever connections are still open."""
    _STOP(server)
    last = threading.Timer(GRACE, os._exit, (0,))
    last.daemon = True
    last.start()


if __name__ == "__main__":
    put_right()
    cli.main(["run", *sys.argv[1:]])
