"""Use of a table of public knowledge in a run, and words that the documents moved away from it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dplda.core.types import Matrix, Vector
from dplda.evaluation.relevance import relevance

MIN_SCORE = 1e-9  # nats; less is rounding
RAISED_RATIO = 1.1  # of a raised word's ratio to the median one


@dataclass(frozen=True, slots=True)
class PriorUse:
    """Use of a table of public knowledge in a run.

    Attributes:
        name: name of the table.
        digest: SHA-256 of the table, in hexadecimal.
        asked: whether the documents tested the table; False if noise would have decided, and for a
            trusted table.
        used: whether topics lean on it.
        stepped: whether steps moved topics away from it; False if their noise would be too large.
        advantage: gain of a document by the table over its gain by the same table with shuffled
            words, in nats and with noise; NaN if not tested, or if unknown.
    """

    name: str
    digest: str
    asked: bool
    used: bool
    stepped: bool
    advantage: float = np.nan

    def in_words(self) -> str:
        """Describe the use in one to three sentences: not used and why, or used and why.

        If no step moved topics away from the table, a warning follows.
        """
        if not self.used:
            reason_clause = "with so few documents at this ε, noise would decide that."
            if self.asked:
                reason_clause = "it did not clearly help with these documents."
            return f"The table “{self.name}” is not used: {reason_clause}"
        support_clause = "its owner trusts it, so their errors are unknown."
        if self.asked:
            support_clause = "the documents support it."
        first_sentence = (
            f"These topics lean on public knowledge (table “{self.name}”): {support_clause}"
        )
        if self.stepped:
            return first_sentence
        return (
            f"{first_sentence} The noise is too large for the documents to change them. Leading"
            " words may fit together less well than without the table."
        )


def prior_word_scores(prior_topics: Matrix, mean_words: Vector) -> Matrix:
    """Scores of the words that a table raises in each topic more than most words.

    Args:
        prior_topics: topics of the table, shape (k, d).
        mean_words: word frequencies, shape (d,).

    Returns:
        Shape (k, d); −∞ for words that are not raised by a tenth more than the median word.
    """
    ratios = prior_topics / mean_words
    median_ratios = np.median(ratios, axis=1, keepdims=True)
    is_raised = ratios > RAISED_RATIO * median_ratios
    scores = relevance(prior_topics, mean_words)
    return np.where(is_raised, scores, -np.inf)


def document_word_scores(topics: Matrix, prior_topics: Matrix) -> Matrix:
    """Scores of words by the documents' rise of their probability above the table's, in nats.

    Args:
        topics: topics of the run, shape (k, d).
        prior_topics: topics of the table, shape (k, d).

    Returns:
        Shape (k, d); −∞ for words that did not rise.
    """
    smallest_positive = np.finfo(float).tiny
    positive_topics = np.maximum(topics, smallest_positive)
    positive_prior = np.maximum(prior_topics, smallest_positive)
    log_ratio = np.log(positive_topics / positive_prior)
    scores: Matrix = topics * log_ratio
    return np.where(scores > MIN_SCORE, scores, -np.inf)


def unsupported_words(lower: Vector | None, mean_words: Vector) -> NDArray[np.bool_]:
    """Whether a topic has each word only as public knowledge has it, shape (d,).

    It has if the documents support no more than the word's frequency.

    Args:
        lower: lower ends of the words' intervals in the topic, shape (d,); None if unknown, for
            which all words count as unsupported.
        mean_words: word frequencies, shape (d,).
    """
    if lower is None:
        return np.full(len(mean_words), True)
    return lower <= mean_words
