"""What Streamlit's themes cannot say, and projector mode: large type without a sidebar, for a room."""

import streamlit as st

from dplda.ui.state import session
from dplda.ui.state.keys import Key

PROJECTOR = "projector"  # in the address: 1 where it is on
LARGER = 1.5  # letters in figures, in that mode
INK_ON_DARK = "#10151f"  # on the dark theme's primary colour; Streamlit writes white there, 2.2 : 1

_STYLE = """<style>
[data-testid="stMainBlockContainer"] { padding-top: 3.75rem; }
[data-testid="stMain"] h1, [data-testid="stMain"] h2 { padding: 0; }
[data-testid="stMain"] h2 { padding-top: 0.75rem; }
[data-testid="stHeading"]:has(h2) [data-testid="stMarkdownContainer"] { margin-bottom: -0.5rem; }
.st-key-frame-odds { margin-top: -1.25rem; }
.st-key-answer { min-height: 3.25rem; }
.st-key-epsilon [data-testid="stSliderTickBar"] { visibility: hidden; }
.st-key-play [data-testid="stSliderTickBar"] { opacity: 1; visibility: visible; }
[data-testid="stMain"] button[kind="tertiary"] { min-height: 1.75rem; padding-top: 0; padding-bottom: 0; }
[data-testid="stMain"] p:has(> span[style*="font-size: 0.875rem"]:only-child) { line-height: 1.35; }
[data-testid="stMain"] [data-testid="stPageLink-NavLink"] { border: 1px solid #8886; border-radius: 0.5rem; }
:is([data-testid="stMain"] pre .token, [data-testid="stCaptionContainer"] code) { color: inherit !important; }
[data-testid="stHelp"] :is(div, td) { overflow: visible; overflow-wrap: anywhere; white-space: normal; }
[data-testid="stHelp"] [data-testid="stHelpDoc"] { white-space: pre-wrap; max-height: none; }
[data-testid="stHelpName"] { display: none; }
[data-testid="stMain"] :is(pre, pre *) { white-space: pre-wrap !important; overflow-wrap: anywhere; }
@media (max-width: 640px) {
  .st-key-answer { min-height: 6.5rem; }
  .st-key-frame-odds { margin-bottom: -0.5rem; }
  [data-testid="stMain"] h1 { font-size: 1.4rem; }
  .st-key-play {
    position: sticky; top: 3.5rem; z-index: 2; padding-bottom: 1rem; background: light-dark(#ffffff, #10151f);
  }
  :is([data-testid="stTable"], [data-testid="stMarkdown"]) :is(td, th) { padding: 0.15rem !important; }
  :is([data-testid="stTable"], [data-testid="stMarkdown"]) :is(td, th, td *, th *) {
    font-size: 0.7rem !important; overflow-wrap: break-word !important; white-space: normal !important;
  }
  [data-testid="stMainBlockContainer"] > [data-testid="stVerticalBlock"] { gap: 0.5rem; }
  [data-testid="stHeading"]:has(h2) [data-testid="stMarkdownContainer"] { margin-bottom: 0; }
  [data-testid="stMain"] h1 [data-testid="stTooltipIcon"] { display: none; }
}
</style>"""
_BUTTONS = f"""<style>
button[kind^="primary"]:not(:disabled), button[kind^="primary"]:not(:disabled) * {{ color: {INK_ON_DARK}; }}
[data-testid="stMultiSelect"] [data-tag], [data-testid="stMultiSelect"] [data-tag] * {{ color: {INK_ON_DARK}; }}
</style>"""
_PROJECTED = """<style>
[data-testid="stSidebar"], [data-testid="stHeader"], [data-testid="stExpandSidebarButton"] { display: none; }
[data-testid="stMainBlockContainer"] { padding: 1rem 4rem 0; }
html { font-size: min(1.7vw, 2.4vh); }
[data-testid="stMain"] h1 { display: none; }
[data-testid="stMain"] [data-testid="stVerticalBlock"] { gap: 0.5rem; }
@media (max-width: 640px) { html { font-size: 19px; } }
</style>"""


def apply() -> None:
    """Draw the style, which takes no room; to be called on every run, before anything is shown."""
    st.html(_STYLE)
    if st.context.theme.type == "dark":
        st.html(_BUTTONS)
    if is_projected():
        st.html(_PROJECTED)


def way_out() -> None:
    """Draw the button that leads out of projector mode, where that is on; it stands below all that a page shows."""
    if is_projected():
        st.button(
            "Leave projector mode",
            type="tertiary",
            key=Key.LEARN_LEAVE,
            on_click=session.write,
            args=({PROJECTOR: None},),
        )


def is_projected() -> bool:
    """Whether the page is shown to a room."""
    return st.query_params.get(PROJECTOR) == "1"
