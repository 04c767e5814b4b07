"""Values that processes map into their memory, so that large arrays are not copied."""

import itertools
import mmap
import os
import pickle
import weakref
from functools import lru_cache
from pathlib import Path
from typing import Generic, TypeVar, cast

V = TypeVar("V")

MAX_HELD = 2  # shared values that a process holds
_MAPS = hasattr(os, "memfd_create") and Path(f"/proc/{os.getpid()}/fd").is_dir()
_keys = itertools.count()


class Shared(Generic[V]):
    """A value whose arrays processes map and do not copy; a question holds it for the value."""

    def __init__(self, value: V) -> None:
        """Pickle the value into memory without a name, each buffer from the start of a page.

        Where the system has no such memory, the value is pickled into bytes, which are copied.
        """
        self.key = next(_keys)
        self._parts: tuple[bytes, ...] = ()
        self._places: list[tuple[int, int]] = []
        array_buffers: list[pickle.PickleBuffer] = []
        pickled_head = pickle.dumps(value, protocol=5, buffer_callback=array_buffers.append)
        raw_buffers = [buffer.raw() for buffer in array_buffers]
        parts = [memoryview(pickled_head), *raw_buffers]
        if not _MAPS:
            self._parts = tuple(bytes(part) for part in parts)
            return
        self._memory = os.memfd_create("dplda")
        weakref.finalize(self, os.close, self._memory)
        with os.fdopen(self._memory, "wb", closefd=False) as memory_file:
            for part in parts:
                bytes_to_next_page = -memory_file.tell() % mmap.PAGESIZE
                memory_file.seek(bytes_to_next_page, os.SEEK_CUR)
                start = memory_file.tell()
                self._places.append((start, part.nbytes))
                memory_file.write(part)

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the places in memory; where none is mapped, the bytes of the value."""
        if not _MAPS:
            return _shared_value, (self.key, "", self._parts)
        path = f"/proc/{os.getpid()}/fd/{self._memory}"
        return _shared_value, (self.key, path, tuple(self._places))


@lru_cache(maxsize=MAX_HELD)
def _shared_value(
    key: int, path: str, parts: tuple[tuple[int, int], ...] | tuple[bytes, ...]
) -> object:
    """Load a shared value in the process that needs it, from mapped memory or from bytes.

    The last ``MAX_HELD`` values are kept. Arrays whose buffers are apart from the pickle are
    read-only.

    Args:
        key: of the value, by which it is kept.
        path: of the memory; empty where the system maps none.
        parts: the pickle and then its buffers, as bytes, or as places (start, size) in the memory.
    """
    if not path:
        pickle_bytes, *buffer_bytes = cast("tuple[bytes, ...]", parts)
        return pickle.loads(pickle_bytes, buffers=buffer_bytes)
    with Path(path).open("rb") as memory_file:
        memory_map = mmap.mmap(memory_file.fileno(), 0, access=mmap.ACCESS_READ)
    mapped_memory = memoryview(memory_map)
    memory_places = cast("tuple[tuple[int, int], ...]", parts)
    pickled_head, *buffers = [mapped_memory[start : start + size] for start, size in memory_places]
    return pickle.loads(pickled_head, buffers=buffers)
