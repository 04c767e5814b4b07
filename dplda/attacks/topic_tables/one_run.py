r"""A lower bound on ε from one finished run, by right guesses about pairs of documents.

Of each pair a fair coin chose the document that was used; the other one was not. An attacker sees
the result of the run and guesses some of the coins. If the run is (ε, δ)-private when one document
of a pair replaces the other, W right guesses of r are rare:

.. math:: P[W \ge v] \le f(v) + 2 m δ \max_{1 \le i \le m} \frac{f(v - i) - f(v)}{i},

where f(v) is the chance that a binomial number of r trials with probability
:math:`e^ε / (1 + e^ε)` is at least v, and m the number of pairs. The smallest ε for which that is
not below the allowed error is a lower bound, wrong with at most that probability. Without δ it is
the bound by Clopper and Pearson on the share of right guesses, as an ε.

Source:
    Steinke, Nasr & Jagielski 2023, privacy auditing with one training run, Theorem 5.2. They let a
    coin include each example; here it chooses one of two, which is replace-one adjacency: their
    proof flips one coin at a time, and needs nothing else of what a flip does.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats
from scipy.optimize import brentq
from scipy.special import expit

from dplda.core import checks
from dplda.core.types import Vector

MAX_EPSILON = 50.0  # no number of guesses here proves more
MIN_GUESSES = 8  # fewer prove little: all right shows ε = 0.8 at 5 %


@dataclass(frozen=True, slots=True)
class EpsilonBound:
    """A lower bound on ε, and the guesses that prove it.

    Attributes:
        epsilon: lower bound; 0 if the guesses prove nothing.
        delta: δ of the privacy that it speaks of.
        error: chance that the bound is wrong, at most.
        n_pairs: pairs of documents, m.
        n_guesses: pairs that were guessed, r.
        n_right: right guesses, W.
        n_attempts: sets of guesses among which this is the best; each has an equal part of the
            error.
    """

    epsilon: float
    delta: float
    error: float
    n_pairs: int
    n_guesses: int
    n_right: int
    n_attempts: int


def chance_of_right_guesses(
    n_right: int,
    n_guesses: int,
    n_pairs: int,
    epsilon: float,
    delta: float,
) -> float:
    """Upper bound on the chance of so many right guesses against an (ε, δ)-private run.

    Args:
        n_right: right guesses, from 0 to ``n_guesses``.
        n_guesses: guesses, r.
        n_pairs: pairs of documents, m.
        epsilon: ε of the run, at least 0.
        delta: δ of the run, from 0.
    """
    right_share = float(expit(epsilon))
    tail_probability = float(stats.binom.sf(n_right - 1, n_guesses, right_share))
    if delta == 0 or n_right == 0:
        return tail_probability
    fewer_right = np.arange(n_right - 1, -1, -1)  # v − i for i = 1, 2, …
    probabilities = stats.binom.pmf(fewer_right, n_guesses, right_share)
    gained_chance = np.cumsum(probabilities)  # f(v − i) − f(v)
    n_fewer = np.arange(1, n_right + 1)  # i
    steepest_gain = float(np.max(gained_chance / n_fewer))
    return min(1.0, tail_probability + 2 * n_pairs * delta * steepest_gain)


def epsilon_of_guesses(
    n_right: int,
    n_guesses: int,
    n_pairs: int,
    *,
    delta: float,
    error: float,
) -> float:
    """Lower bound on ε from right guesses; 0 if they prove nothing, and ``MAX_EPSILON`` at most.

    Args:
        n_right: right guesses.
        n_guesses: guesses, r, fixed before any coin is known.
        n_pairs: pairs of documents, m.
        delta: δ of the run, from 0.
        error: chance that the bound is wrong, at most.

    Guarantee:
        Rounded down: at the bound, the chance is at most the error.
    """

    def excess(epsilon: float) -> float:
        """Chance of so many right guesses at this ε, less the error."""
        chance = chance_of_right_guesses(n_right, n_guesses, n_pairs, epsilon=epsilon, delta=delta)
        return chance - error

    if excess(0.0) > 0:
        return 0.0
    if excess(MAX_EPSILON) <= 0:
        return MAX_EPSILON
    epsilon = float(brentq(excess, 0.0, MAX_EPSILON, xtol=1e-9))
    while epsilon > 0 and excess(epsilon) > 0:
        epsilon -= 1e-6
    return max(0.0, epsilon)


def bound_epsilon(advantages: Sequence[Vector], *, delta: float, error: float) -> EpsilonBound:
    """Bound ε by the best of several scores and numbers of guesses.

    An advantage is the score of a pair's used document minus that of the other one, and its size
    does not depend on which is which. The attacker guesses the pairs of the largest sizes: all of
    them, half of them, a quarter and so on, down to ``MIN_GUESSES``. A pair of advantage 0 counts
    as a wrong guess. Each attempt gets an equal part of the error.

    Args:
        advantages: one array per score, shape (pairs,).
        delta: δ of the run, from 0.
        error: chance that the bound is wrong, at most.
    """
    checks.between("error", error, 0, 1, open_ends=True)
    n_pairs = len(advantages[0])
    most_halvings = math.log2(max(1, n_pairs // MIN_GUESSES))
    halvings = range(int(most_halvings) + 1)
    guess_numbers = [n_pairs >> halving for halving in halvings]
    n_attempts = len(advantages) * len(guess_numbers)
    error_of_attempt = error / n_attempts
    bounds: list[EpsilonBound] = []
    for pair_advantages in advantages:
        sizes = np.abs(pair_advantages)
        largest_first = np.argsort(-sizes, kind="stable")
        is_right = pair_advantages[largest_first] > 0
        for n_guesses in guess_numbers:
            n_right = int(np.count_nonzero(is_right[:n_guesses]))
            epsilon = epsilon_of_guesses(
                n_right, n_guesses, n_pairs, delta=delta, error=error_of_attempt
            )
            bound = EpsilonBound(
                epsilon=epsilon,
                delta=delta,
                error=error,
                n_pairs=n_pairs,
                n_guesses=n_guesses,
                n_right=n_right,
                n_attempts=n_attempts,
            )
            bounds.append(bound)
    return max(bounds, key=lambda bound: bound.epsilon)
