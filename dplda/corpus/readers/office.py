"""Documents of an office: DOCX and PDF, each one document."""

import io
import logging
from collections.abc import Iterator

from dplda.corpus.readers import zipped
from dplda.corpus.readers.columns import Columns
from dplda.corpus.readers.decoding import over_size
from dplda.corpus.readers.document import Document
from dplda.corpus.readers.extras import required
from dplda.corpus.readers.file import File
from dplda.errors import ReadError

_EXTRA = "documents"


def docx(file: File, columns: Columns) -> Iterator[Document]:
    """Yield the paragraphs and tables of a DOCX document as one text.

    Raises:
        ReadError: no DOCX document or a damaged one, or a person asked for.
        InputError: python-docx is not installed.
    """
    opened = required("docx", _EXTRA).Document
    _no_person(file, columns)
    content = io.BytesIO(file.whole())
    archive = zipped.checked(File(file.name, content, file.limits))
    if sum(info.file_size for info in archive.infolist()) > file.limits.max_bytes:
        raise over_size(file.name, file.limits)
    try:
        body = opened(content).element.body
        paragraphs = [it.text for it in body.iter() if isinstance(it.tag, str) and it.tag == body.tag[:-4] + "p"]
    except Exception:
        raise ReadError(file.name, "not a DOCX document, or a damaged one", "Save it again.") from None
    yield Document("\n".join(paragraphs))


def pdf(file: File, columns: Columns) -> Iterator[Document]:
    """Yield the text of a PDF document; pictures of text are not read.

    Raises:
        ReadError: no PDF document, a damaged or an encrypted one, or a person asked for.
        InputError: pypdf is not installed.
    """
    reader = required("pypdf", _EXTRA).PdfReader
    _no_person(file, columns)
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # its warnings quote the document
    try:
        text = "\n".join(page.extract_text() for page in reader(io.BytesIO(file.whole())).pages)
    except ReadError:
        raise
    except Exception:
        raise ReadError(
            file.name, "not a PDF document, a damaged or an encrypted one", "Save it again, without a password."
        ) from None
    yield Document(text)


def _no_person(file: File, columns: Columns) -> None:
    if columns.person is not None:
        fix = "Give CSV, JSON lines or Parquet."
        raise ReadError(file.name, "such a document has no column that says whose it is", fix)
