"""Matrix Market and SciPy's own files: the counts of a bag of words, or a refusal."""

import gzip
import io
import zipfile

import numpy as np
import pytest
from scipy import io as scipy_io
from scipy import sparse

from dplda.core.errors import DpldaError, ReadError
from dplda.corpus import Label, Limits, load

DENSE = np.array([[2, 0, 1, 0], [0, 3, 0, 1], [0, 0, 0, 0], [1, 1, 1, 1]])
WORDS = ["wolves", "deer", "hunt", "graze"]
UCI = f"4\n4\n{np.count_nonzero(DENSE)}\n" + "".join(
    f"{n + 1} {i + 1} {DENSE[n, i]}\n" for n, i in np.argwhere(DENSE)
)


def market(matrix=DENSE, **options) -> bytes:
    out = io.BytesIO()
    scipy_io.mmwrite(out, sparse.coo_array(matrix), **options)
    return out.getvalue()


def saved(matrix) -> bytes:
    out = io.BytesIO()
    sparse.save_npz(out, matrix)
    return out.getvalue()


def read(content: bytes, name: str, words=WORDS, **options):
    word_file = ("words.txt", io.BytesIO("\n".join(words).encode()))
    return load((name, io.BytesIO(content)), words=word_file, label=Label.PUBLIC, **options)


def test_counts_in_every_format_give_one_corpus(tmp_path) -> None:
    expected = read(UCI.encode(), "docword.txt").digest
    dense = io.BytesIO()
    scipy_io.mmwrite(dense, DENSE)
    for content in (market(), market(DENSE.astype(float)), market(field="real"), dense.getvalue()):
        assert read(content, "counts.mtx").digest == expected
        assert read(gzip.compress(content), "counts.mtx.gz").digest == expected
    for form in (
        sparse.csr_array,
        sparse.csc_array,
        sparse.coo_array,
        sparse.csr_matrix,
        sparse.csc_matrix,
    ):
        assert read(saved(form(DENSE)), "counts.npz").digest == expected
    (tmp_path / "counts.mtx").write_bytes(market())
    (tmp_path / "vocab.txt").write_text("\n".join(WORDS))
    assert load(tmp_path / "counts.mtx", label=Label.PUBLIC).digest == expected
    assert load(tmp_path, label=Label.PUBLIC).digest == expected


def test_matrix_entries_that_repeat_are_added() -> None:
    twice = sparse.coo_array(([1, 2, 3, 1], ([0, 0, 1, 2], [0, 0, 1, 1])), shape=(3, 4))
    corpus = read(saved(twice), "a.npz")
    assert corpus.counts.sum() == 7
    assert corpus.intake.n_repeated_entries == 1


@pytest.mark.parametrize(
    ("value", "reason"),
    [(-1, "negative"), (1.5, "fractional"), (np.nan, "NaN"), (np.inf, "infinite")],
)
def test_count_that_is_no_count_is_refused_by_row(value, reason) -> None:
    bad = DENSE.astype(float)
    bad[3, 2] = value
    for content, name in ((market(bad), "a.mtx"), (saved(sparse.csr_array(bad)), "a.npz")):
        with pytest.raises(DpldaError, match=f"Row 4 .*{reason}|a.mtx, row"):
            read(content, name)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"canary\n",
        b"%%MatrixMarket matrix coordinate integer general\n3 4 2\n1 1 1\n",
        b"%%MatrixMarket matrix coordinate integer general\n3 4 1\n1 1 1\n2 2 2\n",
        b"%%MatrixMarket matrix coordinate integer general\n3 4 1\n1 5 1\n",
        b"%%MatrixMarket matrix coordinate integer general\n3 4 1\n0 1 1\n",
        b"%%MatrixMarket matrix coordinate integer general\n3 4 1\n1 1 canary\n",
        b"%%MatrixMarket matrix coordinate integer general\n3 4 3\n1 1 1\n2 2 2.5\n3 3 3\n",  # read as 2 before
        b"%%MatrixMarket matrix coordinate complex general\n3 4 1\n1 1 1 1\n",
        b"%%MatrixMarket matrix array integer general\n1000000 4\n1\n",
        b"%%MatrixMarket matrix coordinate integer general\n99999999999 4 1\n1 1 1\n",
        b"%%MatrixMarket matrix coordinate integer general\n-3 4 1\n1 1 1\n",
        b"%%MatrixMarket matrix coordinate integer general\n0 4 0\n",
    ],
)
def test_broken_matrix_market_files_are_refused(content) -> None:
    with pytest.raises(DpldaError) as caught:
        read(content, "a.mtx")
    assert "canary" not in str(caught.value)


def npz(**parts) -> bytes:
    out = io.BytesIO()
    np.savez(out, **parts)
    return out.getvalue()


GOOD = {
    "format": b"csr",
    "shape": np.array([3, 4]),
    "data": np.ones(3, int),
    "indices": np.arange(3),
    "indptr": np.arange(4),
}


@pytest.mark.parametrize(
    "change",
    [
        {"indptr": np.array([0, 2, 1, 3])},
        {"indptr": np.array([0, 1, 2, 10**9])},
        {"indptr": np.array([-5, 1, 2, 3])},
        {"indices": np.array([0, 1, 4])},
        {"indices": np.array([0, 1, -1])},
        {"shape": np.array([3, 10**15])},
        {"shape": np.array([10**15, 4])},
        {"shape": np.array([3])},
        {"format": b"dia"},
        {"format": b"canary"},
        {"data": np.array(["canary"] * 3)},
        {"data": np.ones(3, complex)},
        {"data": np.array([{"a": 1}, 2, 3], dtype=object)},
    ],
)
def test_broken_sparse_matrices_are_refused_before_compiled_code_follows_them(change) -> None:
    assert read(npz(**GOOD), "a.npz").n_documents == 3
    with pytest.raises(DpldaError) as caught:
        read(npz(**{**GOOD, **change}), "a.npz")
    assert "canary" not in str(caught.value)


def test_matrix_above_a_limit_is_refused() -> None:
    for content, name in ((market(), "a.mtx"), (saved(sparse.csr_array(DENSE)), "a.npz")):
        for limits, reason in (
            (Limits(max_documents=3), "more than 3 documents"),
            (Limits(max_distinct_words=3), "more than 3 words"),
        ):
            with pytest.raises(ReadError, match=reason):
                read(content, name, limits=limits)


def test_matrix_in_a_compression_bomb_is_refused() -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", compression=zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("data.npy", bytes(20_000_000))
    with pytest.raises(ReadError, match="100 times larger"):
        read(out.getvalue(), "a.npz")
