"""The guessing game on shipped runs, as its script receives it (``assets/play/game.js``)."""

import json
from collections.abc import Mapping, Sequence

from dplda.attacks.neighbour_pairs import PAIRS
from dplda.lessons.play.picture import JsonValue
from dplda.lessons.play.shipped_numbers import GAME, times_in_100
from dplda.privacy.accounting.risk import risk_of

N_KNOWN = 30  # dots of either heap
TITLES = ("Noise as published", "Proven noise")


def game_data() -> dict[str, JsonValue]:
    """All that the game shows, from its shipped file: story, both letters' names, two matches.

    Both matches are held to one promise: how often an attacker may be right at the file's ε and δ.
    A match keeps it if its best attacker is right no more often.
    """
    content = json.loads(GAME.read_text("utf-8"))
    pair = PAIRS[content["pair"]]
    promised_risk = risk_of(content["epsilon"], content["delta"], is_gaussian=True)
    promise = (
        f"ε = {content['epsilon']:g} promises at most {times_in_100(promised_risk.right_guess)}"
    )
    matches = [
        _match_data(
            title, match, promise, promise_is_kept=match["right"] <= promised_risk.right_guess
        )
        for title, match in zip(TITLES, content["matches"], strict=True)
    ]
    return {
        "story": f"{pair.story} You know all other letters.",
        "names": [f"“{' '.join(pair.first_words)}”", f"“{' '.join(pair.second_words)}”"],
        "matches": list(matches),
    }


def _match_data(
    title: str, match: Mapping[str, Sequence[float]], promise: str, *, promise_is_kept: bool
) -> dict[str, JsonValue]:
    """One match: the first runs on either collection as heaps, the others as stars to guess.

    Its result says how often the best attacker is right, and whether the noise keeps the promise.
    """
    heaps: dict[bool, list[JsonValue]] = {True: [], False: []}
    stars: list[JsonValue] = []
    for score, used_first in zip(match["scores"], match["used_first"], strict=True):
        heap = heaps[bool(used_first)]
        if len(heap) < N_KNOWN:
            heap.append(score)
        else:
            stars.append([score, bool(used_first)])
    right_times = round(100 * float(match["right"]))  # type: ignore[arg-type]  # of JSON
    verdict = "This noise keeps it." if promise_is_kept else "This noise breaks it."
    return {
        "title": title,
        "first": heaps[True],
        "second": heaps[False],
        "stars": stars,
        "result": f"The best attacker: {right_times} in 100. {promise}. {verdict}",
    }
