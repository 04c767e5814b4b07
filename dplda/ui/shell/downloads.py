"""What may be taken away from more than one page."""

from collections.abc import Callable

import streamlit as st

from dplda.ui.shell.keys import Key


def report_button(make: Callable[[], str]) -> None:
    """Saves a report, which is made when the button is pressed."""
    st.download_button(
        "Report (HTML)",
        data=make,
        file_name="dplda-report.html",
        mime="text/html",
        on_click="ignore",
        icon=":material/description:",
        key=Key.SAVE_REPORT,
        help="One page for people who never open this app: topics, map, promise and limits, released values only.",
    )
