"""Documents known again by keyed hashes: under another name, over other words, and however they are written."""

import io
import json
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from dplda.corpus import Corpus, Label, Tokenisation, VocabularySource, load
from dplda.release.ledger.fingerprints import (
    MAX_HASHES,
    _hashes_noted_in,
    fingerprints,
    note_documents,
    overlap,
)
from dplda.release.ledger.folder import Folder
from dplda.release.ledger.ledger import Ledger, LedgerEntry, LedgerError
from dplda.release.workflow.perform import release
from dplda.release.workflow.release_store import find_dataset
from tests.release.conftest import asked
from tests.tiny_corpora import topical_corpus


def test_documents_of_one_dataset_are_not_another_ones(corpus: Corpus, folder: Folder) -> None:
    """Nor are they after one in fifty of them was changed; strangers are let be."""
    ledger = Ledger(folder)
    ledger.declare("fresh", epsilon=3.0, delta=1e-5)
    release(corpus, asked("private-unigram"), folder)
    counts = corpus.counts.toarray()
    counts[::50, 0] += 1
    changed_documents = Corpus.from_counts(
        counts, corpus.vocabulary, label=corpus.label, name="letters"
    )
    changed_documents = Corpus(
        changed_documents.counts,
        corpus.vocabulary,
        corpus.label,
        "letters",
        corpus.vocabulary_source,
    )
    fresh = replace(asked("private-unigram"), dataset="fresh")
    with pytest.raises(LedgerError, match="belong to 'mail'"):
        release(changed_documents, fresh, folder)
    assert ledger.balance("fresh").added_up == (0, 0)
    strangers = topical_corpus(1)
    other_documents = Corpus(
        strangers.counts, strangers.vocabulary, Label.SENSITIVE, "x", VocabularySource.FIXED
    )
    assert release(other_documents, fresh, folder).charged


def test_fingerprints_of_reordered_documents_are_equal(corpus: Corpus, folder: Folder) -> None:
    order = np.random.default_rng(0).permutation(corpus.n_words)
    words = tuple(corpus.vocabulary[i] for i in order)
    reordered = Corpus(
        corpus.counts[::-1][:, order], words, corpus.label, "x", corpus.vocabulary_source
    )
    assert fingerprints(reordered, folder) == fingerprints(corpus, folder)
    (hashes,) = fingerprints(corpus, folder)
    assert not any(word in " ".join(hashes) for word in corpus.vocabulary)


def letters_of(corpus: Corpus, as_written: Callable[[str], str], **options) -> Corpus:
    """The corpus written out as texts, and read from them."""
    rows = (" ".join(np.repeat(corpus.vocabulary, row)) for row in corpus.counts.toarray())
    lines = "\n".join(map(as_written, rows)).encode()
    return load(
        ("letters.txt", io.BytesIO(lines)), **{"label": "sensitive", "n_words": 20} | options
    )


def test_texts_are_known_again_whatever_they_are_read_over(corpus: Corpus, folder: Folder) -> None:
    """Over other words, cut into them otherwise, and written otherwise; counts alone would not tell."""
    letters = Tokenisation(pattern=r"\w+")
    first_reading = letters_of(corpus, str, tokenisation=letters)
    other_readings = [
        letters_of(corpus, str, vocabulary=[*corpus.vocabulary[:9]], tokenisation=letters),
        letters_of(
            corpus, lambda text: f"({text.upper()})!", tokenisation=Tokenisation(pattern=r"\w\w")
        ),
    ]
    texts, counts = fingerprints(first_reading, folder)
    for reading in other_readings:
        text_hashes, of_counts = fingerprints(reading, folder)
        assert overlap(text_hashes, texts) == 1.0
        assert overlap(of_counts, counts) == 0.0
    other_texts = letters_of(corpus, lambda text: text[1:], tokenisation=letters)
    assert overlap(fingerprints(other_texts, folder)[0], texts) < 0.01
    assert letters_of(corpus, str, label="public", tokenisation=letters).texts is None


