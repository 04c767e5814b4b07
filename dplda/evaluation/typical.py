"""Documents that one topic dominates, and the topic assigned to each of their words."""

from dataclasses import dataclass

import numpy as np

from dplda.core.errors import InputError
from dplda.core.types import Counts, Matrix, Vector
from dplda.evaluation.shares import shares

LOOKED_AT = 20_000  # the first documents only, to bound the time
STEADY = 20.0  # words of an average document added to each, so that one-word documents do not lead
FLOOR = (
    1e-9  # weight of the uniform distribution in every topic; words outside all topics get no topic
)


@dataclass(frozen=True, slots=True)
class ExplainedWord:
    """A word of a document; ``topic`` is the row of its most likely topic, None where no topic has the word."""

    word: int
    times: int
    topic: int | None


@dataclass(frozen=True, slots=True, eq=False)
class Typical:
    """A document and its topics; exact, so for simulated and public corpora only.

    Attributes:
        share: share of the topic asked for, in [0, 1].
        words: most frequent first, ties in the order of the vocabulary.
    """

    document: int
    share: float
    words: tuple[ExplainedWord, ...]


def typical(
    counts: Counts, topics: Matrix, parts: Vector, *, topic: int, n_documents: int = 5
) -> tuple[Typical, ...]:
    """The documents with the largest share of a topic, among the first 20,000.

    Args:
        topics: shape (m, d), rows on the simplex.
        parts: shape (m,), share of each topic of all words, on the simplex.
        n_documents: maximum number of documents; those without a word of the topic are left out.
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
    mixed = shares(chosen, known, np.maximum(parts, FLOOR))
    return tuple(
        Typical(int(index), float(mixed[i, topic]), _words(chosen[[i]], mixed[i], topics))
        for i, index in enumerate(best)
    )


def _words(document: Counts, mixed: Vector, topics: Matrix) -> tuple[ExplainedWord, ...]:
    order = np.argsort(-document.data, kind="stable")
    told = []
    for word, times in zip(
        document.indices[order].tolist(), document.data[order].tolist(), strict=True
    ):
        likely = mixed * topics[:, word]
        told.append(
            ExplainedWord(word, times, int(np.argmax(likely)) if np.any(likely > 0) else None)
        )
    return tuple(told)
