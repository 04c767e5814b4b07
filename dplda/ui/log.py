"""What the server logs of an error: its kind and where it arose, never its message, which may quote a document."""

import logging
import sys
import threading
import traceback


def install() -> None:
    """Limit every logger of this process, and every thread that ends with an error, to that."""
    setattr(logging.Formatter, "formatException", lambda self, raised: said(raised[1]))  # noqa: B010
    sys.excepthook = lambda kind, error, trace: print(said(error), file=sys.stderr)
    threading.excepthook = lambda ended: print(said(ended.exc_value), file=sys.stderr)


def said(error: BaseException | None) -> str:
    """The code lines that an error passed through, its cause's first, and its kind."""
    if error is None:
        return ""
    before = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    first = f"{said(before)}\nThen:\n" if before else ""
    kind = type(error)
    return f"{first}{''.join(traceback.format_tb(error.__traceback__))}{kind.__module__}.{kind.__qualname__}"
