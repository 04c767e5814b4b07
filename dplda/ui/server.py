"""The server process: ``python -m dplda.ui.server app.py`` and Streamlit's own options."""

import os
import signal
import sys
import time

from streamlit import net_util
from streamlit.runtime.pages_manager import PagesManager
from streamlit.web import cli

from dplda.core.child_process import LED, follow
from dplda.ui import headers, log

GRACE = 5.0  # seconds to end politely


def put_right() -> None:
    """Change Streamlit in this process, before it starts."""
    PagesManager.uses_pages_directory = False
    net_util.get_external_ip = _unknown
    os.umask(0o077)  # files of mode 0600 in folders of mode 0700, whoever writes them
    log.install()
    headers.install()
    if os.environ.pop(LED, "") == "1":
        follow(_end)


def _end() -> None:
    """As if asked politely; at once where that does not help."""
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(GRACE)
    os._exit(1)


def _unknown() -> None:
    """No address: nobody is asked."""


if __name__ == "__main__":
    put_right()
    cli.main(["run", *sys.argv[1:]])
