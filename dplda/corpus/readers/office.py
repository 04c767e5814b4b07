"""Files that are one document each: Word and PDF, parsed in a separate process, and HTML."""

import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import TypeVar

from dplda.core.errors import ReadError
from dplda.core.worker_pool import ProcessError, reading_process
from dplda.corpus.files.file import NOT_TEXT, File
from dplda.corpus.files.work_budget import WorkBudget
from dplda.corpus.files.zip_archives import read_bounded_zip
from dplda.corpus.readers.extraction.html_text import declared_encoding, html_text
from dplda.corpus.readers.extraction.pdf_text import pdf_text
from dplda.corpus.readers.extraction.word_text import word_text
from dplda.corpus.readers.mail.charsets import decoded
from dplda.corpus.readers.table import Columns, Document
from dplda.corpus.remarks import Remark

V = TypeVar("V")

PARSING_MEMORY = 600_000_000  # bytes that parsing a document may take, and in addition
PARSING_MEMORY_PER_BYTE = 8  # so many for each of its bytes


def docx(file: File, columns: Columns) -> Iterator[Document]:
    """Yield the text that Word shows of a DOCX document, as one document."""
    columns.refuse_person(file.name)
    refusal = ReadError(file.name, "not a DOCX document, or a damaged one", "Save it again.")
    parse = partial(word_text, name=file.name)
    yield _document(file, content_of(file, parse, read_bounded_zip(file), refusal))


def pdf(file: File, columns: Columns) -> Iterator[Document]:
    """Yield the text of a PDF document, as one document; pictures of text are not read."""
    columns.refuse_person(file.name)
    problem = "not a PDF document, a damaged or an encrypted one"
    refusal = ReadError(file.name, problem, "Save it again, without a password.")
    yield _document(file, content_of(file, pdf_text, file.whole(), refusal))


def html(file: File, columns: Columns) -> Iterator[Document]:
    """Yield the text that a page of HTML shows, as one document.

    Raises:
        ReadError: no page, an unknown encoding, or columns that are asked for.
    """
    columns.refuse_person(file.name)
    page_content = file.whole()
    if page_content.startswith(tuple(NOT_TEXT)):
        raise ReadError(file.name, "not a page of HTML", "Save it again as HTML or plain text.")
    page_html = decoded(page_content, declared_encoding(page_content), file.encoding)
    if page_html is None:
        fix = "Choose the encoding it was written in, such as cp1252, or save it as UTF-8."
        raise ReadError(file.name, "a page in an unknown encoding", fix)
    yield _document(file, html_text(page_html))


def _document(file: File, text: str) -> Document:
    """Make the document of a whole file; one without any text gets a remark."""
    if not text.strip():
        file.remarks.add(Remark.FILE_WITHOUT_TEXT, file.name)
    return Document(text)


def content_of(file: File, parse: Callable[[bytes], V], content: bytes, refusal: ReadError) -> V:
    """Parse a file in a separate process, within limits of time and memory.

    The processor time that it takes is spent from the budget; of a failed one the time by the
    clock. A file without a budget gets one for these bytes alone.

    Args:
        file: gives the name, the limits and the budget of processor time.
        parse: function that can be pickled, from bytes to the result.
        content: bytes to parse.
        refusal: error for bytes that ``parse`` cannot read.

    Raises:
        ReadError: ``refusal``, parsing takes too much time or memory, or the budget was spent
            before.
    """
    limits = file.limits
    seconds_per_megabyte = limits.max_seconds_per_megabyte
    budget = file.budget or WorkBudget(seconds_per_megabyte, len(content), limits.max_bytes)
    budget.check(file.name)
    fix = "Save it as plain text and use that file, or leave it out"
    seconds_left = budget.seconds_left
    started_at = time.monotonic()
    try:
        measured_result = reading_process.run_measured(
            partial(parse, content),
            seconds=limits.max_seconds,
            processor_seconds=seconds_left,
            added_memory=PARSING_MEMORY + PARSING_MEMORY_PER_BYTE * len(content),
        )
    except reading_process.TooSlowError as error:
        is_processor_limit = isinstance(error, reading_process.TooMuchProcessorTimeError)
        if is_processor_limit and seconds_left < limits.max_seconds:
            raise budget.refusal(file.name) from None
        budget.spend(time.monotonic() - started_at)
        problem = f"parsing it took longer than {limits.max_seconds:,} seconds, the limit"
        fix = f"{fix}; in Python, raise Limits.max_seconds."
        raise ReadError(file.name, problem, fix) from None
    except ProcessError as error:
        budget.spend(time.monotonic() - started_at)
        if error.name == reading_process.NO_MEMORY or error.signal:  # PDFium ends its process
            problem = "parsing it fails, or needs more memory than allowed"
            raise ReadError(file.name, problem, f"{fix}.") from None
        raise refusal from None
    budget.spend(measured_result.seconds)
    return measured_result.value
