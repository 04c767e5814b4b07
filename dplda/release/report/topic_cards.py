"""Topics of a report: their words, with a bar and an interval for each."""

from dataclasses import dataclass

import numpy as np

from dplda.core.types import Vector
from dplda.evaluation.knowledge import document_word_scores, prior_word_scores, unsupported_words
from dplda.evaluation.relevance import TopicWords, choose_words, leading
from dplda.figures import theme
from dplda.figures.bar_axis import shared_axis_end
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
        ends: ends of its interval, in percent of the axis; None where none is known.
        chance: its probability and interval, written in percent.
        is_public: whether it may come from public knowledge alone.
        is_cut: whether bar or interval goes on beyond the axis.
    """

    text: str
    width: str
    ends: tuple[str, str] | None
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
    """Cards of the topics with evidence, in their order; all bars share an axis."""
    chosen = topic_words(run)
    axis_end = _axis_end(run, chosen)
    return [_topic_card(run, topic, chosen, axis_end) for topic in run.supported_topics]


def topic_words(run: ReportContents) -> TopicWords:
    """The words that describe each topic, and those of several topics."""
    return choose_words(run.topics, run.word_frequencies, run.evidence)


def describe_shared_words(run: ReportContents) -> str:
    """Words that lead several topics, as a sentence; empty where none do."""
    line = topic_words(run).describe_shared_words(run.vocabulary, _shorten)
    return line and f"{line}."


def _topic_card(run: ReportContents, topic: int, chosen: TopicWords, axis_end: float) -> TopicCard:
    """Make the card of a topic: name, color, share, bars of words, and words of public knowledge.

    Bars are on an axis that ends at ``axis_end``.
    """
    prior_words, words_raised_by_documents = _words_of_table(run, topic)
    number = run.color_places[topic] + 1
    return TopicCard(
        number=number,
        title=run.titles[topic],
        colour=theme.topic_colour(number),
        share=f"{run.topic_shares[topic]:.0%}",
        words=tuple(
            _word_bar(run, topic, word, axis_end) for word in _words_shown(run, topic, chosen)
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
    words = [_shorten(run.vocabulary[word]) for word in leading(scores, N_PRIOR_WORDS)]
    return ", ".join(words) or "nothing"


def _axis_end(run: ReportContents, chosen: TopicWords) -> float:
    """Probability at which the axis of all bars ends, so that no word flattens the others."""
    upper_ends = run.topics if run.upper is None else run.upper
    words_shown = {topic: _words_shown(run, topic, chosen) for topic in run.supported_topics}
    longest_bars = [float(np.max(run.topics[topic][words])) for topic, words in words_shown.items()]
    farthest_ends = [
        float(np.max(upper_ends[topic][words])) for topic, words in words_shown.items()
    ]
    return shared_axis_end(longest_bars, max(farthest_ends, default=1.0))


def _words_shown(run: ReportContents, topic: int, chosen: TopicWords) -> list[int]:
    """The words that describe a topic, the most probable first."""
    probabilities = run.topics[topic]
    return sorted(chosen.of_topic(topic, N_WORDS), key=lambda word: -float(probabilities[word]))


def _word_bar(run: ReportContents, topic: int, word: int, axis_end: float) -> WordBar:
    """The bar of a word on an axis that ends at the probability ``axis_end``.

    Shows the word's interval, in numbers and as ends on the axis, if that is known. Longer bars and
    intervals are cut at the end of the axis, and marked so.
    """
    probability = float(run.topics[topic, word])
    farthest_end = probability
    ends = None
    interval_text = ""
    if run.lower is not None and run.upper is not None:
        lower_end = float(run.lower[topic, word])
        upper_end = float(run.upper[topic, word])
        farthest_end = max(probability, upper_end)
        ends = (_percent_of_axis(lower_end, axis_end), _percent_of_axis(upper_end, axis_end))
        interval_text = f" ({100 * lower_end:.1f}–{100 * upper_end:.1f})"
    return WordBar(
        text=_shorten(run.vocabulary[word]),
        width=_percent_of_axis(probability, axis_end),
        ends=ends,
        chance=f"{100 * probability:.1f}%{interval_text}",
        is_public=_may_be_public(run, topic, word),
        is_cut=farthest_end > axis_end,
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
