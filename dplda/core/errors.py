"""Errors that say what is wrong and what to do, with names and positions, never a document."""

_LONGEST_QUOTE = 200  # characters of a name or value in a sentence


def quoted(text: str) -> str:
    """A name or value as a sentence quotes it: on one line, printable and not too long."""
    beginning = text[:_LONGEST_QUOTE]
    line = "".join(character if character.isprintable() else "?" for character in beginning)
    return line if beginning == text else f"{line}…"


class DpldaError(Exception):
    """Anything that dplda refuses to do, with the reason."""


class InputError(DpldaError, ValueError):
    """A parameter outside its limits, e.g. ``InputError("alpha0", "greater than 0", "-1.0")``.

    Args:
        subject: name of the parameter, or what it stands for, as the subject of a sentence.
        limit: what it must be.
        got: what came instead; never content of a document.
        fix: sentences on what to do; empty where the limit says it.
    """

    def __init__(self, subject: str, limit: str, got: str, fix: str = "") -> None:
        super().__init__(subject, limit, got, fix)  # positional: the error survives pickling
        self.what = subject
        self.limit = limit
        self.got = got
        self.fix = fix

    def __str__(self) -> str:
        return f"{self.what} must be {self.limit}, got {quoted(self.got)}. {self.fix}".rstrip()


class MissingPackageError(DpldaError, ImportError):
    """A package that something needs, and that is not installed.

    Args:
        package: its name on the package index.
        purpose: what needs it, as the subject of a sentence.
        requirement: the package with its versions, as ``pip install`` reads it.
    """

    def __init__(self, package: str, purpose: str, requirement: str) -> None:
        super().__init__(package, purpose, requirement)
        self.package = package
        self.purpose = purpose
        self.requirement = requirement

    def __str__(self) -> str:
        """One sentence on what needs the package, and one on how to install it."""
        return (
            f"{self.purpose} needs the package {self.package}, which is not installed."
            f" Run: pip install '{self.requirement}'"
        )


class ReadError(DpldaError):
    """A file that cannot be read as documents.

    Args:
        source: name of the file.
        problem: clause that says what is wrong with it.
        fix: sentence on what to do.
        row: from 1; None for the whole file.
        offset: in bytes from the start of the file; None if unknown.
    """

    def __init__(
        self, source: str, problem: str, fix: str, row: int | None = None, offset: int | None = None
    ) -> None:
        super().__init__(source, problem, fix, row, offset)
        self.source = source
        self.problem = problem
        self.fix = fix
        self.row = row
        self.offset = offset

    def __str__(self) -> str:
        """Source, row and byte if known, then the problem and the next step."""
        row = "" if self.row is None else f", row {self.row:,}"
        byte = "" if self.offset is None else f", byte {self.offset:,}"
        return f"{quoted(self.source)}{row}{byte}: {self.problem}. {self.fix}".rstrip()


class Mendable(DpldaError):  # noqa: N818 - the base of several errors
    """A refusal that says what is wrong and what to do.

    Args:
        problem: clause that says what is wrong.
        fix: sentence on what to do.
    """

    def __init__(self, problem: str, fix: str) -> None:
        super().__init__(problem, fix)
        self.problem = problem
        self.fix = fix

    def __str__(self) -> str:
        return f"{self.problem}. {self.fix}".rstrip()


class CorpusError(Mendable, ValueError):
    """A corpus that cannot be used: empty, too small, or not made of counts."""


class NumericalError(Mendable, ValueError):
    """A computation without a usable result."""


class NoTopics(NumericalError):  # noqa: N818 - a finding about the data rather than a fault
    """No topic can be found: no eigenvalue is above zero, or above the noise."""


class NoFiniteNoise(DpldaError, ValueError):  # noqa: N818 - a finding about the data
    """A private lower bound at zero or below, so that no finite noise would protect the release."""

    def __init__(self, quantity: str) -> None:
        super().__init__(quantity)
        self.quantity = quantity

    def __str__(self) -> str:
        """One sentence on the bound that failed, and one on what to do."""
        return (
            f"The private lower bound on {self.quantity} is 0, so no finite noise protects this."
            " Use more documents, a larger ε, fewer topics, or the adaptive configuration, which"
            " needs no such bound."
        )


class NotReleasable(Mendable):
    """A release that would not be private, or not exactly as private as promised.

    Arguments as in ``Mendable``.
    """

    def __init__(
        self, problem: str, fix: str = "Release with the method refined or adaptive instead."
    ) -> None:
        super().__init__(problem, fix)

    def __str__(self) -> str:
        return f"Not releasable: {super().__str__()}"
