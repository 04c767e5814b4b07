"""The dashboard: its five places, and the sidebar of those that have an experiment."""

from pathlib import Path

import streamlit as st

from dplda.ui.compare import paper_numbers
from dplda.ui.explore.open_view import shows_one_method
from dplda.ui.server.visit_log import logged_visit
from dplda.ui.shell import look, sidebar
from dplda.ui.state import session
from dplda.ui.state.keys import Key

HERE = Path(__file__).resolve().parent
WITH_EXPERIMENT = ("explore", "compare")  # addresses of places


def main() -> None:
    """Draw the place that the address names, with menu, sidebar where it has one, and way out.

    Reads the address into the session first, and notes the session in the address last. Goes to
    another place instead if a button has asked for it.
    """
    pages = HERE / "pages"
    # Addresses are inferred from the file names: a custom one breaks the first deep link to a fresh
    # server.
    places = [
        st.Page(pages / "play.py", title="Play", default=True),
        st.Page(pages / "explore.py", title="Explore"),
        st.Page(pages / "compare.py", title="Compare"),
        st.Page(pages / "release.py", title="Release"),
        st.Page(pages / "learn.py", title="Learn"),
    ]
    page = st.navigation(places, position="top")
    icon = str(HERE / "assets" / "favicon.png")
    st.set_page_config(page_title=f"{page.title} · dplda", page_icon=icon, layout="wide")
    st.logo(HERE / "assets" / "logo.svg", size="large")
    look.apply_styles()
    query_at_start = st.query_params.to_dict()
    session.read_link(page.url_path)
    requested_place = st.session_state.pop(Key.GO, None)
    if requested_place not in (None, page.url_path):
        st.switch_page(f"pages/{requested_place}.py")
    session.say_trouble()
    _draw_sidebar(page.url_path)
    try:
        with logged_visit(page.url_path):
            page.run()
    finally:  # a page may end its run
        session.note_address(page.url_path, query_at_start)
    look.draw_way_out()


def _draw_sidebar(place: str) -> None:
    """Draw a paper's own numbers, or the controls of the experiment; nothing in other places."""
    if paper_numbers.are_shown(place):
        paper_numbers.draw_sidebar()
    elif place in WITH_EXPERIMENT:
        sidebar.draw_controls(has_method=shows_one_method(place))


if __name__ == "__main__":  # worker processes import this file under another name
    main()
