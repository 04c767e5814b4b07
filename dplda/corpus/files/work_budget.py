"""Processor time that reading an input may take: in proportion to its size, whatever it holds."""

import time

from dplda.core.errors import ReadError

_MEGABYTE = 1_000_000


class TooMuchWorkError(ReadError):
    """Refusal of an input that takes more processor time than its size allows."""


class WorkBudget:
    """Processor seconds left to read an input.

    The clock is this thread's and starts when it is made.

    Args:
        seconds_per_megabyte: of the input as it comes, compressed if it is; a smaller input counts
            as one megabyte.
        n_bytes: size of the input; None if unknown, which allows for ``max_bytes``.
        max_bytes: largest size of an input.

    Attributes:
        seconds_per_megabyte: as given.
    """

    def __init__(self, seconds_per_megabyte: int, n_bytes: int | None, max_bytes: int) -> None:
        megabytes = max(1.0, (max_bytes if n_bytes is None else n_bytes) / _MEGABYTE)
        self.seconds_per_megabyte = seconds_per_megabyte
        self._allowed = seconds_per_megabyte * megabytes
        self._spent_elsewhere = 0.0
        self._started = time.thread_time()

    @property
    def seconds_left(self) -> float:
        """Processor seconds that this thread, and processes that it asks, may still take.

        Negative if overdrawn.
        """
        spent_here = time.thread_time() - self._started
        return self._allowed - spent_here - self._spent_elsewhere

    def spend(self, seconds: float) -> None:
        """Add processor time that another process took."""
        self._spent_elsewhere += seconds

    def check(self, source: str) -> None:
        """Refuse to go on if no time is left."""
        if self.seconds_left < 0:
            raise self.refusal(source)

    def refusal(self, source: str) -> TooMuchWorkError:
        """Error for an input that takes too long for its size."""
        problem = (
            f"reading takes more than {self.seconds_per_megabyte} seconds of processor time a"
            " megabyte, the limit"
        )
        fix = "Save it in a simpler format; in Python, raise Limits.max_seconds_per_megabyte."
        return TooMuchWorkError(source, problem, fix)
