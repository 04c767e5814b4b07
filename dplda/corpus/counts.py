"""Word counts in the one form that all numerics may rely on: integer, canonical, read-only."""

from collections.abc import Iterable, Sequence
from typing import TypeAlias, cast

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import (
    coo_array,
    coo_matrix,
    csc_array,
    csc_matrix,
    csr_array,
    csr_matrix,
    issparse,
)

from dplda.core.errors import CorpusError
from dplda.core.types import Counts
from dplda.corpus.sparse_structure import TWO_AXES, sound_sparse

Numbers: TypeAlias = NDArray[np.integer | np.floating | np.bool_]
Sparse: TypeAlias = csr_array | csc_array | coo_array | csr_matrix | csc_matrix | coo_matrix
AnyCounts: TypeAlias = Sparse | Numbers | Sequence[Sequence[int]]

_MAX_COUNT = int(np.iinfo(np.int32).max)
_USE_WHOLE_COUNTS = "Give whole, non-negative counts: anything else breaks the sensitivity bounds."
_NO_NEGATIVE_COUNTS = "Negative values in data are not counts: they break the sensitivity bounds."
_ONE_ROW_EACH = "Give a matrix of numbers with one row per document and one column per word."


def canonical_counts(matrix: AnyCounts) -> Counts:
    """Copy a matrix of counts into read-only canonical CSR of 32-bit integers.

    Canonical means sorted, without duplicates and without stored zeros. A matrix that this function
    made comes back as it is; of any other no array is shared.

    Args:
        matrix: shape (N, d), dense or in any SciPy sparse format. Floating-point entries pass if
            they are whole; entries that it stores twice are summed.

    Raises:
        CorpusError: an entry is no count, too large as it is or summed, or there is no matrix; the
            message names the first such row, from 1.
    """
    sound_matrix = sound_sparse(matrix) if issparse(matrix) else None
    is_csr = isinstance(matrix, csr_array) and isinstance(sound_matrix, csr_array)
    if is_csr and is_canonical(cast("csr_array", sound_matrix)):
        if _owns_read_only_arrays(cast("csr_array", matrix)):
            return cast("Counts", matrix)
        return _as_read_only(cast("Counts", sound_matrix))
    entries = _entries(matrix if sound_matrix is None else sound_matrix)
    _check_entries(entries)
    entry_indices = (entries.row, entries.col)
    summed_counts = csr_array((entries.data.astype(np.int64), entry_indices), shape=entries.shape)
    summed_counts.sum_duplicates()
    summed_counts.eliminate_zeros()
    _refuse_large(coo_array(summed_counts))
    return _as_read_only(summed_counts)


def _owns_read_only_arrays(matrix: csr_array) -> bool:
    """Whether nobody can write to the matrix: its three arrays are read-only and views of none."""
    return all(
        array.base is None and not array.flags.writeable
        for array in (matrix.data, matrix.indices, matrix.indptr)
    )


def _check_entries(entries: "coo_array[np.number, tuple[int, int]]") -> None:
    """Refuse entries that are infinite or NaN, negative, fractional or too large, in this order."""
    _refuse_entries(entries, ~np.isfinite(entries.data), "NaN or infinite", _USE_WHOLE_COUNTS)
    _refuse_entries(entries, entries.data < 0, "negative", _NO_NEGATIVE_COUNTS)
    if entries.dtype.kind == "f":
        is_fractional = entries.data != np.floor(entries.data)
        _refuse_entries(entries, is_fractional, "fractional", _USE_WHOLE_COUNTS)
    _refuse_large(entries)


def _refuse_large(entries: "coo_array[np.number, tuple[int, int]]") -> None:
    """Refuse entries above the largest 32-bit integer."""
    is_large = entries.data > _MAX_COUNT
    _refuse_entries(entries, is_large, f"above {_MAX_COUNT:,}", "Shorten that document.")


def is_canonical(matrix: "csr_array[np.number]") -> bool:
    """Whether a matrix has canonical form already, so that a large one is copied only once.

    Args:
        matrix: its row pointers must fit its shape and entries (``sound_sparse``).
    """
    if matrix.dtype != np.int32 or not matrix.has_canonical_format:
        return False
    columns = matrix.indices
    if matrix.nnz == 0:
        return True
    are_positive = matrix.data.min() > 0
    are_in_table = 0 <= columns.min() <= columns.max() < matrix.shape[1]
    return bool(are_positive and are_in_table)


