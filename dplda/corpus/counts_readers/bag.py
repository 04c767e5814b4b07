"""A file of counts to a vocabulary: the same choice of words as for text, made on columns."""

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array

from dplda.core import formatting
from dplda.core.errors import CorpusError
from dplda.core.types import Counts
from dplda.corpus.counts import WordCounts, canonical_counts
from dplda.corpus.counts_readers.uci import Entries
from dplda.corpus.read_summary import Intake
from dplda.corpus.readers.counting import LEAST_WORDS, Counted
from dplda.corpus.words.tokenisation import Tokenisation
from dplda.corpus.words.vocabulary import most_frequent

Columns = NDArray[np.intp]


def counted(
    name: str,
    entries: Entries,
    listed: list[str],
    tokenisation: Tokenisation,
    *,
    fixed: tuple[str, ...] | None,
    n_words: int,
    longest: int,
) -> Counted:
    """Choose words and count them.

    A column is a word where its name is one as text is read: 3 to 40 letters, no digits; columns whose names differ
    in case only are added up. A bag keeps no order, so a document longer than ``longest`` is thinned to as many words,
    evenly over its counts.

    Args:
        entries: counts over all ``D`` columns.
        listed: the ``D`` names.
        fixed: a vocabulary; None takes the words of most documents, English stop words left out.
        longest: ``L_max``, words of a document that are counted, stop words included.

    Raises:
        CorpusError: not one word of the vocabulary occurs.
    """
    names = [it.lower() for it in listed] if tokenisation.lowercase else listed
    is_word = np.array([tokenisation.is_word(it) for it in names], dtype=np.bool_)
    left_out = tokenisation.left_out()
    met = entries.counts[:, np.flatnonzero(is_word)]
    spoken = [names[column] for column in np.flatnonzero(is_word)]
    cut, n_truncated = _thinned(met, longest)
    candidates = fixed or tuple(dict.fromkeys(word for word in spoken if word.lower() not in left_out))
    place = {word: position for position, word in enumerate(candidates)}
    merged = _merged(cut, np.array([place.get(word, -1) for word in spoken], dtype=np.intp), len(candidates))
    frequency = np.bincount(merged.indices, minlength=len(candidates)).astype(np.int64)
    if not frequency.any():
        what = "word of the vocabulary" if fixed else "word of 3 or more letters but stop words"
        raise CorpusError(
            f"Nothing is left of the {formatting.counted(merged.shape[0], 'document')} in {name}: they hold no {what}",
            "Check that the word list belongs to these counts, and its language.",
        )
    table = WordCounts(merged, candidates)
    if fixed is None:
        chosen = most_frequent(frequency, candidates, n_words)
        table = WordCounts(canonical_counts(merged[:, chosen]), tuple(candidates[column] for column in chosen))
    lengths = table.counts.sum(axis=1, dtype=np.int64)
    return Counted(
        table,
        Intake(
            n_read=int(merged.shape[0]),
            n_short=int((lengths < LEAST_WORDS).sum()),
            n_truncated=n_truncated,
            n_duplicates=_duplicates(entries.counts),
            n_control_removed=0,
            n_tokens=int(cut.sum(dtype=np.int64)),
            n_tokens_kept=int(lengths.sum()),
            n_stopped=_stopped(cut, spoken, left_out, place),
            n_words_met=int((frequency > 0).sum()),
            n_repeated_entries=entries.n_repeated,
        ),
    )


def _stopped(counts: Counts, names: list[str], left_out: frozenset[str], place: dict[str, int]) -> int:
    """Occurrences of stop words, but for those of the vocabulary."""
    stopped = [column for column, word in enumerate(names) if word.lower() in left_out and word not in place]
    return int(counts[:, stopped].sum(dtype=np.int64))


def _thinned(counts: Counts, longest: int) -> tuple[Counts, int]:
    """Documents thinned to ``longest`` words, one in so many of them in a row, and how many documents that were.

    Every count keeps its share of the document, up to one word; no column is favoured by where it stands.
    """
    lengths = counts.sum(axis=1, dtype=np.int64)
    long = lengths > longest
    if not long.any():
        return counts, 0
    row = np.repeat(np.arange(counts.shape[0]), np.diff(counts.indptr))
    upto = np.concatenate([[0], np.cumsum(counts.data, dtype=np.int64)])
    before = upto[counts.indptr[row]]
    room = np.minimum(lengths, longest)[row]
    length = np.maximum(lengths, 1)[row]
    thin = counts.copy()
    thin.data = ((upto[1:] - before) * room // length - (upto[:-1] - before) * room // length).astype(np.int32)
    return canonical_counts(thin), int(long.sum())


def _merged(counts: Counts, place: Columns, n_candidates: int) -> Counts:
    """Columns moved to their places and added up; those without one are left out."""
    rows = np.repeat(np.arange(counts.shape[0]), np.diff(counts.indptr))
    columns = place[counts.indices]
    kept = columns >= 0
    shape = (counts.shape[0], max(n_candidates, 1))
    return canonical_counts(coo_array((counts.data[kept], (rows[kept], columns[kept])), shape=shape))


def _duplicates(counts: Counts) -> int:
    """Documents, not empty, whose counts repeat those of an earlier one."""
    seen: set[int] = set()  # hashes: 64 bits a document
    n_documents = 0
    for start, end in zip(counts.indptr[:-1].tolist(), counts.indptr[1:].tolist(), strict=True):
        if end > start:
            n_documents += 1
            seen.add(hash((counts.indices[start:end].tobytes(), counts.data[start:end].tobytes())))
    return n_documents - len(seen)
