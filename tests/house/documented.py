"""What a docstring owes its reader: the fields of a result as they are, and an example of every public name."""

import ast
import inspect
from collections.abc import Iterator
from types import ModuleType

from tests.house.source import Rule, Source


def is_dataclass(node: ast.ClassDef) -> bool:
    makers = (maker.func if isinstance(maker, ast.Call) else maker for maker in node.decorator_list)
    return any(ast.unparse(maker) in ("dataclass", "dataclasses.dataclass") for maker in makers)


def fields(node: ast.ClassDef) -> list[str]:
    """Names of the fields that a reader may use, in order."""
    annotated = [
        line
        for line in node.body
        if isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name)
    ]
    names = [line.target.id for line in annotated if "ClassVar" not in ast.unparse(line.annotation)]
    return [name for name in names if not name.startswith("_")]


def described(docstring: str, heading: str) -> list[str]:
    """Names at the start of the entries below a heading of a docstring; one entry may describe several."""
    lines = docstring.split("\n")
    if heading not in lines:
        return []
    section = lines[lines.index(heading) + 1 :]
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
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_") and is_dataclass(node):
            names = fields(node)
            in_docstring = described(ast.get_docstring(node) or "", "Attributes:")
            if in_docstring != [name for name in names if name in in_docstring]:
                yield f"{source.path}:{node.lineno}: {node.name} has {names} and describes {in_docstring}"


def without_example(module: ModuleType) -> list[str]:
    """Functions, classes and modules, of those a module exports, whose own docstring shows no use of them."""
    exported = {name: getattr(module, name) for name in module.__all__}
    documented = {
        name: member
        for name, member in exported.items()
        if callable(member) or inspect.ismodule(member)
    }
    docstrings = {
        name: vars(member).get("__doc__") if inspect.isclass(member) else member.__doc__
        for name, member in documented.items()
    }
    return [name for name, docstring in docstrings.items() if ">>>" not in (docstring or "")]


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