def test_fingerprints_of_texts_over_a_shorter_word_list_keep_their_dataset(
    corpus: Corpus, folder: Folder
) -> None:
    letters, ledger = Tokenisation(pattern=r"\w+"), Ledger(folder)
    ledger.declare("fresh", epsilon=3.0, delta=1e-5)
    first_reading = letters_of(corpus, str, vocabulary=corpus.vocabulary, tokenisation=letters)
    assert find_dataset(first_reading, folder) is None
    release(first_reading, asked("private-unigram"), folder)
    shorter_reading = letters_of(
        corpus, str.upper, vocabulary=corpus.vocabulary[:10], tokenisation=letters
    )
    assert find_dataset(first_reading, folder) == find_dataset(shorter_reading, folder) == "mail"
    assert (
        find_dataset(letters_of(corpus, lambda text: text[1:], tokenisation=letters), folder)
        is None
    )
    with pytest.raises(LedgerError, match="About 100% of these documents belong to 'mail'"):
        release(shorter_reading, replace(asked("private-unigram"), dataset="fresh"), folder)
    document_notes = [entry for entry in ledger.entries() if entry.kind == "documents"]
    assert [(entry.dataset, len(json.loads(entry.detail))) for entry in document_notes] == [
        ("mail", 2)
    ]
    release(shorter_reading, replace(asked("private-unigram")), folder)
    release(shorter_reading, replace(asked("private-unigram", alpha0=2.0)), folder)
    document_notes = [
        json.loads(entry.detail) for entry in ledger.entries("mail") if entry.kind == "documents"
    ]
    assert [len(note) for note in document_notes] == [2, 1, 0], (
        "other counts, same texts; then nothing new, and a note still"
    )


def test_documents_that_an_older_version_noted_are_known_again(
    corpus: Corpus, folder: Folder
) -> None:
    """It wrote an entry for each kind of fingerprints."""
    ledger = Ledger(folder)
    ledger.declare("fresh", epsilon=3.0, delta=1e-5)
    (hashes,) = fingerprints(corpus, folder)
    ledger.charge("fresh", epsilon=0.1, delta=0.0, detail="", documents=json.dumps(hashes))
    assert note_documents(corpus, "fresh", folder, ledger) == "[]"
    with pytest.raises(LedgerError, match="belong to 'fresh'"):
        note_documents(corpus, "mail", folder, ledger)


def test_fingerprints_on_disk_hold_no_unkeyed_hash(corpus: Corpus, folder: Folder) -> None:
    letters = Tokenisation(pattern=r"\w+")
    first_reading = letters_of(corpus, str, vocabulary=corpus.vocabulary, tokenisation=letters)
    release(first_reading, asked("private-unigram"), folder)
    disk_content = b"".join(path.read_bytes() for path in folder.path.iterdir())
    assert not any(
        f"{number:016x}".encode() in disk_content for number in first_reading.texts.tolist()
    )


@pytest.mark.parametrize("shared", [0.0, 0.02, 0.5, 1.0])
def test_overlap_of_hash_samples_estimates_the_shared_documents(shared: float) -> None:
    """Of 40,000 documents; the estimate's standard error is at most 0.008, and it may be five of them off."""
    rng = np.random.default_rng(0)
    numbers = rng.choice(2**60, 80_000, replace=False)
    begin = round(40_000 * (1 - shared))
    first_hashes, second_hashes = (
        tuple(sorted(f"{n:016x}" for n in part)[:MAX_HASHES])
        for part in (numbers[:40_000], numbers[begin:][:40_000])
    )
    assert overlap(first_hashes, second_hashes) == pytest.approx(shared, abs=0.04)


@pytest.mark.parametrize("detail", ["{", "{}x", "[1]"])
def test_fingerprints_in_a_changed_ledger_entry_are_refused(detail) -> None:
    with pytest.raises(LedgerError, match="Entry 7 of the ledger was changed"):
        _hashes_noted_in(LedgerEntry(7, "", "documents", "mail", 0, 0, detail, ""))
