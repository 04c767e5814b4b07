r"""Guessing, from what a run releases, which of two corpora it was on: how well one can, and how well one may.

A coin decides on which corpus a run is. A player who knows both, the method and all it releases can do no better than
to guess by the sign of the privacy loss, and is then right with probability 1/(1 + exp(−\|loss\|)), given the releases.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from dplda.attacks.neighbour_pairs import Pair
from dplda.attacks.privacy_loss import privacy_loss
from dplda.core.types import Vector
from dplda.methods.method import Method
from dplda.methods.problem import Budget, Problem

ALPHA0 = 0.1


@dataclass(frozen=True, slots=True)
class Draw:
    """One run, seen by whoever guesses.

    Attributes:
        loss: ``ln p(releases | first) − ln p(releases | second)``.
    """

    was_one: bool
    loss: float


def draws(method: Method, budget: Budget, pair: Pair, *, seed: int) -> Iterator[Draw]:
    """Runs on one corpus or the other, as a coin falls, one after the other and without end.

    Args:
        seed: of coin and noise.

    Raises:
        DpldaError: a run was refused.
    """
    rng = np.random.default_rng(seed)
    corpora, sums, problem = pair.corpora(), pair.sums(), Problem(pair.n_topics, ALPHA0)
    while True:
        first = bool(rng.integers(2))
        order = (0, 1) if first else (1, 0)
        here, there = (corpora[place] for place in order)
        found = privacy_loss(method, problem, budget, here, there, rng=rng, sums=(sums[order[0]], sums[order[1]]))
        yield Draw(first, sum(found.values()) if first else -sum(found.values()))


def best_score(losses: Vector) -> tuple[float, float]:
    """How often the best player is right on this pair: the mean over draws, and its standard error.

    Given what was released the chance is known, so that it is averaged, and not right and wrong: that scatters less.

    Args:
        losses: of independent draws, at least 2.
    """
    chances = expit(np.abs(losses))
    return float(np.mean(chances)), float(np.std(chances, ddof=1)) / math.sqrt(len(chances))


def allowed_score(epsilon: float, delta: float) -> float:
    """How often anybody may be right, on any neighbours, if a method is (ε, δ)-DP.

    Whatever is guessed, ``P(right on one) ≤ e^ε P(wrong on the other) + δ``, and the same the other way round; of all
    players that keep to both the best is right with probability ``(e^ε + δ)/(1 + e^ε)``.
    """
    return (1 + delta * math.exp(-epsilon)) / (1 + math.exp(-epsilon))
