r"""The risk of a release in two sentences: a right guess of two candidates, and a raised guess.

Somebody knows everything else. Told two equally likely candidates for a document, they are right
about which was in at most ``right_guess`` of the time. And what they could guess about it with
chance p from a result that was made with another document in its place, they guess with chance at
most ``raised_guess`` from this one.

Theorem:
    Let a run be μ-GDP but for two things. With chance at most γ selected words give a document away
    (``word_selection.thresholds``), and exact noise is within the total variation τ of Gaussian
    noise. Then a right guess has chance at most :math:`Φ(μ/2) + γ + τ`, more exactly
    :math:`(1-γ)Φ(μ/2) + γ + τ`, and a raised guess at most
    :math:`Φ(Φ^{-1}(\min(1, p+τ)) + μ) + γ + τ`.

Proof:
    Let P and Q be the laws of the result with either document, and O the results after which
    the guess is the first. With Gaussian noise and no word that gives anything away, μ-GDP says
    :math:`P(O) \le F(Q(O))` with :math:`F(x) = Φ(Φ^{-1}(x) + μ)`, which is concave, increasing and
    0 at 0 (Dong, Roth and Su 2022).

    *A right guess* has the chance :math:`(P(O) + 1 - Q(O))/2`, at most the largest
    :math:`(F(x) + 1 - x)/2`, which is Φ(μ/2), at :math:`x = Φ(-μ/2)`. With exact noise P(O) and
    Q(O) move by at most τ each, so half their difference by at most τ. With selected words each law
    is a mixture: with chance γ anything, else as before (a smaller chance is one of γ, as some of
    the rest may be called anything). The chance is the same mixture.

    *A raised guess.* Let O be the results after which the guess is right, with :math:`Q(O) \le p`.
    Exact noise: the Gaussian law has at most p + τ, so :math:`F(p+τ)`, and τ is added again.
    Selected words: :math:`Q = (1-γ)G' + γB'` and :math:`P = (1-γ)G + γB`, so
    :math:`G'(O) \le Q(O)/(1-γ)` and :math:`P(O) \le (1-γ)F(Q(O)/(1-γ)) + γ \le F(Q(O)) + γ`, as F
    is concave and 0 at 0. (A factor 1 − γ before F(p) would be wrong: B' may never guess right.) As
    F is concave, the bound holds for the mean over documents and guesses too.

From ε and δ:
    A claim of (ε, δ) for such a run charges its δ with :math:`δ(ε; μ) + γ + (1 + e^ε)τ`. So
    :math:`δ(ε; μ) \le δ`, which bounds μ by ``gaussian.mu_for``, and :math:`γ + τ \le δ`. Without
    knowing more, ``risk_of`` uses these, so one number holds for the words and topics of a release
    and for all releases of a chain. Where noise is not all Gaussian, the pair (ε, δ) alone gives
    :math:`(e^ε + δ)/(e^ε + 1)` and :math:`e^ε p + δ`, which are larger.

From a privacy loss distribution:
    Random minibatches and Laplace noise have a curve δ(ε), with :math:`P(O) \le e^ε Q(O) + δ(ε)` at
    every ε ≥ 0. At ε = 0 it is the total variation, so a right guess has chance at most
    :math:`(1 + δ(0))/2`; a raised guess has at most the smallest :math:`e^ε p + δ(ε)`.

Source:
    Dong, Roth and Su (2022), "Gaussian differential privacy"; Kairouz, Oh and Viswanath (2015) for
    the pair.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

from scipy.special import ndtr, ndtri

from dplda.core import checks
from dplda.privacy.accounting import gaussian
from dplda.privacy.accounting.odds import best_guess, format_chance

RARE_GUESS = 0.01
"""Chance of a guess that would be raised, in the second sentence."""

N_CURVE_STEPS = 200
"""Values of ε, evenly spaced, at which a raised guess is bounded by a curve δ(ε)."""

ROUNDING_MARGIN = 1 + 2.0**-40
"""More than what functions of the normal distribution lose, as a factor."""


@dataclass(frozen=True, slots=True)
class Risk:
    """Chances of an attacker who wants to know about one document, both rounded up.

    Attributes:
        right_guess: largest chance of saying which of two equally likely candidates was in.
        raised_guess: largest chance of a guess that would be right 1 time in 100 without it.
    """

    right_guess: float
    raised_guess: float

    def describe_right_guess(self, unit: str = "document") -> str:
        """The first sentence; the unit is ``document`` or ``person``."""
        return (
            f"Somebody who knows everything else and guesses which of two equally likely {unit}s"
            f" was in is right at most {format_chance(self.right_guess)} (a coin: half)."
        )

    def describe_raised_guess(self, unit: str = "document") -> str:
        """The second sentence; the unit is ``document`` or ``person``."""
        return (
            f"Take a guess about a {unit} that is right 1 time in 100 from a result with another in"
            f" its place. From this result it is right at most {self.raised_times} times in 100."
        )

    def describe(self, unit: str = "document") -> str:
        """Both sentences; the unit is ``document`` or ``person``."""
        return f"{self.describe_right_guess(unit)} {self.describe_raised_guess(unit)}"

    @property
    def raised_times(self) -> str:
        """The raised guess in times of 100, rounded up to tenths."""
        n_tenths = math.ceil(1000 * self.raised_guess * (1 - 1e-12))
        return f"{n_tenths / 10:g}"


def right_guess(mu: float, *, selection_failure: float = 0.0, tv_slack: float = 0.0) -> float:
    """Largest chance of saying which of two equally likely candidates was in, rounded up.

    Args:
        mu: μ of all releases together, at least 0.
        selection_failure: γ, chance that selected words give a document away.
        tv_slack: τ, total variation of exact noise from Gaussian noise.

    Raises:
        InputError: an argument is out of its range.
    """
    _check_arguments(mu, selection_failure, tv_slack)
    chance_by_noise = float(ndtr(mu / 2))
    chance = (1 - selection_failure) * chance_by_noise + selection_failure + tv_slack
    return min(1.0, chance * ROUNDING_MARGIN)


def raised_guess(
    chance: float, mu: float, *, selection_failure: float = 0.0, tv_slack: float = 0.0
) -> float:
    """Largest chance of a guess that has this chance without the document, rounded up.

    Args:
        chance: p, of a right guess from a result with another document in its place, in [0, 1].
        mu: μ of all releases together, at least 0.
        selection_failure: γ, chance that selected words give a document away.
        tv_slack: τ, total variation of exact noise from Gaussian noise.

    Raises:
        InputError: an argument is out of its range.
    """
    checks.between("chance", chance, 0, 1, open_ends=False)
    _check_arguments(mu, selection_failure, tv_slack)
    gaussian_chance = min(1.0, chance + tv_slack)
    raised_by_noise = float(ndtr(ndtri(gaussian_chance) + mu))
    raised_chance = raised_by_noise + selection_failure + tv_slack
    return min(1.0, raised_chance * ROUNDING_MARGIN)


def risk_of(epsilon: float, delta: float, *, is_gaussian: bool) -> Risk:
    """Work out the risk of an (ε, δ)-private result, by the tightest bound that its noise allows.

    Args:
        epsilon: ε, at least 0; infinite where nothing is promised.
        delta: δ, in [0, 1].
        is_gaussian: whether all its noise is Gaussian, so that it is μ-GDP but for selected words
            and exact noise, which δ covers.
    """
    right_chance = best_guess(epsilon, delta)
    mu = _mu_of_pair(epsilon, delta, is_gaussian=is_gaussian)
    if mu is not None:  # both bounds hold
        chance_by_mu = right_guess(mu, tv_slack=delta)
        right_chance = min(right_chance, chance_by_mu)
    raised_chance = largest_raised_guess(RARE_GUESS, epsilon, delta, is_gaussian=is_gaussian)
    return Risk(right_guess=right_chance, raised_guess=raised_chance)


def risk_of_curve(delta_at: Callable[[float], float], largest_epsilon: float) -> Risk:
    """Work out the risk of a mechanism whose δ is known at every ε.

    Args:
        delta_at: δ(ε) for ε ≥ 0, an upper bound.
        largest_epsilon: largest ε at which the bound on a raised guess is tried.
    """
    raised_bounds = []
    for step in range(N_CURVE_STEPS + 1):
        epsilon = largest_epsilon * step / N_CURVE_STEPS
        raised_bound = math.exp(epsilon) * RARE_GUESS + delta_at(epsilon)
        raised_bounds.append(raised_bound)
    right_chance = (1 + delta_at(0.0)) / 2 * ROUNDING_MARGIN
    raised_chance = min(raised_bounds) * ROUNDING_MARGIN
    return Risk(right_guess=min(1.0, right_chance), raised_guess=min(1.0, raised_chance))


def largest_raised_guess(
    chance: float, epsilon: float, delta: float, *, is_gaussian: bool
) -> float:
    """Largest chance of a guess from a result that is (ε, δ)-private, rounded up.

    Args:
        chance: p, of a right guess from a result with another document in its place, in [0, 1].
        epsilon: ε, at least 0; infinite where nothing is promised.
        delta: δ, in [0, 1].
        is_gaussian: as in ``risk_of``.
    """
    exponential = math.exp(min(epsilon, 700.0))
    raised_chance = exponential * chance + delta
    bound_by_pair = min(1.0, raised_chance * ROUNDING_MARGIN)
    mu = _mu_of_pair(epsilon, delta, is_gaussian=is_gaussian)
    if mu is None:
        return bound_by_pair
    bound_by_mu = raised_guess(chance, mu, tv_slack=delta)
    return min(bound_by_pair, bound_by_mu)  # both hold


def _mu_of_pair(epsilon: float, delta: float, *, is_gaussian: bool) -> float | None:
    """Largest μ of Gaussian noise that is (ε, δ)-private.

    None where the pair alone is known: not all noise is Gaussian, ε or δ is 0, or ε is infinite.
    """
    if not is_gaussian or delta <= 0 or epsilon <= 0 or not math.isfinite(epsilon):
        return None
    return gaussian.mu_for(epsilon, delta)


def _check_arguments(mu: float, selection_failure: float, tv_slack: float) -> None:
    """Refuse a negative μ, and failure chances or slacks outside [0, 1]."""
    checks.at_least("mu", mu, 0)
    checks.between("selection_failure", selection_failure, 0, 1, open_ends=False)
    checks.between("tv_slack", tv_slack, 0, 1, open_ends=False)
