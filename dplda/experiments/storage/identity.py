"""Identity of results: their sweep, documents and code."""

import hashlib
import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from dplda.core.versions import installed_version
from dplda.experiments.specs.spec import Sweep

PACKAGE = Path(__file__).resolve().parents[2]
_COMMENT = re.compile("#[^\n]*")
_IMPORT = re.compile(
    r"^[ \t]*(?:from (dplda[\w.]*) import (\([^)]*\)|[^\n]+)|import ([^\n]+))", re.MULTILINE
)
FIRST = "experiments/sweeps/measure.py"  # computes a row's numbers, with everything it imports


@cache
def code_version() -> str:
    """The package's version, a plus sign, and 12 digits of a hash of the sources of numbers.

    A change of any file in ``numerical_sources`` gives another one.
    """
    digest = hashlib.sha256()
    for path in numerical_sources():
        name = path.relative_to(PACKAGE).as_posix()
        digest.update(name.encode() + b"\0")
        digest.update(path.read_bytes() + b"\0")
    return f"{installed_version('dplda')}+{digest.hexdigest()[:12]}"


def numerical_sources() -> list[Path]:
    """List the files that a sweep's numbers may come from, sorted.

    All that measuring imports of this package, directly or through others, and the packages' own
    files.
    """
    source_files: set[Path] = set()
    paths_to_read = [PACKAGE / FIRST]
    while paths_to_read:
        path = paths_to_read.pop()
        if path not in source_files:
            source_files.add(path)
            paths_to_read += _imported(path)
    package_folders = {
        folder for path in source_files for folder in path.parents if folder.is_relative_to(PACKAGE)
    }
    package_files = [folder / "__init__.py" for folder in package_folders]
    return sorted(source_files.union(file for file in package_files if file.is_file()))


def _imported(path: Path) -> Iterator[Path]:
    """Files of the package that a file imports, also inside functions.

    Statements are found by their form, as each process of a sweep would parse files for 0.3 s.
    """
    text = _COMMENT.sub("", path.read_text("utf-8"))
    for module, names_text, modules_text in _IMPORT.findall(text):
        module_prefix = f"{module}." if module else ""
        for name in (names_text or modules_text).strip("() \n").split(","):
            imported_name = name.strip().split(" ")[0]
            file = _file_of((module_prefix + imported_name).split(".")) if imported_name else None
            if file is not None:
                yield file


def _file_of(name: list[str]) -> Path | None:
    """Find the file that defines a dotted name: a module, a package or a name in one.

    An unknown name gives the file of the innermost package or module that is found, at last
    ``dplda/__init__.py``. None for other libraries.

    Args:
        name: the parts between the dots.
    """
    if name[0] != "dplda":
        return None
    module_path = PACKAGE.joinpath(*name[1:])
    for file in (module_path.with_suffix(".py"), module_path / "__init__.py"):
        if file.is_file() and file.is_relative_to(PACKAGE):
            return file
    if len(name) == 1:
        return None
    return _file_of(name[:-1])


def identity(sweep: Sweep, contents: Sequence[str]) -> str:
    """SHA-256 in hexadecimal of sweep, outside documents and code.

    Only equal ones share results.
    """
    parts = [sweep.digest, code_version(), *contents]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()
