"""Documents that one topic dominates, and the topic assigned to each of their words."""

from dataclasses import dataclass

import numpy as np

from dplda.core.errors import InputError
from dplda.core.types import Counts, Matrix, Vector
from dplda.evaluation.shares import shares

N_LOOKED_AT = 20_000  # only the first documents, to bound the time
ADDED_LENGTH = 20.0  # average words added to each document, so that one-word documents do not lead
UNIFORM_WEIGHT = 1e-9  # of the uniform distribution in every topic


@dataclass(frozen=True, slots=True)
class ExplainedWord:
    """A word of a document, with its most likely topic.

    Attributes:
        word: index in the vocabulary.
        times: number of times that the document has it.
        topic: row of its most likely topic; None if no topic has the word.
    """

    word: int
    times: int
    topic: int | None


@dataclass(frozen=True, slots=True, eq=False)
class TypicalDocument:
    """A document and its topics; exact, so for simulated and public corpora only.

    Attributes:
        document: its row in the counts.
        share: its share of the topic that was asked for, in [0, 1].
        words: its words, most frequent first, ties in the order of the vocabulary.
    """

    document: int
    share: float
    words: tuple[ExplainedWord, ...]


def find_typical_documents(
    counts: Counts, topics: Matrix, parts: Vector, *, topic: int, n_documents: int = 5
) -> tuple[TypicalDocument, ...]:
    """Find the documents with the largest share of a topic, among the first 20,000.

    They are ranked by the share of words that the topic accounts for, drawn toward its usual share
    in short documents; the share that is returned is the most likely one.

    Args:
        counts: shape (N, d).
        topics: shape (m, d), rows on the simplex.
        parts: shape (m,), share of each topic of all words, on the simplex.
        topic: row of the topic.
        n_documents: largest number of documents; those without a word of the topic are left out.

    Raises:
        InputError: there is no such row.
    """
    n_topics, d = topics.shape
    if not 0 <= topic < n_topics:
        raise InputError("topic", f"a row of the {n_topics} topics", f"{topic}")
    first_documents = counts[:N_LOOKED_AT]
    chance_of_word = _chances_of_topic(topics, parts, topic)
    n_topic_words: Vector = np.asarray(first_documents @ chance_of_word)
    lengths = np.asarray(first_documents.sum(axis=1), dtype=float)
    added_topic_words = ADDED_LENGTH * parts[topic]
    smoothed_shares = (n_topic_words + added_topic_words) / (lengths + ADDED_LENGTH)
    document_order = np.argsort(-smoothed_shares, kind="stable")
    leading_rows = document_order[:n_documents].tolist()
    rows = [row for row in leading_rows if n_topic_words[row] > 0]
    if not rows:
        return ()
    chosen_documents = first_documents[np.array(rows, dtype=np.intp)]
    positive_topics = (1 - UNIFORM_WEIGHT) * topics + UNIFORM_WEIGHT / d
    positive_parts = np.maximum(parts, UNIFORM_WEIGHT)
    theta = shares(chosen_documents, positive_topics, positive_parts)
    typical_documents = []
    for position, row in enumerate(rows):
        words = _explain_words(chosen_documents[[position]], theta[position], topics)
        share = float(theta[position, topic])
        typical_documents.append(TypicalDocument(document=row, share=share, words=words))
    return tuple(typical_documents)


def _chances_of_topic(topics: Matrix, parts: Vector, topic: int) -> Vector:
    """Probability of each word's token to come from a topic, shape (d,); 0 for unknown words.

    Args:
        topics: shape (m, d), rows on the simplex.
        parts: shape (m,), share of each topic of all words.
        topic: row of the topic.
    """
    word_weights_by_topic = parts[:, None] * topics
    word_totals = np.sum(word_weights_by_topic, axis=0)
    zeros = np.zeros_like(word_totals)
    topic_weights = word_weights_by_topic[topic]
    chances: Vector = np.divide(topic_weights, word_totals, out=zeros, where=word_totals > 0)
    return chances


def _explain_words(document: Counts, theta: Vector, topics: Matrix) -> tuple[ExplainedWord, ...]:
    """Assign each word of a document to its most likely topic, or to none if no topic has it.

    The words that the document repeats most come first.

    Args:
        document: shape (1, d).
        theta: its topic shares, shape (m,).
        topics: shape (m, d).
    """
    entry_order = np.argsort(-document.data, kind="stable")
    words = document.indices[entry_order].tolist()
    n_times_of_words = document.data[entry_order].tolist()
    explained = []
    for word, n_times in zip(words, n_times_of_words, strict=True):
        topic_weights = theta * topics[:, word]
        likely_topic = None
        if np.any(topic_weights > 0):
            likely_topic = int(np.argmax(topic_weights))
        explained.append(ExplainedWord(word, n_times, likely_topic))
    return tuple(explained)
