"""The living picture's numbers and words, as its script receives them.

Their types are in ``assets/play/types.js``.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from dplda.evaluation.colours import topic_colour
from dplda.evaluation.distance import NEAR
from dplda.lessons.play.shipped_numbers import (
    NO_NOISE,
    FoundSection,
    ShippedNumbers,
    SliderStop,
    times_in_100,
)

FIRST_STOP = "1"
LONGEST_BAR = 0.08  # probability of a bar as wide as its place
N_RUNS = 100  # dots of either heap
LITTLE_PRIVACY = "10"
MUCH_PRIVACY = "0.1"
JsonValue = str | int | float | bool | None | Sequence["JsonValue"] | dict[str, "JsonValue"]
ATTACK_QUESTION = (
    "{writer}'s coach sees the topics, and knows every other letter. Can he tell whether hers was"
    " in?"
)
QUESTION = "What are {n_documents:,} letters about, without exposing any one of them?"


def picture_question(numbers: ShippedNumbers) -> str:
    """The question that the picture answers."""
    return QUESTION.format(n_documents=numbers.n_documents)


def picture_data(numbers: ShippedNumbers, first_stop: str = FIRST_STOP) -> dict[str, JsonValue]:
    """All that the picture shows, at every stop.

    Args:
        numbers: the shipped ones.
        first_stop: name of the stop that is shown first; ``FIRST_STOP`` if no stop has it.
    """
    stop_names = [stop.name for stop in numbers.stops]
    shown_first = first_stop if first_stop in stop_names else FIRST_STOP
    return {
        "titles": list(numbers.titles),
        "colors": [topic_colour(row + 1) for row in range(len(numbers.titles))],
        "longest": LONGEST_BAR,
        "letter": {
            "writer": numbers.writer,
            "words": _marked_words(numbers),
            "question": ATTACK_QUESTION.format(writer=numbers.writer),
        },
        "stops": [_stop_data(stop, numbers) for stop in numbers.stops],
        "stop": shown_first,
    }


def _marked_words(numbers: ShippedNumbers) -> list[JsonValue]:
    """Words of the letter with their punctuation, and whether the method counts each."""
    return [
        [word, bool(numbers.counted_words & set(re.findall("[a-z]+", word.lower())))]
        for word in numbers.letter.split()
    ]


def _stop_data(stop: SliderStop, numbers: ShippedNumbers) -> dict[str, JsonValue]:
    """One stop: sections with and without the letter, scores of runs, and what ε promises in words.

    Stars are further runs to bet on. The best attacker's successes in 100 come, too, and the stops
    that are offered next. Without noise there are no scores, and every run is a star.
    """
    words = _stop_words(stop, promised_times=times_in_100(numbers.promised_chance(stop)))
    runs_with, runs_without, stars = _split_runs(stop)
    return {
        "name": stop.name,
        "label": words.label,
        "tick": stop.name,
        "with": [_section_data(section) for section in stop.with_letter],
        "without": [_section_data(section) for section in stop.without_letter],
        "runsWith": runs_with,
        "runsWithout": runs_without,
        "stars": stars,
        "attacker": round(100 * stop.success),
        "promise": words.promise,
        "meaning": words.meaning,
        "offers": _offers(stop),
    }


@dataclass(frozen=True, slots=True)
class _StopWords:
    """A stop in words.

    Attributes:
        label: its ε, or that there is no noise.
        promise: a short sentence.
        meaning: the promise explained in one or two sentences.
    """

    label: str
    promise: str
    meaning: str


def _stop_words(stop: SliderStop, promised_times: int) -> _StopWords:
    """The words of a stop.

    An attacker may be right ``promised_times`` in 100, if there is noise.
    """
    if stop.epsilon is None:
        return _StopWords(
            label=NO_NOISE,
            promise="Nothing is promised.",
            meaning=(
                "No noise, no promise: the words look the same with and without a letter, but the"
                " exact numbers behind them differ. Somebody who knows the other letters is always"
                " right."
            ),
        )
    label = f"ε = {stop.name}"
    return _StopWords(
        label=label,
        promise=f"{label} promises at most {promised_times}.",
        meaning=(
            f"{label} means: somebody who knows all other letters picks the right one of two"
            f" candidates at most {promised_times} times in 100. A coin: 50."
        ),
    )


def _section_data(section: FoundSection) -> dict[str, JsonValue]:
    """A section's leading words, their shares, and how near it is to the true section.

    ``strength`` is 1 minus the L1 distance, and 0 from a distance of 1 on. ``found`` says whether
    that distance is below ``NEAR``.
    """
    return {
        "words": list(section.words),
        "shares": list(section.shares),
        "own": list(section.own),
        "strength": round(max(0.0, 1 - section.error), 3),
        "found": section.error < NEAR,
    }


def _split_runs(
    stop: SliderStop,
) -> tuple[list[JsonValue] | None, list[JsonValue] | None, list[JsonValue]]:
    """Scores of the first runs with the letter and without it, and further runs to bet on.

    The runs with the letter come first. Without noise there are no scores: both heaps are None,
    and every run is a star at the end of its side.
    """
    scores = stop.scores
    if scores is None:
        stars: list[JsonValue] = [[9.0 if was_in else -9.0, was_in] for was_in in stop.was_in]
        return None, None, stars
    heaps: dict[bool, list[JsonValue]] = {True: [], False: []}
    stars = []
    for score, was_in in zip(scores, stop.was_in, strict=True):
        if len(heaps[was_in]) < N_RUNS:
            heaps[was_in].append(score)
        else:
            stars.append([score, was_in])
    return heaps[True], heaps[False], stars


def _offers(stop: SliderStop) -> list[JsonValue]:
    """Names of the stops that are offered after a bet, each with the words of its offer.

    Less privacy, then more. At ε = 10 no noise takes the place of less; at ε = 0.1 only less is
    offered. Without noise there is one offer, back to the first stop.
    """
    offer_less: list[JsonValue] = [LITTLE_PRIVACY, f"Less privacy: ε = {LITTLE_PRIVACY}"]
    offer_more: list[JsonValue] = [MUCH_PRIVACY, f"More privacy: ε = {MUCH_PRIVACY}"]
    if stop.epsilon is None:
        return [[FIRST_STOP, f"Back to ε = {FIRST_STOP}"]]
    if stop.name == LITTLE_PRIVACY:
        return [[NO_NOISE, "No noise at all"], offer_more]
    if stop.name == MUCH_PRIVACY:
        return [offer_less]
    return [offer_less, offer_more]
