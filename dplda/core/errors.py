"""Errors that say what was wrong, where, what the limit is and what to do, and never what a document said.

Each kind carries its facts as fields, so that a page can lay them out and a test can compare them; ``str``
joins them into a sentence or two. Fields hold names, shapes, limits and positions only.
"""


class DpldaError(Exception):
    """Anything this package refuses to do, with the reason."""


class InputError(DpldaError, ValueError):
    """A parameter outside its limits.

    Attributes:
        limit: what it must be, e.g. ``"greater than 0"``.
        got: what came in its place, e.g. ``"-1.0"`` or ``"an array of shape (3, 2)"``.
        fix: one sentence on what to do, or empty where the limit says it all.
    """

    def __init__(self, what: str, limit: str, got: str, fix: str = "") -> None:
        super().__init__(what, limit, got, fix)  # positional, so that the error survives pickling
        self.what = what
        self.limit = limit
        self.got = got
        self.fix = fix

    def __str__(self) -> str:
        return _sentences(f"{self.what} must be {self.limit}, got {self.got}.", self.fix)


class ReadError(DpldaError):
    """A file that cannot be read as a corpus.

    Attributes:
        row: where, counted from 1; None where the whole file is meant.
        offset: where, in bytes from the start of the file; None where not known.
    """

    def __init__(self, source: str, problem: str, fix: str, row: int | None = None, offset: int | None = None) -> None:
        super().__init__(source, problem, fix, row, offset)
        self.source = source
        self.problem = problem
        self.fix = fix
        self.row = row
        self.offset = offset

    def __str__(self) -> str:
        where = self.source
        if self.row is not None:
            where += f", row {self.row:,}"
        if self.offset is not None:
            where += f", byte {self.offset:,}"
        return _sentences(f"{where}: {self.problem}.", self.fix)


class Mendable(DpldaError):  # noqa: N818 - the part that several errors have in common
    """A refusal of two parts."""

    def __init__(self, problem: str, fix: str) -> None:
        super().__init__(problem, fix)
        self.problem = problem
        self.fix = fix

    def __str__(self) -> str:
        return _sentences(f"{self.problem}.", self.fix)


class CorpusError(Mendable, ValueError):
    """A corpus that cannot be used: empty, too small, or not made of counts."""


class NumericalError(Mendable, ValueError):
    """A computation without a usable result."""


class NoTopics(NumericalError):  # noqa: N818 - a finding about the data rather than a fault
    """The spectrum carries no topic: no eigenvalue stands above zero or above the noise."""


class NoFiniteNoise(DpldaError, ValueError):  # noqa: N818 - a finding about the data rather than a fault
    """A private lower bound came out at zero or below: no finite noise would protect the release."""

    def __init__(self, quantity: str) -> None:
        super().__init__(quantity)
        self.quantity = quantity

    def __str__(self) -> str:
        return _sentences(
            f"The private lower bound of {self.quantity} is 0: no finite noise protects this.",
            "Use more documents, a larger ε, fewer topics, or the adaptive configuration, which needs no such bound.",
        )


class NotReleasable(Mendable):
    """Noise that may leave cannot be drawn here."""

    def __init__(self, problem: str, fix: str = "Release by refined or adaptive, which only noise such sums.") -> None:
        super().__init__(problem, fix)

    def __str__(self) -> str:
        return f"Not releasable: {super().__str__()}"


def _sentences(fact: str, fix: str) -> str:
    return f"{fact} {fix}" if fix else fact
