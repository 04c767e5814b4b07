"""A corpus in a folder is the corpus in memory, row by row and fit by fit; a damaged one is refused before any use."""

import io
import json
import os
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

import dplda
from dplda.core.errors import CorpusError, DpldaError, ReadError
from dplda.corpus import (
    Corpus,
    CorpusWriter,
    Label,
    Limits,
    StoredCorpus,
    VocabularySource,
    load_to,
    store,
)
from dplda.corpus.on_disk import COLUMNS, COUNTS, ENDS, HEADER
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.base.runtime import Runtime
from dplda.methods.refined.documents import documents
from dplda.methods.registry import METHODS
from tests.tiny_corpora import counts_of, random_rows

ROOT = Path(__file__).resolve().parents[2]
CORPUS = dplda.simulate(
    n_documents=2600, n_words=40, n_topics=3, alpha0=1.0, mean_length=12, seed=0
)
TEXT = b"green tea with milk\nblack tea with milk\n\nmilk without tea tea\nsugar, tea & milk\n" * 40


@pytest.fixture
def kept(tmp_path: Path) -> StoredCorpus:
    return store(CORPUS, tmp_path / "kept")


def test_rows_are_those_of_the_corpus_wherever_they_begin(kept: StoredCorpus) -> None:
    assert kept.digest == CORPUS.digest
    assert kept.counts.n_entries() == CORPUS.counts.nnz
    for rows in (slice(0, 1), slice(7, 900), slice(0, 2600), slice(2599, 2600)):
        found_rows, expected = kept.counts.rows(rows), CORPUS.counts[rows]
        assert found_rows.dtype == expected.dtype
        np.testing.assert_array_equal(found_rows.toarray(), expected.toarray())
    assert kept.in_memory().digest == CORPUS.digest


def test_empty_documents_at_every_place(tmp_path: Path) -> None:
    rows = np.array([[0, 0], [0, 0], [1, 2], [0, 0], [0, 3], [0, 1], [0, 0]])
    stored_corpus = store(Corpus.from_counts(rows, label=Label.PUBLIC, name="few"), tmp_path)
    for start in range(7):
        for stop in range(start + 1, 8):
            np.testing.assert_array_equal(
                stored_corpus.counts.rows(slice(start, stop)).toarray(), rows[start:stop]
            )


