"""The lessons of a folder."""

from pathlib import Path

from dplda.core import assets
from dplda.lessons import Lesson, read_lesson


def read_lessons(folder_given: Path | None = None) -> tuple[Lesson, ...]:
    """By default the built-in ones, in the order of file names."""
    folder = folder_given or assets.folder() / "lessons"
    return tuple(read_lesson(path) for path in sorted(folder.glob("*.toml")))


def read_class() -> tuple[Lesson, ...]:
    """The lesson of the ten-minute class, which is not in the list of lessons."""
    return read_lessons(assets.folder() / "lessons" / "class")
