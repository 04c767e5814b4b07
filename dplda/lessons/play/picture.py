"""The living picture's numbers and words, as its script receives them (``assets/play/types.js``)."""

import re
from collections.abc import Sequence

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
QUESTION = "What are {n_documents:,} letters about, without exposing any one of them?"


def picture_question(numbers: ShippedNumbers) -> str:
    """The question that the picture answers."""
    return QUESTION.format(n_documents=numbers.n_documents)


def picture_data(numbers: ShippedNumbers, first_stop: str = FIRST_STOP) -> dict[str, JsonValue]:
    """All that the picture shows.

    Args:
        numbers: the shipped ones.
        first_stop: name of the stop that is shown first; ``FIRST_STOP`` if no stop has it.
    """
    names = [stop.name for stop in numbers.stops]
    shown_first = first_stop if first_stop in names else FIRST_STOP
    return {
        "titles": list(numbers.titles),
        "colors": [topic_colour(row + 1) for row in range(len(numbers.titles))],
        "longest": LONGEST_BAR,
        "letter": {"writer": numbers.writer, "words": _marked_words(numbers)},
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
    promised = times_in_100(numbers.promised_chance(stop))
    promise = "Nothing is promised."
    meaning = (
        "No noise, no promise: the words look the same with and without a letter, but the exact"
        " numbers behind them differ. Somebody who knows the other letters is always right."
    )
    label = NO_NOISE
    if stop.epsilon is not None:
        label = f"ε = {stop.name}"
        promise = f"{label} promises at most {promised}."
        meaning = (
            f"{label} means: somebody who knows all other letters picks the right one of two"
            f" candidates at most {promised} times in 100. A coin: 50."
        )
    runs_with, runs_without, stars = _split_runs(stop)
    return {
        "name": stop.name,
        "label": label,
        "tick": stop.name,
        "with": [_section_data(section) for section in stop.with_letter],
        "without": [_section_data(section) for section in stop.without_letter],
        "runsWith": runs_with,
        "runsWithout": runs_without,
        "stars": stars,
        "attacker": round(100 * stop.success),
        "promise": promise,
        "meaning": meaning,
        "offers": _offers(stop),
    }


def _section_data(section: FoundSection) -> dict[str, JsonValue]:
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

    Without noise the scores of the heaps are None, and a star lies at the end of its side.
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
    """Stops that are offered after a bet, by name, with the words of each offer."""
    less: list[JsonValue] = [LITTLE_PRIVACY, f"Less privacy: ε = {LITTLE_PRIVACY}"]
    more: list[JsonValue] = [MUCH_PRIVACY, f"More privacy: ε = {MUCH_PRIVACY}"]
    if stop.epsilon is None:
        return [[FIRST_STOP, f"Back to ε = {FIRST_STOP}"]]
    if stop.name == LITTLE_PRIVACY:
        return [[NO_NOISE, "No noise at all"], more]
    if stop.name == MUCH_PRIVACY:
        return [less]
    return [less, more]
