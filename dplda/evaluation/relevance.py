"""Words that describe topics, chosen by one rule for every page, file and prompt; names and sizes.

Topics with much evidence are described by words that are likely in them and rare elsewhere, those
with little by their most likely words: noise makes rare words look special. Words that lead
several topics describe none of them, and stand once, above all.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import nnls

from dplda.core import checks
from dplda.core.errors import InputError
from dplda.core.types import Matrix, Vector
from dplda.corpus.words.vocabulary import strip_controls
from dplda.evaluation.evidence import ReleasedEvidence

DESCRIPTIVE_WEIGHT = 0.3
"""Sievert and Shirley's λ of topics with evidence. Words chosen by it occur together in more of the
documents than by their .6 (``python -m benchmarks held-out``)."""

LITTLE_GAIN, MUCH_GAIN = 0.04, 0.12
"""Gains in nats a word, at the lower end of their interval, of little and of much evidence: below
the first no weight finds words that occur together more often than the most likely ones do."""

N_LEADING_WORDS = 10  # by which topics are compared, however many are shown
MIN_TOPICS_OF_SHARED_WORD = 3
MAX_SHARED_WORDS = 20  # more are left where they are, as topics that are nearly alike have

NAMED_BY = 3  # words in a name
LONGEST_NAME = 60  # characters


@dataclass(frozen=True, slots=True)
class SharedWord:
    """A word that leads several topics.

    Attributes:
        word: its index in the vocabulary.
        n_topics: how many topics it leads.
    """

    word: int
    n_topics: int


@dataclass(frozen=True, slots=True, eq=False)
class TopicWords:
    """The words that describe topics, as every page, report, file and prompt shows them.

    Attributes:
        scores: shape (k, d); the words of the largest scores describe a topic, the largest first.
            Minus infinity for words that a topic does not have, or that are shown above all.
        shared_words: words shown once, above the topics, those of most topics first.
        n_compared: number of topics that were compared to find these: those with evidence, or all
            where none is known.
    """

    scores: Matrix
    shared_words: tuple[SharedWord, ...]
    n_compared: int

    def of_topic(self, topic: int, n_words: int) -> list[int]:
        """Indices of the words that describe a topic, the best first."""
        return leading(self.scores[topic], n_words)

    def describe_shared_words(
        self, vocabulary: Sequence[str], show: Callable[[str], str] = str
    ) -> str:
        """The words that lead several topics, and how many, as a line; empty if there are none.

        Args:
            vocabulary: the d words.
            show: makes a word as it may be shown: shortened, say, or escaped.
        """
        if not self.shared_words:
            return ""
        kind = "topics with evidence" if self.n_compared < len(self.scores) else "topics"
        numbers = {shared.n_topics for shared in self.shared_words}
        words = [show(vocabulary[shared.word]) for shared in self.shared_words]
        if len(numbers) > 1:
            words = [
                f"{word} ({shared.n_topics})"
                for word, shared in zip(words, self.shared_words, strict=True)
            ]
            where = f"{MIN_TOPICS_OF_SHARED_WORD} or more of {self.n_compared} {kind}"
        elif numbers == {self.n_compared}:
            where = f"all {self.n_compared} {kind}"
        else:
            where = f"{numbers.pop()} of {self.n_compared} {kind}"
        return f"In {where}: {', '.join(words)}"


def choose_words(
    words: Matrix, mean_words: Vector, evidence: ReleasedEvidence | None = None
) -> TopicWords:
    """Choose the words that describe each topic, and those that are shown above all topics.

    Args:
        words: shape (k, d), topics, rows on the simplex.
        mean_words: shape (d,), word frequencies of all documents.
        evidence: released evidence of these topics; None where unknown, for topics without noise,
            say.
    """
    scores = relevance(words, mean_words, weight_of(evidence))
    is_compared = np.full(len(words), True)
    if evidence is not None:
        is_compared = np.array(evidence.is_above_noise, dtype=bool)
    compared_topics = np.flatnonzero(is_compared).tolist()
    shared_words = _move_shared_words(scores, compared_topics)
    return TopicWords(scores, shared_words, len(compared_topics))


def weight_of(evidence: ReleasedEvidence | None) -> float:
    """λ by which words are chosen, from the gain a word that the evidence surely tells.

    By probability alone where that is at most ``LITTLE_GAIN``; falling to ``DESCRIPTIVE_WEIGHT`` at
    ``MUCH_GAIN`` and above, and for topics whose evidence is unknown, such as those without noise.
    """
    if evidence is None:
        return DESCRIPTIVE_WEIGHT
    lowest_gain, _ = evidence.interval()
    step = min(1.0, max(0.0, (lowest_gain - LITTLE_GAIN) / (MUCH_GAIN - LITTLE_GAIN)))
    return 1 - (1 - DESCRIPTIVE_WEIGHT) * step


def _move_shared_words(scores: Matrix, compared_topics: Sequence[int]) -> tuple[SharedWord, ...]:
    """Take words that lead several topics out of their scores, until there are none or too many.

    Topics that are all alike keep their words, and every topic enough for a name.

    Args:
        scores: shape (k, d), changed in place.
        compared_topics: rows that are compared.

    Returns:
        The words, those of most topics first.
    """
    compared = scores[list(compared_topics)]
    if np.array_equal(compared[1:], compared[:-1]):
        return ()
    n_leading = max(1, min(N_LEADING_WORDS, compared.shape[1] // len(compared)))
    moved: list[SharedWord] = []
    while len(moved) < MAX_SHARED_WORDS:
        shared = _shared_words(compared, n_leading)[: MAX_SHARED_WORDS - len(moved)]
        if not shared:
            break
        moved += shared
        compared[:, [word.word for word in shared]] = -np.inf
    scores[list(compared_topics)] = compared
    return tuple(sorted(moved, key=lambda word: -word.n_topics))


def _shared_words(scores: Matrix, n_leading: int) -> list[SharedWord]:
    """Words that lead several topics, but for those that a topic with few words needs for a name.

    Args:
        scores: shape (k, d).
        n_leading: number of words that lead a topic.
    """
    leads = Counter(word for row in scores for word in leading(row, n_leading))
    n_left: int = np.min(np.sum(np.isfinite(scores), axis=1)) - NAMED_BY
    return [
        SharedWord(word, n_topics)
        for word, n_topics in leads.most_common(max(0, n_left))
        if n_topics >= MIN_TOPICS_OF_SHARED_WORD
    ]


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


def relevance(
    words: Matrix, mean_words: Vector, weights: float | Vector = DESCRIPTIVE_WEIGHT
) -> Matrix:
    r"""Relevance of each word to each topic, :math:`λ \log p(w|t) + (1-λ) \log \frac{p(w|t)}{p(w)}`.

    Args:
        mean_words: shape (d,), ``p(w)``, raised to a topic's share times its probability where that is larger,
            because a released frequency may be 0 where a topic is not.
        weights: ``λ`` in [0, 1], one for all topics or one for each, shape (k,): 1 ranks by
            probability, 0 by lift over the mean.

    Returns:
        Shape (k, d); minus infinity for words that a topic does not have.

    Source:
        Sievert and Shirley (2014), "LDAvis: a method for visualizing and interpreting topics", equation 1.
    """
    weight_by_topic = np.broadcast_to(np.asarray(weights, dtype=float), (len(words),))
    for weight in weight_by_topic.tolist():
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
        return np.asarray(np.log(words) - np.outer(1 - weight_by_topic, np.log(frequencies)))


def leading(scores: Vector, n_words: int) -> list[int]:
    """Indices of the largest finite scores, largest first; ties keep their order."""
    order = np.argsort(-scores, kind="stable")[:n_words]
    return [int(index) for index in order if np.isfinite(scores[index])]


def most_probable(words: Vector, n_words: int) -> list[int]:
    """Indices of a topic's most probable words, most probable first, without zeros."""
    return leading(np.where(words > 0, words, -np.inf), n_words)


def default_names(
    words: Matrix,
    mean_words: Vector,
    vocabulary: Sequence[str],
    evidence: ReleasedEvidence | None = None,
) -> tuple[str, ...]:
    """Default names of topics: the three words that describe them best (``choose_words``)."""
    chosen = choose_words(words, mean_words, evidence)
    return tuple(
        ", ".join(vocabulary[index] for index in chosen.of_topic(topic, NAMED_BY))
        for topic in range(len(words))
    )


def in_common(first: Vector, second: Vector, n_words: int) -> int:
    """Number of words that two topics' scores, each of shape (d,), both place first."""
    return len(set(leading(first, n_words)) & set(leading(second, n_words)))


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
