"""What more budget would buy of a release."""

from dataclasses import replace

import streamlit as st

from dplda import figures
from dplda.release.draft import Draft
from dplda.release.outlook import outlooks
from dplda.release.released_file import Artefact, write
from dplda.ui.shell import figure_view
from dplda.ui.state import cache, session
from dplda.ui.state.keys import Key


def outlook(draft: Draft, one: Artefact) -> None:
    """Predicted from the released file, when asked for: a sentence, and the width of ranges by ε."""
    asked, settings = f"{Key.RELEASE_OUTLOOK}.{one.charge[:12]}", draft.request.settings
    if not st.session_state.get(asked):
        st.markdown("Predicted from the released topics alone. It is free and takes as long as eight fits.")
        st.button("Predict", key=f"{Key.RELEASE_OUTLOOK}.start", on_click=session.put, args=(asked, True))
        return
    file = write(replace(one, names=(), groups=()))
    words_too = draft.request.selection is not None
    paid = settings.budget.epsilon if words_too else one.promise.claimed_epsilon
    table = settings.method.table
    method = settings.method.text if table is None else (table, settings.method.trusted)
    found = cache.made_of_settings("outlook", outlooks, file, method, paid, settings.budget.delta)
    if found is None:
        return
    *_, twice, _ = found
    k = len(one.words)
    st.markdown(f"**{twice.in_words(k)}**")
    widths = {each.epsilon: each.width for each in found if each.width is not None}
    if widths:
        parts = {each.epsilon: each.above_noise for each in found}
        figure_view.draw(figures.narrower(widths, parts, k), Key.RELEASE_OUTLOOK)
        st.caption("In simulations, half of all releases came within 8 % of this and three in four within 15 %.")
