"""Structure of sparse matrices from anywhere, checked before compiled code follows their indices.

SciPy checks a matrix when it is built, not when its arrays are replaced later, and its compiled
code then reads and writes wherever they point to. So no matrix that came from outside is used
before its arrays fit each other.
"""

from typing import TypeAlias, cast

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import (
    bsr_array,
    bsr_matrix,
    coo_array,
    coo_matrix,
    csc_array,
    csc_matrix,
    csr_array,
    csr_matrix,
    dia_array,
    dia_matrix,
    dok_array,
    dok_matrix,
    lil_array,
    lil_matrix,
)

from dplda.core.errors import CorpusError

ByRows: TypeAlias = csr_array | csr_matrix
ByColumns: TypeAlias = csc_array | csc_matrix
Blocks: TypeAlias = bsr_array | bsr_matrix
Listed: TypeAlias = coo_array | coo_matrix
Others: TypeAlias = lil_array | lil_matrix | dia_array | dia_matrix | dok_array | dok_matrix
AnySparse: TypeAlias = ByRows | ByColumns | Blocks | Listed | Others
Sound: TypeAlias = csr_array | csc_array | coo_array

FIX = "Build it anew, e.g. with scipy.sparse.csr_array(dense)."
TWO_AXES = "Reshape your data to one row per document and one column per word."
ERRORS_OF_MISSING_PARTS = (ValueError, TypeError, IndexError, AttributeError, OverflowError)
"""Errors of SciPy where parts of a matrix are missing or of another kind."""


def sound_sparse(matrix: AnySparse) -> Sound:
    """Check a sparse matrix of any format, so that its arrays fit each other and its shape.

    Returns:
        The same entries by rows, by columns or as a list of entries; duplicates, stored zeros and
        the order of entries stay, and flags are set anew.

    Raises:
        CorpusError: its arrays do not fit each other, or it has not two axes.
    """
    if len(matrix.shape) != 2:
        raise CorpusError(f"Counts have {len(matrix.shape)} axes where 2 are needed", TWO_AXES)
    try:
        return _check_format(matrix)
    except CorpusError:
        raise
    except ERRORS_OF_MISSING_PARTS:
        raise _broken_matrix("what it stores does not fit its format") from None


def _check_format(matrix: AnySparse) -> Sound:
    """Check a matrix as its format requires.

    It comes back by rows if it was so or in blocks, by columns, or else as a list of entries.

    Raises:
        CorpusError: its arrays do not fit each other or its shape.
    """
    if isinstance(matrix, ByRows):
        n_rows, n_columns = matrix.shape
        return csr_array(_sound_lines(matrix, n_rows, n_columns), shape=matrix.shape)
    if isinstance(matrix, ByColumns):
        n_rows, n_columns = matrix.shape
        return csc_array(_sound_lines(matrix, n_columns, n_rows), shape=matrix.shape)
    if isinstance(matrix, Blocks):
        _check_blocks(matrix)
        return csr_array(matrix)
    if isinstance(matrix, lil_array | lil_matrix):
        _check_lists(matrix)
    if isinstance(matrix, dia_array | dia_matrix):
        n_diagonals = matrix.data.shape[0]
        if n_diagonals != matrix.offsets.size:
            raise _broken_matrix("it has not one offset for each diagonal")
    return _sound_entries(matrix if isinstance(matrix, Listed) else matrix.tocoo())


def _sound_lines(
    matrix: ByRows | ByColumns, n_lines: int, line_length: int
) -> tuple[NDArray[np.generic], NDArray[np.integer], NDArray[np.integer]]:
    """Data and indices in use, and pointers, of a matrix whose lines are rows or columns.

    Raises:
        CorpusError: its data has several axes or is shorter than its indices in use. Or its indices
            or pointers do not fit its shape.
    """
    indices = _sound_indices(matrix, n_lines, line_length)
    data = _as_array(matrix.data)
    if data.ndim != 1 or data.size < indices.size:
        raise _broken_matrix("it has fewer entries than indices")
    return data[: indices.size], indices, matrix.indptr


