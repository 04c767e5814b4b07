"""What a docstring owes its reader: the fields of a result as they are, and an example of every public name."""

import ast
import inspect
from collections.abc import Iterator
from types import ModuleType

from tests.house.source import Rule, Source

HEADING = "Attributes:"


def _is_dataclass(node: ast.ClassDef) -> bool:
    makers = (maker.func if isinstance(maker, ast.Call) else maker for maker in node.decorator_list)
    return any(ast.unparse(maker) in ("dataclass", "dataclasses.dataclass") for maker in makers)


def _fields(node: ast.ClassDef) -> list[str]:
    """Names of the fields that a reader may use, in order."""
    annotated = [
        line
        for line in node.body
        if isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name)
    ]
    names = [line.target.id for line in annotated if "ClassVar" not in ast.unparse(line.annotation)]
    return [name for name in names if not name.startswith("_")]


def _described(docstring: str) -> list[str]:
    """Names at the start of the entries below ``Attributes:``; one entry may describe several."""
    lines = docstring.split("\n")
    if HEADING not in lines:
        return []
    section = lines[lines.index(HEADING) + 1 :]
    end = next(
        (i for i, line in enumerate(section) if line and not line.startswith(" ")), len(section)
    )
    entries = [
        line.strip() for line in section[:end] if line.startswith("    ") and line[4:5].strip()
    ]
    return [name.strip() for entry in entries for name in entry.split(":")[0].split(",")]


def other_fields(source: Source) -> Iterator[str]:
    if not source.inside("dplda/"):
        return
    for node in source.nodes():
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_") and _is_dataclass(node):
            fields, described = _fields(node), _described(ast.get_docstring(node) or "")
            if described != [name for name in fields if name in described]:
                yield f"{source.path}:{node.lineno}: {node.name} has {fields} and describes {described}"


def without_example(module: ModuleType) -> list[str]:
    """Functions, classes and modules, of those a module exports, whose own docstring shows no use of them."""
    exported = {name: getattr(module, name) for name in module.__all__}
    owed = {name: it for name, it in exported.items() if callable(it) or inspect.ismodule(it)}
    own = {
        name: vars(it).get("__doc__") if inspect.isclass(it) else it.__doc__
        for name, it in owed.items()
    }
    return [name for name, docstring in own.items() if ">>>" not in (docstring or "")]


def _point(fields: str, *described: str, name: str = "Point") -> str:
    """A dataclass with some fields, and others perhaps described."""
    entries = "".join(f"        {line}\n" for line in described)
    docstring = f'    """A point.\n\n    Attributes:\n{entries}\n    Raises:\n        ValueError: never.\n    """\n'
    return f"from dataclasses import dataclass\n@dataclass(frozen=True)\nclass {name}:\n{docstring}    {fields}"


RULES = (
    Rule(
        "what a dataclass describes are its fields, in their order",
        other_fields,
        bad=(
            ("dplda/x.py", _point("x: float; y: int", "y: two.", "x: one.")),
            ("dplda/x.py", _point("x: float", "x: one.", "z: gone.")),
        ),
        good=(
            ("dplda/x.py", _point("x: float")),
            ("dplda/x.py", _point("x: float; y: int; _z: int", "x, y: both.")),
            ("dplda/x.py", _point("x: ClassVar[float] = 1; y: int", "y: two.")),
        ),
    ),
)
