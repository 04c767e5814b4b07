r"""Many releases of the same documents accounted as one, by sums of μ² under a cap.

Two more caps are on sums that δ must cover.

Adding up ε and δ is right for any mechanism and wasteful for Gaussian noise: three releases at
ε = 1 are one of 1.72. That holds of releases that were planned; of others the caps below are what
is proven.

Theorem:
    Let releases follow each other, each chosen knowing all earlier results. Let D and D' be
    neighbors. After any history, let release i be, on either of them,

    - within :math:`τ_i` in total variation of a release :math:`R_i` (normal noise instead of exact:
      ``noise.exact``);
    - :math:`R_i = (1-γ_i)\,G_i + γ_i\,(\text{anything})`, where :math:`G_i` is :math:`μ_i`-GDP
      between D and D'. γ bounds the chance that a word of only one of them passes
      (``word_selection.thresholds``); without selected words it is 0.

    Fix ε, M, Γ and T before the first release. Refuse a release with which :math:`\sum μ_i^2` would
    exceed M, :math:`\sum γ_i` would exceed Γ, or :math:`\sum τ_i` would exceed T. If a Gaussian
    mechanism of :math:`μ = \sqrt M` is (ε, δ')-DP, all releases together, however many, are
    :math:`(ε, δ' + Γ + (1+e^ε)\,T)`-DP.

Proof:
    Let g and g' be the densities of histories of the releases :math:`G_i` on D and D'. Budgets may
    depend on results, yet :math:`\sum μ_i^2 \le M` on every history, which is the filter for
    Gaussian DP: they are :math:`\sqrt M`-GDP. So :math:`\int φ g \le e^ε \int φ g' + δ'` for
    functions φ of the history in [0, 1]. Given a set O of histories, take :math:`φ = w` on O and 0
    elsewhere, with :math:`w(h) = \prod_i (1-γ_i(h)) \ge 1-Γ`.

    *On D.* Release i has density at most :math:`(1-γ_i) g_i` plus a rest of mass at most
    :math:`γ_i + τ_i`. Histories without a rest in O have mass at most :math:`\int φ g`. Those whose
    first rest is in release i have mass at most :math:`\int g \prod_{j<i} (1-γ_j)\,(γ_i + τ_i)`.
    Over all i the γ sum to :math:`\int g (1-w) \le Γ` and the τ to at most T. So
    :math:`P(O) \le \int φ g + Γ + T`.

    *On D'.* Release i has density at least :math:`b_i = a_i - e_i \ge 0`, with
    :math:`a_i = (1-γ_i) g'_i` and :math:`e_i` of mass at most :math:`τ_i`. On every history
    :math:`\prod a_i - \prod b_i = \sum_i \prod_{j<i} b_j \, e_i \prod_{j>i} a_j`, so at most
    :math:`\int g' \sum τ_i \le T` is lost: :math:`P'(O) \ge \int φ g' - T`.

    *Together,* :math:`P(O) \le e^ε \int φ g' + δ' + Γ + T \le e^ε P'(O) + δ' + Γ + (1 + e^ε)\,T`.

    *What it costs.* A release without selected words has γ = 0, and selection at most a quarter of
    its δ. The τ of exact noise is the request's own bound, some 1e-17 for 100,000 documents at
    ε = 1; it is never more than the reserved part of the release's δ over :math:`1 + e^ε`.

    *Fixed caps.* Γ, T and M are the worst over histories, each for itself. A single curve through
    them would let somebody who sees results spend on μ² after one result and on γ after another,
    and reach more than the curve allows. Caps that are fixed beforehand leave nothing to trade, and
    lower ones later only refuse more.

    *After other mechanisms* that are together (ε₀, δ₀)-DP by basic composition, what the caps allow
    is a second mechanism chosen knowing their results: everything is (ε₀ + ε, δ₀ + δ)-DP.

Source:
    Smith & Thakurta 2022, fully adaptive composition for Gaussian differential privacy: the filter.
    Dong, Roth & Su, Gaussian differential privacy. The rest is ours.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from dplda.core.errors import InputError
from dplda.privacy.accounting import gaussian
from dplda.privacy.noise.exact import RESERVED_DELTA_SHARE

SQUARED_MU_UNITS = 10**15  # whole units of a μ² of 1
SLACK_UNITS = 10**18  # whole units of a δ of 1
MIN_RELEASES_COVERED = 16  # releases like the first that T pays for, if need be at a smaller ε
SMALLEST_SLACK = 1e-300  # stands for a slack of 0 in logarithms
SELECTION_FAILURE_SHARE = 0.25  # of one selection's δ, for words of only one neighbor
FAILURE_SHARE = SELECTION_FAILURE_SHARE  # of a budget's δ for γ: as many releases as δ has
TV_SLACK_SHARE = 16 * RESERVED_DELTA_SHARE  # of a budget's δ for the distance of exact noise
LARGEST_EXPONENT = 700.0  # e^ε above this is not a floating-point number


@dataclass(frozen=True, slots=True)
class Spending:
    """Cost that one release adds to those before it, in the terms of the module's theorem.

    Attributes:
        mu: μ of its Gaussian noise, above 0.
        selection_failure: γ, chance that a word of only one neighbor is selected, in [0, 1].
        tv_slack: τ, total variation of its exact noise from Gaussian noise, in [0, 1].
        smallest_mu: μ of a release like it whose noise is the widest that can be drawn; 0 if
            unknown. It costs nothing.
    """

    mu: float
    selection_failure: float = 0.0
    tv_slack: float = 0.0
    smallest_mu: float = 0.0


class BudgetTotals(NamedTuple):
    """Sums over releases, or caps on these sums, as whole numbers.

    Attributes:
        squared_mu: sum of μ², in units of 1/``SQUARED_MU_UNITS``.
        selection_failure: sum of γ, in units of 1/``SLACK_UNITS``.
        tv_slack: sum of :math:`(1+e^ε) τ`, in units of 1/``SLACK_UNITS``.
    """

    squared_mu: int = 0
    selection_failure: int = 0
    tv_slack: int = 0

    def is_within(self, caps: "BudgetTotals") -> bool:
        """Whether no sum exceeds its cap."""
        totals_with_caps = zip(self, caps, strict=True)
        return all(total <= cap for total, cap in totals_with_caps)

    def plus(self, more: "BudgetTotals") -> "BudgetTotals":
        """Sums of both."""
        return BudgetTotals(
            squared_mu=self.squared_mu + more.squared_mu,
            selection_failure=self.selection_failure + more.selection_failure,
            tv_slack=self.tv_slack + more.tv_slack,
        )


NOTHING_SPENT = BudgetTotals()


class BudgetCaps(NamedTuple):
    """Caps on sums over releases, and the ε at which they keep a budget.

    All are fixed before the first release.

    Attributes:
        epsilon: ε of the module's theorem.
        squared_mu: M, as in ``BudgetTotals``.
        selection_failure: Γ, likewise.
        tv_slack: :math:`(1+e^ε) T`, likewise.

    Guarantee:
        Releases within the caps are together (ε, δ)-DP for the ε and δ given to
        ``for_first_release``: the module's theorem, with prices rounded up and caps rounded down.
    """

    epsilon: float
    squared_mu: int = 0
    selection_failure: int = 0
    tv_slack: int = 0

    @property
    def caps(self) -> BudgetTotals:
        """Caps on the three sums."""
        return BudgetTotals(
            squared_mu=self.squared_mu,
            selection_failure=self.selection_failure,
            tv_slack=self.tv_slack,
        )

    @classmethod
    def for_first_release(
        cls, first: Spending, *, epsilon_alone: float, epsilon: float, delta: float
    ) -> "BudgetCaps | None":
        """Caps of a budget, chosen so that its first release fits.

        Shares of δ are set aside for γ and τ. Where the first release needs more, it gets what it
        needs. A large ε makes τ expensive, so the caps' ε is lowered until T lasts for
        ``MIN_RELEASES_COVERED`` releases like the first.

        Args:
            first: price of the first release.
            epsilon_alone: ε of the first release by itself; the caps' ε is not lowered below it.
            epsilon: ε of the budget.
            delta: δ of the budget.

        Returns:
            The caps, or None if the first release is too large for the budget.
        """
        epsilon_for_slack = _largest_epsilon_for_slack(first, delta)
        caps_epsilon = min(epsilon, max(epsilon_for_slack, epsilon_alone))
        price = cls(caps_epsilon).price(first)
        usual_caps = cls._within_delta(
            caps_epsilon,
            delta,
            selection_failure=_slack_units(FAILURE_SHARE * delta),
            tv_slack=_slack_units(TV_SLACK_SHARE * delta),
        )
        if price.is_within(usual_caps.caps):
            return usual_caps
        fitted_caps = cls._within_delta(
            caps_epsilon,
            delta,
            selection_failure=price.selection_failure,
            tv_slack=price.tv_slack,
        )
        if price.is_within(fitted_caps.caps):
            return fitted_caps
        return None

    @classmethod
    def _within_delta(
        cls, epsilon: float, delta: float, *, selection_failure: int, tv_slack: int
    ) -> "BudgetCaps":
        """Caps of which two are given, and μ² gets the rest of δ; 0 where none is left."""
        squared_mu = _largest_squared_mu(epsilon, delta, selection_failure + tv_slack)
        return cls(
            epsilon=epsilon,
            squared_mu=squared_mu,
            selection_failure=selection_failure,
            tv_slack=tv_slack,
        )

    def price(self, spending: Spending) -> BudgetTotals:
        """Amounts that a release adds to the sums, in whole units, rounded up.

        τ counts 1 + e^ε times, with the caps' ε.
        """
        exponent = min(self.epsilon, LARGEST_EXPONENT)
        exponential = math.exp(exponent) * (1 + 1e-12)
        squared_mu = Fraction(spending.mu) ** 2
        tv_slack = (1 + Fraction(exponential)) * Fraction(spending.tv_slack)
        return BudgetTotals(
            squared_mu=math.ceil(squared_mu * SQUARED_MU_UNITS),
            selection_failure=math.ceil(Fraction(spending.selection_failure) * SLACK_UNITS),
            tv_slack=math.ceil(tv_slack * SLACK_UNITS),
        )

    def lowered_to(self, *, epsilon: float, delta: float) -> "BudgetCaps":
        """Caps of a lower budget at the same ε of the theorem; no cap rises.

        Shares of the new δ are set aside for γ and τ. M is what the rest of it allows at the lower
        of both ε.
        """
        selection_failure = min(self.selection_failure, _slack_units(FAILURE_SHARE * delta))
        tv_slack = min(self.tv_slack, _slack_units(TV_SLACK_SHARE * delta))
        squared_mu = _largest_squared_mu(
            min(epsilon, self.epsilon), delta, selection_failure + tv_slack
        )
        return BudgetCaps(
            epsilon=self.epsilon,
            squared_mu=min(squared_mu, self.squared_mu),
            selection_failure=selection_failure,
            tv_slack=tv_slack,
        )


def largest_epsilon(squared_mu: int, delta: float) -> float:
    """The largest ε of a Gaussian mechanism at this δ whose μ² is allowed, rounded down.

    Args:
        squared_mu: allowed μ², in units of 1/``SQUARED_MU_UNITS``; nothing is allowed below 0.
        delta: δ of the mechanism, in [0, 1).

    Returns:
        ε, or 0 if no mechanism is allowed or δ is 0.
    """
    allowed_squared_mu = max(squared_mu, 0) / SQUARED_MU_UNITS
    mu = math.sqrt(allowed_squared_mu) * (1 - 1e-12)
    if mu < gaussian.MU_LOW or not delta:
        return 0.0

    def is_allowed(epsilon: float) -> bool:
        return epsilon == 0 or gaussian.mu_for(epsilon, delta) <= mu

    epsilon_of_mu = gaussian.epsilon_for(mu, delta) * (1 - 1e-12)
    return gaussian.nudge_until(epsilon_of_mu, -1e-12, is_allowed)


def _largest_epsilon_for_slack(first: Spending, delta: float) -> float:
    """ε at which T pays for ``MIN_RELEASES_COVERED`` releases like the first.

    Nearly: e^ε stands for 1 + e^ε. It is negative where δ is too small.
    """
    slack_per_release = TV_SLACK_SHARE * delta / MIN_RELEASES_COVERED
    allowed_slack = max(slack_per_release, SMALLEST_SLACK)
    needed_slack = max(first.tv_slack, SMALLEST_SLACK)
    return math.log(allowed_slack / needed_slack)


def _slack_units(share_of_delta: float) -> int:
    """A part of δ in whole units, rounded down."""
    return math.floor(Fraction(share_of_delta) * SLACK_UNITS)


def _largest_squared_mu(epsilon: float, delta: float, slack_units: int) -> int:
    """The largest μ² within a budget whose δ covers some slack too; 0 if there is none.

    It is in units of 1/``SQUARED_MU_UNITS``, rounded down. 0 also where δ is too small for this ε
    to be computed.

    Args:
        epsilon: ε of the budget.
        delta: δ of the budget.
        slack_units: part of δ for other failures, in units of 1/``SLACK_UNITS``.
    """
    delta_left = Fraction(delta) - Fraction(slack_units, SLACK_UNITS)
    delta_for_noise = float(delta_left) * (1 - 1e-15)
    if epsilon <= 0 or delta_for_noise <= 0:
        return 0
    try:
        mu = gaussian.mu_for(epsilon, delta_for_noise)
    except InputError:  # a δ too small for this ε to be computed
        return 0
    return math.floor(Fraction(mu) ** 2 * SQUARED_MU_UNITS)
