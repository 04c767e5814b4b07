"""DOCX and PDF: each file is one document, opened in a process of its own."""

import io
from collections.abc import Callable, Iterator
from functools import partial
from typing import TypeVar

from dplda.core.errors import ReadError
from dplda.core.worker_pool import ProcessError
from dplda.corpus.files.file import File
from dplda.corpus.files.sources import small_zip
from dplda.corpus.readers import reading_process
from dplda.corpus.readers.table import Columns, Document

_TOO_LARGE = (reading_process.NO_MEMORY, "LimitReachedError")  # pypdf's own
V = TypeVar("V")


def docx(file: File, columns: Columns) -> Iterator[Document]:
    """Yield the paragraphs and tables of a DOCX document as one text."""
    columns.refuse_person(file.name)
    refusal = ReadError(file.name, "not a DOCX document, or a damaged one", "Save it again.")
    yield Document(content_of(file, _docx, small_zip(file), refusal))


def pdf(file: File, columns: Columns) -> Iterator[Document]:
    """Yield the text of a PDF document; pictures of text are not read."""
    columns.refuse_person(file.name)
    problem = "not a PDF document, a damaged or an encrypted one"
    refusal = ReadError(file.name, problem, "Save it again, without a password.")
    yield Document(content_of(file, _pdf, file.whole(), refusal))


def content_of(file: File, take: Callable[[bytes], V], content: bytes, refusal: ReadError) -> V:
    """What ``take`` finds in a document, in a process of its own; ``refusal`` where it finds none."""
    seconds = file.limits.max_seconds
    fix = "Save it as plain text and use that file, or leave it out"
    try:
        return reading_process.asked(partial(take, content), seconds=seconds)
    except reading_process.TooSlowError:
        problem = f"parsing it took longer than {seconds:,} seconds, the limit"
        raise ReadError(
            file.name, problem, f"{fix}; in Python, raise Limits.max_seconds."
        ) from None
    except ProcessError as error:
        if error.name in _TOO_LARGE:
            refusal = ReadError(file.name, "parsing it needs more memory than allowed", f"{fix}.")
        raise refusal from None


def _docx(content: bytes) -> str:
    from docx import Document as Docx

    body = Docx(io.BytesIO(content)).element.body
    return "\n".join(
        it.text for it in body.iter() if isinstance(it.tag, str) and it.tag == body.tag[:-4] + "p"
    )


def _pdf(content: bytes) -> str:
    from pypdf import PdfReader

    return "\n".join(page.extract_text() for page in PdfReader(io.BytesIO(content)).pages)
