"""The dashboard: page config, the list of pages, and the sidebar that all of them share."""

import os
from pathlib import Path

# Before numpy is first imported: several threads in one BLAS call slow concurrent sessions many times over.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("MKL_NUM_THREADS", "1")

import streamlit as st

from dplda.ui.shell import look, projector, sidebar
from dplda.ui.state import session

HERE = Path(__file__).resolve().parent


def main() -> None:
    """Draw the page that the address names."""
    pages = HERE / "pages"
    # Addresses are inferred from the file names: a custom one breaks the first deep link to a fresh server.
    sections = {
        "": [st.Page(pages / "play.py", title="Play", default=True)],
        "Explore": [
            st.Page(pages / "corpus.py", title="Corpus"),
            st.Page(pages / "privacy.py", title="Privacy"),
            st.Page(pages / "topics.py", title="Topics"),
            st.Page(pages / "error_curves.py", title="Error curves"),
            st.Page(pages / "regimes.py", title="Regimes"),
        ],
        "Release": [st.Page(pages / "release.py", title="Release")],
        "Understand": [
            st.Page(pages / "learn.py", title="Learn"),
            st.Page(pages / "who_was_in.py", title="Who was in?"),
            st.Page(pages / "proofs.py", title="Proofs"),
            st.Page(pages / "audit.py", title="Audit"),
            st.Page(pages / "docs.py", title="Docs"),
        ],
    }
    page = st.navigation(sections)
    icon = str(HERE / "assets" / "favicon.png")
    st.set_page_config(page_title=f"{page.title} · dplda", page_icon=icon, layout="wide")
    st.logo(HERE / "assets" / "logo.svg", size="large")
    look.apply()
    projector.apply()
    session.read_link()
    session.say_trouble()
    if page.url_path:  # Play, whose address is empty, has no experiment
        # Drawn here and not by the pages, the controls are the same widgets on all of them, and so keep their values.
        sidebar.controls()
    page.run()
    projector.way_out()


if __name__ == "__main__":  # worker processes import this file under another name
    main()
