"""A paper's figure on Compare: its numbers stand in place of controls that would do nothing."""

import streamlit as st

from dplda.corpus import Simulation
from dplda.experiments.papers.presets import PRESETS, Preset
from dplda.ui.shell import views
from dplda.ui.state import link, session
from dplda.ui.state.keys import Key
from dplda.ui.state.link import ALPHAS, TOPICS

PLACE = "compare"
VIEWS = ["Error curves", "Regimes"]
OWN = "My settings"


def selected_preset() -> Preset | None:
    """The chosen figure of a paper, kept in the address; None for the user's own settings."""
    return PRESETS.get(views.open_title(PLACE, [OWN, *PRESETS], link.SHOWN_KEY))


def are_shown(place: str) -> bool:
    """Whether the page shows a paper's figure, on which the sidebar's controls have no effect.

    Args:
        place: address of the page.
    """
    if place != PLACE or views.open_title(PLACE, VIEWS, Key.VIEW) != VIEWS[0]:
        return False
    return selected_preset() is not None


def draw_sidebar() -> None:
    """Draw the paper's numbers in the sidebar, with a button back to one's own settings.

    One of the paper's figures must be selected. A button that takes the numbers over is drawn only
    if such documents can be simulated.
    """
    preset = selected_preset()
    assert preset is not None  # are_shown holds
    documents_fact, *number_facts = preset.described()
    with st.sidebar:
        st.markdown("**These numbers are the paper's**")
        st.caption("  \n".join((documents_fact[:1].upper() + documents_fact[1:], *number_facts)))
        if _simulation_of(preset) is not None:
            st.button(
                "Make them mine",
                key=Key.PAPER_NUMBERS,
                icon=":material/tune:",
                on_click=_adopt,
                args=(preset,),
                width="stretch",
                help="Simulates such documents and opens *My settings*, where you can change them.",
            )
        st.button("My settings", key=Key.OWN_NUMBERS, on_click=_open_own_settings, width="stretch")


def _simulation_of(preset: Preset) -> Simulation | None:
    """The simulated documents of a figure's first setting.

    None where the figure has no sweep, its documents are not simulated, or its k or α₀ is out of
    the sidebar's range.
    """
    if preset.sweep is None:
        return None
    first_setting = preset.sweep.settings[0]
    source = first_setting.source
    has_topics_in_range = TOPICS[0] <= first_setting.n_topics <= TOPICS[1]
    has_alpha0_in_range = ALPHAS[0] <= first_setting.alpha0 <= ALPHAS[1]
    if isinstance(source, Simulation) and has_topics_in_range and has_alpha0_in_range:
        return source
    return None


def _adopt(preset: Preset) -> None:
    """Choose a figure's simulated documents, k and α₀, and open the user's own settings.

    A notice says so. The figure must have such documents.
    """
    simulation = _simulation_of(preset)
    assert simulation is not None  # the button is drawn only then
    assert preset.sweep is not None
    setting = preset.sweep.settings[0]
    session.choose(simulation)
    st.session_state[Key.N_TOPICS] = setting.n_topics
    st.session_state[Key.ALPHA0] = setting.alpha0
    session.notice(f"Your experiment now has the numbers of {preset.title.partition(':')[0]}.")
    _open_own_settings()


def _open_own_settings() -> None:
    """Open the error curves of the user's own settings."""
    st.session_state[Key.CURVES_SHOWN] = OWN
