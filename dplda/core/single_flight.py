"""What several sessions ask for at once, made by the first of them while the others wait."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from threading import Lock
from typing import Generic, TypeVar

from dplda.core.types import Report

V = TypeVar("V")
EVERY = 0.2  # seconds between two reports of whoever waits


@dataclass(slots=True, eq=False)
class _Place(Generic[V]):
    """Room for one value; the lock is held while it is made."""

    lock: Lock = field(default_factory=Lock)
    made: tuple[V] | None = None


class Once(Generic[V]):
    """Values by key, each made once: a class that opens a step together waits for one computation, not for twenty."""

    def __init__(self, keep: int) -> None:
        self._keep, self._lock = keep, Lock()
        self._places: OrderedDict[Hashable, _Place[V]] = OrderedDict()

    def get(self, key: Hashable, make: Callable[[], V], report: Report) -> V:
        """The value, made where it was not yet; if ``make`` fails or is given up, the next who asks makes it."""
        place = self._place(key)
        if place.made is None:
            while not place.lock.acquire(timeout=EVERY):
                report(0.0, "Another session is making this")
            try:
                place.made = place.made or (make(),)
            finally:
                place.lock.release()
        return place.made[0]

    def known(self, key: Hashable) -> V | None:
        """The value if it was made, else None."""
        made = self._place(key).made
        return None if made is None else made[0]

    def _place(self, key: Hashable) -> _Place[V]:
        with self._lock:
            place = self._places.setdefault(key, _Place())
            self._places.move_to_end(key)
            while len(self._places) > self._keep:
                self._places.popitem(last=False)
            return place
