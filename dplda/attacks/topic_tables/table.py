"""A topic table of any model: weights of words, as distributions."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dplda.core.errors import InputError
from dplda.core.types import Matrix

MIN_WORDS = 2


@dataclass(frozen=True, slots=True, eq=False)
class TopicTable:
    """Topics over words, each a distribution.

    Attributes:
        topics: shape (k, d), rows on the simplex.
        words: the d words, each once.
    """

    topics: Matrix
    words: tuple[str, ...]

    def over(self, vocabulary: Sequence[str], spelling: Callable[[str], str]) -> Matrix:
        """The topics over other documents' words, shape (k, len(vocabulary)), rows on the simplex.

        Columns of words that are spelled alike are added. Words outside the vocabulary are left
        out.

        Args:
            vocabulary: words of the documents.
            spelling: spells a word of the table as documents are read.

        Raises:
            InputError: a topic has none of the words.
        """
        columns = {word: column for column, word in enumerate(vocabulary)}
        weights = np.zeros((len(self.topics), len(vocabulary)))
        for word, word_weights in zip(self.words, self.topics.T, strict=True):
            column = columns.get(word, columns.get(spelling(word)))
            if column is not None:
                weights[:, column] += word_weights
        return normalize_topics(weights, "the table over the words that documents are read with")


def make_topic_table(weights: ArrayLike, words: Sequence[str], name: str) -> TopicTable:
    """Make a table from weights of any scale.

    Args:
        weights: at least 0, one row per topic and one column per word.
        words: the words, in the order of the columns.
        name: how errors call the table.

    Raises:
        InputError: weights are no table of finite numbers from 0, a topic has none above 0, or
            words are too few, repeated, or not as many as columns.
    """
    topics = normalize_topics(weights, name)
    n_words = topics.shape[1]
    if len(words) != n_words:
        raise InputError(f"the words of {name}", f"{n_words:,}, one a column", f"{len(words):,}")
    if len(set(words)) < len(words):
        raise InputError(f"the words of {name}", "distinct", "a repetition")
    return TopicTable(topics, tuple(words))


def normalize_topics(weights: ArrayLike, name: str) -> Matrix:
    """Scale every topic to the sum 1.

    Args:
        weights: shape (k, d), at least 0; every row has one above 0.
        name: how errors call the table.

    Returns:
        Shape (k, d), rows on the simplex.

    Raises:
        InputError: the weights are not like that.
    """
    advice = "Give one row per topic, and one column per word."
    try:
        array = np.empty(0) if isinstance(weights, range) else np.asarray(weights)
        if array.dtype.kind == "c":
            raise TypeError
        table = array.astype(np.float64)
    except (TypeError, ValueError, OverflowError):
        raise InputError(name, "a table of numbers", "something else", advice) from None
    if table.ndim != 2 or table.shape[0] < 1 or table.shape[1] < MIN_WORDS:
        limit = f"a table of at least one topic and {MIN_WORDS} words"
        raise InputError(name, limit, f"the shape {table.shape}", advice)
    is_weight = np.isfinite(table) & (table >= 0)
    if not is_weight.all():
        topic = int(np.argmin(is_weight.all(axis=1))) + 1
        limit = "of finite numbers from 0"
        raise InputError(name, limit, f"another one in topic {topic:,}", "Undo logarithms first.")
    largest_weights = np.max(table, axis=1, keepdims=True)
    if not np.all(largest_weights > 0):
        topic = int(np.argmin(largest_weights)) + 1
        raise InputError(name, "above 0 somewhere in every topic", f"none in topic {topic:,}")
    scaled_table = table / largest_weights  # so that no sum is infinite
    return np.asarray(scaled_table / np.sum(scaled_table, axis=1, keepdims=True))