def _check_blocks(matrix: Blocks) -> None:
    """Refuse a matrix of blocks that are empty, fewer than its indices, or do not fit its shape."""
    data = _as_array(matrix.data)
    if data.ndim != 3 or 0 in data.shape[1:]:
        raise _broken_matrix("its blocks have not two axes")
    _, height, width = data.shape
    n_rows, n_columns = matrix.shape
    if n_rows % height or n_columns % width:
        raise _broken_matrix("its blocks do not fit its shape")
    indices = _sound_indices(matrix, n_rows // height, n_columns // width)
    if len(data) < indices.size:
        raise _broken_matrix("it has fewer blocks than indices")


def _check_lists(matrix: lil_array | lil_matrix) -> None:
    """Refuse a matrix of lists without one column for each entry of each row."""
    rows = _as_array(matrix.rows)
    data = _as_array(matrix.data)
    problem = "it has not one column for each entry"
    has_every_row = rows.shape == data.shape == (matrix.shape[0],)
    if not has_every_row:
        raise _broken_matrix(problem)
    for columns, values in zip(rows, data, strict=True):
        if len(columns) != len(values):
            raise _broken_matrix(problem)


def _sound_indices(
    matrix: ByRows | ByColumns | Blocks, n_lines: int, line_length: int
) -> NDArray[np.integer]:
    """Return the indices in use; refuse pointers or indices that do not fit the shape.

    Lines are rows or columns, whichever the pointers divide; ``line_length`` bounds the indices.
    """
    line_ends = _whole_numbers(matrix.indptr)
    indices = _whole_numbers(matrix.indices)
    has_every_line = line_ends.size == n_lines + 1
    if not has_every_line or line_ends[0] != 0 or np.any(line_ends[1:] < line_ends[:-1]):
        raise _broken_matrix("its row or column pointers do not fit its shape")
    n_used = int(line_ends[-1])
    if n_used > indices.size:
        raise _broken_matrix("its row or column pointers lead beyond its entries")
    used_indices = indices[:n_used]
    _refuse_outside(used_indices, line_length)
    return used_indices


def _sound_entries(matrix: Listed) -> coo_array:
    """Return a list of entries in the same order; refuse one that does not fit the shape."""
    n_rows, n_columns = matrix.shape
    row_numbers, column_numbers = (_whole_numbers(coordinates) for coordinates in matrix.coords)
    values = _as_array(matrix.data)
    if values.ndim != 1 or not values.size == row_numbers.size == column_numbers.size:
        raise _broken_matrix("it has not one row and one column for each entry")
    _refuse_outside(row_numbers, n_rows)
    _refuse_outside(column_numbers, n_columns)
    return coo_array((values, (row_numbers, column_numbers)), shape=(n_rows, n_columns))


def _refuse_outside(indices: NDArray[np.integer], size: int) -> None:
    """Refuse an index below 0, or of ``size`` or more."""
    if not indices.size:
        return
    lowest = int(indices.min())
    highest = int(indices.max())
    if lowest < 0 or highest >= size:
        raise _broken_matrix("an index lies outside its shape")


def _whole_numbers(values: object) -> NDArray[np.integer]:
    """The values, if they are a one-dimensional array of integers; anything else is refused."""
    array = _as_array(values)
    if array.dtype.kind not in "iu" or array.ndim != 1:
        raise _broken_matrix("its indices are not whole numbers in a row")
    return cast("NDArray[np.integer]", array)


def _as_array(values: object) -> NDArray[np.generic]:
    """The array itself, with half precision (which SciPy lacks) made single.

    Anything but an array is refused.
    """
    if not isinstance(values, np.ndarray):
        raise _broken_matrix("a part of it is no array")
    if values.dtype == np.float16:
        return values.astype(np.float32)
    return values


def _broken_matrix(problem: str) -> CorpusError:
    return CorpusError(f"The sparse matrix is broken: {problem}", FIX)
