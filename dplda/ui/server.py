"""The server process: ``python -m dplda.ui.server app.py`` and Streamlit's own options.

It is ``streamlit run`` with one thing put right. Where a folder ``pages`` lies beside the app, Streamlit
takes it for an app of its old kind until ``st.navigation`` has run once, and a first visit by a deep link
would skip ``app.py``.
"""

import sys

from streamlit.runtime.pages_manager import PagesManager
from streamlit.web import cli

if __name__ == "__main__":
    PagesManager.uses_pages_directory = False
    cli.main(["run", *sys.argv[1:]])
