"""Words that describe topics, chosen by one rule for every page, file and prompt; names and sizes.

Topics with much evidence are described by words that are likely in them and rare elsewhere, those
with little by their most likely words: noise makes rare words look special. Words that lead
several topics describe none of them, and are shown once, above all topics.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from dplda.core import checks
from dplda.core.errors import InputError
from dplda.core.types import Matrix, Vector
from dplda.corpus.words.vocabulary import strip_controls
from dplda.evaluation.evidence import ReleasedEvidence
from dplda.spectral.topics import parts_of_mean_words

DESCRIPTIVE_WEIGHT = 0.3
"""Sievert and Shirley's λ of topics with evidence. Words chosen by it occur together in more of the
documents than by their .6 (``python -m benchmarks held-out``)."""

LITTLE_GAIN = 0.04
"""Gain in nats a word, at the lower end of its interval, of little evidence: below it no weight
finds words that occur together more often than the most likely ones do."""

MUCH_GAIN = 0.12
"""Gain in nats a word, at the lower end of its interval, of much evidence."""

N_LEADING_WORDS = 10  # by which topics are compared, however many are shown
MIN_TOPICS_OF_SHARED_WORD = 3
MAX_SHARED_WORDS = 20  # more are left where they are, as topics that are nearly alike have

N_NAME_WORDS = 3  # words in a name
MAX_NAME_CHARACTERS = 60  # characters


@dataclass(frozen=True, slots=True)
class SharedWord:
    """A word that leads several topics.

    Attributes:
        word: its index in the vocabulary.
        n_topics: number of topics that it leads.
    """

    word: int
    n_topics: int


@dataclass(frozen=True, slots=True, eq=False)
class TopicWords:
    """Words that describe topics, as every page, report, file and prompt shows them.

    Attributes:
        scores: shape (k, d); the words of the largest scores describe a topic, the largest first.
            −∞ for words that a topic does not have, or that are shown above all topics.
        shared_words: words shown once, above the topics, those of most topics first.
        n_compared: number of topics that were compared to find these: those with evidence, or all
            if no evidence is known.
    """

    scores: Matrix
    shared_words: tuple[SharedWord, ...]
    n_compared: int

    def of_topic(self, topic: int, n_words: int) -> list[int]:
        """Indices of the words that describe a topic, the best first.

        Args:
            topic: row of the topic.
            n_words: largest number of words.
        """
        return find_leading_words(self.scores[topic], n_words)

    def describe_shared_words(
        self, vocabulary: Sequence[str], show: Callable[[str], str] = str
    ) -> str:
        """Describe in one line the words that lead several topics; "" if there are none.

        Each word has its number of topics behind it, unless the number is the same for all. Topics
        are those compared: where some lack evidence, the line says *topics with evidence*.

        Args:
            vocabulary: the d words.
            show: makes a word fit to be shown: shortens or escapes it, say.
        """
        if not self.shared_words:
            return ""
        topics_phrase = "topics with evidence" if self.n_compared < len(self.scores) else "topics"
        numbers_of_topics = {shared.n_topics for shared in self.shared_words}
        words = [show(vocabulary[shared.word]) for shared in self.shared_words]
        if len(numbers_of_topics) > 1:
            words = [
                f"{word} ({shared.n_topics})"
                for word, shared in zip(words, self.shared_words, strict=True)
            ]
            count_phrase = f"{MIN_TOPICS_OF_SHARED_WORD} or more of {self.n_compared}"
        elif numbers_of_topics == {self.n_compared}:
            count_phrase = f"all {self.n_compared}"
        else:
            count_phrase = f"{numbers_of_topics.pop()} of {self.n_compared}"
        return f"In {count_phrase} {topics_phrase}: {', '.join(words)}"


def choose_words(
    words: Matrix, mean_words: Vector, evidence: ReleasedEvidence | None = None
) -> TopicWords:
    """Choose the words that describe each topic, and those that are shown above all topics.

    Topics with evidence are compared: those that a comparison with simulated documents found
    supported, or before it those above the noise. No runs are made here.

    Args:
        words: topics, shape (k, d), rows on the simplex.
        mean_words: word frequencies of all documents, shape (d,).
        evidence: released evidence of these topics; None if unknown, for topics without noise, say.
    """
    scores = relevance(words, mean_words, weight_of(evidence))
    compared_topics: Sequence[int] = range(len(words))
    if evidence is not None:
        compared_topics = evidence.known_supported_topics
    shared_words = _move_shared_words(scores, compared_topics)
    return TopicWords(scores, shared_words, len(compared_topics))


def weight_of(evidence: ReleasedEvidence | None) -> float:
    """Weight λ by which words are chosen, from the lower end of the gain's interval.

    It is 1, for words by probability alone, up to ``LITTLE_GAIN``, and falls linearly to
    ``DESCRIPTIVE_WEIGHT`` at ``MUCH_GAIN`` and above. Topics whose evidence is unknown, such as
    those without noise, get ``DESCRIPTIVE_WEIGHT`` too.
    """
    if evidence is None:
        return DESCRIPTIVE_WEIGHT
    lowest_gain, _ = evidence.interval()
    rise = (lowest_gain - LITTLE_GAIN) / (MUCH_GAIN - LITTLE_GAIN)
    progress = min(1.0, max(0.0, rise))
    return 1 - (1 - DESCRIPTIVE_WEIGHT) * progress


def _move_shared_words(scores: Matrix, compared_topics: Sequence[int]) -> tuple[SharedWord, ...]:
    """Set the scores of words that lead at least three compared topics to minus infinity.

    Only the scores of compared topics change. Goes on until no word is shared any more, or
    ``MAX_SHARED_WORDS`` are taken.

    Topics that are all alike keep their words, and every topic keeps enough for a name.

    Args:
        scores: shape (k, d), changed in place.
        compared_topics: rows that are compared.

    Returns:
        The words, those of most topics first.
    """
    compared_rows = list(compared_topics)
    compared_scores = scores[compared_rows]
    if np.array_equal(compared_scores[1:], compared_scores[:-1]):
        return ()
    n_compared, d = compared_scores.shape
    n_leading = max(1, min(N_LEADING_WORDS, d // n_compared))
    moved_words: list[SharedWord] = []
    while len(moved_words) < MAX_SHARED_WORDS:
        n_left_to_move = MAX_SHARED_WORDS - len(moved_words)
        shared_words = _shared_words(compared_scores, n_leading)[:n_left_to_move]
        if not shared_words:
            break
        moved_words += shared_words
        columns = [shared.word for shared in shared_words]
        compared_scores[:, columns] = -np.inf
    scores[compared_rows] = compared_scores
    moved_words.sort(key=lambda shared: -shared.n_topics)
    return tuple(moved_words)


def _shared_words(scores: Matrix, n_leading: int) -> list[SharedWord]:
    """Words that lead at least three topics, those of most topics first.

    They are so few that the topic with the fewest words keeps enough for a name.

    Args:
        scores: shape (k, d).
        n_leading: number of words that lead a topic.
    """
    n_topics_led = Counter(
        word for topic_scores in scores for word in find_leading_words(topic_scores, n_leading)
    )
    n_words_to_spare: int = np.min(np.sum(np.isfinite(scores), axis=1)) - N_NAME_WORDS
    return [
        SharedWord(word, n_topics)
        for word, n_topics in n_topics_led.most_common(max(0, n_words_to_spare))
        if n_topics >= MIN_TOPICS_OF_SHARED_WORD
    ]


def word_shares(words: Matrix, mean_words: Vector) -> Vector:
    r"""Share of all words that each topic has, from topics and word frequencies.

    Parts of :math:`E_1 ≈ \sum_i s_i μ_i`, as ``parts_of_mean_words`` fits them, scaled to sum to
    one; equal shares if all topics are the same, or if none has a part.

    Args:
        words: topics, shape (k, d), rows on the simplex.
        mean_words: ``E_1``, word frequencies, shape (d,).

    Returns:
        Shape (k,), on the simplex; the same numbers as the Dirichlet parameters of the spectral
        method over ``α0``.
    """
    k = len(words)
    if k == 0 or not np.any(np.ptp(words, axis=0)):
        return np.full(k, 1 / max(k, 1))
    parts = parts_of_mean_words(words, mean_words)
    sum_of_parts = float(np.sum(parts))
    if sum_of_parts > 0:
        return parts / sum_of_parts
    return np.full(k, 1 / k)


def relevance(
    words: Matrix, mean_words: Vector, weights: float | Vector = DESCRIPTIVE_WEIGHT
) -> Matrix:
    r"""Relevance of each word to each topic.

    It is :math:`λ \log p(w|t) + (1-λ) \log \frac{p(w|t)}{p(w)}`.

    Args:
        words: topics, shape (k, d), rows on the simplex.
        mean_words: ``p(w)``, shape (d,), raised to a topic's share times its probability if that is
            larger, because a released frequency may be 0 for a word that a topic has.
        weights: ``λ`` in [0, 1], one for all topics or one for each, shape (k,): 1 ranks by
            probability, 0 by lift over the mean.

    Returns:
        Shape (k, d); −∞ for words that a topic does not have.

    Raises:
        InputError: a weight is outside [0, 1].

    Source:
        Sievert and Shirley (2014), "LDAvis: a method for visualizing and interpreting topics",
        equation 1.
    """
    k = len(words)
    weight_by_topic = np.broadcast_to(np.asarray(weights, dtype=float), (k,))
    for weight in weight_by_topic.tolist():
        checks.between("λ", weight, 0, 1, open_ends=False)
    frequencies = mean_words
    if k:
        topic_shares = word_shares(words, mean_words)
        topic_parts = topic_shares[:, None] * words
        frequencies = np.maximum(mean_words, np.max(topic_parts, axis=0))
    # A word that no topic with a share has gets any frequency above 0.
    frequencies = np.where(frequencies > 0, frequencies, 1.0)
    lift_weights = 1 - weight_by_topic
    with np.errstate(divide="ignore"):
        log_probabilities = np.log(words)
        weighted_logs = np.outer(lift_weights, np.log(frequencies))
        return np.asarray(log_probabilities - weighted_logs)


def find_leading_words(scores: Vector, n_words: int) -> list[int]:
    """Indices of the largest finite scores, largest first; ties keep their order.

    Args:
        scores: shape (d,).
        n_words: largest number of words.
    """
    word_order = np.argsort(-scores, kind="stable")
    leading_words = word_order[:n_words].tolist()
    return [word for word in leading_words if np.isfinite(scores[word])]


def most_probable(words: Vector, n_words: int) -> list[int]:
    """Indices of a topic's most probable words in order, without words that it does not have.

    Args:
        words: the topic, shape (d,).
        n_words: largest number of words.
    """
    scores = np.where(words > 0, words, -np.inf)
    return find_leading_words(scores, n_words)


def default_names(
    words: Matrix,
    mean_words: Vector,
    vocabulary: Sequence[str],
    evidence: ReleasedEvidence | None = None,
) -> tuple[str, ...]:
    """Default names of topics: the three words that describe each best (``choose_words``).

    Commas separate them. A name has fewer words if fewer can describe the topic.

    Args:
        words: topics, shape (k, d), rows on the simplex.
        mean_words: word frequencies, shape (d,).
        vocabulary: the d words.
        evidence: released evidence of these topics; None if unknown.
    """
    topic_words = choose_words(words, mean_words, evidence)
    names = []
    for topic in range(len(words)):
        columns = topic_words.of_topic(topic, N_NAME_WORDS)
        names.append(", ".join(vocabulary[column] for column in columns))
    return tuple(names)


def count_common_words(first: Vector, second: Vector, n_words: int) -> int:
    """Number of words that lead both of two topics.

    Args:
        first: scores of one topic, shape (d,).
        second: scores of the other.
        n_words: number of words that lead a topic.
    """
    first_words = set(find_leading_words(first, n_words))
    second_words = set(find_leading_words(second, n_words))
    return len(first_words & second_words)


def clean_topic_name(name: object) -> str | None:
    """A topic's name on one line, without control characters; None if nothing is left.

    Args:
        name: a text, or None for no name.

    Raises:
        InputError: it is neither a text nor None, or more than 60 characters are left.
    """
    if name is not None and not isinstance(name, str):
        raise InputError("name of a topic", "a text", f"a value of type {type(name).__name__}")
    visible_name = strip_controls(name or "").text
    clean_name = " ".join(visible_name.split())
    if len(clean_name) > MAX_NAME_CHARACTERS:
        requirement = f"at most {MAX_NAME_CHARACTERS} characters long"
        raise InputError("name of a topic", requirement, f"{len(clean_name)}")
    return clean_name or None
