"""Versions of dplda and of the packages it runs with."""

import hashlib
from functools import cache
from importlib.metadata import version
from pathlib import Path

VERSION = "0.1.0"
DRAWN_WITH = ("dplda", "opendp", "numpy", "scipy")
"""Packages that the numbers of a release come from."""

_PACKAGE = Path(__file__).resolve().parents[1]
_DIGITS = 12  # of a digest in hexadecimal


@cache
def installed_version(package: str) -> str:
    """The version of a package; dplda's own also holds in a checkout that was never installed."""
    return VERSION if package == "dplda" else version(package)


@cache
def source_version() -> str:
    """The version of dplda, a plus sign, and a digest of all its sources and of ``DRAWN_WITH``."""
    digest = hashlib.sha256()
    for package in DRAWN_WITH:
        digest.update(f"{package} {installed_version(package)}\0".encode())
    for path in sorted(_PACKAGE.rglob("*.py")):
        name = path.relative_to(_PACKAGE).as_posix()
        digest.update(name.encode() + b"\0" + path.read_bytes() + b"\0")
    return f"{VERSION}+{digest.hexdigest()[:_DIGITS]}"
