"""Sparse matrices whose arrays do not fit each other: refused before compiled code follows them."""

from collections.abc import Callable
from functools import partial

import numpy as np
import pytest
from scipy import sparse

from dplda import Corpus, DPVariationalLDA, RefinedLDA, SpectralLDA
from dplda.core.errors import CorpusError
from dplda.corpus.counts import canonical_counts
from dplda.corpus.sparse_structure import sound_sparse
from tests.tiny_corpora import topical_corpus

DENSE = np.array([[2, 0, 1], [0, 0, 0], [0, 3, 4], [1, 1, 1]])
FAR = 10**8
COMPRESSED = (sparse.csr_array, sparse.csr_matrix, sparse.csc_array, sparse.csc_matrix)

POINTERS: dict[str, Callable[[np.ndarray], object]] = {
    "lead far beyond": lambda ends: np.arange(ends.size) * FAR,
    "end far beyond": lambda ends: np.append(ends[:-1], FAR),
    "are negative": lambda ends: np.concatenate([ends[:1], np.full(ends.size - 2, -5), ends[-1:]]),
    "start late": lambda ends: np.append(FAR, ends[1:]),
    "go back": lambda ends: np.append([0, ends[-1], 0], ends[3:]),
    "are too few": lambda ends: ends[:-2],
    "are too many": lambda ends: np.append(ends, FAR),
    "are none": lambda ends: ends[:0],
    "are fractions": lambda ends: ends + 0.5,
    "have two axes": lambda ends: ends[None],
    "are missing": lambda ends: None,
}
INDICES: dict[str, Callable[[np.ndarray], object]] = {
    "lie outside": lambda places: np.append(places[:-1], FAR),
    "are negative": lambda places: np.append(places[:-1], -FAR),
    "are too few": lambda places: places[:2],
    "are fractions": lambda places: places / 2,
    "have two axes": lambda places: places[:, None],
    "are missing": lambda places: None,
}
DATA: dict[str, Callable[[np.ndarray], object]] = {
    "are too few": lambda data: data[:2],
    "have two axes": lambda data: np.stack([data, data], axis=1),
    "are a list": lambda data: data.tolist(),
    "are missing": lambda data: None,
}
PARTS = {"indptr": POINTERS, "indices": INDICES, "data": DATA}


def damaged(matrix, **parts):
    for name, value in parts.items():
        setattr(matrix, name, value)
    return matrix


def blocks():
    return sparse.bsr_array(np.kron(DENSE, np.ones((2, 2), dtype=int)), blocksize=(2, 2))


def lists(part: str, line: object):
    matrix = sparse.lil_array(DENSE)
    getattr(matrix, part)[0] = line
    return matrix


BROKEN = {
    f"{kind.__name__}: {part} {how}": lambda kind=kind, part=part, damage=damage: damaged(
        kind(DENSE), **{part: damage(getattr(kind(DENSE), part))}
    )
    for kind in COMPRESSED
    for part, damages in PARTS.items()
    for how, damage in damages.items()
} | {
    "csr_array: a larger shape": lambda: damaged(sparse.csr_array(DENSE), _shape=(FAR, FAR)),
    "bsr_array: pointers lead beyond": lambda: damaged(blocks(), indptr=np.arange(5) * FAR),
    "bsr_array: indices lie outside": lambda: damaged(blocks(), indices=np.full(7, FAR)),
    "bsr_array: too few blocks": lambda: damaged(blocks(), data=np.ones((1, 2, 2))),
    "bsr_array: blocks of another size": lambda: damaged(blocks(), data=np.ones((7, 3, 1))),
    "coo_array: rows lie outside": lambda: damaged(sparse.coo_array(DENSE), row=np.full(7, FAR)),
    "coo_array: columns are negative": lambda: damaged(sparse.coo_array(DENSE), col=np.full(7, -1)),
    "coo_array: too few entries": lambda: damaged(sparse.coo_array(DENSE), data=np.ones(3)),
    "coo_array: rows are fractions": lambda: damaged(
        sparse.coo_array(DENSE), coords=(np.ones(7) / 2, np.ones(7))
    ),
    "lil_array: rows lie outside": lambda: lists("rows", [0, FAR]),
    "lil_array: too few entries": lambda: lists("rows", [0, 1, 2]),
    "lil_array: too many entries": lambda: lists("data", [1] * 5000),
    "lil_array: no row": lambda: lists("rows", None),
    "dia_array: too few diagonals": lambda: damaged(sparse.dia_array(DENSE), data=np.ones((1, 3))),
    "three axes": lambda: sparse.coo_array(np.ones((2, 2, 2))),
    "one axis": lambda: sparse.csr_array(np.ones(3)),
}


@pytest.mark.parametrize("name", BROKEN)
def test_canonical_counts_of_a_broken_matrix_are_refused(name: str) -> None:
    with pytest.raises(CorpusError, match=r"sparse matrix is broken|axes where 2 are needed"):
        canonical_counts(BROKEN[name]())


@pytest.mark.parametrize("kind", COMPRESSED, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("public", ["from_counts", "fit", "transform", "perplexity"])
def test_public_functions_refuse_pointers_that_do_not_fit(kind, public: str) -> None:
    """Each of them ended the interpreter."""
    counts = topical_corpus(0, n_documents=60).counts
    model = SpectralLDA(2).fit(counts)
    broken = kind(counts)
    broken.indptr = np.arange(broken.indptr.size) * FAR
    from_counts = partial(Corpus.from_counts, label="public", name="x")
    estimators = SpectralLDA(2), RefinedLDA(2), DPVariationalLDA(2)
    calls = {
        "from_counts": [from_counts],
        "fit": [estimator.fit for estimator in estimators],
        "transform": [model.transform],
        "perplexity": [model.perplexity],
    }
    for call in calls[public]:
        with pytest.raises(CorpusError, match="sparse matrix is broken"):
            call(broken)


@pytest.mark.parametrize("kind", COMPRESSED, ids=lambda kind: kind.__name__)
def test_flags_that_deny_duplicates_are_not_believed(kind) -> None:
    """Two entries of one word would have the length √2 where one of both has 2."""
    matrix = kind(sparse.csr_array(np.eye(3, dtype=np.int32)))
    matrix.data, matrix.indices = np.array([1, 1, 5], dtype=np.int32), np.array([0, 0, 1], np.int32)
    matrix.indptr = np.array([0, 2, 3, 3], dtype=np.int32)
    matrix.has_sorted_indices = matrix.has_canonical_format = True
    assert canonical_counts(matrix).data.tolist() == [2, 5]


def test_sparse_storage_beyond_the_entries_is_accepted() -> None:
    matrix = sparse.csr_array(DENSE)
    matrix.data, matrix.indices = np.append(matrix.data, 99), np.append(matrix.indices, FAR)
    assert canonical_counts(matrix).toarray().tolist() == DENSE.tolist()


def test_sound_matrices_keep_their_entries_apart() -> None:
    matrix = sparse.coo_array(([1, 2, 0], ([0, 0, 1], [1, 1, 0])), shape=(3, 2))
    assert sound_sparse(matrix).nnz == 3
    for matrix_in_format in (
        matrix,
        matrix.tocsr(),
        matrix.tocsc(),
        matrix.todok(),
        matrix.tolil(),
    ):
        dense_before = matrix_in_format.toarray()
        np.testing.assert_array_equal(sound_sparse(matrix_in_format).toarray(), dense_before)
        np.testing.assert_array_equal(matrix_in_format.toarray(), dense_before)