def _entries(matrix: AnyCounts) -> "coo_array[np.number, tuple[int, int]]":
    """List the stored entries with their rows and columns; duplicates stay separate.

    Zeros of a dense table are no entries, but NaN is one. 16-bit floats become 32-bit ones.

    Raises:
        CorpusError: the counts are masked, not numbers, ragged, or have not two axes.
    """
    if isinstance(matrix, np.ma.MaskedArray):
        raise CorpusError(
            "The counts are masked, so some values are unknown", "Fill them, e.g. with 0."
        )
    stored_matrix = matrix if issparse(matrix) else _as_dense(matrix)
    _require_numbers(stored_matrix.dtype)
    if stored_matrix.dtype == np.float16:  # SciPy has none
        stored_matrix = stored_matrix.astype(np.float32)
    return coo_array(stored_matrix)  # keeps NaN, which differs from zero


def _as_dense(matrix: object) -> NDArray[np.generic]:
    """The table or nested list as an array of numbers with two axes; anything else is refused.

    Booleans, NaN and negative numbers pass here. The mask of a masked array would be dropped.

    Raises:
        CorpusError: not numbers, not two axes, or rows of different lengths.
    """
    try:
        if isinstance(matrix, range):  # has one axis, and may be longer than memory
            raise CorpusError("Counts have 1 axes where 2 are needed", TWO_AXES)
        array: NDArray[np.generic] = np.asarray(_as_plain_numbers(matrix))
    except ValueError:
        raise CorpusError("The counts have rows of different lengths", _ONE_ROW_EACH) from None
    _require_numbers(array.dtype)
    if array.ndim != 2:
        raise CorpusError(f"Counts have {array.ndim} axes where 2 are needed", TWO_AXES)
    return array


def _as_plain_numbers(matrix: object) -> object:
    """Values of a table whose columns can hold gaps (``Int64``, say), with NaN in gaps.

    Anything else comes back as it is: no table, columns of NumPy's own types, or a column of text.
    """
    to_numpy = getattr(matrix, "to_numpy", None)
    column_types = getattr(matrix, "dtypes", None)
    if to_numpy is None or not isinstance(column_types, Iterable):
        return matrix
    types = list(column_types)
    if all(isinstance(column_type, np.dtype) for column_type in types):
        return matrix
    if all(getattr(column_type, "kind", "O") in "buif" for column_type in types):
        return to_numpy(dtype=np.float64, na_value=np.nan)
    return matrix


def _require_numbers(dtype: np.dtype[np.generic]) -> None:
    """Refuse complex numbers and types that are no numbers."""
    if dtype.kind == "c":
        raise CorpusError(f"Complex data not supported: counts are of type {dtype}", _ONE_ROW_EACH)
    if dtype.kind not in "buif":
        raise CorpusError(f"Counts are of type {dtype}, which is not numeric", _ONE_ROW_EACH)


def _refuse_entries(
    entries: "coo_array[np.number, tuple[int, int]]",
    is_bad: NDArray[np.bool_],
    description: str,
    fix: str,
) -> None:
    """Raise on the first row with a bad entry, counted from 1; do nothing if no entry is bad."""
    if is_bad.any():
        row_number = int(entries.row[is_bad].min()) + 1
        problem = f"Row {row_number:,} of the counts holds an entry that is {description}"
        raise CorpusError(problem, fix)


def _as_read_only(counts: "csr_array[np.number, tuple[int, int]]") -> Counts:
    """Copy canonical counts to 32-bit read-only arrays.

    Row pointers have 64 bits if they need them.
    """
    data = counts.data.astype(np.int32)
    indices = counts.indices.astype(np.int32)
    index_type = np.int32 if counts.nnz <= _MAX_COUNT else np.int64
    indptr: NDArray[np.integer] = counts.indptr.astype(index_type)
    return read_only_counts(data, indices, indptr, counts.shape)


def read_only_counts(
    data: NDArray[np.int32],
    indices: NDArray[np.int32],
    indptr: NDArray[np.integer],
    shape: tuple[int, int],
) -> Counts:
    """Join the arrays of canonical CSR into counts that nobody can write to.

    The arrays are used, not copied, and become read-only themselves.

    Args:
        data: counts above 0, by row.
        indices: column of each count, rising within a row.
        indptr: ends of rows, from 0, shape (N + 1,).
        shape: (N, d).
    """
    counts = csr_array((data, indices, indptr), shape=shape)
    counts.has_canonical_format = True
    # SciPy keeps views; with the arrays themselves it is plain that no other view can write.
    counts.data = data
    counts.indices = indices
    for array in (counts.data, counts.indices, counts.indptr):
        array.flags.writeable = False
    return counts
