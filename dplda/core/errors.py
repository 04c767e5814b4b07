"""Errors that name the problem, the limit, what came and what to do: names, shapes and positions, never a document."""


class DpldaError(Exception):
    """Anything that dplda refuses to do, with the reason."""


class InputError(DpldaError, ValueError):
    """A parameter outside its limits, e.g. ``InputError("alpha0", "greater than 0", "-1.0")``."""

    def __init__(self, what: str, limit: str, got: str, fix: str = "") -> None:
        super().__init__(what, limit, got, fix)  # positional, so that the error survives pickling
        self.what, self.limit, self.got, self.fix = what, limit, got, fix

    def __str__(self) -> str:
        return f"{self.what} must be {self.limit}, got {self.got}. {self.fix}".rstrip()


class ReadError(DpldaError):
    """A file that cannot be read as documents.

    Attributes:
        row: from 1; None for the whole file.
        offset: in bytes from the start of the file; None if unknown.
    """

    def __init__(
        self, source: str, problem: str, fix: str, row: int | None = None, offset: int | None = None
    ) -> None:
        super().__init__(source, problem, fix, row, offset)
        self.source, self.problem, self.fix, self.row, self.offset = (
            source,
            problem,
            fix,
            row,
            offset,
        )

    def __str__(self) -> str:
        row = "" if self.row is None else f", row {self.row:,}"
        byte = "" if self.offset is None else f", byte {self.offset:,}"
        return f"{self.source}{row}{byte}: {self.problem}. {self.fix}".rstrip()


class Mendable(DpldaError):  # noqa: N818 - the base of several errors
    """A refusal that says what is wrong and what to do."""

    def __init__(self, problem: str, fix: str) -> None:
        super().__init__(problem, fix)
        self.problem, self.fix = problem, fix

    def __str__(self) -> str:
        return f"{self.problem}. {self.fix}".rstrip()


class CorpusError(Mendable, ValueError):
    """A corpus that cannot be used: empty, too small, or not made of counts."""


class NumericalError(Mendable, ValueError):
    """A computation without a usable result."""


class NoTopics(NumericalError):  # noqa: N818 - a finding about the data rather than a fault
    """No topic can be found: no eigenvalue is above zero, or above the noise."""


class NoFiniteNoise(DpldaError, ValueError):  # noqa: N818 - a finding about the data rather than a fault
    """A private lower bound came out at zero or below, so that no finite noise would protect the release."""

    def __init__(self, quantity: str) -> None:
        super().__init__(quantity)
        self.quantity = quantity

    def __str__(self) -> str:
        return (
            f"The private lower bound on {self.quantity} is 0, so no finite noise protects this. Use more documents, a"
            " larger ε, fewer topics, or the adaptive configuration, which needs no such bound."
        )


class NotReleasable(Mendable):
    """A release that would not be private, or not exactly as private as promised."""

    def __init__(
        self, problem: str, fix: str = "Release with the method refined or adaptive instead."
    ) -> None:
        super().__init__(problem, fix)

    def __str__(self) -> str:
        return f"Not releasable: {super().__str__()}"
