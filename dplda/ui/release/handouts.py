"""Handouts with a release: a card, a page for data protection, a record."""

from functools import partial

import streamlit as st

from dplda.core.errors import InputError
from dplda.release.artefact.artefact import Artefact
from dplda.release.publication.card import LONGEST_PLACE, render_card
from dplda.release.publication.officer import render_officer_page
from dplda.release.publication.record import render_record
from dplda.release.shares.shares_file import ReleasedShares
from dplda.ui.literal import literal
from dplda.ui.shell import downloads
from dplda.ui.state.keys import Key

FILE_AT_HELP = "It stands on the card. Without it, the card gives the file's SHA-256."
CARD_WIDTH = 640  # on the page, in pixels
OFFICER_HELP = (
    "One page: what is protected, from whom, and what remains of singling out, linking and"
    " inference."
)
RECORD_HELP = (
    "For OpenDP's Deployments Registry (YAML). What follows from the release is filled in; the"
    " rest has comments for you."
)


def draw(artefact: Artefact, tables: list[ReleasedShares]) -> None:
    """Draw a field for the file's address, the card, and buttons that save card, page and record.

    If the address is too long for the card, only the reason is drawn.

    Args:
        artefact: the release.
        tables: tables of shares of its topics.
    """
    file_at = st.text_input(
        "Where readers will find the released file",
        key=Key.RELEASE_FILE_AT,
        max_chars=LONGEST_PLACE,
        placeholder="an address, for example",
        help=FILE_AT_HELP,
    )
    try:
        card = render_card(artefact, tables, file_at=file_at)
    except InputError as error:
        st.info(literal(str(error)))
        return
    st.image(card, width=CARD_WIDTH)
    with st.container(horizontal=True):
        downloads.draw_save_button(
            "Card (SVG)", partial(str, card), "dplda-card.svg", icon_name="crop_landscape"
        )
        downloads.draw_save_button(
            "For data protection (HTML)",
            partial(render_officer_page, artefact, tables),
            "dplda-data-protection.html",
            icon_name="shield_person",
            help=OFFICER_HELP,
        )
        downloads.draw_save_button(
            "Registry record (YAML)",
            partial(render_record, artefact, tables),
            "dplda-record.yaml",
            icon_name="fact_check",
            help=RECORD_HELP,
        )
