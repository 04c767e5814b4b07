"""Versions of packages, this one among them, as they were installed."""

from importlib.metadata import PackageNotFoundError, version


def installed_version(package: str, otherwise: str = "not installed") -> str:
    """Of a package; other words where it was not installed, as this one may run from a checkout."""
    try:
        return version(package)
    except PackageNotFoundError:
        return otherwise
