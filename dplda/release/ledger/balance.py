"""The balance of a privacy budget: the use of its releases together, and what remains."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

from dplda.core.errors import InputError
from dplda.privacy.accounting import gaussian
from dplda.privacy.accounting.budget_caps import (
    NOTHING_SPENT,
    SLACK_UNITS,
    SQUARED_MU_UNITS,
    BudgetCaps,
    BudgetTotals,
    Spending,
    largest_epsilon,
)
from dplda.privacy.accounting.odds import format_rounded_down, format_rounded_up
from dplda.privacy.accounting.risk import risk_of
from dplda.privacy.noise.exact import delta_of_noise, max_tv_slack
from dplda.release.ledger.amounts import (
    DELTA_UNITS,
    EPSILON_UNITS,
    is_within,
    sum_pairs,
    to_units,
)

PLANNED_ONLY = (
    "That holds if all of them were planned before the first. The whole budget holds in any case."
)
SMALLER = "Choose a smaller ε or δ."
SMALLER_EPSILON = "Choose a smaller ε."
SMALLER_DELTA = "Choose a smaller δ."
ONLY_GAUSSIAN = (
    "After releases with Gaussian noise there is only room for others with Gaussian noise."
)
NO_SELECTION_FAILURE_LEFT = (
    "The part of δ for words that pass by chance has run out. Choose a smaller δ for selecting"
    " words, or use a word list."
)
NO_TV_SLACK_LEFT = (
    "The part of δ for the distance of exact noise from Gaussian noise has run out. Choose a"
    " smaller ε, fewer words or fewer topics."
)
HALVINGS = 40  # of an interval of ε, to its 13th digit
SHOWN_DIGITS = 3  # of ε and δ that remain
SOLVER_MARGIN = 1 + 1e-11  # on a μ that is worked out again, from an equal ε and δ
BELOW_ONE = 1 - 1e-15  # rounds a float down
LARGEST_EXPONENT = 700.0  # e^ε above this is not a floating-point number


@dataclass(frozen=True, slots=True)
class Balance:
    """The privacy budget of a dataset.

    Attributes:
        cap: ε and δ of the whole budget, in the ledger's units, like the next two.
        added_up: the sum of all releases' ε and δ, as basic composition adds them.
        basic_added_up: the part of it by entries that count in this way.
        budget_caps: caps on the others together; None before the first of them.
        used_totals: sums over the others, held against these caps.
    """

    cap: tuple[int, int]
    added_up: tuple[int, int] = (0, 0)
    basic_added_up: tuple[int, int] = (0, 0)
    budget_caps: BudgetCaps | None = None
    used_totals: BudgetTotals = NOTHING_SPENT

    def after_release(
        self, *, epsilon: float, delta: float, spending: Spending | None = None
    ) -> "Balance | None":
        """The balance after a release, or None where the budget has no room for it.

        The first Gaussian release also fixes the caps of all later ones. There is no room where the
        release alone and all that counts by basic composition would exceed the whole budget, or
        Gaussian releases together their caps.

        Args:
            epsilon: ε of the release by itself.
            delta: δ of the release by itself.
            spending: of Gaussian noise; None for any other mechanism, which has no room after
                Gaussian releases.

        Raises:
            InputError: ε or δ is out of its range.
        """
        price_units = to_units(epsilon, delta, up=True)
        sum_of_all_units = sum_pairs(self.added_up, price_units)
        sum_of_basic_units = sum_pairs(self.basic_added_up, price_units)
        if not is_within(sum_of_basic_units, self.cap):
            return None
        if spending is None:
            if self.budget_caps is not None:
                return None
            return replace(self, added_up=sum_of_all_units, basic_added_up=sum_of_basic_units)
        budget_caps = self._caps_for(spending, epsilon)
        if budget_caps is None:
            return None
        balance_after = replace(
            self,
            added_up=sum_of_all_units,
            budget_caps=budget_caps,
            used_totals=self.used_totals.plus(budget_caps.price(spending)),
        )
        return None if balance_after.exceeded else balance_after

    def with_lower_cap(self, cap: tuple[int, int]) -> "Balance":
        """The balance under a lower cap of ε and δ; fixed caps on Gaussian releases get lower, too.

        Args:
            cap: units of ε and of δ; a larger one than the present one changes nothing.
        """
        lower_cap = (min(self.cap[0], cap[0]), min(self.cap[1], cap[1]))
        lowered_balance = replace(self, cap=lower_cap)
        if self.budget_caps is None:
            return lowered_balance
        gaussian_epsilon, gaussian_delta = lowered_balance._gaussian_budget
        return replace(
            lowered_balance,
            budget_caps=self.budget_caps.lowered_to(epsilon=gaussian_epsilon, delta=gaussian_delta),
        )

    @property
    def exceeded(self) -> bool:
        """Whether more was charged than the caps allow."""
        caps = NOTHING_SPENT if self.budget_caps is None else self.budget_caps.caps
        is_basic_within = is_within(self.basic_added_up, self.cap)
        return not is_basic_within or not self.used_totals.is_within(caps)

    @property
    def remaining(self) -> tuple[float, float]:
        """The largest ε of one more release like those so far, and δ to release it at.

        The δ is all that noise may use: at a smaller one a budget would seem untouched by its first
        releases. Exact noise is a little off Gaussian noise. δ pays for that distance, which grows
        with μ², so it may run out before μ² does. ε is rounded down, to 0 if nothing is left; δ has
        the digits that are shown, so that a release at the shown ε and δ is accepted.
        """
        gaussian_epsilon, gaussian_delta = self._gaussian_budget
        slack_per_mu2 = self._mean_slack_per_mu2
        if self.budget_caps is not None:
            reserved_units = self.budget_caps.selection_failure + self.budget_caps.tv_slack
            gaussian_delta = max(gaussian_delta - reserved_units / DELTA_UNITS, 0.0) * BELOW_ONE
        remaining_delta = _round_down_as_shown(gaussian_delta)
        if self.budget_caps is not None:
            squared_mu = self._remaining_squared_mu(self.budget_caps, slack_per_mu2)
            gaussian_epsilon = min(
                gaussian_epsilon, largest_epsilon(squared_mu, delta_of_noise(remaining_delta))
            )
        remaining_epsilon = _largest_covered_epsilon(
            gaussian_epsilon, remaining_delta, slack_per_mu2
        )
        return math.nextafter(max(remaining_epsilon, 0.0), 0), remaining_delta

    def remaining_for(
        self, spending: Spending, *, epsilon: float, delta: float
    ) -> tuple[float, float]:
        """ε and δ that remain for a release of the same kind as one that is refused.

        Releases of the same kind differ in size alone: noise, the chance that words pass and the
        distance of exact noise keep their proportions to ε and δ. A part of δ that ran out lowers
        δ, which has the digits that are shown; ε is the largest up to that of the refused release
        that ``after_release`` accepts at this δ.

        Args:
            spending: of the refused release.
            epsilon: ε of the refused release.
            delta: δ of the refused release.

        Returns:
            ε and δ, both rounded down, and neither above that of the refused release; ε is 0 if
            nothing is left, or less than the widest noise needs. At an unchanged δ, ε is below that
            of the refused release.
        """
        gaussian_epsilon, gaussian_delta = self._gaussian_budget
        room_for_delta = min(1.0, gaussian_delta / delta, self._room_for_failure(spending))
        if room_for_delta < 1.0:
            room_for_delta *= 1 - 1e-12
        remaining_delta = _round_down_as_shown(room_for_delta * delta)
        delta_share = remaining_delta / delta * BELOW_ONE if remaining_delta < delta else 1.0
        noise_delta = delta_share * gaussian.delta_of(epsilon, spending.mu)
        selection_failure = delta_share * spending.selection_failure
        slack_per_mu2 = spending.tv_slack / spending.mu**2

        def is_accepted(smaller_epsilon: float) -> bool:
            """Whether a release of this ε and the remaining δ has room, and δ covers its noise.

            False if μ cannot be computed.
            """
            mu = _mu_if_computable(smaller_epsilon, noise_delta)
            if mu is None:
                return False
            mu *= SOLVER_MARGIN
            smaller_spending = Spending(mu, selection_failure, slack_per_mu2 * mu**2)
            balance_after = self.after_release(
                epsilon=smaller_epsilon, delta=remaining_delta, spending=smaller_spending
            )
            max_slack = max_tv_slack(smaller_epsilon, remaining_delta)
            return balance_after is not None and smaller_spending.tv_slack <= max_slack

        if not noise_delta:
            return 0.0, remaining_delta
        remaining_epsilon = _largest_accepted(min(gaussian_epsilon, epsilon), is_accepted)
        remaining_mu = _mu_if_computable(remaining_epsilon, noise_delta)
        if remaining_mu is None or remaining_mu < spending.smallest_mu * SOLVER_MARGIN:
            return 0.0, remaining_delta
        return math.nextafter(remaining_epsilon, 0), remaining_delta

    def explain_refusal(self, *, epsilon: float, delta: float, spending: Spending | None) -> str:
        """Explain which part of the budget has no room for a release, and what to do.

        For a release that ``after_release`` refuses: choose a smaller ε, δ or either, only Gaussian
        noise fits, or that a part of δ ran out.

        Args:
            epsilon: its ε.
            delta: its δ.
            spending: its Gaussian noise; None for any other mechanism.
        """
        price = to_units(epsilon, delta, up=True)
        basic_epsilon, basic_delta = sum_pairs(self.basic_added_up, price)
        epsilon_cap, delta_cap = self.cap
        if basic_delta > delta_cap:
            return SMALLER if basic_epsilon > epsilon_cap else SMALLER_DELTA
        if basic_epsilon > epsilon_cap:
            return SMALLER_EPSILON
        if spending is None:
            return ONLY_GAUSSIAN
        budget_caps = self._caps_for(spending, epsilon)
        if budget_caps is None:
            return NO_TV_SLACK_LEFT
        totals = self.used_totals.plus(budget_caps.price(spending))
        if totals.selection_failure > budget_caps.selection_failure:
            return NO_SELECTION_FAILURE_LEFT
        if totals.squared_mu > budget_caps.squared_mu:
            return SMALLER
        return NO_TV_SLACK_LEFT

    @property
    def total_guarantee(self) -> tuple[float, float]:
        """ε of all releases together, rounded up, and the δ of the budget.

        ε is the smaller of two bounds: the plain sum, and ε of all Gaussian noise composed plus
        the ε of other releases. Without Gaussian releases both are
        equal. The plain sum counts alone where the budget's δ leaves nothing for Gaussian
        noise.

        Guarantee:
            Holds if number and budgets of the releases were fixed before the first. If they were
            chosen after results, only the whole budget is proven
            (``privacy.accounting.budget_caps``).
        """
        composed_epsilon = self.basic_added_up[0] / EPSILON_UNITS
        totals = self.used_totals
        if totals.squared_mu:
            other_delta_units = self.basic_added_up[1] + totals.selection_failure + totals.tv_slack
            noise_delta = (self.cap[1] - other_delta_units) / DELTA_UNITS * BELOW_ONE
            mu = math.sqrt(totals.squared_mu / SQUARED_MU_UNITS) * (1 + 1e-15)
            if noise_delta > 0:
                composed_epsilon += gaussian.epsilon_for(mu, noise_delta)
            else:
                composed_epsilon = math.inf
        return min(composed_epsilon, self.added_up[0] / EPSILON_UNITS), self.cap[1] / DELTA_UNITS

    def describe_total(self) -> str:
        """The guarantee of all releases together, and the sum of their ε."""
        total_epsilon, total_delta = self.total_guarantee
        sum_of_epsilons = self.added_up[0] / EPSILON_UNITS
        return (
            f"ε = {format_rounded_up(total_epsilon, 3)} at δ = {format_rounded_up(total_delta, 3)};"
            f" their ε add up to {format_rounded_up(sum_of_epsilons, 3)}"
        )

    def describe_cap_risk(self, unit: str) -> str:
        """Sentences on what all releases within the whole budget let others guess.

        Empty before the first release, whose noise decides. The number is that of Gaussian noise
        where all releases have it, by the theorem of ``privacy.accounting.budget_caps``.

        Args:
            unit: what is protected: a ``document`` or a ``person``.
        """
        if not any(self.added_up):
            return ""
        is_gaussian = self.budget_caps is not None and not any(self.basic_added_up)
        cap_epsilon = self.cap[0] / EPSILON_UNITS
        cap_delta = self.cap[1] / DELTA_UNITS
        risk = risk_of(cap_epsilon, cap_delta, is_gaussian=is_gaussian)
        return f"If the whole budget is used: {risk.describe(unit)}"

    def describe_remaining(self) -> str:
        """ε and δ that remain for one more release like those so far."""
        return _describe(self.remaining)

    def describe_remaining_for(self, spending: Spending, *, epsilon: float, delta: float) -> str:
        """``remaining_for`` in words."""
        return _describe(self.remaining_for(spending, epsilon=epsilon, delta=delta))

    @property
    def percent_left(self) -> int:
        """Percent of the budget that is left, rounded down: the least over the capped quantities.

        From the first Gaussian release on, only the caps on these count.
        Quantities of which nothing is used do not count.
        100 before the first release, and never below 0.
        """
        totals: tuple[int, ...] = self.basic_added_up
        caps: tuple[int, ...] = self.cap
        if self.budget_caps is not None:
            totals = self.used_totals
            caps = self.budget_caps.caps
        percentages = [
            100 * (cap_units - used_units) // max(cap_units, 1)
            for used_units, cap_units in zip(totals, caps, strict=True)
            if used_units
        ]
        return max(0, min(percentages, default=100))

    def share_of_budget(self, *, epsilon: float, delta: float, spending: Spending) -> float:
        """The largest share of a cap that one release uses; above 1 if the release is too large.

        Shares are of the caps on Gaussian releases; of ε and δ where the release exceeds the whole
        budget, or the caps cannot be worked out. Earlier releases are not counted.

        Args:
            epsilon: ε of the release by itself.
            delta: δ of the release by itself.
            spending: of its Gaussian noise.
        """
        price: tuple[int, ...] = to_units(epsilon, delta, up=True)
        caps: tuple[int, ...] = self.cap
        budget_caps = self._caps_for(spending, epsilon)
        exceeds_whole_budget = price[0] > caps[0] or price[1] > caps[1]
        if budget_caps is not None and not exceeds_whole_budget:
            price = budget_caps.price(spending)
            caps = budget_caps.caps
        return max(
            amount / cap if cap else math.inf
            for amount, cap in zip(price, caps, strict=True)
            if amount
        )

    def _caps_for(self, spending: Spending, epsilon: float) -> BudgetCaps | None:
        """Caps on Gaussian releases, fixed by the first of them; None if this one is too large."""
        if self.budget_caps is not None:
            return self.budget_caps
        gaussian_epsilon, gaussian_delta = self._gaussian_budget
        return BudgetCaps.for_first_release(
            spending, epsilon_alone=epsilon, epsilon=gaussian_epsilon, delta=gaussian_delta
        )

    @property
    def _gaussian_budget(self) -> tuple[float, float]:
        """ε and δ for Gaussian releases: what basic composition has not used."""
        epsilon_units = max(self.cap[0] - self.basic_added_up[0], 0)
        delta_units = max(self.cap[1] - self.basic_added_up[1], 0)
        return epsilon_units / EPSILON_UNITS, delta_units / DELTA_UNITS

    def _room_for_failure(self, spending: Spending) -> float:
        """The share of a release's selection failure that the budget has room for; at most 1."""
        if self.budget_caps is None or not spending.selection_failure:
            return 1.0
        units_left = self.budget_caps.selection_failure - self.used_totals.selection_failure
        return min(1.0, max(units_left / SLACK_UNITS, 0.0) / spending.selection_failure)

    def _remaining_squared_mu(self, budget_caps: BudgetCaps, slack_per_mu2: float) -> int:
        """Units of μ² that remain for exact noise of a distance per μ².

        The smaller of what the cap on μ² leaves and of what the cap on that distance pays for;
        below 0 where a cap is exceeded.
        """
        squared_mu_left = budget_caps.squared_mu - self.used_totals.squared_mu
        slack_price = budget_caps.price(Spending(1.0, tv_slack=slack_per_mu2)).tv_slack
        if not slack_price:
            return squared_mu_left
        slack_left = budget_caps.tv_slack - self.used_totals.tv_slack
        return min(squared_mu_left, slack_left * SQUARED_MU_UNITS // slack_price)

    @property
    def _mean_slack_per_mu2(self) -> float:
        """Total variation distance of exact noise per μ², over the Gaussian releases so far.

        It is the mean of all of them, weighted by μ². It is 0 before the first.
        """
        totals = self.used_totals
        if self.budget_caps is None or not totals.squared_mu:
            return 0.0
        exp_epsilon = math.exp(min(self.budget_caps.epsilon, LARGEST_EXPONENT))
        tv_slack = totals.tv_slack / SLACK_UNITS / (1 + exp_epsilon)
        return tv_slack / (totals.squared_mu / SQUARED_MU_UNITS)


def _largest_covered_epsilon(epsilon: float, delta: float, slack_per_mu2: float) -> float:
    """The largest ε up to this one whose own δ covers its exact noise; 0 if none does.

    This ε itself if it or δ is 0, or exact noise has no distance.
    """

    def is_covered(smaller_epsilon: float) -> bool:
        mu = _mu_if_computable(smaller_epsilon, delta_of_noise(delta))
        return mu is not None and slack_per_mu2 * mu**2 <= max_tv_slack(smaller_epsilon, delta)

    if not epsilon or not delta or not slack_per_mu2:
        return epsilon
    return _largest_accepted(epsilon, is_covered)


def _mu_if_computable(epsilon: float, delta: float) -> float | None:
    """μ of a Gaussian mechanism; None for a δ that is too small for this ε to be computed."""
    try:
        return gaussian.mu_for(epsilon, delta)
    except InputError:
        return None


def _largest_accepted(largest: float, is_accepted: Callable[[float], bool]) -> float:
    """The largest ε up to this one that is accepted, found by bisection and rounded down.

    0 if none is found.

    Args:
        largest: the largest ε to try; at most 0 for none, which gives 0.
        is_accepted: whether an ε is; if one is, all smaller ones are.
    """
    if largest <= 0 or is_accepted(largest):
        return max(largest, 0.0)
    accepted_epsilon = 0.0
    refused_epsilon = largest
    for _ in range(HALVINGS):
        middle_epsilon = (accepted_epsilon + refused_epsilon) / 2
        if is_accepted(middle_epsilon):
            accepted_epsilon = middle_epsilon
        else:
            refused_epsilon = middle_epsilon
    return accepted_epsilon


def _round_down_as_shown(delta: float) -> float:
    """δ rounded down to the digits of ``_describe``."""
    return float(format_rounded_down(math.nextafter(delta, 0), SHOWN_DIGITS))


def _describe(epsilon_and_delta: tuple[float, float]) -> str:
    """ε and δ in words, both rounded down to three digits."""
    epsilon, delta = epsilon_and_delta
    epsilon_text = format_rounded_down(epsilon, SHOWN_DIGITS)
    return f"ε = {epsilon_text} at δ = {format_rounded_down(delta, SHOWN_DIGITS)}"
