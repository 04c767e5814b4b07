"""The chapters, one of which is shown; the address names it."""

from collections.abc import Callable
from functools import partial

import streamlit as st

from dplda.experiments.settings import Settings
from dplda.ui.learn.docs import api_view, methods_view, texts
from dplda.ui.shell import glossary
from dplda.ui.state.keys import Key


def draw(settings: Settings) -> None:
    """Draw the choice of a chapter, and the one chosen."""
    chosen = st.pills(
        "Chapter",
        list(CHAPTERS),
        default=next(iter(CHAPTERS)),
        required=True,
        key=Key.CHAPTER,
        bind="query-params",
        label_visibility="collapsed",
        wrap=True,
    )
    CHAPTERS[str(chosen)]()


def _deploying() -> None:
    with st.expander("Container file, with a health check", icon=":material/deployed_code:"):
        st.code(texts.read("Containerfile"), language="docker")
    texts.show("deploying")


def _questions() -> None:
    texts.show("questions")
    st.code(texts.citation(), language="yaml", wrap_lines=True)


def _glossary() -> None:
    st.markdown(glossary.markdown(*glossary.entries()))


CHAPTERS: dict[str, Callable[[], None]] = {
    "Concepts": partial(texts.show, "concepts"),
    "Methods": methods_view.show,
    "Formats": partial(texts.show, "formats"),
    "Scale": partial(texts.show, "scale"),
    "Python": api_view.show,
    "Deploying": _deploying,
    "Questions": _questions,
    "Limits": partial(texts.show, "limits"),
    "Glossary": _glossary,
}
