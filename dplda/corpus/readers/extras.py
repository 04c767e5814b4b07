"""Libraries for formats that few need: installed beside the package on request."""

import importlib
from types import ModuleType

from dplda.core.errors import InputError


def required(module: str, extra: str) -> ModuleType:
    """Import a library of an extra.

    Args:
        module: its name.
        extra: which extra of this package installs it.

    Raises:
        InputError: it is not installed; the message names the extra.
    """
    try:
        return importlib.import_module(module)
    except ImportError:
        fix = f"Install it: pip install 'dplda[{extra}]'."
        raise InputError("the library for this format", "installed", f"no module {module}", fix) from None
