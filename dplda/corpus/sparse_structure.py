"""Structure of sparse matrices from anywhere, checked before compiled code follows their indices.

SciPy checks a matrix when it is built, not when its arrays are replaced later, and its compiled code then reads and
writes wherever they point to. So no matrix that came from outside is used before its arrays fit each other.
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
WITHOUT_PARTS = (ValueError, TypeError, IndexError, AttributeError, OverflowError)
"""Errors of SciPy where parts of a matrix are missing or of another kind."""


def sound_sparse(matrix: AnySparse) -> Sound:
    """A sparse matrix of any format with the same entries, whose arrays fit each other and its shape.

    Duplicates, stored zeros and the order of entries stay as they are; flags that say otherwise do not.

    Raises:
        CorpusError: its arrays do not fit each other, or it has not two axes.
    """
    if len(matrix.shape) != 2:
        raise CorpusError(f"Counts have {len(matrix.shape)} axes where 2 are needed", TWO_AXES)
    try:
        return _of_sound_parts(matrix)
    except CorpusError:
        raise
    except WITHOUT_PARTS:
        raise _broken("what it stores does not fit its format") from None


def _of_sound_parts(matrix: AnySparse) -> Sound:
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
    if isinstance(matrix, dia_array | dia_matrix) and matrix.data.shape[0] != matrix.offsets.size:
        raise _broken("it has not one offset for each diagonal")
    return _sound_entries(matrix if isinstance(matrix, Listed) else matrix.tocoo())


def _sound_lines(
    matrix: ByRows | ByColumns, n_lines: int, n_places: int
) -> tuple[NDArray[np.generic], NDArray[np.integer], NDArray[np.integer]]:
    """Data, indices and pointers of a matrix by rows or by columns."""
    indices = _sound_indices(matrix, n_lines, n_places)
    data = _array(matrix.data)
    if data.ndim != 1 or data.size < indices.size:
        raise _broken("it has fewer entries than indices")
    return data[: indices.size], indices, matrix.indptr


def _check_blocks(matrix: Blocks) -> None:
    data = _array(matrix.data)
    if data.ndim != 3 or 0 in data.shape[1:]:
        raise _broken("its blocks have not two axes")
    _, height, width = data.shape
    n_rows, n_columns = matrix.shape
    if n_rows % height or n_columns % width:
        raise _broken("its blocks do not fit its shape")
    if len(data) < _sound_indices(matrix, n_rows // height, n_columns // width).size:
        raise _broken("it has fewer blocks than indices")


def _check_lists(matrix: lil_array | lil_matrix) -> None:
    rows, data = _array(matrix.rows), _array(matrix.data)
    if not rows.shape == data.shape == (matrix.shape[0],) or any(
        len(columns) != len(values) for columns, values in zip(rows, data, strict=True)
    ):
        raise _broken("it has not one column for each entry")


def _sound_indices(
    matrix: ByRows | ByColumns | Blocks, n_lines: int, n_places: int
) -> NDArray[np.integer]:
    """The indices in use, of lines (rows, or columns) with so many places each."""
    ends, places = _whole_numbers(matrix.indptr), _whole_numbers(matrix.indices)
    if ends.size != n_lines + 1 or ends[0] != 0 or np.any(ends[1:] < ends[:-1]):
        raise _broken("its row or column pointers do not fit its shape")
    if int(ends[-1]) > places.size:
        raise _broken("its row or column pointers lead beyond its entries")
    used = places[: int(ends[-1])]
    _refuse_outside(used, n_places)
    return used


def _sound_entries(matrix: Listed) -> coo_array:
    n_rows, n_columns = matrix.shape
    rows, columns = (_whole_numbers(each) for each in matrix.coords)
    data = _array(matrix.data)
    if data.ndim != 1 or not data.size == rows.size == columns.size:
        raise _broken("it has not one row and one column for each entry")
    _refuse_outside(rows, n_rows)
    _refuse_outside(columns, n_columns)
    return coo_array((data, (rows, columns)), shape=(n_rows, n_columns))


def _refuse_outside(places: NDArray[np.integer], size: int) -> None:
    if places.size and not 0 <= int(places.min()) <= int(places.max()) < size:
        raise _broken("an index lies outside its shape")


def _whole_numbers(values: object) -> NDArray[np.integer]:
    array = _array(values)
    if array.dtype.kind not in "iu" or array.ndim != 1:
        raise _broken("its indices are not whole numbers in a row")
    return cast("NDArray[np.integer]", array)


def _array(values: object) -> NDArray[np.generic]:
    if not isinstance(values, np.ndarray):
        raise _broken("a part of it is no array")
    return values.astype(np.float32) if values.dtype == np.float16 else values  # SciPy has none


def _broken(problem: str) -> CorpusError:
    return CorpusError(f"The sparse matrix is broken: {problem}", FIX)
