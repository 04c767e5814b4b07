"""A Python file as the house rules see it, and what a rule is."""

import ast
import gc
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("dplda", "pages", "tests", "benchmarks")


@dataclass(frozen=True, slots=True, eq=False)
class Source:
    """One file: its path from the root of the project, its text, its syntax tree."""

    path: str
    text: str
    tree: ast.Module

    def inside(self, *places: str) -> bool:
        """Whether the file is one of these files, or lies in one of these folders (which end in a slash)."""
        return any(
            self.path == place or (place.endswith("/") and self.path.startswith(place))
            for place in places
        )

    @cache  # noqa: B019 - a tree is walked once for all rules
    def nodes(self) -> tuple[ast.AST, ...]:
        """Every node of the tree."""
        return tuple(ast.walk(self.tree))

    @cache  # noqa: B019 - as above
    def calls(self) -> tuple[ast.Call, ...]:
        return tuple(node for node in self.nodes() if isinstance(node, ast.Call))

    @cache  # noqa: B019 - as above
    def imports(self) -> tuple[tuple[int, str], ...]:
        """Line and absolute dotted name of everything imported, names after ``from … import`` included."""
        return tuple(self._each_import())

    def _each_import(self) -> Iterator[tuple[int, str]]:
        package = self.path.removesuffix(".py").split("/")[:-1]
        for node in self.nodes():
            if isinstance(node, ast.Import):
                for alias in node.names:
                    yield node.lineno, alias.name
            elif isinstance(node, ast.ImportFrom):
                base = package[: len(package) - node.level + 1] if node.level else []
                base = [*base, *([node.module] if node.module else [])]
                for alias in node.names:
                    yield node.lineno, ".".join([*base, alias.name])


@dataclass(frozen=True, slots=True)
class Rule:
    """A check that yields complaints, with files that it must refuse and files that it must let pass.

    Samples are pairs of a path and the code in it.
    """

    name: str
    check: Callable[[Source], Iterator[str]]
    bad: tuple[tuple[str, str], ...]
    good: tuple[tuple[str, str], ...]


def source(path: str, text: str) -> Source:
    return Source(path, text, ast.parse(text, path))


@cache
def project(*folders: str) -> tuple[Source, ...]:
    """Every Python file of the project, or of these folders of it.

    Trees stay: looking for garbage among them would take most of the time.
    """
    paths = [ROOT / "app.py"]
    for folder in folders or FOLDERS:
        paths += sorted((ROOT / folder).rglob("*.py"))
    gc.disable()
    try:
        return tuple(read(path) for path in paths)
    finally:
        gc.freeze()
        gc.enable()


@cache
def read(path: Path) -> Source:
    """A file of the project, parsed once for all who ask for folders that hold it."""
    return source(path.relative_to(ROOT).as_posix(), path.read_text("utf-8"))
