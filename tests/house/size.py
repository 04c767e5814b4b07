"""Shape of the package: rooms, files of a folder, and one class per name."""

import ast
from collections import Counter
from collections.abc import Iterable, Iterator

from tests.house.source import Source

LOOSE = {"dplda/__init__.py", "dplda/__main__.py"}  # files that lie in no room
ROOMS = 22
FILES = 15  # of a folder, its __init__.py not counted
FULLER: dict[str, int] = {}


def too_large(files: Iterable[Source]) -> Iterator[str]:
    """Complaints about a whole project."""
    files = tuple(files)
    product = [file for file in files if file.inside("dplda/")]
    folders = Counter(
        file.path.rpartition("/")[0] for file in product if not file.path.endswith("/__init__.py")
    )
    for folder, number in folders.items():
        if number > FULLER.get(folder, FILES):
            yield f"{folder}: {number} files, where {FULLER.get(folder, FILES)} are allowed"
    rooms = {file.path.split("/")[1] for file in product if file.path.count("/") > 1}
    if len(rooms) > ROOMS:
        yield f"dplda/: {len(rooms)} rooms, where {ROOMS} are allowed"
    for file in product:
        if file.path.count("/") == 1 and file.path not in LOOSE:
            yield f"{file.path}: lies in no room"
    classes = Counter(
        node.name for file in product for node in file.tree.body if isinstance(node, ast.ClassDef)
    )
    for name, number in classes.items():
        if number > 1 and not name.startswith("_"):
            yield f"{name}: {number} classes have this name"
