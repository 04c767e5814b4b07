"""Packages that the numerical core does without, and the sentence that asks for a missing one."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, requires
from importlib.util import find_spec

from dplda.core.errors import MissingPackageError


@contextmanager
def requiring(package: str, purpose: str) -> Iterator[None]:
    """Import a package in this block; where it is missing, say what needs it and how to install it.

    A missing module of dplda itself is a fault, and raised as it is.

    Args:
        package: name of the distribution on the package index.
        purpose: what needs it, as the subject of a sentence.

    Raises:
        MissingPackageError: it, or a package that it imports, is not installed.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] == "dplda":  # a fault of ours
            raise
        raise MissingPackageError(package, purpose, _requirement(package)) from None


def require_package(package: str, purpose: str) -> None:
    """Refuse where a package is not installed, without importing it.

    Args:
        package: name of the distribution on the package index, and of its module.
        purpose: what needs it, as the subject of a sentence.

    Raises:
        MissingPackageError: it is not installed.
    """
    if find_spec(package) is None:
        raise MissingPackageError(package, purpose, _requirement(package))


def _requirement(package: str) -> str:
    """The package with the versions that dplda takes, as its metadata states them for ``pip``.

    The entry of an optional package ends with its extra, as in ``; extra == 'dask'``.
    The package alone where dplda is not installed, or does not name it with versions.
    """
    try:
        requirements = requires("dplda") or []
    except PackageNotFoundError:  # a checkout that was never installed
        return package
    for requirement in requirements:
        specifier = requirement.removeprefix(package)
        if specifier != requirement and specifier[:1] in ("<", ">", "="):
            return requirement
    return package
