"""The log of the server: an error's kind and place, never its message, which may quote a text."""

import logging
import sys
import threading
import traceback
from types import TracebackType


def install() -> None:
    """Limit every logger of this process, and every thread that ends with an error, to that."""
    setattr(logging.Formatter, "formatException", _format_exception)  # noqa: B010
    sys.excepthook = _print_exception
    threading.excepthook = _print_thread_exception


def describe_error(error: BaseException | None) -> str:
    """Describe an error without its text: code lines that it passed through, and its type.

    Those of its cause, or of the error that it was raised in the handling of, come first; not of
    one that ``from None`` hides. Empty without an error.
    """
    if error is None:
        return ""
    cause = error.__cause__
    if cause is None and not error.__suppress_context__:
        cause = error.__context__
    description = f"{describe_error(cause)}\nThen:\n" if cause else ""
    code_lines = "".join(traceback.format_tb(error.__traceback__))
    error_type = type(error)
    return f"{description}{code_lines}{error_type.__module__}.{error_type.__qualname__}"


def _format_exception(
    formatter: logging.Formatter,
    raised: tuple[type[BaseException], BaseException, TracebackType | None],
) -> str:
    """Write an error of the log in place of the standard library's formatter."""
    return describe_error(raised[1])


def _print_exception(
    kind: type[BaseException], error: BaseException, trace: TracebackType | None
) -> None:
    print(describe_error(error), file=sys.stderr)


def _print_thread_exception(ended: threading.ExceptHookArgs) -> None:
    print(describe_error(ended.exc_value), file=sys.stderr)
