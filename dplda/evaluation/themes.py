"""Themes that topics find, where each theme's own words are known."""

from collections.abc import Collection, Sequence

from dplda.evaluation.evidence import ReleasedEvidence
from dplda.evaluation.relevance import choose_words
from dplda.spectral.topics import Topics

N_LEADING_WORDS = 10
MIN_OWN_WORDS = 5
"""Smallest number of a topic's ``N_LEADING_WORDS`` that are words of the theme that it finds."""


def find_themes(
    topics: Topics,
    vocabulary: Sequence[str],
    theme_words: Sequence[Collection[str]],
    evidence: ReleasedEvidence | None = None,
) -> tuple[bool, ...]:
    """Tell for each theme whether a topic finds it.

    A topic finds a theme if at least five of its ten leading words are the theme's own.

    Args:
        topics: fitted topics.
        vocabulary: their d words.
        theme_words: own words of every theme.
        evidence: released evidence of the topics, by which their leading words are chosen; None if
            unknown.
    """
    descriptive_words = choose_words(topics.words, topics.mean_words, evidence)
    leading_words = [
        {vocabulary[word_id] for word_id in descriptive_words.of_topic(topic, N_LEADING_WORDS)}
        for topic in range(len(topics.words))
    ]
    return tuple(
        any(len(words.intersection(own_words)) >= MIN_OWN_WORDS for words in leading_words)
        for own_words in theme_words
    )
