"""Topic tables that NumPy, SciPy and BERTopic saved, read without running anything in them."""

import io
import json
import zipfile
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from dplda.core.errors import ReadError
from dplda.core.safe_open import file_name, opened
from dplda.core.types import Matrix

MAX_BYTES = 500_000_000  # of a file, packed and unpacked
MAX_ENTRIES = 100_000_000  # of a table: topics times words
TENSOR_TYPES = {"F32": "<f4", "F64": "<f8", "I32": "<i4", "I64": "<i8"}
COMPRESSED = (sparse.csr_array, sparse.csc_array, sparse.csr_matrix, sparse.csc_matrix)
WEIGHTS_OF_WORDS = "diag"  # BERTopic's name for the inverse frequencies of words

Arrays = dict[str, NDArray[np.generic]]


def read_npy(path: Path) -> NDArray[np.generic]:
    """Read one array that ``numpy.save`` wrote.

    Raises:
        ReadError: the file is another one, damaged, too large, or holds Python objects.
    """
    content = _content_of(path)
    try:
        array = np.lib.format.read_array(io.BytesIO(content), allow_pickle=False)
        return np.asarray(array)
    except Exception:  # NumPy raises many kinds
        raise _damaged(path, "an array that NumPy saved", "numpy.save") from None


def read_npz(path: Path) -> Arrays:
    """Read arrays that ``numpy.savez`` wrote, or a sparse matrix that SciPy saved.

    Returns:
        Arrays by name; a sparse matrix is the dense array ``topics``.

    Raises:
        ReadError: as for ``read_npy``.
    """
    content = _content_of(path)
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            n_bytes = sum(entry.file_size for entry in archive.infolist())
        _require_size(path, n_bytes)
        with np.load(io.BytesIO(content), allow_pickle=False) as saved_arrays:
            names = saved_arrays.files
            arrays = {name: np.asarray(saved_arrays[name]) for name in names}
        if "indptr" not in arrays:
            return arrays
        matrix = sparse.load_npz(io.BytesIO(content))
        _require_table(path, matrix.shape)
        if isinstance(matrix, COMPRESSED):
            matrix.check_format(full_check=True)  # before compiled code follows its pointers
        elif not isinstance(matrix, sparse.coo_array | sparse.coo_matrix):
            raise ValueError
        return {"topics": np.asarray(matrix.toarray())}
    except ReadError:
        raise
    except Exception:  # zip, zlib, NumPy and SciPy raise two dozen kinds
        expected_content = "arrays that NumPy saved, or a sparse table that SciPy saved"
        raise _damaged(path, expected_content, "scipy.sparse.save_npz") from None


def read_bertopic(path: Path) -> Matrix:
    """Read BERTopic's ``ctfidf.safetensors``, and undo the weights of words in it.

    A weight of c-TF-IDF is a word's share of a topic times the word's inverse frequency, which is
    in the same file: without it, rows are shares again. A word of weight 0 or below gets share 0.

    Returns:
        Shares of words by topic, shape (k, d), up to a factor a topic.

    Raises:
        ReadError: the file is another one, damaged or too large.
    """
    content = _content_of(path)
    try:
        tensors = _tensors_in(content)
        weights = _dense_table(path, tensors)
        word_weights = np.asarray(tensors[WEIGHTS_OF_WORDS], dtype=np.float64)
        n_words = weights.shape[1]
        if word_weights.shape != (n_words,):
            raise ValueError
    except ReadError:
        raise
    except Exception:  # any part of it can be another than it says
        expected_content = "BERTopic's table ctfidf.safetensors"
        raise _damaged(path, expected_content, "save_ctfidf=True of BERTopic") from None
    is_weighted_word = word_weights > 0
    word_shares = np.zeros_like(weights)
    return np.divide(weights, word_weights, out=word_shares, where=is_weighted_word)


def _dense_table(path: Path, tensors: Arrays) -> Matrix:
    """The sparse matrix in BERTopic's tensors as a dense one, shape (k, d).

    Raises:
        ReadError: it is too large.
        Exception: a tensor is missing, or they make no matrix; NumPy and SciPy raise many kinds.
    """
    n_topics, n_words = (int(size) for size in tensors["shape"])
    shape = (n_topics, n_words)
    _require_table(path, shape)
    values = np.asarray(tensors["data"], dtype=np.float64)
    columns = np.asarray(tensors["indices"], dtype=np.int64)
    row_ends = np.asarray(tensors["indptr"], dtype=np.int64)
    matrix = sparse.csr_array((values, columns, row_ends), shape=shape)
    matrix.check_format(full_check=True)  # before compiled code follows its pointers
    dense_matrix = matrix.toarray()
    return np.asarray(dense_matrix, dtype=np.float64)


def _tensors_in(content: bytes) -> Arrays:
    """Arrays of a file of safetensors (a length, a JSON header, bytes), without its metadata.

    Raises:
        Exception: the content is not like that; JSON and NumPy raise many kinds.
    """
    n_header_bytes = int.from_bytes(content[:8], "little")
    body_start = 8 + n_header_bytes
    header = json.loads(content[8:body_start])
    body = memoryview(content)[body_start:]
    tensors: Arrays = {}
    for name, facts in header.items():
        if name == "__metadata__":
            continue
        first_byte, end_byte = facts["data_offsets"]
        number_type = TENSOR_TYPES[facts["dtype"]]
        values = np.frombuffer(body[first_byte:end_byte], dtype=number_type)
        tensors[name] = values.reshape(facts["shape"])
    return tensors


def _content_of(path: Path) -> bytes:
    """The bytes of a file; refused if there are more than ``MAX_BYTES``."""
    with opened(path) as opened_file:
        content = opened_file.read(MAX_BYTES + 1)
    _require_size(path, len(content))
    return content


def _require_size(path: Path, n_bytes: int) -> None:
    """Refuse a file of more than ``MAX_BYTES``, packed or unpacked."""
    if n_bytes > MAX_BYTES:
        problem = f"more than {MAX_BYTES:,} bytes, the limit"
        raise ReadError(file_name(path), problem, "Save the table with fewer words.")


def _require_table(path: Path, shape: tuple[int, ...]) -> None:
    """Refuse a table that is too large before it is made."""
    n_entries = int(np.prod(shape, dtype=np.float64))
    if n_entries > MAX_ENTRIES:
        problem = f"more than {MAX_ENTRIES:,} entries, the limit"
        raise ReadError(file_name(path), problem, "Save the table with fewer words.")


def _damaged(path: Path, expected: str, writer: str) -> ReadError:
    """Refusal of a file that is not what was expected, with what writes such a file."""
    problem = f"not {expected}, or a damaged one"
    return ReadError(file_name(path), problem, f"Write it with {writer}.")
