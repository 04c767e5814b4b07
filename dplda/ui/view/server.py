"""The public process: ``python -m dplda.ui.view.server SCRIPT``, Streamlit behind a guard on imports."""

import sys

from dplda.ui.view import guard

if __name__ == "__main__":
    guard.install()
    from streamlit.web import cli

    from dplda.ui.server import put_right

    put_right()
    cli.main(["run", *sys.argv[1:]])
