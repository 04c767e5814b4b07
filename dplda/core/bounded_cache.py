"""A cache of limited weight that drops the least recently used value first."""

from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

V = TypeVar("V")


class BoundedCache(Generic[V]):
    """Values by key, safe for several threads; one value is always kept, however heavy.

    Args:
        capacity: largest sum of weights, in the unit of the weights that are given with values.
    """

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._entries: dict[Hashable, tuple[V, int]] = {}  # the least recently used first
        self._lock = Lock()

    def get(self, key: Hashable) -> V | None:
        """The value of a key, which counts as used then; None if there is none."""
        with self._lock:
            if key not in self._entries:
                return None
            entry = self._entries.pop(key)
            self._entries[key] = entry
            cached_value, _ = entry
            return cached_value

    def made(self, key: Hashable, make: Callable[[], V], weigh: Callable[[V], int]) -> V:
        """The value of a key, made and kept if it is missing.

        Two threads that miss it at once both make it; the first value is kept and returned to both.

        Args:
            key: what the value depends on.
            make: makes the value.
            weigh: tells the weight of a value that was made.
        """
        cached_value = self.get(key)
        if cached_value is not None:
            return cached_value
        new_value = make()
        return self.put(key, new_value, weigh(new_value))

    def replace(self, key: Hashable, value: V, weight: int) -> None:
        """Keep a value in the place of the one that is kept, if any.

        Arguments as in ``put``.
        """
        with self._lock:
            self._entries.pop(key, None)
        self.put(key, value, weight)

    def put(self, key: Hashable, value: V, weight: int) -> V:
        """Keep a value unless its key has one, and return the one that is kept.

        A present value stays, with its own weight; either counts as used. While all weigh more than
        the capacity, those that were used longest ago are dropped, but never this one.

        Args:
            key: what the value depends on.
            value: what is kept.
            weight: of the value, in the unit of the capacity.
        """
        with self._lock:
            kept_entry = self._entries.pop(key, (value, weight))
            self._entries[key] = kept_entry
            while len(self._entries) > 1 and self._total_weight() > self._capacity:
                oldest_key = next(iter(self._entries))
                del self._entries[oldest_key]
            kept_value, _ = kept_entry
            return kept_value

    def _total_weight(self) -> int:
        return sum(weight for _, weight in self._entries.values())
