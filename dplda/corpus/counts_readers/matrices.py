"""Matrices of counts: Matrix Market files and sparse matrices that SciPy saved; rows are documents."""

import io
import re

from scipy import io as scipy_io
from scipy import sparse

from dplda.core.errors import CorpusError, ReadError
from dplda.corpus.counts import canonical_counts
from dplda.corpus.counts_readers.uci import Entries, require_size
from dplda.corpus.files import zipped
from dplda.corpus.files.file import File

_LINE = re.compile(r"[Ll]ine (\d+)")
_FIX = "Give whole counts, one row a document and one column a word."


def matrix_market(file: File) -> Entries:
    """Read a Matrix Market file.

    Raises:
        ReadError: no such file, a damaged one, one whose header does not hold, or entries that are no counts, with
            the line or row where it is known.
        CorpusError: no documents or no words.
    """
    content = file.whole()
    try:
        n_documents, n_words, _, form, field, _ = scipy_io.mminfo(io.BytesIO(content))
    except (ValueError, OverflowError, TypeError, OSError) as error:
        raise _damaged(file, error) from None
    if field == "complex":
        raise ReadError(file.name, "complex entries", _FIX)
    require_size(file.name, file.limits, n_documents, n_words)
    if form == "array" and n_documents * n_words > len(content):
        raise ReadError(file.name, "fewer entries than the header declares", "Is the file complete?")
    try:
        matrix = scipy_io.mmread(io.BytesIO(content))
    except (ValueError, OverflowError, TypeError, OSError, MemoryError) as error:
        raise _damaged(file, error) from None
    return _entries(file, sparse.coo_array(matrix))


def npz(file: File) -> Entries:
    """Read what ``scipy.sparse.save_npz`` wrote; nothing in it is executed.

    Raises:
        ReadError: no such file, a damaged one, or entries that are no counts, with the row.
        CorpusError: no documents or no words.
    """
    content = file.whole()
    zipped.require_small(file, content)
    try:
        matrix = sparse.load_npz(io.BytesIO(content))  # pickles are refused
        n_documents, n_words = matrix.shape
        if isinstance(matrix, sparse.csr_array | sparse.csc_array | sparse.csr_matrix | sparse.csc_matrix):
            matrix.check_format(full_check=True)  # before compiled code follows its pointers
        elif not isinstance(matrix, sparse.coo_array | sparse.coo_matrix):
            raise ValueError
        listed = sparse.coo_array(matrix)
    except Exception:  # zip, zlib, NumPy and SciPy raise two dozen kinds
        problem = "not a sparse matrix that SciPy saved as CSR, CSC or COO, or a damaged one"
        raise ReadError(file.name, problem, "Write it with scipy.sparse.save_npz.") from None
    require_size(file.name, file.limits, n_documents, n_words)
    return _entries(file, listed)


def _entries(file: File, stored: sparse.coo_array) -> Entries:
    try:
        counts = canonical_counts(stored)
    except CorpusError as error:
        raise ReadError(file.name, error.problem, error.fix) from None
    return Entries(counts, int(stored.nnz - sparse.csr_array(stored).nnz) if stored.nnz > counts.nnz else 0)


def _damaged(file: File, error: Exception) -> ReadError:
    """SciPy names the line and quotes it: the number is taken, the words are not."""
    line = _LINE.search(str(error))
    problem = "not a Matrix Market file, or one whose header or entries do not hold"
    return ReadError(file.name, problem, _FIX, row=int(line[1]) if line else None)
