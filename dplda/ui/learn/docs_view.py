"""The chapters of Docs; Methods and Python come from registries and docstrings."""

import inspect
import re
from collections.abc import Callable
from functools import cache, partial
from importlib import import_module

import numpy as np
import streamlit as st

from dplda.core import assets
from dplda.corpus import Corpus, Label
from dplda.methods.base.problem import Budget
from dplda.methods.configurations.verdict import judge_without_edge
from dplda.methods.registry import METHODS, parse_method
from dplda.ui.shell import claim_view, figure_view, glossary, views
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
    return found | {
        f"{name}.{part}": getattr(it, part) for name, it in modules.items() for part in it.__all__
    }


def _text(name: str) -> None:
    """Draw a text; its links to other texts lead to their chapters."""
    text = (assets.folder() / "docs" / f"{name}.md").read_text("utf-8")
    st.markdown(
        glossary.link_terms(_LINK.sub(lambda link: f"](?view=docs&chapter={link[1]})", text))
    )


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


def _methods() -> None:
    chosen = st.selectbox(
        "Method",
        list(METHODS),
        index=next(i for i, method in enumerate(METHODS.values()) if method.needs_epsilon),
        format_func=lambda text: parse_method(text).label,
        key=Key.DOCS_METHOD,
        persist_state="session",
    )
    method = parse_method(chosen)
    st.markdown(f"{claim_view.status_badge(method.status)} · in Python and in specs `{method.key}`")
    if method.summary:
        st.markdown(method.summary)
    if method.flow is not None:
        verdict = judge_without_edge(method.flow, None, method.status)
        figure_view.draw_flow_graph(verdict, key="docs.flow")
        st.caption(verdict.words)
    nobody = Corpus.from_counts(
        np.ones((4, 4), dtype=np.int64), label=Label.PUBLIC, name="nobody's"
    )
    promise = method.guarantee(nobody, Budget(1.0, 1e-7))  # no reason depends on the numbers
    st.header("Why", anchor=False)
    st.markdown("\n".join(f"- {said[:1].upper()}{said[1:]}" for said in promise.rests_on))
    for told in method.documentation:
        if told.__doc__:
            module_name = told.__name__.rpartition(".")[2]  # type: ignore[attr-defined]
            with st.expander(f"How it works: {module_name}", icon=":material/code:"):
                st.help(told)


CHAPTERS: dict[str, Callable[[], object]] = {
    "Concepts": partial(_text, "concepts"),
    "Methods": _methods,
    "Formats": partial(_text, "formats"),
    "Scale": partial(_text, "scale"),
    "Python": _python,
    "Deploying": _deploying,
    "Backup": partial(_text, "backup"),
    "Questions": _questions,
    "Limits": partial(_text, "limits"),
    "Glossary": lambda: st.markdown(glossary.describe_terms(*glossary.entries())),
}
