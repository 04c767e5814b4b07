"""What pages and widgets look like."""

import ast
import inspect
from collections.abc import Iterator

import streamlit

from tests.house.source import Rule, Source

PAGE_LINES = 80
LOOPS = (ast.For, ast.AsyncFor, ast.While, ast.comprehension)
SUMS = (ast.Add, ast.Sub, ast.Mult, ast.MatMult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow)
FILES = {"open", "read_text", "read_bytes", "write_text", "write_bytes"}


def _widgets() -> set[str]:
    """Functions of Streamlit that take a key and report back to the script."""
    names = set()
    for name, member in inspect.getmembers(streamlit, callable):
        if not name.startswith("_") and not inspect.isclass(member):
            parameters = inspect.signature(member).parameters
            if "key" in parameters and {"on_change", "on_click", "on_submit"} & set(parameters):
                names.add(name)
    return names - {
        "expander",
        "popover",
        "tabs",
        "link_button",
    }  # these need no key: they hold no value


WIDGETS = _widgets()


def _drawing_calls(source: Source, names: set[str]) -> Iterator[tuple[ast.Call, str]]:
    """Calls of Streamlit's own functions, on the module or on any container of it."""
    ours = {name.split(".")[-1] for _, name in source.imports() if name.split(".")[0] == "dplda"}
    for call in source.calls():
        if isinstance(call.func, ast.Attribute) and call.func.attr in names:
            owner = call.func.value
            if not (isinstance(owner, ast.Name) and owner.id in ours):
                yield call, call.func.attr
        elif isinstance(call.func, ast.Name) and call.func.id in names - ours:
            yield call, call.func.id


def _lacks(call: ast.Call, *arguments: str) -> list[str]:
    set_arguments = {
        keyword.arg
        for keyword in call.keywords
        if not (isinstance(keyword.value, ast.Constant) and not keyword.value.value)
    }
    return [argument for argument in arguments if argument not in set_arguments]


def busy_page(source: Source) -> Iterator[str]:
    if not source.inside("pages/"):
        return
    if source.text.count("\n") > PAGE_LINES:
        yield f"{source.path}: more than {PAGE_LINES} lines"
    for line, name in source.imports():
        if name.split(".")[0] not in ("streamlit", "dplda", "__future__"):
            yield f"{source.path}:{line}: a page imports Streamlit and dplda, not {name}"
    for node in source.nodes():
        if isinstance(node, LOOPS):
            line = next(child.lineno for child in ast.walk(node) if hasattr(child, "lineno"))
            yield f"{source.path}:{line}: a loop"
        if isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, SUMS):
            yield f"{source.path}:{node.lineno}: arithmetic"
    for call in source.calls():
        called = getattr(call.func, "attr", getattr(call.func, "id", ""))
        if called in FILES:
            yield f"{source.path}:{call.lineno}: file access"


def nameless_widget(source: Source) -> Iterator[str]:
    if not source.inside("pages/", "dplda/ui/"):
        return
    for call, name in _drawing_calls(source, WIDGETS):
        if _lacks(call, "key"):
            yield f"{source.path}:{call.lineno}: {name} without key="
    for call, name in _drawing_calls(source, {"plotly_chart"}):
        if missing := _lacks(call, "key", "alt"):
            yield f"{source.path}:{call.lineno}: {name} without {' and '.join(missing)}"


LOOK = "dplda/ui/shell/look.py"


def _constant(call: ast.Call) -> bool:
    """Whether a call writes HTML made of the file's own constants alone, or writes none."""
    if getattr(call.func, "attr", "") != "html":
        return True
    names = {
        node.id
        for argument in call.args
        for node in ast.walk(argument)
        if isinstance(node, ast.Name)
    }
    return all(name.isupper() for name in names)


MAKERS_OF_HTML = ("st.html(figures.", "st.html(render_share_chart(")
"""Calls that write HTML of a figure, or of a template that escapes what comes from outside."""


def raw_html(source: Source) -> Iterator[str]:
    """Only one file may: its texts are constants, and nothing is passed to it."""
    if source.inside("tests/"):
        return
    for call in source.calls():
        if source.path == LOOK and not _constant(call):
            yield f"{source.path}:{call.lineno}: {LOOK} draws what is not a constant"
        call_text = ast.unparse(call)
        if (
            source.path != LOOK
            and call_text.startswith("st.html(")
            and not call_text.startswith(MAKERS_OF_HTML)
        ):
            yield f"{source.path}:{call.lineno}: HTML that no figure made"
        for keyword in call.keywords:
            if (
                keyword.arg in ("unsafe_allow_html", "unsafe_allow_javascript")
                and source.path != LOOK
            ):
                yield f"{source.path}:{call.lineno}: {keyword.arg}"


RULES = (
    Rule(
        "pages are thin",
        busy_page,
        bad=(
            ("pages/x.py", "from pathlib import Path"),
            ("pages/x.py", "for x in y:\n    f(x)"),
            ("pages/x.py", "z = [f(x) for x in y]"),
            ("pages/x.py", "z = source.read_text()"),
            ("pages/x.py", "f()\n" * (PAGE_LINES + 1)),
        ),
        good=(
            (
                "pages/x.py",
                "import streamlit as st\nfrom dplda import figures\nst.title('x')\nz = -1",
            ),
            ("dplda/figures/x.py", "import plotly\nfor x in y:\n    z = x + 1"),
        ),
    ),
    Rule(
        "widgets have keys, charts have keys and alternative text",
        nameless_widget,
        bad=(
            ("pages/x.py", "import streamlit as st\nst.slider('ε', 0.1, 10.0)"),
            ("dplda/ui/x.py", "def f(column):\n    column.button('Run', key=None)"),
            ("dplda/ui/x.py", "import streamlit as st\nst.sidebar.download_button('x', data)"),
            ("pages/x.py", "import streamlit as st\nst.plotly_chart(f, key='x')"),
            ("pages/x.py", "import streamlit as st\nst.plotly_chart(f, key='x', alt='')"),
        ),
        good=(
            ("pages/x.py", "import streamlit as st\nst.slider('ε', 0.1, 10.0, key='epsilon')"),
            ("pages/x.py", "import streamlit as st\nst.plotly_chart(f, key='x', alt='bars')"),
            ("dplda/figures/x.py", "def f(axis):\n    axis.slider('x')"),
        ),
    ),
    Rule(
        "no raw HTML",
        raw_html,
        bad=(
            ("dplda/ui/x.py", "import streamlit as st\nst.markdown('x', unsafe_allow_html=True)"),
            (LOOK, "import streamlit as st\nst.html(f'{x}')"),
            ("dplda/ui/x.py", "import streamlit as st\nst.html(x)"),
        ),
        good=((LOOK, "import streamlit as st\nst.html(_SCRIPT, unsafe_allow_javascript=True)"),),
    ),
)
