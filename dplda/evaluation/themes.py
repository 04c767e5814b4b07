"""Whether topics find themes whose own words are known."""

from collections.abc import Collection, Sequence

from dplda.evaluation.evidence import ReleasedEvidence
from dplda.evaluation.relevance import choose_words
from dplda.spectral.topics import Topics

N_LEADING_WORDS = 10
MIN_OWN_WORDS = 5
"""Leading words of a topic, of ``N_LEADING_WORDS``, that a found theme has to own."""


def find_themes(
    topics: Topics,
    vocabulary: Sequence[str],
    theme_words: Sequence[Collection[str]],
    evidence: ReleasedEvidence | None = None,
) -> tuple[bool, ...]:
    """Whether each theme leads a topic: five of the topic's ten leading words are its own.

    Args:
        topics: topics as found.
        vocabulary: their d words.
        theme_words: the own words of every theme.
        evidence: released evidence of the topics; None where unknown.
    """
    chosen = choose_words(topics.words, topics.mean_words, evidence)
    leading_words = [
        {vocabulary[place] for place in chosen.of_topic(topic, N_LEADING_WORDS)}
        for topic in range(len(topics.words))
    ]
    return tuple(
        any(len(words.intersection(own_words)) >= MIN_OWN_WORDS for words in leading_words)
        for own_words in theme_words
    )
