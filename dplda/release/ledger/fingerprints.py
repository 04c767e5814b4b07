"""Keyed hashes of documents, so that documents charged to one dataset cannot be released as another.

One hash covers a document's letters and digits, whatever the vocabulary, case or punctuation; another covers its words
and their counts. Without the folder's key a hash reveals nothing. The share of known documents decides, so changing one
document does not help. The ledger keeps the smallest hashes of each kind, the same sample for equal documents. It does
not recognize documents that were split or joined differently, all changed, or counted over another vocabulary.
"""

import json
from collections.abc import Iterator

from dplda.corpus import Corpus
from dplda.corpus.words.reading import FIRST_READING, READING
from dplda.release.ledger.folder import Folder
from dplda.release.ledger.ledger import PERSON, Ledger, LedgerEntry, LedgerError, noted_in

FAMILIAR = 0.02  # share of either's documents from which a corpus belongs to the other dataset
SHORTEST = 3  # words; shorter documents occur everywhere
KEPT = 4096  # hashes of a corpus; at the share above, about eighty are known
LETTERS = 16  # hexadecimal digits of a hash, enough to avoid chance matches


def fingerprints(corpus: Corpus, folder: Folder) -> tuple[tuple[str, ...], ...]:
    """The smallest hashes of distinct documents, sorted: of texts, if known, and of counts."""
    kinds = (_of_texts(corpus, folder), _of_counts(corpus, folder))
    return tuple(found for each in kinds if (found := tuple(sorted(set(each))[:KEPT])))


def overlap(found: tuple[str, ...], known: tuple[str, ...]) -> float:
    """An estimate of the share of a corpus' distinct documents that another holds, from one kind of hash."""
    ends = [hashes[-1] for hashes in (found, known) if len(hashes) == KEPT]
    seen = [one for one in found if not ends or one <= min(ends)]
    return len({*seen} & {*known}) / max(1, len(seen))


def note_documents(corpus: Corpus, dataset: str, folder: Folder, ledger: Ledger) -> str:
    """A note for the ledger of the documents that belong to this dataset from now on.

    Documents are looked for as they are read now and, in a ledger of earlier versions, as those read them too.

    Raises:
        LedgerError: they belong to another dataset.
    """
    held = [
        (one.dataset, known)
        for one in ledger.entries()
        if one.kind == "documents"
        for known in _noted(one)
    ]
    new = [each for each in fingerprints(corpus, folder) if (dataset, each) not in held]
    sought = new
    if new and corpus.former is not None and holds_former_readings(ledger):
        sought = [*new, *fingerprints(corpus.former, folder)]
    for name, known in (one for one in held if one[0] != dataset):
        unit = ledger.protects(name)
        how = " (read the file with its column of persons)" if unit == PERSON else ""
        fix = f". Release them under that name, which protects each {unit}{how}, or remove them."
        share = max((overlap(each, known) for each in sought), default=0.0)
        if share >= FAMILIAR:
            raise LedgerError(f"About {share:.0%} of these documents belong to {name!r}{fix}")
        share = max((overlap(known, each) for each in sought), default=0.0)
        if share >= FAMILIAR:
            raise LedgerError(
                f"About {share:.0%} of the documents of {name!r} are among these{fix}"
            )
    return json.dumps(new)


def find_owner(corpus: Corpus, folder: Folder, ledger: Ledger) -> str | None:
    """The dataset that these texts belong to, no matter which words are counted; None if none, or texts are unknown."""
    readings = corpus.readings if holds_former_readings(ledger) else (corpus,)
    sought = [tuple(sorted(set(_of_texts(one, folder)))[:KEPT]) for one in readings]
    for entry in ledger.entries():
        known_kinds = _noted(entry) if entry.kind == "documents" else []
        shares = (overlap(found, known) for found in sought for known in known_kinds)
        if max(shares, default=0.0) >= FAMILIAR:
            return entry.dataset
    return None


def holds_former_readings(ledger: Ledger, dataset: str | None = None) -> bool:
    """Whether documents were charged as an earlier version read them: only then it matters how that was.

    Args:
        dataset: the only one to look at; None for all.
    """
    entries = ledger.entries(dataset)
    return any(entry.kind == "charged" and _reading_of(entry) < READING for entry in entries)


def _reading_of(entry: LedgerEntry) -> int:
    version = noted_in(entry).get("reading", FIRST_READING)
    return version if isinstance(version, int) else FIRST_READING


def _noted(entry: LedgerEntry) -> list[tuple[str, ...]]:
    """Hashes of each kind in an entry; an older entry holds one kind, without a list around it."""
    try:
        found = json.loads(entry.detail)
        return (
            [tuple(found)]
            if found and isinstance(found[0], str)
            else [tuple(each) for each in found]
        )
    except (ValueError, TypeError, KeyError):
        raise LedgerError(
            f"Entry {entry.number} of the ledger was changed. Run dplda ledger verify."
        ) from None


def _of_texts(corpus: Corpus, folder: Folder) -> Iterator[str]:
    if corpus.texts is not None:
        for number in corpus.texts[corpus.texts > 0].tolist():
            yield folder.sign(b"text", number.to_bytes(8))[:LETTERS]


def _of_counts(corpus: Corpus, folder: Folder) -> Iterator[str]:
    counts, words = corpus.counts, [json.dumps(word) for word in corpus.vocabulary]
    lengths = corpus.lengths
    for row in range(corpus.n_documents):
        if lengths[row] < SHORTEST:
            continue
        mine = slice(counts.indptr[row], counts.indptr[row + 1])
        cells = zip(counts.indices[mine].tolist(), counts.data[mine].tolist(), strict=True)
        said = " ".join(
            sorted(f"{words[i]}:{n}" for i, n in cells)
        )  # in any order of the vocabulary
        yield folder.sign(b"document", said.encode())[:LETTERS]
