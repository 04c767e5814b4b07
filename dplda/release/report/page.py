"""The report page: topics, their reliability, the guarantee, and the method.

This module computes values; ``page.html.jinja`` places them.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

import numpy as np

from dplda.core.formatting import COVERAGE, WITHOUT_TOPICS, counted, odds_at_most
from dplda.core.types import Matrix
from dplda.evaluation.distance import jensen_shannon
from dplda.evaluation.evidence import describe_topics_above_noise
from dplda.evaluation.knowledge import moved, not_borne_out, told
from dplda.evaluation.relevance import leading, relevance
from dplda.evaluation.scaling import classical_scaling
from dplda.figures import theme
from dplda.figures.bar_axis import CUT_MARK, shared_axis_end
from dplda.privacy.accounting.odds import (
    LADDER,
    best_guess,
    describe_best_guess,
    format_chance,
    format_odds,
    format_rounded_up,
)
from dplda.privacy.release import Guarantee, Status
from dplda.release.artefact.artefact import Findings, NoisyValue
from dplda.release.report.markup import TEMPLATES
from dplda.release.report.released import ReportContents

OPACITY = 0.42  # of colors behind words, so that ink keeps its contrast
WORDS_SHOWN, WORDS_BESIDE = 10, 5  # of a topic, and of what a table brought
LONGEST_WORD = 40  # letters shown of a word
WIDTH, HEIGHT = 640, 400  # of the map, in its own units
MARGIN, LARGEST = (
    20,
    62,
)  # of the map: around the outermost circles; radius of a topic with all words

HIDES = "to hide every single one. The section on the guarantee says how well."
OF_DOCUMENTS = (
    "The guarantee covers one document. Somebody who wrote m of them is protected less: m documents together"
    " count as ε times m, and δ grows faster."
)
OF_PERSONS = (
    "The guarantee covers one person with everything they wrote, which counts as one document. It does not hide what"
    " others wrote about them."
)
LIMITS = (
    "A topic is a list of word frequencies that a computer found. Its meaning and its name come from people.",
    OF_DOCUMENTS,
    "The guarantee does not hide facts about the documents as a whole, or anything already known from other sources.",
    "Every further private result on the same documents weakens protection: at worst their ε add up.",
)


@dataclass(frozen=True, slots=True)
class _Word:
    """A word of a topic, and its bar.

    Attributes:
        text: the word, shortened.
        width: length of the bar, in percent of the axis.
        ends: ends of its interval, in percent of the axis; None where none is known.
        chance: its probability and interval, written in percent.
        public: whether it may come from public knowledge alone.
        is_cut: whether bar or interval goes on beyond the axis.
    """

    text: str
    width: str
    ends: tuple[str, str] | None
    chance: str
    public: bool
    is_cut: bool


@dataclass(frozen=True, slots=True)
class _Topic:
    letter: str
    title: str
    colour: str
    share: str
    words: tuple[_Word, ...]
    brought: str = ""
    raised: str = ""


@dataclass(frozen=True, slots=True)
class _Circle:
    topic: _Topic
    x: str
    y: str
    radius: str


@dataclass(frozen=True, slots=True)
class _Map:
    """One circle per topic with its share as area, large ones behind small ones."""

    circles: tuple[_Circle, ...]
    said: str
    shown: str
    width: int = WIDTH
    height: int = HEIGHT


def render_report(run: ReportContents) -> str:
    """A run as one HTML page; the same run gives the same bytes."""
    guarantee, unit = run.guarantee, run.guarantee.adjacency.unit
    number = "" if run.n_documents is None else f"{run.n_documents:,} "
    axis_end = _axis_end(run)
    before = run.as_released or run
    topics = [
        _topic(run, letter(place), i, axis_end) for place, i in enumerate(run.supported_topics)
    ]
    return TEMPLATES.get_template("page.html.jinja").render(
        run=run,
        unit=unit,
        opacity=OPACITY,
        shade=f"{round(255 * OPACITY):02x}",
        title=f"Topics of {run.documents}",
        size=f"the documents of {number}persons" if unit == "person" else f"{number}documents",
        hidden="to limit what can be learned about any single one."
        if guarantee.status is Status.PROVEN
        else HIDES,
        warning=_warning(guarantee),
        found=f"{_found(before)} {run.arrangement}".strip(),
        topics=topics,
        grays=any(word.public for topic in topics for word in topic.words),
        cut_mark=CUT_MARK,
        has_cut_bars=any(word.is_cut for topic in topics for word in topic.words),
        unsupported=_unsupported(len(run.topics) - len(topics), run.n_topics - len(before.topics)),
        map=_map(run, topics) if len(topics) > 1 else None,
        promise=_plainly(guarantee),
        delta=""
        if guarantee.mechanism is Status.NOT_PRIVATE
        else format_odds(guarantee.claimed_delta),
        ladder=list(_ladder(guarantee)),
        limits=_limits(run),
        facts=_facts(run),
        drawn=list(_drawn(run.noisy_values)),
    )


def _drawn(values: Sequence[NoisyValue]) -> Iterator[tuple[str, str, str, str]]:
    """Table rows: what was released, size, how far one document moves it, its noise; equal ones in a row share it."""
    for (quantity, shape, apart), alike in groupby(
        values, lambda one: (one.quantity, one.shape, one.sensitivity)
    ):
        every = list(alike)
        times, ends = (
            sum(one.times for one in every),
            [f"{one.scale:.3g}" for one in (every[0], every[-1])],
        )
        yield (
            quantity + (f", {times} times" if times > 1 else ""),
            " × ".join(f"{size:,}" for size in shape) or "one number",
            f"{apart:.3g}",
            " to ".join(dict.fromkeys(ends)),
        )


def letter(place: int) -> str:
    """A topic's letter by its place from 0: A, B, …, Z, AA, …."""
    return (letter(place // 26 - 1) if place >= 26 else "") + chr(ord("A") + place % 26)


def _warning(guarantee: Guarantee) -> str:
    """What the reader must know first: how this run differs from the mechanism."""
    said = [f"{caveat[:1].upper()}{caveat[1:]}." for caveat in guarantee.caveats]
    if guarantee.releasable:
        return " ".join(said)
    if guarantee.mechanism is Status.AS_PUBLISHED:
        said.insert(0, "The proof of this method, as published, has a known gap.")
    return " ".join([*said, "This page is not a private release."])


def _found(run: Findings) -> str:
    n_shown = len(run.supported_topics)
    if run.evidence is not None:
        return f"{run.evidence.describe_gain('the')} {describe_topics_above_noise(run.evidence)}"
    if run.n_topics > len(run.topics):
        return f"{counted(n_shown, 'direction rises', 'directions rise')} above the noise. {WITHOUT_TOPICS}"
    return "This method cannot tell how much of a topic is noise. Read the words with care."


def _unsupported(hidden: int, missing: int) -> str:
    if not hidden and not missing:
        return ""
    n = hidden or missing
    are, them, they = (
        ("topic is", "it", "it explains") if n == 1 else ("topics are", "them", "they explain")
    )
    why = (
        f"{they} the documents no better than noise would" if hidden else f"the noise hides {them}"
    )
    return f"{n} {are} not shown: {why}."


def _topic(run: ReportContents, place: str, topic: int, axis_end: float) -> _Topic:
    words = tuple(_word(run, topic, index, axis_end) for index in _shown(run, run.topics, topic))
    share = f"{run.topic_shares[topic]:.0%}"
    colour = theme.topic_colour(run.color_places[topic] + 1)
    found = _Topic(place, run.titles[topic], colour, share, words)
    if run.prior_topics is None:
        return found
    scores = (
        told(run.prior_topics, run.word_frequencies)[topic],
        moved(run.topics, run.prior_topics)[topic],
    )
    first = (
        [_short(run.vocabulary[word]) for word in leading(each, WORDS_BESIDE)] for each in scores
    )
    brought, raised = (", ".join(each) or "nothing" for each in first)
    return replace(found, brought=brought, raised=raised)


def _axis_end(run: ReportContents) -> float:
    """Probability at which the axis of all bars ends, so that one word does not flatten the others."""
    upper_ends = run.topics if run.upper is None else run.upper
    shown = {topic: _shown(run, run.topics, topic) for topic in run.supported_topics}
    longest_bars = [float(np.max(run.topics[topic][words])) for topic, words in shown.items()]
    farthest = (float(np.max(upper_ends[topic][words])) for topic, words in shown.items())
    return shared_axis_end(longest_bars, max(farthest, default=1.0))


def _shown(run: ReportContents, words: Matrix, topic: int) -> list[int]:
    """The words shown for a topic, the most probable first.

    If the topic uses a table, whose leading words are common ones, those with the largest lift.
    """
    probabilities = words[topic]
    scores = (
        probabilities if run.prior_topics is None else relevance(words, run.word_frequencies)[topic]
    )
    by_score = leading(np.where(probabilities > 0, scores, -np.inf), WORDS_SHOWN)
    return sorted(by_score, key=lambda word: -float(probabilities[word]))


def _short(text: str) -> str:
    return text if len(text) <= LONGEST_WORD else text[: LONGEST_WORD - 1] + "…"


def _word(run: ReportContents, topic: int, index: int, axis_end: float) -> _Word:
    """A word with its bar on an axis that ends at the probability ``axis_end``."""
    probability = farthest_end = float(run.topics[topic, index])
    ends, interval_text = None, ""
    if run.lower is not None and run.upper is not None:
        low, high = float(run.lower[topic, index]), float(run.upper[topic, index])
        farthest_end = max(probability, high)
        ends = (_percent_of_axis(low, axis_end), _percent_of_axis(high, axis_end))
        interval_text = f" ({100 * low:.1f}–{100 * high:.1f})"
    lower = None if run.lower is None else run.lower[topic]
    is_public = run.prior_topics is not None and bool(
        not_borne_out(lower, run.word_frequencies)[index]
    )
    return _Word(
        text=_short(run.vocabulary[index]),
        width=_percent_of_axis(probability, axis_end),
        ends=ends,
        chance=f"{100 * probability:.1f}%{interval_text}",
        public=is_public,
        is_cut=farthest_end > axis_end,
    )


def _percent_of_axis(probability: float, axis_end: float) -> str:
    return f"{100 * min(probability / axis_end, 1.0):.2f}"


def _map(run: ReportContents, topics: Sequence[_Topic]) -> _Map:
    shown = list(run.supported_topics)
    distances = jensen_shannon(run.topics[shown], run.topics[shown])
    found = classical_scaling(distances)
    upper = np.triu_indices(len(shown), 1)
    near, far = (int(pick(distances[upper])) for pick in (np.argmin, np.argmax))
    pairs = [(topics[int(upper[0][pair])], topics[int(upper[1][pair])]) for pair in (near, far)]
    alike, apart = (
        f"{one.letter} ({one.title}) and {other.letter} ({other.title})" for one, other in pairs
    )
    said = f"The most similar topics are {alike}" + (
        "." if len(shown) == 2 else f"; the least similar are {apart}."
    )
    points, shares = found.points, run.topic_shares[shown]
    radii = LARGEST * shares**0.5
    spans, outer = np.ptp(points, axis=0), MARGIN + float(radii.max())
    room = (WIDTH - 2 * outer, HEIGHT - 2 * outer)
    scale = min(
        (side / span for side, span in zip(room, spans, strict=True) if span > 0), default=0.0
    )
    middle = (points.max(axis=0) + points.min(axis=0)) / 2
    places = (WIDTH / 2, HEIGHT / 2) + scale * (points - middle) * (1, -1)
    circles = tuple(
        _Circle(
            topics[i], f"{places[i, 0]:.1f}", f"{places[i, 1]:.1f}", f"{max(radii[i], 5.0):.1f}"
        )
        for i in sorted(range(len(points)), key=lambda i: -shares[i])
    )
    return _Map(circles, said, f"{found.shown:.0%}")


def _plainly(guarantee: Guarantee) -> str:
    if guarantee.mechanism is Status.NOT_PRIVATE:
        return "Nothing is guaranteed: a reader may learn what is in a single document."
    epsilon, delta = guarantee.claimed_epsilon, guarantee.claimed_delta
    said = describe_best_guess(epsilon, delta, guarantee.adjacency.unit)
    if guarantee.mechanism is Status.AS_PUBLISHED:
        return f"As intended: {said[:1].lower()}{said[1:]} The published proof has a known gap, so do not rely on it."
    if guarantee.status is Status.NOT_PRIVATE:
        return f"The method gives this guarantee: {said[:1].lower()}{said[1:]} This run does not, as noted at the top."
    return said


def _ladder(guarantee: Guarantee) -> Iterator[tuple[str, str, str]]:
    claimed, delta = guarantee.claimed_epsilon, guarantee.claimed_delta
    here = " (this report)" if guarantee.status is Status.PROVEN else " (claimed here)"
    for one in sorted({*LADDER, claimed}) if math.isfinite(claimed) else LADDER:
        yield (
            f"{format_rounded_up(one)}{here if one == claimed else ''}",
            odds_at_most(one),
            format_chance(best_guess(one, delta)),
        )


def _limits(run: ReportContents) -> list[str]:
    person = run.guarantee.adjacency.unit == "person"
    said = [OF_PERSONS if person and limit is OF_DOCUMENTS else limit for limit in LIMITS]
    if run.supported_topics and run.lower is not None:
        said.append(
            f"The range after a percentage {COVERAGE}. On real text the error can be larger."
        )
    elif run.supported_topics and run.prior_topics is not None:
        said.append("The errors of these topics are unknown, so their percentages have no ranges.")
    return said


def _facts(run: ReportContents) -> list[tuple[str, str]]:
    return [
        ("Method", run.method),
        (
            f"{run.guarantee.adjacency.unit.capitalize()}s",
            "not stated" if run.n_documents is None else f"{run.n_documents:,}",
        ),
        ("Words in the vocabulary", f"{len(run.vocabulary):,}"),
        ("Topics requested (k)", f"{run.n_topics}"),
        ("Mixing of topics (α₀)", f"{run.alpha0:g}"),
        ("Privacy loss (ε)", format_rounded_up(run.guarantee.claimed_epsilon)),
        ("Failure probability (δ)", format_rounded_up(run.guarantee.claimed_delta)),
        ("Protected", f"each {run.guarantee.adjacency.unit}"),
    ]
