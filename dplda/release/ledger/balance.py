"""The balance of a privacy budget: what its releases have used together, and what is left for more."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction

from dplda.core import checks
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
from dplda.privacy.noise.exact import delta_of_noise, max_tv_slack

EPSILON_UNITS, DELTA_UNITS = 10**9, 10**18  # to 1: whole numbers in the ledger
SMALLEST_EPSILON, LARGEST_EPSILON = 1 / EPSILON_UNITS, 1e6  # of a charge
PLANNED_ONLY = (
    "That holds if all of them were planned before the first. The whole budget holds in any case."
)
SMALLER = "Choose a smaller ε or δ."
HALVINGS = 40  # of an interval of ε, to its 13th digit


@dataclass(frozen=True, slots=True)
class Balance:
    """The privacy budget of a dataset.

    Attributes:
        cap: ε and δ in the ledger's units, like the next two.
        spent: the sum of all releases' ε and δ, as basic composition adds them.
        basic: the part of it by entries that count in this way.
        box: caps on the others together; None before the first of them.
        used: what these add up to.
    """

    cap: tuple[int, int]
    spent: tuple[int, int] = (0, 0)
    basic: tuple[int, int] = (0, 0)
    box: BudgetCaps | None = None
    used: BudgetTotals = NOTHING_SPENT

    def after(
        self, *, epsilon: float, delta: float, spending: Spending | None = None
    ) -> "Balance | None":
        """The balance after a release, or None where the budget has no room for it.

        Args:
            spending: of Gaussian noise; None for any other mechanism, which has no room after Gaussian releases.
        """
        price = to_units(epsilon, delta, up=True)
        spent = sum_pairs(self.spent, price)
        if any(cap < one for one, cap in zip(sum_pairs(self.basic, price), self.cap, strict=True)):
            return None
        if spending is None:
            return (
                replace(self, spent=spent, basic=sum_pairs(self.basic, price))
                if self.box is None
                else None
            )
        box = self.box or self._box(spending, epsilon)
        if box is None:
            return None
        found = replace(self, spent=spent, box=box, used=self.used.plus(box.price(spending)))
        return None if found.exceeded else found

    def with_lower_cap(self, cap: tuple[int, int]) -> "Balance":
        """The balance under a lower cap."""
        found = replace(self, cap=(min(self.cap[0], cap[0]), min(self.cap[1], cap[1])))
        epsilon, delta = found._beside_basic
        return replace(found, box=self.box and self.box.lowered_to(epsilon=epsilon, delta=delta))

    @property
    def exceeded(self) -> bool:
        """Whether more was charged than the caps allow."""
        basic = any(one > cap for one, cap in zip(self.basic, self.cap, strict=True))
        return basic or not self.used.is_within(self.box.caps if self.box else NOTHING_SPENT)

    @property
    def remaining(self) -> tuple[float, float]:
        """The largest ε of one more release like those so far, and the δ at which it is meant.

        The δ is all that noise may use: at a smaller one a budget would seem untouched by its first
        releases. Exact noise is a little off Gaussian noise. δ pays for that distance, which grows with
        μ², so it may run out before μ² does.
        """
        _, delta = self._beside_basic
        if self.box is not None:
            delta = max(delta - sum(self.box.caps[1:]) / DELTA_UNITS, 0.0) * (1 - 1e-15)
        return self._largest_epsilon(delta, self._mean_distance), delta

    def remaining_for(
        self, spending: Spending, *, epsilon: float, delta: float
    ) -> tuple[float, float]:
        """ε and δ that are left for a release of the same kind as one that is refused.

        Releases of the same kind differ in size alone: noise, the chance that words pass and the
        distance of exact noise keep their proportions to ε and δ. A part of δ that ran out lowers δ;
        ε is the largest that ``after`` accepts at this δ.

        Args:
            spending: of the refused release.
            epsilon: ε of the refused release.
            delta: δ of the refused release.

        Returns:
            ε and δ, both rounded down. At an unchanged δ, ε is below that of the refused release.
        """
        remaining_epsilon, remaining_delta = self._beside_basic
        delta_share = min(1.0, remaining_delta / delta, self._passing_share(spending))
        if delta_share < 1.0:
            delta_share *= 1 - 1e-12
        largest = remaining_epsilon if delta_share < 1.0 else min(remaining_epsilon, epsilon)
        noise_delta = delta_share * gaussian.delta_of(epsilon, spending.mu)
        distance_per_mu2 = spending.tv_slack / spending.mu**2

        def is_accepted(epsilon_like: float) -> bool:
            try:
                mu = gaussian.mu_for(epsilon_like, noise_delta)
            except InputError:  # a δ too small for this ε to be computed
                return False
            alike = Spending(mu, spending.selection_failure * delta_share, distance_per_mu2 * mu**2)
            after = self.after(epsilon=epsilon_like, delta=delta_share * delta, spending=alike)
            return after is not None and alike.tv_slack <= max_tv_slack(
                epsilon_like, delta_share * delta
            )

        if not noise_delta:
            return 0.0, delta_share * delta
        return _largest_accepted(largest, is_accepted), delta_share * delta

    def _passing_share(self, spending: Spending) -> float:
        """The share of a release's chance of passing words that the budget has room for; at most 1."""
        if self.box is None or not spending.selection_failure:
            return 1.0
        passing_left = (self.box.caps.selection_failure - self.used.selection_failure) / SLACK_UNITS
        return min(1.0, max(passing_left, 0.0) / spending.selection_failure)

    def _largest_epsilon(self, delta: float, distance: float) -> float:
        """The largest ε of one more release at δ, with exact noise of a ``distance`` per μ²."""
        epsilon, _ = self._beside_basic
        if self.box is not None:
            squares = self.box.caps.squared_mu - self.used.squared_mu
            distance_left = self.box.caps.tv_slack - self.used.tv_slack
            distance_price = self.box.price(Spending(1.0, tv_slack=distance)).tv_slack
            if distance_price:
                squares = min(squares, distance_left * SQUARED_MU_UNITS // distance_price)
            epsilon = min(epsilon, largest_epsilon(squares, delta_of_noise(delta)))
        epsilon = _within_own_distance(epsilon, delta, distance)
        return math.nextafter(max(epsilon, 0.0), 0)

    @property
    def _mean_distance(self) -> float:
        """The distance of exact noise per μ² in the releases so far; 0 before the first."""
        if self.box is None or not self.used.squared_mu:
            return 0.0
        distance = self.used.tv_slack / SLACK_UNITS / (1 + math.exp(min(self.box.epsilon, 700.0)))
        return distance / (self.used.squared_mu / SQUARED_MU_UNITS)

    def explain_refusal(self, *, epsilon: float, delta: float, spending: Spending | None) -> str:
        """Which part of the budget has no room for a release that ``after`` refuses, and what to do."""
        price = to_units(epsilon, delta, up=True)
        basic = sum_pairs(self.basic, price)
        if any(cap < one for one, cap in zip(basic, self.cap, strict=True)):
            return SMALLER
        if spending is None:
            return "After releases with Gaussian noise there is only room for others with Gaussian noise."
        box = self.box or self._box(spending, epsilon)
        if box is not None:
            used = self.used.plus(box.price(spending))
            if used.selection_failure > box.caps.selection_failure:
                return (
                    "The part of δ for words that pass by chance has run out. Choose a smaller δ for"
                    " selecting words, or use a word list."
                )
            if used.squared_mu > box.caps.squared_mu:
                return SMALLER
        return (
            "The part of δ for the distance of exact noise from Gaussian noise has run out. Choose a"
            " smaller ε, fewer words or fewer topics."
        )

    @property
    def total_guarantee(self) -> tuple[float, float]:
        """ε of all releases together, rounded up, at the δ of the budget.

        Guarantee:
            Holds if number and budgets of the releases were fixed before the first. If they were
            chosen after results, only the whole budget is proven (``privacy.accounting.budget_caps``).
        """
        epsilon, others = self.basic[0] / EPSILON_UNITS, self.basic[1] + sum(self.used[1:])
        if self.used.squared_mu:
            covered = (self.cap[1] - others) / DELTA_UNITS * (1 - 1e-15)
            mu = math.sqrt(self.used.squared_mu / SQUARED_MU_UNITS) * (1 + 1e-15)
            epsilon += gaussian.epsilon_for(mu, covered) if covered > 0 else math.inf
        return min(epsilon, self.spent[0] / EPSILON_UNITS), self.cap[1] / DELTA_UNITS

    def describe_total(self) -> str:
        """What all releases count as together, and what their ε add up to."""
        (epsilon, delta), total = self.total_guarantee, self.spent[0] / EPSILON_UNITS
        return f"ε = {format_rounded_up(epsilon, 3)} at δ = {format_rounded_up(delta, 3)}; their ε add up to {format_rounded_up(total, 3)}"

    def describe_remaining(self) -> str:
        """What is left for one more release like those so far."""
        return _in_words(self.remaining)

    def describe_remaining_for(self, spending: Spending, *, epsilon: float, delta: float) -> str:
        """What is left for a release of the same kind as one that is refused, as in ``left_for``."""
        return _in_words(self.remaining_for(spending, epsilon=epsilon, delta=delta))

    @property
    def percent_left(self) -> int:
        """Hundredths of the whole budget that are left, of what is left least of, rounded down."""
        spent, caps = (self.used, self.box.caps) if self.box else (self.basic, self.cap)
        parts = (
            100 * (cap - one) // max(cap, 1) for one, cap in zip(spent, caps, strict=True) if one
        )
        return max(0, min(parts, default=100))

    def share_of_budget(self, *, epsilon: float, delta: float, spending: Spending) -> float:
        """The share of the whole budget that a release uses, of what it uses most of; above 1 if it is too large."""
        box, alone = self.box or self._box(spending, epsilon), to_units(epsilon, delta, up=True)
        fits = (
            alone[0] <= self.cap[0] and alone[1] <= self.cap[1]
        )  # else it is refused, whatever its noise counts for
        price, caps = (box.price(spending), box.caps) if box and fits else (alone, self.cap)
        return max(
            one / cap if cap else math.inf for one, cap in zip(price, caps, strict=True) if one
        )

    def _box(self, first: Spending, alone: float) -> BudgetCaps | None:
        epsilon, delta = self._beside_basic
        return BudgetCaps.for_first_release(
            first, epsilon_alone=alone, epsilon=epsilon, delta=delta
        )

    @property
    def _beside_basic(self) -> tuple[float, float]:
        """ε and δ for Gaussian releases."""
        epsilon, delta = (max(cap - one, 0) for cap, one in zip(self.cap, self.basic, strict=True))
        return epsilon / EPSILON_UNITS, delta / DELTA_UNITS


def to_units(epsilon: float, delta: float, *, up: bool) -> tuple[int, int]:
    """Whole units of these numbers as written in decimals, rounded against the owner of the documents.

    A decimal differs from its float by 2⁻⁵³ of itself; a run's noise has a thousand times more to spare
    (``gaussian.mu_for``).
    """
    checks.positive("epsilon", epsilon)
    checks.between("epsilon", epsilon, 0, LARGEST_EPSILON, open_ends=False)
    checks.delta(delta, may_be_none=True)
    rounded = math.ceil if up else math.floor
    return rounded(Fraction(repr(float(epsilon))) * EPSILON_UNITS), rounded(
        Fraction(repr(float(delta))) * DELTA_UNITS
    )


def _within_own_distance(epsilon: float, delta: float, distance: float) -> float:
    """The largest ε up to this one whose own δ covers its exact noise, of a distance per μ²; or 0."""

    def is_covered(smaller_epsilon: float) -> bool:
        try:
            mu = gaussian.mu_for(smaller_epsilon, delta_of_noise(delta))
        except InputError:  # a δ too small for this ε to be computed
            return False
        return distance * mu**2 <= max_tv_slack(smaller_epsilon, delta)

    if not epsilon or not delta or not distance:
        return epsilon
    return _largest_accepted(epsilon, is_covered)


def _largest_accepted(largest: float, is_accepted: Callable[[float], bool]) -> float:
    """The largest ε up to this one that is accepted, rounded down, if all smaller ones are; or 0."""
    if largest <= 0 or is_accepted(largest):
        return max(largest, 0.0)
    low, high = 0.0, largest
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        if is_accepted(middle):
            low = middle
        else:
            high = middle
    return low


def _in_words(epsilon_and_delta: tuple[float, float]) -> str:
    epsilon, delta = (format_rounded_down(number, 3) for number in epsilon_and_delta)
    return f"ε = {epsilon} at δ = {delta}"


def sum_pairs(one: tuple[int, int], other: tuple[int, int]) -> tuple[int, int]:
    """The sum of two pairs."""
    return one[0] + other[0], one[1] + other[1]
