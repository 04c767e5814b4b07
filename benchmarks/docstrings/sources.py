"""Docstrings of the standard library and of the packages this one stands on, read without importing them."""

import ast
import gc
import importlib.metadata
import inspect
import platform
import re
import sysconfig
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from packaging.requirements import Requirement

ROOTS = ("numpy", "pandas", "plotly", "scikit-learn", "scipy", "streamlit")
"""Distributions whose docstrings, and those of all they require, are read."""

_NOT_FOR_READERS = frozenset(
    {
        "test",
        "tests",
        "testing",
        "conftest.py",
        "_vendor",
        "vendored",
        "idlelib",
        "lib2to3",
        "turtledemo",
    }
    | {"ensurepip", "site-packages", "dist-packages"}
)
# one sentence repeated thousands of times by a program
_GENERATED = re.compile(r"^(plotly/(graph_objs|validators)|altair/vegalite/v\d+/schema)/")
_Documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class Package:
    """A distribution, or the standard library, as it is installed here.

    Attributes:
        name: as its metadata spells it; ``"python"`` for the standard library.
        version: as installed.
    """

    name: str
    version: str


def packages() -> tuple[Package, ...]:
    """Find the standard library, the roots, and what they require here, extras left out, by name.

    What another platform or version of Python would need is left out, whether it is installed or not, and so is what
    is not installed: else a package brought along by something else would change the corpus.
    """
    package_of_name = {"python": Package("python", platform.python_version())}
    names_to_visit = list(ROOTS)
    visited: set[str] = set()
    while names_to_visit:
        name = names_to_visit.pop()
        canonical = re.sub(r"[-_.]+", "-", name).lower()
        if canonical in visited:
            continue
        visited.add(canonical)
        try:
            distribution = importlib.metadata.distribution(name)
        except importlib.metadata.PackageNotFoundError:
            continue
        package_of_name[canonical] = Package(canonical, distribution.version)
        for requirement in map(Requirement, distribution.requires or ()):
            if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
                names_to_visit.append(requirement.name)
    return tuple(package_of_name[name] for name in sorted(package_of_name))


def source_files(package: Package) -> list[Path]:
    """List the Python files of a package that people read: no tests, vendored copies or generated code.

    Args:
        package: one of ``packages()``.

    Returns:
        Paths in alphabetical order.
    """
    if package.name == "python":
        root = Path(sysconfig.get_path("stdlib"))
        file_of_name = {path.relative_to(root).as_posix(): path for path in _walk(root)}
    else:
        files = importlib.metadata.files(package.name) or []
        file_of_name = {
            file.as_posix(): Path(str(file.locate())) for file in files if file.suffix == ".py"
        }
    return [
        path
        for name, path in sorted(file_of_name.items())
        if not _NOT_FOR_READERS.intersection(name.split("/"))
        and not name.split("/")[-1].startswith("test_")
        and not _GENERATED.match(name)
    ]


def docstrings(path: Path) -> list[str]:
    """Parse one file and take the docstrings of its module, classes and functions, nested ones too.

    Args:
        path: a Python file.

    Returns:
        The docstrings in the order of the file, indentation taken off; none where the file cannot be read
        or parsed.
    """
    try:
        source = path.read_bytes()
        if b'"""' not in source and b"'''" not in source:
            return []
        with (
            warnings.catch_warnings(action="ignore"),
            _no_collection(),
        ):  # odd escapes in others' strings
            return [inspect.cleandoc(text) for text in _bodies(ast.parse(source))]
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return []


@contextmanager
def _no_collection() -> Iterator[None]:
    """Keep the garbage collector out: syntax trees hold no cycles, and its visits double the time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _walk(root: Path) -> Iterator[Path]:
    for path in root.iterdir():
        if path.name in _NOT_FOR_READERS:
            continue
        if path.suffix == ".py":
            yield path
        elif path.is_dir() and not path.is_symlink():
            yield from _walk(path)


def _bodies(node: ast.AST) -> Iterator[str]:
    if isinstance(node, _Documented):
        text = ast.get_docstring(node, clean=False)
        if text:
            yield text
    for child in getattr(node, "body", ()):
        if isinstance(child, ast.stmt):
            yield from _bodies(child)
