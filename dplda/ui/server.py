"""The server process: ``python -m dplda.ui.server app.py`` and Streamlit's own options.

It is ``streamlit run`` with two things put right. Where a folder ``pages`` lies beside the app, Streamlit
takes it for an app of its old kind until ``st.navigation`` has run once, and a first visit by a deep link
would skip ``app.py``. And it asks a server on the internet for this machine's address when it listens on all
addresses, or another site tries to open a session.
"""

import sys

from streamlit import net_util
from streamlit.runtime.pages_manager import PagesManager
from streamlit.web import cli


def put_right() -> None:
    """Change Streamlit in this process, before it starts."""
    PagesManager.uses_pages_directory = False
    net_util.get_external_ip = _unknown


def _unknown() -> None:
    """No address: nobody is asked."""


if __name__ == "__main__":
    put_right()
    cli.main(["run", *sys.argv[1:]])
