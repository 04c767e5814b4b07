"""What Streamlit's themes cannot say: less space above a page, ink on dark buttons, one entry of history a page."""

import streamlit as st

INK_ON_DARK = "#10151f"  # on the dark theme's primary colour; Streamlit writes white there, 2.2 : 1

_STYLE = """<style>
[data-testid="stMainBlockContainer"] { padding-top: 3.75rem; }
[data-testid="stMain"] h1, [data-testid="stMain"] h2 { padding: 0; }
[data-testid="stMain"] h2 { padding-top: 0.75rem; }
[data-testid="stHeading"]:has(h2) [data-testid="stMarkdownContainer"] { margin-bottom: -0.5rem; }
.st-key-frame-odds { margin-top: -1.25rem; }
.st-key-epsilon [data-testid="stSliderTickBar"] { visibility: hidden; }
[data-testid="stMain"] button[kind="tertiary"] { min-height: 1.75rem; padding-top: 0; padding-bottom: 0; }
[data-testid="stMain"] p:has(> span[style*="font-size: 0.875rem"]:only-child) { line-height: 1.35; }
[data-testid="stMain"] [data-testid="stPageLink-NavLink"] { border: 1px solid #8886; border-radius: 0.5rem; }
@media (max-width: 640px) {
  [data-testid="stMain"] h1 { font-size: 1.4rem; }
  [data-testid="stMainBlockContainer"] > [data-testid="stVerticalBlock"] { gap: 0.5rem; }
  [data-testid="stHeading"]:has(h2) [data-testid="stMarkdownContainer"] { margin-bottom: 0; }
  [data-testid="stMain"] h1 [data-testid="stTooltipIcon"] { display: none; }
}
</style>"""
_BUTTONS = f"""<style>
button[kind^="primary"]:not(:disabled), button[kind^="primary"]:not(:disabled) * {{ color: {INK_ON_DARK}; }}
</style>"""

# Streamlit pushes an entry of the history for every parameter that a script writes into the address, so that Back
# would stay on the page. And its tables and code scroll on a narrow screen, where the keyboard needs a focus to scroll.
# In projector mode arrow keys, and a clicker's, walk through the steps of a lesson.
# Titles of figures come broken for a phone: where there is room, their words are dealt out anew, to the lowest lines.
SCRIPT = """<script>
if (!window.dplda) {
  window.dplda = true;
  const push = history.pushState.bind(history);
  history.pushState = (state, title, url) => {
    const stays = new URL(url, location.href).pathname === location.pathname;
    (stays ? history.replaceState.bind(history) : push)(state, title, url);
  };
  const wide = '[data-testid="stTable"] > div, [data-testid="stMain"] pre';
  const reach = () => document.querySelectorAll(wide).forEach(each => {
    if (each.scrollWidth > each.clientWidth) each.tabIndex = 0; else each.removeAttribute("tabindex");
  });
  const fill = (lines, words, room) => {
    let line = lines[0];
    line.textContent = "";
    for (const word of words) {
      const before = line.textContent;
      line.textContent = before ? before + " " + word : word;
      if (!before || line.getComputedTextLength() <= room || line === lines.at(-1)) continue;
      line.textContent = before;
      line = lines[lines.indexOf(line) + 1];
      line.textContent = word;
    }
    return line;
  };
  const bare = part => part.children.length === 1 ? bare(part.firstElementChild) : part;
  const unbreak = () => document.querySelectorAll(".js-plotly-plot .gtitle").forEach(title => {
    const lines = [...title.querySelectorAll(".line")].map(bare), room = title.ownerSVGElement.clientWidth - 48;
    const text = () => room + lines.map(line => line.textContent).join(" ");
    if (lines.length < 2 || room < 0 || title.dealt === text() || lines.some(line => line.children.length)) return;
    const words = lines.map(line => line.textContent).join(" ").match(/\\S+(?: = \\S+| %\\S*)*/g) ?? [];
    const left = lines.length - 1 - lines.indexOf(fill(lines, words, room));
    const said = lines.map(line => line.textContent);
    lines.forEach((line, i) => { line.textContent = i < left ? "" : said[i - left]; });
    title.dealt = text();
  });
  const tidy = () => { reach(); unbreak(); };
  new MutationObserver(tidy).observe(document.body, { childList: true, subtree: true });
  addEventListener("resize", tidy);
  addEventListener("keydown", event => {
    const way = { ArrowRight: "next", PageDown: "next", ArrowLeft: "back", PageUp: "back" }[event.key];
    const busy = event.target.closest?.("input, textarea, [role=slider], [role=radiogroup], [role=combobox]");
    if (!way || busy || !document.querySelector(".st-key-learn-leave")) return;
    document.querySelector(`.st-key-learn-${way} button`)?.click();
    event.preventDefault();
  });
}
</script>"""


def apply() -> None:
    """Draw the style and the script, which take no room; to be called on every run, before anything is shown."""
    st.html(_STYLE)
    if st.context.theme.type == "dark":
        st.html(_BUTTONS)
    with st.sidebar:
        st.html(SCRIPT, unsafe_allow_javascript=True)
