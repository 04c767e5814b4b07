"""The words that the board shows of a topic."""

import numpy as np

from dplda.evaluation.relevance import choose_words
from dplda.experiments.configuration_board import answer_of_topics

TOPICS = np.array([[0.5, 0.3, 0.2, 0.0], [0.5, 0.0, 0.0, 0.5], [0.25, 0.25, 0.25, 0.25]])
WORD_FREQUENCIES = np.array([0.6, 0.15, 0.1, 0.15])


def test_answer_of_topics_leads_with_words_that_are_rare_elsewhere() -> None:
    """The first word leads by probability alone. The last topic is below the noise."""
    answer = answer_of_topics(TOPICS, WORD_FREQUENCIES, n_found=2)
    chosen_words = choose_words(TOPICS[:2], WORD_FREQUENCIES)
    assert [words[0] for words in answer.leading_words] == [1, 3]
    assert answer.leading_words == tuple(
        tuple(chosen_words.of_topic(topic, 10)) for topic in range(2)
    )
