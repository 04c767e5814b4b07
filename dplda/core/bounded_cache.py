"""A cache of limited weight that drops the least recently used value first."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

V = TypeVar("V")


class BoundedCache(Generic[V]):
    """Values by key, safe for several threads; one value is always kept, however heavy."""

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._kept: OrderedDict[Hashable, tuple[V, int]] = OrderedDict()
        self._weight = 0
        self._lock = Lock()

    def get(self, key: Hashable) -> V | None:
        """The value of a key, or None."""
        with self._lock:
            if key not in self._kept:
                return None
            self._kept.move_to_end(key)
            return self._kept[key][0]

    def made(self, key: Hashable, make: Callable[[], V], weigh: Callable[[V], int]) -> V:
        """The value of a key, made and kept if it is missing."""
        kept = self.get(key)
        if kept is not None:
            return kept
        value = make()
        return self.put(key, value, weigh(value))

    def put(self, key: Hashable, value: V, weight: int) -> V:
        """Keep a value and return the one that is kept: the first, if two threads raced."""
        with self._lock:
            if key not in self._kept:
                self._kept[key] = (value, weight)
                self._weight += weight
            self._kept.move_to_end(key)
            while len(self._kept) > 1 and self._weight > self._capacity:
                _, (_, gone) = self._kept.popitem(last=False)
                self._weight -= gone
            return self._kept[key][0]
