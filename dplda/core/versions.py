"""Versions of dplda and of the packages it runs with."""

from importlib.metadata import version

VERSION = "0.1.0"


def installed_version(package: str) -> str:
    """The version of a package; dplda's own also holds in a checkout that was never installed."""
    return VERSION if package == "dplda" else version(package)
