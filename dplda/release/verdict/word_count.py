r"""The number of words that suits a release, from public numbers alone.

Noise falls on every listed word, so the strength of topics falls as :math:`d^{-1/4}`
(``signal_strength``). The number is the largest d at which topics are still expected to be
readable: :math:`d = (S_1/T)^4`, where :math:`S_1` is the strength at one word and T the threshold.
It is at least ``WORDS_PER_TOPIC`` for each topic, as topics need words to be read by, and at most
``MAX_WORDS``.
"""

from dataclasses import replace

from dplda.release.verdict.signal_strength import PublicNumbers, estimate_signal
from dplda.release.verdict.verdict import BORDERS

WORDS_PER_TOPIC = 50
"""Fewest words on a list for each topic: people at ε = 3 found two to three of six themes with 300
words, and one with 3,000."""

MAX_WORDS = 3_000
"""Most words that are suggested."""


def min_words(n_topics: int) -> int:
    """Fewest words that are suggested for so many topics."""
    return min(MAX_WORDS, WORDS_PER_TOPIC * max(2, n_topics))


def suggest_word_count(numbers: PublicNumbers) -> int:
    """Number of words for a release: as many as stay readable, and enough for its topics.

    At most ``MAX_WORDS``. Rounded down to tens; from 1,000 on, to hundreds. The fewest words for
    the topics, ``min_words``, are suggested even where topics would not be readable with them.

    Args:
        numbers: public numbers of the release; its number of words does not matter.
    """
    signal_of_one_word = estimate_signal(replace(numbers, n_words=1))
    largest_readable = min(float(MAX_WORDS), (signal_of_one_word / BORDERS.readable) ** 4)
    unit = 100 if largest_readable >= 1000 else 10
    return max(int(largest_readable) // unit * unit, min_words(numbers.n_topics))
