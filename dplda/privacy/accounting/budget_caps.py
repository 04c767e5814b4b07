r"""Many releases of the same documents, accounted as one: squares of μ add up under a cap, beside what δ must cover.

Adding up ε and δ is right for any mechanism and wasteful for Gaussian noise: three releases at ε = 1 are one of 1.72.
That holds of releases that were planned; of others the caps below are what is proven.

Theorem:
    Let releases follow each other, each chosen knowing all earlier results. Let D and D' be neighbors. After any
    history, let release i be, on either of them,

    - within :math:`τ_i` in total variation of a release :math:`R_i` (normal noise instead of exact: ``noise.exact``);
    - :math:`R_i = (1-γ_i)\,G_i + γ_i\,(\text{anything})`, where :math:`G_i` is :math:`μ_i`-GDP between D and D'. γ
      bounds the chance that a word of only one of them passes (``word_selection.thresholds``); without selected words it is 0.

    Fix ε, M, Γ and T before the first release. Refuse a release with which :math:`\sum μ_i^2` would exceed M,
    :math:`\sum γ_i` would exceed Γ, or :math:`\sum τ_i` would exceed T. If a Gaussian mechanism of :math:`μ = \sqrt M`
    is (ε, δ')-DP, all releases together, however many, are :math:`(ε, δ' + Γ + (1+e^ε)\,T)`-DP.

Proof:
    Let g and g' be the densities of histories of the releases :math:`G_i` on D and D'. Budgets may depend on results,
    yet :math:`\sum μ_i^2 \le M` on every history, which is the filter for Gaussian DP: they are :math:`\sqrt M`-GDP. So
    :math:`\int φ g \le e^ε \int φ g' + δ'` for functions φ of the history in [0, 1]. Given a set O of histories, take
    :math:`φ = w` on O and 0 elsewhere, with :math:`w(h) = \prod_i (1-γ_i(h)) \ge 1-Γ`.

    *On D.* Release i has density at most :math:`(1-γ_i) g_i` plus a rest of mass at most :math:`γ_i + τ_i`. Histories
    without a rest in O have mass at most :math:`\int φ g`. Those whose first rest is in release i have mass at most
    :math:`\int g \prod_{j<i} (1-γ_j)\,(γ_i + τ_i)`. Over all i the γ sum to :math:`\int g (1-w) \le Γ` and the τ to at
    most T. So :math:`P(O) \le \int φ g + Γ + T`.

    *On D'.* Release i has density at least :math:`b_i = a_i - e_i \ge 0`, with :math:`a_i = (1-γ_i) g'_i` and
    :math:`e_i` of mass at most :math:`τ_i`. On every history
    :math:`\prod a_i - \prod b_i = \sum_i \prod_{j<i} b_j \, e_i \prod_{j>i} a_j`, so at most
    :math:`\int g' \sum τ_i \le T` is lost: :math:`P'(O) \ge \int φ g' - T`.

    *Together,* :math:`P(O) \le e^ε \int φ g' + δ' + Γ + T \le e^ε P'(O) + δ' + Γ + (1 + e^ε)\,T`.

    *What it costs.* A release without selected words has γ = 0, and selection at most a quarter of its δ. The τ of
    exact noise is the request's own bound, some 1e-17 for 100,000 documents at ε = 1; it is never more than the
    reserved part of the release's δ over :math:`1 + e^ε`.

    *A box.* Γ, T and M are the worst over histories, each for itself. A single curve through them would let somebody
    who sees results spend on μ² after one result and on γ after another, and reach more than the curve allows. Caps
    that are fixed beforehand leave nothing to trade, and lower ones later only refuse more.

    *After other mechanisms* that are together (ε₀, δ₀)-DP by basic composition, the box is a second mechanism chosen
    knowing their results: everything is (ε₀ + ε, δ₀ + δ)-DP.

Source:
    Smith & Thakurta 2022, fully adaptive composition for Gaussian differential privacy: the filter. Dong, Roth & Su,
    Gaussian differential privacy. The rest is ours.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from dplda.core.errors import InputError
from dplda.privacy.accounting import gaussian
from dplda.privacy.noise.exact import RESERVED_DELTA_SHARE
from dplda.privacy.word_selection.thresholds import SELECTION_FAILURE_SHARE

SQUARED_MU_UNITS, SLACK_UNITS = 10**15, 10**18  # to 1
MIN_RELEASES_COVERED = (
    16  # releases like the first, at least, that T lasts for, if need be at a smaller ε
)
SMALLEST_SLACK = 1e-300
FAILURE_SHARE, TV_SLACK_SHARE = (
    SELECTION_FAILURE_SHARE,
    16 * RESERVED_DELTA_SHARE,
)  # parts of a budget's δ, so that Γ lasts for as many releases as δ would


@dataclass(frozen=True, slots=True)
class Spending:
    """What one release adds: ``mu`` of its Gaussian noise, ``passing`` γ and ``apart`` τ of the module's theorem."""

    mu: float
    selection_failure: float = 0.0
    tv_slack: float = 0.0


