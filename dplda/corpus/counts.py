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

_LARGEST = int(np.iinfo(np.int32).max)
_WHOLE = "Give whole, non-negative counts: anything else breaks the sensitivity bounds."
_NEGATIVE = "Negative values in data are not counts: they break the sensitivity bounds."
_ONE_ROW = "Give a matrix of numbers with one row per document and one column per word."


def canonical_counts(matrix: AnyCounts) -> Counts:
    """Copy a matrix of counts into sorted, duplicate-free, zero-free, read-only CSR of 32-bit integers.

    Args:
        matrix: shape (N, d), dense or in any SciPy sparse format. Floating-point entries pass where they are whole;
            entries that it stores twice are summed. No array of it is shared, unless it came from here.

    Raises:
        CorpusError: an entry is no count, or there is no matrix; the message names the first such row, from 1.
    """
    sound = sound_sparse(matrix) if issparse(matrix) else None
    if isinstance(matrix, csr_array) and isinstance(sound, csr_array) and is_canonical(sound):
        owned = all(
            it.base is None and not it.flags.writeable
            for it in (matrix.data, matrix.indices, matrix.indptr)
        )
        return cast("Counts", matrix) if owned else _read_only(sound)
    entries = _entries(matrix if sound is None else sound)
    _refuse(entries, ~np.isfinite(entries.data), "NaN or infinite", _WHOLE)
    _refuse(entries, entries.data < 0, "negative", _NEGATIVE)
    if entries.dtype.kind == "f":
        _refuse(entries, entries.data != np.floor(entries.data), "fractional", _WHOLE)
    _refuse(entries, entries.data > _LARGEST, f"above {_LARGEST:,}", "Shorten that document.")

    summed = csr_array(
        (entries.data.astype(np.int64), (entries.row, entries.col)), shape=entries.shape
    )
    summed.sum_duplicates()
    summed.eliminate_zeros()
    _refuse(
        coo_array(summed), summed.data > _LARGEST, f"above {_LARGEST:,}", "Shorten that document."
    )
    return _read_only(summed)


def is_canonical(matrix: csr_array[np.number]) -> bool:
    """Whether a matrix has the form already, so that a large one is copied once and no more.

    Its row pointers must fit its shape and entries (``sound_sparse``).
    """
    if matrix.dtype != np.int32 or not matrix.has_canonical_format:
        return False
    columns = matrix.indices
    return matrix.nnz == 0 or bool(
        matrix.data.min() > 0 and 0 <= columns.min() <= columns.max() < matrix.shape[1]
    )


def _entries(matrix: AnyCounts) -> coo_array[np.number, tuple[int, int]]:
    """List the stored entries with their rows and columns, duplicates apart."""
    if isinstance(matrix, np.ma.MaskedArray):
        raise CorpusError(
            "The counts are masked, so some values are unknown", "Fill them, e.g. with 0."
        )
    if not issparse(matrix):
        try:
            matrix = np.asarray(_with_plain_columns(matrix))
        except ValueError:
            raise CorpusError("The counts have rows of different lengths", _ONE_ROW) from None
        _require_numbers(matrix.dtype)
        if matrix.ndim != 2:
            raise CorpusError(f"Counts have {matrix.ndim} axes where 2 are needed", TWO_AXES)
    _require_numbers(matrix.dtype)
    if matrix.dtype == np.float16:  # SciPy has none
        matrix = matrix.astype(np.float32)
    return coo_array(matrix)  # keeps NaN, which differs from zero


def _with_plain_columns(matrix: object) -> object:
    """A table whose columns can hold gaps (``Int64``, say) as numbers, NaN in gaps; anything else as it is."""
    to_numpy, kinds = getattr(matrix, "to_numpy", None), getattr(matrix, "dtypes", None)
    if to_numpy is None or not isinstance(kinds, Iterable):
        return matrix
    columns = list(kinds)
    if all(isinstance(column, np.dtype) for column in columns):
        return matrix
    if all(getattr(column, "kind", "O") in "buif" for column in columns):
        return to_numpy(dtype=np.float64, na_value=np.nan)
    return matrix


def _require_numbers(dtype: np.dtype[np.generic]) -> None:
    if dtype.kind == "c":
        raise CorpusError(f"Complex data not supported: counts are of type {dtype}", _ONE_ROW)
    if dtype.kind not in "buif":
        raise CorpusError(f"Counts are of type {dtype}, which is not numeric", _ONE_ROW)


def _refuse(
    entries: coo_array[np.number, tuple[int, int]], bad: NDArray[np.bool_], kind: str, fix: str
) -> None:
    if bad.any():
        row = int(entries.row[bad].min()) + 1
        raise CorpusError(f"Row {row:,} of the counts holds an entry that is {kind}", fix)


def _read_only(counts: csr_array[np.number, tuple[int, int]]) -> Counts:
    data, indices = counts.data.astype(np.int32), counts.indices.astype(np.int32)
    return frozen(
        data,
        indices,
        counts.indptr.astype(np.int32 if counts.nnz <= _LARGEST else np.int64),
        counts.shape,
    )


def frozen(
    data: NDArray[np.int32],
    indices: NDArray[np.int32],
    indptr: NDArray[np.integer],
    shape: tuple[int, int],
) -> Counts:
    """Arrays that are in canonical form already, as counts that nobody can write to; they are taken, not copied."""
    frozen = csr_array((data, indices, indptr), shape=shape)
    frozen.has_canonical_format = True
    frozen.data, frozen.indices = (
        data,
        indices,
    )  # SciPy holds views, of which nobody knows that they are all there is
    for array in (frozen.data, frozen.indices, frozen.indptr):
        array.flags.writeable = False
    return frozen
