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
from dplda.methods.base.method import Method
from dplda.methods.base.problem import Budget
from dplda.methods.configurations.verdict import judge_without_edge
from dplda.methods.registry import METHODS, parse_method, private_methods
from dplda.ui.shell import claim_view, figure_view, glossary, views
from dplda.ui.shell.method_list import choose_method
from dplda.ui.state.keys import Key

PACKAGE = "dplda"
_LINK_TO_TEXT = re.compile(r"\]\((\w+)\.md\)")
ANY_BUDGET = Budget(1.0, 1e-7)  # no reason for a guarantee depends on the numbers
NAMES_HELP = "Everything you can use from Python. Other names may change without notice."


def draw() -> None:
    """Draw the choice of a chapter, and the one chosen.

    It is drawn twice: as buttons, and as a list, which takes their place on a phone.
    """
    titles = list(CHAPTERS)
    draw_pills = partial(
        st.pills, "Chapter", required=True, label_visibility="collapsed", wrap=True
    )
    with st.container(key=Key.CHAPTER_BUTTONS):
        chapter_title = views.choose("learn", titles, Key.CHAPTER, draw_pills)
    st.session_state[Key.CHAPTER_LIST] = chapter_title
    st.selectbox("Chapter", titles, key=Key.CHAPTER_LIST, on_change=_open_listed_chapter)
    CHAPTERS[chapter_title]()


def _open_listed_chapter() -> None:
    """Open the chapter that was chosen in the list, on the next run."""
    st.session_state[f"{Key.CHAPTER}.learn"] = st.session_state[Key.CHAPTER_LIST]


@cache
def public_names() -> dict[str, object]:
    """Collect what the package exports, and what exported modules export, by full name."""
    package = import_module(PACKAGE)
    package_exports = {
        f"{PACKAGE}.{exported_name}": getattr(package, exported_name)
        for exported_name in package.__all__
    }
    module_exports = {
        f"{module_name}.{exported_name}": getattr(module, exported_name)
        for module_name, module in package_exports.items()
        if inspect.ismodule(module)
        for exported_name in module.__all__
    }
    return package_exports | module_exports


def _draw_text(name: str) -> None:
    """Draw a text; its links to other texts lead to their chapters."""
    text = (assets.folder() / "docs" / f"{name}.md").read_text("utf-8")
    with_chapters = _LINK_TO_TEXT.sub(r"](?view=docs&chapter=\1)", text)
    st.markdown(glossary.link_terms(with_chapters))


@cache
def design_records() -> dict[str, str]:
    """List the design records: the name of each one's text, by its title."""
    texts = sorted((assets.folder() / "docs" / "design").glob("*.md"))
    titles = [text.read_text("utf-8").partition("\n")[0].removeprefix("## ") for text in texts]
    return dict(zip(titles, (f"design/{text.stem}" for text in texts), strict=True))


def _draw_design() -> None:
    """Draw the choice of a design record, and the one chosen."""
    record_title = st.selectbox(
        "Design record",
        list(design_records()),
        key=Key.DOCS_RECORD,
        persist_state="session",
        help="One decision each: what we chose, why, and where it is in the code.",
    )
    _draw_text(design_records()[str(record_title)])


def _draw_python() -> None:
    """Draw the choice of a public name, and the help on it."""
    chosen_name = st.selectbox(
        "Name",
        list(public_names()),
        key=Key.DOCS_NAME,
        persist_state="session",
        help=NAMES_HELP,
    )
    st.help(public_names()[str(chosen_name)])


def _draw_deploying() -> None:
    with st.expander("Container file, with a health check", icon=":material/deployed_code:"):
        st.code((assets.folder() / "docs" / "Containerfile").read_text("utf-8"), language="docker")
    _draw_text("deploying")


def _draw_questions() -> None:
    _draw_text("questions")
    st.code((assets.home() / "CITATION.cff").read_text("utf-8"), language="yaml", wrap_lines=True)


def _draw_chosen_method() -> None:
    """Draw the choice of a method, at first the first private one, and its documentation.

    It has its status, summary and flow, if there are, the reasons for its guarantee, and how it
    works. The flow comes with the verdict on its noise.
    """
    st.session_state.setdefault(Key.DOCS_METHOD, private_methods()[0].key)
    method_key = choose_method(
        "Method",
        METHODS.values(),
        key=Key.DOCS_METHOD,
        option_of=lambda method: method.key,
        text_of=lambda method: method.label,
    )
    method = parse_method(method_key)
    status_badge = claim_view.status_badge(method.status)
    st.markdown(f"{status_badge} · in Python and in specs `{method.key}`")
    if method.summary:
        st.markdown(method.summary)
    if method.flow is not None:
        flow_verdict = judge_without_edge(method.flow, None, method.status)
        figure_view.draw_flow_graph(flow_verdict, key="docs.flow")
        st.caption(flow_verdict.words)
    st.header("Why", anchor=False)
    reasons = method.guarantee(_any_corpus(), ANY_BUDGET).rests_on
    st.markdown("\n".join(f"- {reason[:1].upper()}{reason[1:]}" for reason in reasons))
    _draw_documentation(method)


def _any_corpus() -> Corpus:
    """Documents of nobody, for a guarantee whose reasons do not depend on them."""
    counts = np.ones((4, 4), dtype=np.int64)
    return Corpus.from_counts(counts, label=Label.PUBLIC, name="nobody's")


def _draw_documentation(method: Method) -> None:
    """Draw the docstrings of the modules in which a method is written."""
    for module in method.documentation:
        if module.__doc__:
            name = module.__name__.rpartition(".")[2]  # type: ignore[attr-defined]
            with st.expander(f"How it works: {name}", icon=":material/code:"):
                st.help(module)


def _draw_glossary() -> None:
    st.markdown(glossary.describe_terms(*glossary.entries()))


CHAPTERS: dict[str, Callable[[], None]] = {
    "Concepts": partial(_draw_text, "concepts"),
    "Paper": partial(_draw_text, "paper"),
    "Methods": _draw_chosen_method,
    "Formats": partial(_draw_text, "formats"),
    "Groups": partial(_draw_text, "groups"),
    "Scale": partial(_draw_text, "scale"),
    "Audits": partial(_draw_text, "audits"),
    "Record": partial(_draw_text, "record"),
    "Leaderboard": partial(_draw_text, "leaderboard"),
    "Design": _draw_design,
    "Python": _draw_python,
    "Deploying": _draw_deploying,
    "Backup": partial(_draw_text, "backup"),
    "Questions": _draw_questions,
    "Limits": partial(_draw_text, "limits"),
    "Glossary": _draw_glossary,
}
"""The function that draws each chapter, by its title."""
