"""A file of counts to a vocabulary: the same choice of words as for text, made on columns."""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array

from dplda.core.types import Counts
from dplda.corpus.counts import canonical_counts
from dplda.corpus.counts_readers.matrices import Entries
from dplda.corpus.read_summary import Intake
from dplda.corpus.readers.counting import LEAST_WORDS, Counted, nothing_left
from dplda.corpus.words.tokenisation import Tokenisation
from dplda.corpus.words.vocabulary import most_frequent

Places: TypeAlias = NDArray[np.intp]


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
    """
    names = [it.lower() for it in listed] if tokenisation.lowercase else listed
    are_words = [column for column, it in enumerate(names) if tokenisation.is_word(it)]
    spoken, left_out = [names[column] for column in are_words], tokenisation.left_out()
    cut, n_truncated = _thinned(entries.counts[:, are_words], longest)
    candidates = fixed or tuple(dict.fromkeys(word for word in spoken if word.lower() not in left_out))
    place = {word: position for position, word in enumerate(candidates)}
    counts = _merged(cut, np.array([place.get(word, -1) for word in spoken], dtype=np.intp), len(candidates))
    frequency = np.bincount(counts.indices, minlength=len(candidates)).astype(np.int64)
    if not frequency.any():
        raise nothing_left(name, counts.shape[0], tokenisation, fixed=fixed is not None)
    if fixed is None:
        chosen = most_frequent(frequency, candidates, n_words)
        counts, candidates = canonical_counts(counts[:, chosen]), tuple(candidates[column] for column in chosen)
    lengths = counts.sum(axis=1, dtype=np.int64)
    stopped = [column for column, word in enumerate(spoken) if word.lower() in left_out and word not in place]
    intake = Intake(
        n_read=int(counts.shape[0]),
        n_short=int((lengths < LEAST_WORDS).sum()),
        n_truncated=n_truncated,
        n_duplicates=_duplicates(entries.counts),
        n_control_removed=0,
        n_tokens=int(cut.sum(dtype=np.int64)),
        n_tokens_kept=int(lengths.sum()),
        n_stopped=int(cut[:, stopped].sum(dtype=np.int64)),
        n_words_met=int((frequency > 0).sum()),
        n_repeated_entries=entries.n_repeated,
    )
    return Counted(candidates, counts, intake)


def _thinned(counts: Counts, longest: int) -> tuple[Counts, int]:
    """Documents thinned to ``longest`` words, one in so many of them in a row, and how many documents that were.

    Every count keeps its share of the document, up to one word; no column is favoured by where it stands.
    """
    lengths = counts.sum(axis=1, dtype=np.int64)
    n_long = int((lengths > longest).sum())
    if not n_long:
        return counts, 0
    row = np.repeat(np.arange(counts.shape[0]), np.diff(counts.indptr))
    upto = np.concatenate([[0], np.cumsum(counts.data, dtype=np.int64)])
    before = upto[counts.indptr[row]]
    room, length = np.minimum(lengths, longest)[row], lengths[row]
    thin = counts.copy()
    thin.data = ((upto[1:] - before) * room // length - (upto[:-1] - before) * room // length).astype(np.int32)
    return canonical_counts(thin), n_long


def _merged(counts: Counts, place: Places, n_candidates: int) -> Counts:
    """Columns moved to their places and added up; those without one are left out."""
    rows = np.repeat(np.arange(counts.shape[0]), np.diff(counts.indptr))
    columns = place[counts.indices]
    kept = columns >= 0
    shape = (counts.shape[0], max(n_candidates, 1))
    return canonical_counts(coo_array((counts.data[kept], (rows[kept], columns[kept])), shape=shape))


def _duplicates(counts: Counts) -> int:
    """Documents, not empty, whose counts repeat those of an earlier one."""
    hashes = [  # 64 bits a document
        hash((counts.indices[start:end].tobytes(), counts.data[start:end].tobytes()))
        for start, end in zip(counts.indptr[:-1].tolist(), counts.indptr[1:].tolist(), strict=True)
        if end > start
    ]
    return len(hashes) - len(set(hashes))
