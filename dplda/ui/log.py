"""What the server writes of an error: its kind, and where it came about; never its words, which may be a document's."""

import logging
import sys
import threading
import traceback


def install() -> None:
    """Have every logger of this process, and every thread that ends by an error, write no more than that."""
    setattr(logging.Formatter, "formatException", lambda self, raised: said(raised[1]))  # noqa: B010
    sys.excepthook = lambda kind, error, trace: print(said(error), file=sys.stderr)
    threading.excepthook = lambda ended: print(said(ended.exc_value), file=sys.stderr)


def said(error: BaseException | None) -> str:
    """Lines of the program through which an error went, its cause's before its own, and its kind."""
    if error is None:
        return ""
    before = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    first = f"{said(before)}\nThen:\n" if before else ""
    kind = type(error)
    return f"{first}{''.join(traceback.format_tb(error.__traceback__))}{kind.__module__}.{kind.__qualname__}"
