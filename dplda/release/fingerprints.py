"""Documents known by keyed hashes: a corpus that was charged to one dataset is not another one's.

A hash is of a document's text, where it was read from one: of letters and digits alone, so that the vocabulary, what a
word is, case, white space and punctuation do not matter. Another is of its words and how often each occurs, and is all
there is where only counts are known. A hash tells nothing to who lacks the folder's key. A document that differs in one
word has other hashes, but the rest of its corpus has not: it is the share of known documents that tells. Kept are the
smallest hashes of either kind, a sample that is the same for equal documents. Not recognised are documents that were
cut apart or put together otherwise, all of which were changed, or of which counts over another vocabulary are given.
"""

import json
from collections.abc import Iterator

from dplda.corpus import Corpus
from dplda.release.folder import Folder
from dplda.release.ledger import Ledger, LedgerEntry, LedgerError

FAMILIAR = 0.02  # share of either's documents from which on a corpus counts as another dataset's
SHORTEST = 3  # words; shorter documents are alike everywhere
KEPT = 4096  # hashes of a corpus: at the share above, some eighty of them are known
LETTERS = 16  # hexadecimal ones of a hash: no two of so few are alike by chance


def fingerprints(corpus: Corpus, folder: Folder) -> tuple[tuple[str, ...], ...]:
    """The smallest hashes of distinct documents, in order: of texts, where they are known, and of counts."""
    kinds = (_of_texts(corpus, folder), _of_counts(corpus, folder))
    return tuple(found for each in kinds if (found := tuple(sorted(set(each))[:KEPT])))


def familiar(found: tuple[str, ...], known: tuple[str, ...]) -> float:
    """About which share of a corpus' distinct documents is among another's; each of one kind of fingerprints."""
    ends = [hashes[-1] for hashes in (found, known) if len(hashes) == KEPT]
    seen = [one for one in found if not ends or one <= min(ends)]
    return len({*seen} & {*known}) / max(1, len(seen))


def note(corpus: Corpus, dataset: str, folder: Folder, ledger: Ledger) -> str:
    """Which documents are this dataset's from now on, unless they are another one's; a note even where none is new.

    Raises:
        LedgerError: they are.
    """
    noted, others = set(), []
    for entry in ledger.entries():
        if entry.kind == "documents" and entry.dataset == dataset:
            noted.update(_noted(entry))
        elif entry.kind == "documents":
            others += [(entry.dataset, known) for known in _noted(entry)]
    new = [each for each in fingerprints(corpus, folder) if each not in noted]
    for name, known in others:
        fix = ": release them under that name, or take them out."
        share = max((familiar(each, known) for each in new), default=0.0)
        if share >= FAMILIAR:
            raise LedgerError(f"About {share:.0%} of these documents belong to {name!r}{fix}")
        share = max((familiar(known, each) for each in new), default=0.0)
        if share >= FAMILIAR:
            raise LedgerError(f"About {share:.0%} of the documents of {name!r} are among these{fix}")
    return json.dumps(new)


def _noted(entry: LedgerEntry) -> list[tuple[str, ...]]:
    """Fingerprints of every kind in an entry; an older one holds those of one kind, without a list around them."""
    try:
        found = json.loads(entry.detail)
        return [tuple(found)] if found and isinstance(found[0], str) else [tuple(each) for each in found]
    except (ValueError, TypeError, KeyError):
        raise LedgerError(f"Entry {entry.number} of the ledger was changed: see dplda ledger verify.") from None


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
        said = " ".join(sorted(f"{words[i]}:{n}" for i, n in cells))  # whatever the order of the vocabulary
        yield folder.sign(b"document", said.encode())[:LETTERS]
