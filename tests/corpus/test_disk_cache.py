import os

import numpy as np
import pytest
from scipy.sparse import csr_array

from dplda.corpus import disk_cache
from dplda.corpus.counts import canonical_counts

TABLE = disk_cache.WordCounts(canonical_counts(np.array([[1, 0], [0, 2], [3, 3]])), ("ant", "é"))


@pytest.fixture(autouse=True)
def cache_folder(tmp_path, monkeypatch):
    monkeypatch.setenv(disk_cache.FOLDER_VARIABLE, str(tmp_path / "a" / "b"))
    return tmp_path / "a" / "b"


def test_what_is_saved_is_loaded(cache_folder):
    assert disk_cache.load("t.npz") is None
    assert disk_cache.save("t.npz", TABLE)
    again = disk_cache.load("t.npz")
    assert again.words == TABLE.words
    assert again.counts.toarray().tolist() == TABLE.counts.toarray().tolist()
    assert [path.name for path in cache_folder.iterdir()] == ["t.npz"], "nothing is left beside it"


@pytest.mark.parametrize("damage", ["empty", "cut", "flipped", "noise"])
def test_a_damaged_file_is_as_good_as_none(cache_folder, damage):
    disk_cache.save("t.npz", TABLE)
    path = cache_folder / "t.npz"
    whole = path.read_bytes()
    middle = whole.index(b"ant")
    damaged = {
        "empty": b"",
        "cut": whole[: len(whole) // 2],
        "flipped": whole[:middle] + b"bee" + whole[middle + 3 :],
        "noise": np.random.default_rng(0).bytes(len(whole)),
    }[damage]
    path.write_bytes(damaged)
    assert disk_cache.load("t.npz") is None


def test_pickles_and_counts_that_are_none_are_not_loaded(cache_folder):
    cache_folder.mkdir(parents=True)
    np.savez(cache_folder / "t.npz", words=np.array([{"a": 1}], dtype=object))
    assert disk_cache.load("t.npz") is None
    negative = csr_array(np.array([[-1, 0], [0, 2], [3, 3]]))
    words = np.frombuffer(b"ant\nbee", dtype=np.uint8)
    np.savez(cache_folder / "t.npz", data=negative.data, indices=negative.indices, indptr=negative.indptr, words=words)
    assert disk_cache.load("t.npz") is None


def test_an_interrupted_write_leaves_the_old_file(cache_folder, monkeypatch):
    disk_cache.save("t.npz", TABLE)
    before = (cache_folder / "t.npz").read_bytes()

    def fail(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(KeyboardInterrupt):
        disk_cache.save("t.npz", TABLE)
    assert (cache_folder / "t.npz").read_bytes() == before
    assert [path.name for path in cache_folder.iterdir()] == ["t.npz"]