class BudgetTotals(NamedTuple):
    """Totals of μ², γ and :math:`(1+e^ε) τ`, or their caps, in whole units."""

    squared_mu: int = 0
    selection_failure: int = 0
    tv_slack: int = 0

    def is_within(self, caps: "BudgetTotals") -> bool:
        """Whether no sum exceeds its cap."""
        return all(one <= cap for one, cap in zip(self, caps, strict=True))

    def plus(self, other: "BudgetTotals") -> "BudgetTotals":
        """Both together."""
        return BudgetTotals(*(one + more for one, more in zip(self, other, strict=True)))


NOTHING_SPENT = BudgetTotals()


class BudgetCaps(NamedTuple):
    """Caps on sums, and ε at which they keep a budget, all fixed before the first release.

    Guarantee:
        Releases within the caps are together (ε, δ)-DP for the ε and δ given to ``for_first_release``: the module's
        theorem, with prices rounded up and caps rounded down.
    """

    epsilon: float
    squared_mu: int = 0
    selection_failure: int = 0
    tv_slack: int = 0

    @property
    def caps(self) -> BudgetTotals:
        """The caps."""
        return BudgetTotals(*self[1:])

    @classmethod
    def for_first_release(
        cls, first: Spending, *, alone: float, epsilon: float, delta: float
    ) -> "BudgetCaps | None":
        """Caps for a budget of ε and δ that the first release fits, ε ``alone`` by itself; None if it is too large.

        Shares of δ are set aside for γ and τ, and ε is at most one at which this τ is a small part of its share. Where
        the first release leaves no room for that, it gets what it needs.
        """
        room = math.log(
            max(TV_SLACK_SHARE * delta / MIN_RELEASES_COVERED, SMALLEST_SLACK)
            / max(first.tv_slack, SMALLEST_SLACK)
        )
        epsilon = min(epsilon, max(room, alone))
        price = cls(epsilon).price(first)
        for passing, apart in (
            (_slack(FAILURE_SHARE * delta), _slack(TV_SLACK_SHARE * delta)),
            price[1:],
        ):
            found = cls(epsilon, _squares(epsilon, delta, passing + apart), passing, apart)
            if price.is_within(found.caps):
                return found
        return None

    def price(self, one: Spending) -> BudgetTotals:
        """What a release adds to the sums, rounded up."""
        apart = (1 + Fraction(math.exp(min(self.epsilon, 700.0)) * (1 + 1e-12))) * Fraction(
            one.tv_slack
        )
        squares, slack = (
            Fraction(one.mu) ** 2 * SQUARED_MU_UNITS,
            (Fraction(one.selection_failure), apart),
        )
        return BudgetTotals(math.ceil(squares), *(math.ceil(each * SLACK_UNITS) for each in slack))

    def lowered_to(self, *, epsilon: float, delta: float) -> "BudgetCaps":
        """The caps of a lower budget; none of them rises."""
        passing, apart = (
            min(self.selection_failure, _slack(FAILURE_SHARE * delta)),
            min(self.tv_slack, _slack(TV_SLACK_SHARE * delta)),
        )
        squares = _squares(min(epsilon, self.epsilon), delta, passing + apart)
        return BudgetCaps(self.epsilon, min(squares, self.squared_mu), passing, apart)


def largest_epsilon(squares: int, delta: float) -> float:
    """The largest ε, rounded down, of a Gaussian mechanism at this δ whose μ² is at most ``squares``; 0 if none is."""
    mu = math.sqrt(max(squares, 0) / SQUARED_MU_UNITS) * (1 - 1e-12)
    if mu < gaussian.MU_LOW or not delta:
        return 0.0
    epsilon = gaussian.epsilon_for(mu, delta) * (1 - 1e-12)
    return gaussian.nudge_until(
        epsilon, -1e-12, lambda one: not one or gaussian.mu_for(one, delta) <= mu
    )


def _slack(share: float) -> int:
    return math.floor(Fraction(share) * SLACK_UNITS)


def _squares(epsilon: float, delta: float, slack: int) -> int:
    """The largest μ² within a budget of which δ has to cover ``slack`` too, rounded down; 0 if there is none."""
    left = float(Fraction(delta) - Fraction(slack, SLACK_UNITS)) * (1 - 1e-15)
    if epsilon <= 0 or left <= 0:
        return 0
    try:
        return math.floor(Fraction(gaussian.mu_for(epsilon, left)) ** 2 * SQUARED_MU_UNITS)
    except InputError:  # a δ too small for this ε to be computed
        return 0
