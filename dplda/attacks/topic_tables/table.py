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
        column_of_word = {word: column for column, word in enumerate(vocabulary)}
        shape = (len(self.topics), len(vocabulary))
        weights = np.zeros(shape)
        for word, word_weights in zip(self.words, self.topics.T, strict=True):
            column_as_read = column_of_word.get(spelling(word))
            column = column_of_word.get(word, column_as_read)
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
        requirement = f"{n_words:,}, one a column"
        raise InputError(f"the words of {name}", requirement, f"{len(words):,}")
    n_distinct = len(set(words))
    if n_distinct < len(words):
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
    table = _as_table(weights, name)
    is_weight = np.isfinite(table) & (table >= 0)
    if not is_weight.all():
        has_weights_only = is_weight.all(axis=1)
        first_topic = int(np.argmin(has_weights_only)) + 1
        requirement = "of finite numbers from 0"
        given_value = f"another one in topic {first_topic:,}"
        raise InputError(name, requirement, given_value, "Undo logarithms first.")
    largest_weights = np.max(table, axis=1, keepdims=True)
    if not np.all(largest_weights > 0):
        first_topic = int(np.argmin(largest_weights)) + 1
        requirement = "above 0 somewhere in every topic"
        raise InputError(name, requirement, f"none in topic {first_topic:,}")
    scaled_table = table / largest_weights  # so that no sum is infinite
    sums_of_topics = np.sum(scaled_table, axis=1, keepdims=True)
    return np.asarray(scaled_table / sums_of_topics)


def _as_table(weights: ArrayLike, name: str) -> Matrix:
    """Weights as a matrix of real numbers, of at least one topic and ``MIN_WORDS`` words.

    Raises:
        InputError: they are no numbers, complex, or of another shape.
    """
    advice = "Give one row per topic, and one column per word."
    try:
        array = np.empty(0) if isinstance(weights, range) else np.asarray(weights)
        if array.dtype.kind == "c":
            raise TypeError
        table = array.astype(np.float64)
    except (TypeError, ValueError, OverflowError):
        raise InputError(name, "a table of numbers", "something else", advice) from None
    has_words = table.ndim == 2 and table.shape[1] >= MIN_WORDS
    if not has_words or len(table) < 1:
        requirement = f"a table of at least one topic and {MIN_WORDS} words"
        raise InputError(name, requirement, f"the shape {table.shape}", advice)
    return table
