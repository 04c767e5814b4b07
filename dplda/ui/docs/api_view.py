"""The Python interface as its docstrings tell it: one name at a time."""

import enum
import inspect
from collections.abc import Iterator
from functools import cache
from importlib import import_module

import streamlit as st

from dplda.ui.docs import docstring
from dplda.ui.state.keys import Key

PACKAGE = "dplda"


def show() -> None:
    """Draw the choice of a name, and what it is."""
    chosen = st.selectbox(
        "Name",
        list(names()),
        key=Key.DOCS_NAME,
        persist_state="session",
        help="Everything that may be used from Python. Names with an underscore in front, and those not listed here,"
        " may change without notice.",
    )
    st.code(signature(str(chosen)), language="python", wrap_lines=True)
    st.markdown(docstring.of(names()[str(chosen)]))
    for title, member in members(names()[str(chosen)]):
        with st.expander(f"`{title}`"):
            st.markdown(docstring.of(member))


@cache
def names() -> dict[str, object]:
    """All that is exported, and what exported modules export, by full name."""
    found: dict[str, object] = {}
    package = import_module(PACKAGE)
    for name in package.__all__:
        it = getattr(package, name)
        found[f"{PACKAGE}.{name}"] = it
        if inspect.ismodule(it):
            found |= {f"{PACKAGE}.{name}.{part}": getattr(it, part) for part in it.__all__}
    return found


@cache
def signature(name: str) -> str:
    """How it is called: arguments and their defaults, whose types and units the docstring gives."""
    it = names()[name]
    if inspect.isclass(it) and issubclass(it, enum.Enum):
        return f"{name}: " + ", ".join(repr(member.value) for member in it)
    return f"{name}{_arguments(it)}" if callable(it) else f"import {name}" if inspect.ismodule(it) else name


def members(it: object) -> Iterator[tuple[str, object]]:
    """What a class of ours offers besides being made: methods with their arguments, and properties."""
    if not inspect.isclass(it) or issubclass(it, enum.Enum):
        return
    for name, member in inspect.getmembers(it):
        owner = next((base for base in it.__mro__ if name in vars(base)), object)
        if name.startswith("_") or not owner.__module__.startswith(f"{PACKAGE}."):
            continue
        if isinstance(member, property):
            yield name, member
        elif inspect.isroutine(member):
            yield f"{name}{_arguments(member)}", member


def _arguments(it: object) -> str:
    if not callable(it):
        return ""
    found = inspect.signature(it)
    bare = [one.replace(annotation=inspect.Parameter.empty) for one in found.parameters.values() if one.name != "self"]
    return str(found.replace(parameters=bare, return_annotation=inspect.Signature.empty))
