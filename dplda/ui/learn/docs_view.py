"""The chapters, one of which is shown; the address names it."""

import inspect
import re
from collections.abc import Callable
from functools import cache, partial
from importlib import import_module

import streamlit as st

from dplda.core import assets
from dplda.ui.learn import methods_view
from dplda.ui.shell import glossary, views
from dplda.ui.state.keys import Key

PACKAGE = "dplda"
_LINK = re.compile(r"\]\((\w+)\.md\)")


def draw() -> None:
    """Draw the choice of a chapter, and the one chosen."""
    pills = partial(st.pills, "Chapter", required=True, label_visibility="collapsed", wrap=True)
    CHAPTERS[views.choose("learn", list(CHAPTERS), Key.CHAPTER, pills)]()


@cache
def names() -> dict[str, object]:
    """All that the package exports, and what exported modules export, by full name."""
    package = import_module(PACKAGE)
    found = {f"{PACKAGE}.{name}": getattr(package, name) for name in package.__all__}
    modules = {name: it for name, it in found.items() if inspect.ismodule(it)}
    return found | {f"{name}.{part}": getattr(it, part) for name, it in modules.items() for part in it.__all__}


def _text(name: str) -> None:
    """A text, whose links to other texts lead to their chapters."""
    text = (assets.folder() / "docs" / f"{name}.md").read_text("utf-8")
    st.markdown(_LINK.sub(lambda link: f"](?view=docs&chapter={link[1]})", text))


def _python() -> None:
    chosen = st.selectbox(
        "Name",
        list(names()),
        key=Key.DOCS_NAME,
        persist_state="session",
        help="Everything you can use from Python. Other names may change without notice.",
    )
    st.help(names()[str(chosen)])


def _deploying() -> None:
    with st.expander("Container file, with a health check", icon=":material/deployed_code:"):
        st.code((assets.folder() / "docs" / "Containerfile").read_text("utf-8"), language="docker")
    _text("deploying")


def _questions() -> None:
    _text("questions")
    st.code((assets.home() / "CITATION.cff").read_text("utf-8"), language="yaml", wrap_lines=True)


def _glossary() -> None:
    st.markdown(glossary.markdown(*glossary.entries()))


CHAPTERS: dict[str, Callable[[], None]] = {
    "Concepts": partial(_text, "concepts"),
    "Methods": methods_view.show,
    "Formats": partial(_text, "formats"),
    "Scale": partial(_text, "scale"),
    "Python": _python,
    "Deploying": _deploying,
    "Questions": _questions,
    "Limits": partial(_text, "limits"),
    "Glossary": _glossary,
}
