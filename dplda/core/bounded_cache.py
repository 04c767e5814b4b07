"""A cache of limited weight that drops the least recently used value first."""

from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

V = TypeVar("V")


class BoundedCache(Generic[V]):
    """Values by key, safe for several threads; one value is always kept, however heavy."""

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._kept: dict[Hashable, tuple[V, int]] = {}  # the least recently used first
        self._lock = Lock()

    def get(self, key: Hashable) -> V | None:
        """The value of a key, or None."""
        with self._lock:
            if key not in self._kept:
                return None
            self._kept[key] = self._kept.pop(key)
            return self._kept[key][0]

    def made(self, key: Hashable, make: Callable[[], V], weigh: Callable[[V], int]) -> V:
        """The value of a key, made and kept if it is missing."""
        kept = self.get(key)
        if kept is not None:
            return kept
        value = make()
        return self.put(key, value, weigh(value))

    def replace(self, key: Hashable, value: V, weight: int) -> None:
        """Keep a value in the place of the one that is kept, if any."""
        with self._lock:
            self._kept.pop(key, None)
        self.put(key, value, weight)

    def put(self, key: Hashable, value: V, weight: int) -> V:
        """Keep a value and return the one that is kept: the first, if two threads raced."""
        with self._lock:
            self._kept[key] = self._kept.pop(key, (value, weight))
            while (
                len(self._kept) > 1
                and sum(weight for _, weight in self._kept.values()) > self._capacity
            ):
                del self._kept[next(iter(self._kept))]
            return self._kept[key][0]
