"""Memory that a process has freed: overwritten, given back, and never dumped to disk."""

import ctypes
import gc
import os
import sys
from collections.abc import Callable, Mapping
from functools import cache

if sys.platform != "win32":
    import resource

OVERWRITE = 0x55  # the byte that takes the place of what is freed
LARGE = 128 * 1024  # bytes from which an allocation has pages of its own, returned when it is freed
OVERWRITING: dict[str, str] = {
    "PYTHONMALLOC": "malloc",  # Python's own allocator overwrites nothing
    "ARROW_DEFAULT_MEMORY_POOL": "system",
    "GLIBC_TUNABLES": ":".join(
        f"glibc.malloc.{name}={value}"
        for name, value in {
            "perturb": OVERWRITE,
            "tcache_count": 0,  # this cache of freed blocks is not overwritten
            "arena_max": 1,  # only the first arena shrinks
            "mmap_threshold": LARGE,
        }.items()
    ),
}
"""Environment in which a process on Linux overwrites what it frees, read when it starts."""


def overwrites_freed_memory() -> bool:
    """Whether this process was started in the environment ``OVERWRITING``."""
    return OVERWRITING.items() <= os.environ.items()


def without_overwriting(environment: Mapping[str, str]) -> dict[str, str]:
    """The environment for a child that is ended instead, since overwriting slows numerics."""
    return {name: value for name, value in environment.items() if OVERWRITING.get(name) != value}


def forbid_core_dumps() -> None:
    """Set this process's limit on core dumps to 0: a core is its memory on disk."""
    if sys.platform != "win32":
        hard_limit = resource.getrlimit(resource.RLIMIT_CORE)[1]
        resource.setrlimit(resource.RLIMIT_CORE, (0, hard_limit))


def return_free_memory() -> None:
    """Collect garbage, and give pages that hold nothing back to the system."""
    gc.collect()
    _trim()(0)


@cache
def _trim() -> Callable[[int], int]:
    """The C library's ``malloc_trim``; a function that does nothing where there is none.

    It takes the number of free bytes to keep, and returns 1 if memory was given back, else 0.
    """
    try:
        trim = ctypes.CDLL(None).malloc_trim
    except (AttributeError, OSError, TypeError):  # macOS, musl, Windows
        return lambda keep: 0
    trim.argtypes, trim.restype = [ctypes.c_size_t], ctypes.c_int
    function: Callable[[int], int] = trim
    return function
