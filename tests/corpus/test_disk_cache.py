from pathlib import Path

import numpy as np
import pytest
from scipy.sparse import csr_array

from dplda.corpus import disk_cache
from dplda.corpus.counts import canonical_counts

TABLE = disk_cache.WordCounts(canonical_counts(np.array([[1, 0], [0, 2], [3, 3]])), ("ant", "é"))


def save(path: Path, counts: csr_array = TABLE.counts) -> None:
    words = np.frombuffer("\n".join(TABLE.words).encode(), dtype=np.uint8)
    np.savez(path, data=counts.data, indices=counts.indices, indptr=counts.indptr, words=words)


@pytest.mark.parametrize("damage", ["empty", "cut", "flipped", "noise"])
def test_a_damaged_file_is_as_good_as_none(tmp_path, damage):
    path = tmp_path / "t.npz"
    save(path)
    assert disk_cache.read(path).words == TABLE.words
    whole = path.read_bytes()
    middle = whole.index(b"ant")
    damaged = {
        "empty": b"",
        "cut": whole[: len(whole) // 2],
        "flipped": whole[:middle] + b"bee" + whole[middle + 3 :],
        "noise": np.random.default_rng(0).bytes(len(whole)),
    }[damage]
    path.write_bytes(damaged)
    assert disk_cache.read(path) is None


def test_pickles_and_counts_that_are_none_are_not_loaded(tmp_path):
    path = tmp_path / "t.npz"
    np.savez(path, words=np.array([{"a": 1}], dtype=object))
    assert disk_cache.read(path) is None
    save(path, csr_array(np.array([[-1, 0], [0, 2], [3, 3]])))
    assert disk_cache.read(path) is None
