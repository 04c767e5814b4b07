"""Small multiples of topics across ε."""

import numpy as np

from dplda import figures
from dplda.figures.topics.across_epsilon import AcrossCell, AcrossRow, RightTopic, shown_words

VOCABULARY = ("rain", "wind", "goal", "<b>")
RIGHT_TOPIC = RightTopic(np.array([0.6, 0.4, 0.0, 0.0]), frozenset({0, 1}))


def test_shown_words_of_another_topic_are_not_right() -> None:
    noisy = np.array([0.3, 0.0, 0.5, 0.2])
    words = shown_words(noisy, [2, 0], RIGHT_TOPIC, VOCABULARY)
    assert [(word.text, word.is_right) for word in words] == [("goal", False), ("rain", True)]


def test_shown_words_strength_follows_the_probability() -> None:
    noisy = np.array([0.3, 0.0, 0.5, 0.2])
    words = shown_words(noisy, [2, 0, 3], RIGHT_TOPIC, VOCABULARY)
    assert [round(word.strength, 3) for word in words] == [0.833, 0.5, 0.333]


def test_across_epsilon_table_escapes_words_of_documents() -> None:
    words = shown_words(np.array([0.0, 0.0, 0.0, 1.0]), [3], None, VOCABULARY)
    row = AcrossRow("Configuration 1", (AcrossCell(words, "0.1", is_found=True),))
    table = figures.across_epsilon([row], ["ε = 1"], label="a <label>")
    assert "&lt;b&gt;" in table
    assert 'aria-label="a &lt;label&gt;"' in table
    assert "✓ 0.1" in table


def test_across_epsilon_ground_is_stronger_where_a_word_is_more_probable() -> None:
    words = shown_words(np.array([0.3, 0.0, 0.5, 0.2]), [2, 0, 3], RIGHT_TOPIC, VOCABULARY)
    row = AcrossRow("1", (AcrossCell(words, "1.1"),))
    table = figures.across_epsilon([row], ["ε = 1"], label="words")
    opacities = [float(part.split(")")[0].rsplit(",", 1)[1]) for part in table.split("rgba")[1:]]
    assert opacities == sorted(opacities, reverse=True)
    assert "✗ 1.1" in table


def test_card_facts_escape_words_of_documents() -> None:
    words = shown_words(np.array([0.0, 0.0, 0.0, 1.0]), [3], None, VOCABULARY)
    facts = figures.card_facts(words, "", [figures.CardFact("Error", "0.1", "of <2>")])
    assert "<b>&lt;b&gt;</b>" in facts
    assert "<p>Error <b>0.1</b> of &lt;2&gt;</p>" in facts


def test_card_facts_without_words_say_why() -> None:
    assert "Refuses." in figures.card_facts((), "Refuses.", [])
