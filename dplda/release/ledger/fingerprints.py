"""Keyed hashes of documents, so that documents of one dataset cannot be released as another.

One hash covers a document's letters and digits, whatever the vocabulary, case or punctuation;
another covers its words and their counts. Without the folder's key a hash reveals nothing. The
share of known documents decides, so changing one document does not help. The ledger keeps the
smallest hashes of each kind, the same sample for equal documents. It does not recognize documents
that were split or joined differently, all changed, or counted over another vocabulary.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from dplda.corpus import Corpus
from dplda.corpus.words.reading import FIRST_READING, READING
from dplda.release.ledger.folder import Folder
from dplda.release.ledger.ledger import PERSON, Ledger, LedgerEntry, LedgerError, noted_in
from dplda.release.ledger.records.entry import changed_entry

MIN_OVERLAP = 0.02  # share of either's documents from which a corpus belongs to the other dataset
MIN_WORDS = 3  # shorter documents occur everywhere
MAX_HASHES = 4096  # of a corpus; at the share above, about eighty are known
HASH_DIGITS = 16  # hexadecimal digits of a hash, enough to avoid chance matches

Hashes: TypeAlias = tuple[str, ...]
"""The smallest hashes of one kind, sorted."""


@dataclass(frozen=True, slots=True)
class _NotedHashes:
    """Hashes that the ledger keeps of a dataset's documents."""

    dataset: str
    hashes: Hashes


def fingerprints(corpus: Corpus, folder: Folder) -> tuple[Hashes, ...]:
    """Hashes of distinct documents, one group for each kind: of texts, if known, and of counts."""
    kinds = (_hash_texts(corpus, folder), _hash_counts(corpus, folder))
    samples = [_smallest(hashes) for hashes in kinds]
    return tuple(sample for sample in samples if sample)


def overlap(hashes: Hashes, other_hashes: Hashes) -> float:
    """An estimate of the share of a corpus' distinct documents that another holds.

    Of a large corpus only the smallest hashes are kept, so hashes count up to the largest that both
    would keep. 0 where no hash of the corpus is among these.

    Args:
        hashes: of the corpus.
        other_hashes: of the other corpus.
    """
    largest_hashes = [sample[-1] for sample in (hashes, other_hashes) if len(sample) == MAX_HASHES]
    comparable_hashes = set(hashes)
    if largest_hashes:
        comparable_hashes = {
            document_hash for document_hash in hashes if document_hash <= min(largest_hashes)
        }
    return len(comparable_hashes & set(other_hashes)) / max(1, len(comparable_hashes))


def note_documents(corpus: Corpus, dataset: str, folder: Folder, ledger: Ledger) -> str:
    """Make the ledger's note of documents that newly belong to a dataset: hashes as JSON.

    Nothing is written here; the note goes into the ledger with a charge. Hashes that the dataset
    has already are left out. Documents are compared with other datasets as they are read now and,
    in a ledger of earlier versions, as those read them too.

    Args:
        corpus: the documents as they were read.
        dataset: its name in the ledger.
        folder: the release folder.
        ledger: its ledger.

    Raises:
        LedgerError: many of them belong to another dataset.
    """
    all_notes = list(_all_noted(ledger))
    hashes_of_dataset = {
        noted_hashes.hashes for noted_hashes in all_notes if noted_hashes.dataset == dataset
    }
    new_hashes = [
        hashes for hashes in fingerprints(corpus, folder) if hashes not in hashes_of_dataset
    ]
    hashes_to_compare = list(new_hashes)
    if new_hashes and corpus.former is not None and holds_former_readings(ledger):
        hashes_to_compare += fingerprints(corpus.former, folder)
    for noted_hashes in all_notes:
        if noted_hashes.dataset != dataset:
            _check_foreign(hashes_to_compare, noted_hashes, ledger)
    return json.dumps(new_hashes)


def find_owner(corpus: Corpus, folder: Folder, ledger: Ledger) -> str | None:
    """The first dataset that holds at least ``MIN_OVERLAP`` of these texts, over any words.

    None if there is none, or if the texts are unknown.
    """
    readings = corpus.readings if holds_former_readings(ledger) else (corpus,)
    samples = [_smallest(_hash_texts(reading, folder)) for reading in readings]
    for noted_hashes in _all_noted(ledger):
        if any(overlap(sample, noted_hashes.hashes) >= MIN_OVERLAP for sample in samples):
            return noted_hashes.dataset
    return None


