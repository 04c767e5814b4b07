"""Documents that one topic says most of, and the topic that each of their words is laid to."""

from dataclasses import dataclass

import numpy as np

from dplda.core.errors import InputError
from dplda.core.types import Counts, Matrix, Vector
from dplda.evaluation.shares import shares

LOOKED_AT = 20_000  # documents, the first ones, so that the time is bounded
STEADY = 20.0  # words of an average document added to each, so that a document of one word does not lead
FLOOR = 1e-9  # of the uniform distribution in every topic: a word that no topic has is laid to none


@dataclass(frozen=True, slots=True)
class ExplainedWord:
    """A word of a document.

    Attributes:
        topic: row of the topic that most likely said it; None where no topic has the word.
    """

    word: int
    times: int
    topic: int | None


@dataclass(frozen=True, slots=True, eq=False)
class Typical:
    """A document, and what it is made of. Exact: for simulated and public corpora only.

    Attributes:
        share: of the topic asked for, in [0, 1].
        words: most frequent first, those of equal number in the order of the vocabulary.
    """

    document: int
    share: float
    words: tuple[ExplainedWord, ...]


def typical(counts: Counts, topics: Matrix, parts: Vector, *, topic: int, n_documents: int = 5) -> tuple[Typical, ...]:
    """The documents of which a topic has the largest part, among the first 20,000.

    Args:
        counts: shape (N, d).
        topics: shape (m, d), rows on the simplex.
        parts: shape (m,), share of each topic of all words, on the simplex.
        n_documents: how many, at least 1; fewer where fewer have a word of the topic.
    """
    if not 0 <= topic < len(topics):
        raise InputError("topic", f"a row of the {len(topics)} topics", f"{topic}")
    looked_at = counts[:LOOKED_AT]
    weighed = parts[:, None] * topics
    total = np.sum(weighed, axis=0)
    told = np.divide(weighed[topic], total, out=np.zeros_like(total), where=total > 0)
    lengths = np.asarray(looked_at.sum(axis=1), dtype=float)
    said = looked_at @ told
    order = np.argsort(-(said + STEADY * parts[topic]) / (lengths + STEADY), kind="stable")
    best = np.array([index for index in order[:n_documents] if said[index] > 0], dtype=np.intp)
    if not best.size:
        return ()
    chosen = looked_at[best]
    known = (1 - FLOOR) * topics + FLOOR / topics.shape[1]
    mixed = shares(chosen, known, np.maximum(parts, FLOOR)).values
    return tuple(
        Typical(int(index), float(mixed[i, topic]), _words(chosen[[i]], mixed[i], topics))
        for i, index in enumerate(best)
    )


def _words(document: Counts, mixed: Vector, topics: Matrix) -> tuple[ExplainedWord, ...]:
    order = np.argsort(-document.data, kind="stable")
    told = []
    for word, times in zip(document.indices[order].tolist(), document.data[order].tolist(), strict=True):
        likely = mixed * topics[:, word]
        told.append(ExplainedWord(word, times, int(np.argmax(likely)) if np.any(likely > 0) else None))
    return tuple(told)
