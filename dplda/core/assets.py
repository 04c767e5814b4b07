"""Places of the files that come with dplda: in an installed package, or beside it in a checkout."""

from pathlib import Path


def home() -> Path:
    """The folder that holds ``app.py``, ``pages`` and ``assets``."""
    package = Path(__file__).resolve().parents[1]
    installed = package / "_app"
    return installed if installed.is_dir() else package.parent


def folder() -> Path:
    """The folder ``assets``."""
    return home() / "assets"