def holds_former_readings(ledger: Ledger, dataset: str | None = None) -> bool:
    """Whether documents were charged as an earlier version read them.

    Args:
        ledger: the ledger.
        dataset: the only one to look at; None for all.
    """
    entries = ledger.entries(dataset)
    return any(entry.kind == "charged" and _reading_of(entry) < READING for entry in entries)


def _check_foreign(samples: list[Hashes], foreign: _NotedHashes, ledger: Ledger) -> None:
    """Refuse documents of which many belong to another dataset, or that hold many of its own.

    Args:
        samples: hashes of the documents, one sample for each way of reading them.
        foreign: hashes noted for the other dataset.
        ledger: says what that dataset protects.

    Raises:
        LedgerError: at least ``MIN_OVERLAP`` of either are in the other.
    """
    unit = ledger.protects(foreign.dataset)
    hint_text = " (read the file with its column of persons)" if unit == PERSON else ""
    advice = f"Release them under that name, which protects each {unit}{hint_text}, or remove them."
    overlap_share = max((overlap(sample, foreign.hashes) for sample in samples), default=0.0)
    if overlap_share >= MIN_OVERLAP:
        raise LedgerError(
            f"About {overlap_share:.0%} of these documents belong to {foreign.dataset!r}. {advice}"
        )
    overlap_share = max((overlap(foreign.hashes, sample) for sample in samples), default=0.0)
    if overlap_share >= MIN_OVERLAP:
        raise LedgerError(
            f"About {overlap_share:.0%} of the documents of {foreign.dataset!r} are among these."
            f" {advice}"
        )


def _reading_of(entry: LedgerEntry) -> int:
    version = noted_in(entry).get("reading", FIRST_READING)
    return version if isinstance(version, int) else FIRST_READING


def _all_noted(ledger: Ledger) -> Iterator[_NotedHashes]:
    """Hashes of all datasets, in the order in which they were noted."""
    for entry in ledger.entries():
        if entry.kind == "documents":
            for hashes in _hashes_noted_in(entry):
                yield _NotedHashes(entry.dataset, hashes)


def _hashes_noted_in(entry: LedgerEntry) -> list[Hashes]:
    """Hashes of each kind in an entry; an older entry holds one kind, without a list around it.

    Raises:
        LedgerError: the entry holds something else.
    """
    try:
        groups = json.loads(entry.detail)
        if groups and isinstance(groups[0], str):
            return [tuple(groups)]
        return [tuple(hashes) for hashes in groups]
    except (ValueError, TypeError, KeyError):
        raise changed_entry(entry) from None


def _smallest(hashes: Iterable[str]) -> Hashes:
    return tuple(sorted(set(hashes))[:MAX_HASHES])


def _hash_texts(corpus: Corpus, folder: Folder) -> Iterator[str]:
    """Yield a keyed hash of each document's text; none where texts are unknown.

    A document whose text is unknown or too short has the number 0 in ``texts``, and no hash.
    """
    if corpus.texts is None:
        return
    for text_number in corpus.texts[corpus.texts > 0].tolist():
        yield folder.sign(b"text", text_number.to_bytes(8))[:HASH_DIGITS]


def _hash_counts(corpus: Corpus, folder: Folder) -> Iterator[str]:
    """Yield a keyed hash of each document's words and counts, whatever the order of words.

    Documents of fewer than ``MIN_WORDS`` words, repeated ones included, are left out. Of each
    hash, the first ``HASH_DIGITS`` digits are kept.
    """
    count_matrix = corpus.counts
    lengths = corpus.lengths
    quoted_words = [json.dumps(word) for word in corpus.vocabulary]
    for document in range(corpus.n_documents):
        if lengths[document] < MIN_WORDS:
            continue
        cell_range = slice(count_matrix.indptr[document], count_matrix.indptr[document + 1])
        word_columns = count_matrix.indices[cell_range].tolist()
        word_counts = count_matrix.data[cell_range].tolist()
        written_counts = sorted(
            f"{quoted_words[word_column]}:{word_count}"
            for word_column, word_count in zip(word_columns, word_counts, strict=True)
        )
        yield folder.sign(b"document", " ".join(written_counts).encode())[:HASH_DIGITS]