@pytest.mark.parametrize(
    "method",
    [
        method
        for method in METHODS.values()
        if method.supports_out_of_core and method.is_recommended
    ],
)
def test_stored_corpus_fits_to_the_last_bit(
    method, kept: StoredCorpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(documents, "DOCUMENTS_AT_ONCE", 700)
    monkeypatch.setattr(StoredCorpus, "in_memory", pytest.fail)
    on_disk, in_memory = (
        method.fit(corpus, Problem(3, 1.0), Budget(100.0, 1e-7), Runtime())
        for corpus in (StoredCorpus.open(kept.counts.folder), CORPUS)
    )
    np.testing.assert_array_equal(on_disk.topics.words, in_memory.topics.words)
    assert on_disk.guarantee == in_memory.guarantee
    for a, b in zip(on_disk.releases, in_memory.releases, strict=True):
        np.testing.assert_array_equal(a.value, b.value)


@pytest.mark.parametrize("vocabulary", [None, ["tea", "milk", "coffee"]])
def test_documents_are_read_into_a_folder_as_into_memory(
    vocabulary: list[str] | None, tmp_path: Path
) -> None:
    reading_options = {
        "label": "public",
        "vocabulary": vocabulary,
        "n_words": 3,
        "limits": Limits(max_words_per_document=4),
    }
    expected = dplda.load(("cups.txt", io.BytesIO(TEXT)), **reading_options)
    stored_corpus = load_to(tmp_path, ("cups.txt", io.BytesIO(TEXT)), **reading_options)
    assert (stored_corpus.digest, stored_corpus.vocabulary, stored_corpus.intake) == (
        expected.digest,
        expected.vocabulary,
        expected.intake,
    )
    assert (stored_corpus.name, stored_corpus.label, stored_corpus.vocabulary_source) == (
        "cups.txt",
        Label.PUBLIC,
        expected.vocabulary_source,
    )
    assert sorted(os.listdir(tmp_path)) == sorted([HEADER, ENDS, COLUMNS, COUNTS])


def changed(path: Path, place: int, value: int, kind: str) -> None:
    numbers = np.fromfile(path, dtype=kind)
    numbers[place] = value
    numbers.tofile(path)


@pytest.mark.parametrize(
    ("name", "place", "value"),
    [
        (COLUMNS, 5, 40),
        (COLUMNS, 5, -1),
        (COLUMNS, 1, 0),
        (COUNTS, 3, 0),
        (COUNTS, 3, -2),
        (ENDS, 9, 10**9),
        (ENDS, 9, 1),
    ],
)
def test_damaged_stored_counts_are_refused_by_file_name(
    name: str, place: int, value: int, kept: StoredCorpus
) -> None:
    folder = kept.counts.folder
    changed(folder / name, place, value, "<i8" if name == ENDS else "<i4")
    with pytest.raises(ReadError, match=name):
        kept.counts.rows(slice(0, 20))
    with pytest.raises(ReadError, match="not what was written"):
        StoredCorpus.open(folder)


@pytest.mark.parametrize(
    "change", [{"format": "another"}, {"n_words": 41}, {"n_documents": "x"}, {"label": "bogus"}]
)
def test_header_that_does_not_hold_is_refused(
    change: dict[str, object], kept: StoredCorpus
) -> None:
    path = kept.counts.folder / HEADER
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    with pytest.raises(DpldaError):
        StoredCorpus.open(kept.counts.folder)


def test_files_cut_short_missing_or_no_files_are_refused(kept: StoredCorpus) -> None:
    path = kept.counts.folder / COUNTS
    path.write_bytes(path.read_bytes()[:-4])
    with pytest.raises(ReadError):
        kept.counts.rows(slice(2500, 2600))
    path.unlink()
    with pytest.raises(ReadError):
        kept.counts.rows(slice(0, 5))
    os.mkfifo(path)  # nothing waits
    with pytest.raises(ReadError, match="pipe"):
        kept.counts.rows(slice(0, 5))


def test_folder_that_was_not_finished_is_no_corpus(tmp_path: Path) -> None:
    writer = CorpusWriter(tmp_path)
    writer.add(counts_of(random_rows(0, 5, 4, 9)))
    with pytest.raises(ReadError):
        StoredCorpus.open(tmp_path)
    with closing(writer), pytest.raises(CorpusError, match="repeats"):
        writer.finished(["a", "a", "b", "c"], Label.PUBLIC, "five", VocabularySource.FIXED)
    with pytest.raises(ReadError):
        StoredCorpus.open(tmp_path)


CAPPED = """
import resource, sys
from functools import partial
from pathlib import Path
import dplda
from dplda.corpus import StoredCorpus
from dplda.core.engine import Serial, using
from dplda.methods.refined import algorithm
from dplda.methods.refined.documents import documents
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.registry import parse_method
from dplda.methods.base.runtime import Runtime
from dplda.spectral import moments

moments.MAX_BLOCK_ROWS, documents.DOCUMENTS_AT_ONCE = 2048, 512
algorithm.RefinedConstants = partial(algorithm.RefinedConstants, n_steps=2)  # each takes the same memory
def fitted(corpus, name):
    return parse_method(name).fit(corpus, Problem(3, 1.0), Budget(100.0, 1e-7), Runtime()).topics.resolved
kept = StoredCorpus.open(Path(sys.argv[1]))
def data():  # of this process, bytes
    return 1024 * int(Path("/proc/self/status").read_text().split("VmData:")[1].split()[0])
with using(Serial()):
    small = dplda.simulate(n_documents=99, n_words=250, n_topics=3, alpha0=1.0, mean_length=9, seed=0)
    fitted(small, "unnoised"), fitted(small, "refined")  # what is imported and started once
    size = int(sys.argv[2])
    cap = data() + 3 * size // 4
    resource.setrlimit(resource.RLIMIT_DATA, (cap, cap))
    for name in ("unnoised", "adaptive", "refined"):
        print(fitted(kept, name))
    cap = min(cap, data() + size // 4)  # whatever the heap has left
    resource.setrlimit(resource.RLIMIT_DATA, (cap, cap))
    try:
        kept.in_memory()
    except MemoryError:
        print("too large for memory")
"""


@pytest.mark.skipif(
    sys.platform != "linux", reason="the cap and the measure of what is taken are Linux's"
)
def test_corpus_larger_than_a_cap_on_memory_is_fitted(tmp_path: Path) -> None:
    """8 bytes a count on disk; the process may take three quarters of that, all arrays of the fit included."""
    writer, block = CorpusWriter(tmp_path), None
    topics = np.random.default_rng(0).dirichlet(np.full(250, 0.3), size=3)
    for seed in range(24):
        rng = np.random.default_rng(seed)
        law = rng.dirichlet(np.full(3, 0.3), size=2000) @ topics
        block = counts_of(rng.poisson(300 * law))
        writer.add(block)
    large_corpus = writer.finished(
        [f"w{i}" for i in range(250)], Label.PUBLIC, "large", VocabularySource.FIXED
    )
    size = 8 * large_corpus.counts.n_entries()
    command = [sys.executable, "-c", CAPPED, str(tmp_path), str(size)]
    done = subprocess.run(
        command,
        cwd=ROOT,
        capture_output=True,
        text=True,
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
    )
    assert done.stdout.split("\n")[:4] == ["3", "3", "3", "too large for memory"], done.stderr
