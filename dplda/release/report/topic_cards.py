"""Topics of a report: their words, with a bar each, and how sure it is that they lead."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dplda.core.types import Vector
from dplda.evaluation.knowledge import document_word_scores, prior_word_scores, unsupported_words
from dplda.evaluation.relevance import TopicWords, choose_words, find_leading_words
from dplda.figures import theme
from dplda.figures.bar_axis import shared_axis_end
from dplda.figures.topics.words import BAR_OPACITY, bar_opacity
from dplda.methods.denoising.possible_topics import N_POSSIBLE_TOPICS, count_stays
from dplda.release.report.released import ReportContents

N_WORDS = 10  # shown of a topic
N_PRIOR_WORDS = 5  # shown of what a table has, and of what documents raised
LONGEST_WORD = 40  # letters shown of a word


@dataclass(frozen=True, slots=True)
class WordBar:
    """A word of a topic, and its bar.

    Attributes:
        text: the word, shortened.
        width: length of the bar, in percent of the axis.
        opacity: of the bar, in [0, 1].
        chance: its probability, written in percent, and in how many of twenty possible topics it is
            among the first ten, where that is known.
        is_public: whether it may come from public knowledge alone.
        is_cut: whether the bar goes on beyond the axis.
    """

    text: str
    width: str
    opacity: str
    chance: str
    is_public: bool
    is_cut: bool


@dataclass(frozen=True, slots=True)
class TopicCard:
    """A topic as the page shows it.

    Attributes:
        number: as in the app, where it also fixes the color.
        title: its name, or the three words that describe it best.
        colour: of its bars and its circle, in hexadecimal.
        share: its share of all words, written in percent.
        words: its words, the most probable first.
        prior_words: words by which a public table knows it; empty without a table.
        raised_words: words that documents raised above the table; empty without a table.
    """

    number: int
    title: str
    colour: str
    share: str
    words: tuple[WordBar, ...]
    prior_words: str = ""
    raised_words: str = ""


def topic_cards(run: ReportContents) -> list[TopicCard]:
    """Cards of the topics with evidence, in their order; all bars share an axis.

    Without intervals, cards do not count in how many possible topics a word stays.
    """
    word_choice = topic_words(run)
    axis_end = _axis_end(run, word_choice)
    stay_counts = None
    if run.lower is not None and run.upper is not None:
        scores = word_choice.scores
        stay_counts = count_stays(run.topics, scores, run.lower, run.upper, run.word_frequencies)
    return [
        _topic_card(run, topic, word_choice, axis_end, stay_counts)
        for topic in run.supported_topics
    ]


def topic_words(run: ReportContents) -> TopicWords:
    """The words that describe each topic, and those of several topics."""
    return choose_words(run.topics, run.word_frequencies, run.evidence)


def describe_shared_words(run: ReportContents) -> str:
    """Words that lead several topics, as a sentence; empty where none do."""
    shared_words = topic_words(run).describe_shared_words(run.vocabulary, _shorten)
    return f"{shared_words}." if shared_words else ""


def _topic_card(
    run: ReportContents,
    topic: int,
    word_choice: TopicWords,
    axis_end: float,
    stay_counts: NDArray[np.intp] | None,
) -> TopicCard:
    """Make the card of a topic: name, color, share, bars of words, and words of public knowledge.

    The card's number and color are those of ``color_places``, from 1, and may differ from the
    topic's place in the report. The words of public knowledge are empty if none was used.

    Args:
        run: contents of the report.
        topic: number of the topic, from 0.
        word_choice: the words that describe each topic.
        axis_end: probability at which the axis of its bars ends.
        stay_counts: in how many of twenty possible topics each word is among the first ten, (k, d);
            None where that is unknown.
    """
    prior_words, words_raised_by_documents = _words_of_table(run, topic)
    word_ids_shown = _words_shown(run, topic, word_choice)
    stays_of_words = [
        None if stay_counts is None else int(stay_counts[topic, word_id])
        for word_id in word_ids_shown
    ]
    color_number = run.color_places[topic] + 1
    return TopicCard(
        number=color_number,
        title=run.titles[topic],
        colour=theme.topic_colour(color_number),
        share=f"{run.topic_shares[topic]:.0%}",
        words=tuple(
            _word_bar(run, topic, word_id, axis_end, stays_of_word)
            for word_id, stays_of_word in zip(word_ids_shown, stays_of_words, strict=True)
        ),
        prior_words=prior_words,
        raised_words=words_raised_by_documents,
    )


def _words_of_table(run: ReportContents, topic: int) -> tuple[str, str]:
    """Words by which a table knows a topic, and words that documents raised; empty without one."""
    if run.prior_topics is None:
        return "", ""
    table_scores = prior_word_scores(run.prior_topics, run.word_frequencies)[topic]
    raised_scores = document_word_scores(run.topics, run.prior_topics)[topic]
    return _list_words(run, table_scores), _list_words(run, raised_scores)


def _list_words(run: ReportContents, scores: Vector) -> str:
    """The words with the largest finite scores, shortened; *nothing* if there are none."""
    words = [_shorten(run.vocabulary[word]) for word in find_leading_words(scores, N_PRIOR_WORDS)]
    return ", ".join(words) or "nothing"


def _axis_end(run: ReportContents, word_choice: TopicWords) -> float:
    """Probability at which the axis of all bars ends, so that no word flattens the others.

    It is the longest bar, but at most twice the median of the topics' longest bars. Longer bars are
    cut. It is 1 if no topic has evidence.
    """
    words_by_topic = {
        topic: _words_shown(run, topic, word_choice) for topic in run.supported_topics
    }
    longest_bars = [
        float(np.max(run.topics[topic][words])) for topic, words in words_by_topic.items()
    ]
    return shared_axis_end(longest_bars, max(longest_bars, default=1.0))


def _words_shown(run: ReportContents, topic: int, word_choice: TopicWords) -> list[int]:
    """The words that describe a topic, the most probable first."""
    probabilities = run.topics[topic]
    return sorted(
        word_choice.of_topic(topic, N_WORDS), key=lambda word: -float(probabilities[word])
    )


def _word_bar(
    run: ReportContents, topic: int, word: int, axis_end: float, n_stays: int | None
) -> WordBar:
    """The bar of a word on an axis that ends at the probability ``axis_end``.

    Longer bars are cut at the end of the axis, and marked so. The fewer possible topics the word
    leads (``n_stays`` of twenty; None if unknown), the paler its bar.
    """
    probability = float(run.topics[topic, word])
    opacity = BAR_OPACITY
    stays_text = ""
    if n_stays is not None:
        opacity = bar_opacity(n_stays)
        stays_text = f" · {n_stays}/{N_POSSIBLE_TOPICS}"
    return WordBar(
        text=_shorten(run.vocabulary[word]),
        width=_percent_of_axis(probability, axis_end),
        opacity=f"{opacity:.2f}",
        chance=f"{100 * probability:.1f}%{stays_text}",
        is_public=_may_be_public(run, topic, word),
        is_cut=probability > axis_end,
    )


def _may_be_public(run: ReportContents, topic: int, word: int) -> bool:
    """Whether a word may come from public knowledge alone."""
    if run.prior_topics is None:
        return False
    lower = None if run.lower is None else run.lower[topic]
    return bool(unsupported_words(lower, run.word_frequencies)[word])


def _percent_of_axis(probability: float, axis_end: float) -> str:
    return f"{100 * min(probability / axis_end, 1.0):.2f}"


def _shorten(word: str) -> str:
    return word if len(word) <= LONGEST_WORD else word[: LONGEST_WORD - 1] + "…"
