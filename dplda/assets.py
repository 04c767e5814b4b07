"""Where the files are that come with the program."""

from functools import lru_cache
from pathlib import Path


@lru_cache(maxsize=1)
def assets() -> Path:
    """The folder ``assets``: inside an installed package, or beside the package in a checkout."""
    package = Path(__file__).resolve().parent
    installed = package / "_app" / "assets"
    return installed if installed.is_dir() else package.parent / "assets"
