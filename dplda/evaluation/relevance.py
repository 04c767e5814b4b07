"""Words that distinguish a topic, sizes of topics, and their names."""

from collections.abc import Sequence

import numpy as np
from scipy.optimize import nnls

from dplda.core import checks
from dplda.core.errors import InputError
from dplda.core.types import Matrix, Vector
from dplda.corpus.words.vocabulary import strip_controls

BALANCED = 0.6  # Sievert and Shirley's λ, at which their 29 readers identified topics best
NAMED_BY = 3  # words in a name
LONGEST_NAME = 60  # characters


def word_shares(words: Matrix, mean_words: Vector) -> Vector:
    r"""Share of all words that each topic has, from topics and the mean word distribution.

    Non-negative least squares of :math:`E_1 = \sum_i s_i μ_i`, scaled to sum to one; equal shares where all topics
    are the same.

    Returns:
        Shape (k,), on the simplex; the same numbers as the Dirichlet parameters of the spectral method over ``α0``.
    """
    k = len(words)
    if k == 0 or not np.any(np.ptp(words, axis=0)):
        return np.full(k, 1 / max(k, 1))
    found = nnls(words.T, mean_words)[0]
    total = float(np.sum(found))
    return found / total if total > 0 else np.full(k, 1 / k)


def relevance(words: Matrix, mean_words: Vector, weight: float = BALANCED) -> Matrix:
    r"""Relevance of each word to each topic, :math:`λ \log p(w|t) + (1-λ) \log \frac{p(w|t)}{p(w)}`.

    Args:
        mean_words: shape (d,), ``p(w)``, raised to a topic's share times its probability where that is larger,
            because a released frequency may be 0 where a topic is not.
        weight: ``λ`` in [0, 1]: 1 ranks by probability, 0 by lift over the mean.

    Returns:
        Shape (k, d); minus infinity for words that a topic does not have.

    Source:
        Sievert and Shirley (2014), "LDAvis: a method for visualizing and interpreting topics", equation 1.
    """
    checks.between("λ", weight, 0, 1, open_ends=False)
    least = (
        np.max(word_shares(words, mean_words)[:, None] * words, axis=0)
        if len(words)
        else mean_words
    )
    frequencies = np.maximum(mean_words, least)
    frequencies = np.where(
        frequencies > 0, frequencies, 1.0
    )  # of a word that no topic with a share has
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(words) - (1 - weight) * np.log(frequencies))


def leading(scores: Vector, n_words: int) -> list[int]:
    """Indices of the largest finite scores, largest first; ties keep their order."""
    order = np.argsort(-scores, kind="stable")[:n_words]
    return [int(index) for index in order if np.isfinite(scores[index])]


def most_probable(words: Vector, n_words: int) -> list[int]:
    """Indices of a topic's most probable words, most probable first, without zeros."""
    return leading(np.where(words > 0, words, -np.inf), n_words)


def default_names(words: Matrix, mean_words: Vector, vocabulary: Sequence[str]) -> tuple[str, ...]:
    """Default names of topics: their three most relevant words."""
    scores = relevance(words, mean_words)
    return tuple(", ".join(vocabulary[index] for index in leading(row, NAMED_BY)) for row in scores)


def in_common(first: Vector, second: Vector, n_words: int) -> int:
    """How many of the most probable words of two topics agree."""
    return len(set(most_probable(first, n_words)) & set(most_probable(second, n_words)))


def named(name: object) -> str | None:
    """A name on one line, without control characters, or None if empty."""
    if name is not None and not isinstance(name, str):
        raise InputError("name of a topic", "a text", f"a value of type {type(name).__name__}")
    kept = " ".join(strip_controls(name or "").text.split())
    if len(kept) > LONGEST_NAME:
        raise InputError(
            "name of a topic", f"at most {LONGEST_NAME} characters long", f"{len(kept)}"
        )
    return kept or None
