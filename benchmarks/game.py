"""Ten thousand rounds of the game of guessing, whole runs: what the best player gets, and what ε allows."""

from collections.abc import Iterator
from itertools import islice

import numpy as np

from benchmarks.rerun import Row
from dplda.attacks.game import best_score, play_runs
from dplda.attacks.neighbour_pairs import PAIRS
from dplda.methods.base.problem import Budget
from dplda.methods.registry import parse_method
from dplda.privacy.accounting.risk import risk_of

ROUNDS, EPSILON, DELTA = 10_000, 1.0, 1e-7
GAMES = (("config-2/as published", "turn"), ("adaptive", "turn"), ("private-unigram", "secret"))


def run() -> Iterator[Row]:
    """One row a game: how often a player is right who guesses by the sign of the loss, and what pages say of it."""
    for name, pair in GAMES:
        method = parse_method(name)
        rounds = list(
            islice(play_runs(method, Budget(EPSILON, DELTA), PAIRS[pair], seed=2), ROUNDS)
        )
        score, error = best_score(np.array([draw.loss for draw in rounds]))
        yield {
            "method": name,
            "status": str(method.status),
            "pair": pair,
            "epsilon": EPSILON,
            "delta": DELTA,
            "rounds": ROUNDS,
            "right": sum((draw.loss > 0) == draw.used_first for draw in rounds),
            "score": round(score, 5),
            "error": round(error, 5),
            "allowed": round(risk_of(EPSILON, DELTA, is_gaussian=True).right_guess, 5),
        }
