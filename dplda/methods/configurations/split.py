"""Split of a budget among a configuration's quantities, with shares that can be locked."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from dplda.core import checks
from dplda.core.errors import InputError
from dplda.core.types import Vector
from dplda.methods.configurations.variant import Variant

MIN_SHARE = 0.005
"""The smallest share that a slider allows."""
ROUNDING = 1e-12
N_STEPS = 1000
"""Sliders and links hold splits in whole thousandths, so links stay short and exact."""


@dataclass(frozen=True, slots=True)
class Split:
    """Shares of a budget, summing to 1.

    Attributes:
        shares: pairs (quantity, share), of μ² for exactly composed Gaussian noise, else of ε and
            δ; each at least ``MIN_SHARE``, each name once.
        locked: names of quantities whose shares stay when another one moves.
    """

    shares: tuple[tuple[str, float], ...]
    locked: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        """Refuse shares that break the rules above, and locked names that are no quantity.

        Their minimum and their sum may be missed by rounding.
        """
        if not self.shares or len(set(self.quantities)) < len(self.shares):
            raise InputError(
                "quantities", "at least one name, each once", f"{len(self.shares)} names"
            )
        for quantity_name in self.locked:
            self.require_known(quantity_name)
        for quantity_name, share in self.shares:
            checks.at_least(f"share of {quantity_name}", share, MIN_SHARE * (1 - ROUNDING))
        sum_of_shares = math.fsum(share for _, share in self.shares)
        if abs(sum_of_shares - 1) > ROUNDING:
            raise InputError("shares", "fractions that sum to 1", f"{sum_of_shares:.14g}")

    def __getitem__(self, quantity: str) -> float:
        return dict(self.shares)[self.require_known(quantity)]

    @property
    def quantities(self) -> tuple[str, ...]:
        """Names in the configuration's order."""
        return tuple(name for name, _ in self.shares)

    def require_known(self, quantity: str) -> str:
        """Return the name itself.

        Raises:
            InputError: no quantity of this split has that name.
        """
        if quantity not in self.quantities:
            raise InputError("quantity", "one of " + ", ".join(self.quantities), "another name")
        return quantity


def equal_split(quantities: Sequence[str]) -> Split:
    """Give every quantity the same share."""
    return Split(tuple((name, 1 / len(quantities)) for name in quantities))


def default_split(variant: Variant) -> Split:
    """Give every quantity the share that its configuration's calibration has by default."""
    return split_from_shares(variant.default_split)


def split_from_shares(shares: Iterable[tuple[str, float]]) -> Split:
    """Make a split from shares as plans and forms give them, and correct their rounding.

    Args:
        shares: pairs (quantity, share), positive, summing to 1 up to 1e-6.

    Raises:
        InputError: they do not sum to 1, one is below ``MIN_SHARE``, or a name stands twice.
    """
    named_shares = tuple(shares)
    for name, share in named_shares:
        checks.positive(f"share of {name}", share)
    sum_of_shares = math.fsum(share for _, share in named_shares)
    if abs(sum_of_shares - 1) > 1e-6:
        raise InputError("shares", "fractions that sum to 1", f"{sum_of_shares:.10g}")
    return Split(tuple((name, share / sum_of_shares) for name, share in named_shares))


def lock_share(split: Split, quantity: str, *, is_locked: bool = True) -> Split:
    """Lock the share of one quantity, or unlock it.

    Args:
        split: before the change.
        quantity: name of the quantity; one without a lock may be unlocked again.
        is_locked: whether its share is to stay when another one moves.

    Raises:
        InputError: there is no such quantity to lock.
    """
    if is_locked:
        locked = split.locked | {split.require_known(quantity)}
    else:
        locked = split.locked - {quantity}
    return replace(split, locked=locked)


def allowed_range(split: Split, quantity: str) -> tuple[float, float]:
    """Smallest and largest share that a quantity can get while locked shares stay.

    Both are its present share if it is locked, or if all others are.

    Raises:
        InputError: the split has no such quantity.
    """
    if split.require_known(quantity) in split.locked:
        return split[quantity], split[quantity]
    unlocked_total = 1 - math.fsum(split[name] for name in split.locked)
    n_others = len(_other_unlocked(split, quantity))
    if not n_others:
        return unlocked_total, unlocked_total
    return MIN_SHARE, unlocked_total - n_others * MIN_SHARE


def set_share(split: Split, quantity: str, share: float) -> Split:
    """Give one quantity a new share; the other unlocked ones divide the rest in proportion.

    Args:
        split: before the change.
        quantity: an unlocked one.
        share: in ``allowed_range`` of the quantity.

    Returns:
        A split in which every share is at least ``MIN_SHARE``.

    Raises:
        InputError: the quantity is unknown or locked, or the share is outside its range.
    """
    if split.require_known(quantity) in split.locked:
        raise InputError("quantity", "one whose share is not locked", quantity, "Unlock it first.")
    lowest_share, highest_share = allowed_range(split, quantity)
    checks.between(
        f"share of {quantity}", share, lowest_share - 1e-9, highest_share + 1e-9, open_ends=False
    )
    new_shares = dict(split.shares)
    new_shares[quantity] = min(max(share, lowest_share), highest_share)
    other_names = _other_unlocked(split, quantity)
    if other_names:
        settled_shares = [
            new_shares[quantity],
            *(new_shares[other_name] for other_name in split.locked),
        ]
        remaining_share = 1 - math.fsum(settled_shares)
        other_shares = np.array([new_shares[other_name] for other_name in other_names])
        rescaled_shares = _rescale_shares(other_shares, remaining_share)
        new_shares.update(zip(other_names, map(float, rescaled_shares), strict=True))
    return replace(split, shares=tuple(new_shares.items()))


def to_thousandths(split: Split) -> tuple[int, ...]:
    """Round the shares to thousandths that sum to 1000; those that lost most are rounded up."""
    exact_thousandths = np.array([round(share * N_STEPS, 6) for _, share in split.shares])
    thousandths = np.floor(exact_thousandths).astype(np.int64)
    n_missing = N_STEPS - int(np.sum(thousandths))
    by_loss = np.argsort(-(exact_thousandths - thousandths), kind="stable")
    thousandths[by_loss[:n_missing]] += 1
    return tuple(int(number) for number in thousandths)


def from_thousandths(quantities: Sequence[str], thousandths: Sequence[int]) -> Split:
    """Make the split that ``to_thousandths`` wrote.

    Args:
        quantities: names in the order of the thousandths.
        thousandths: whole numbers that sum to 1000.

    Raises:
        InputError: another number of quantities, another sum than 1000, or a share below
        ``MIN_SHARE``.
    """
    if len(thousandths) != len(quantities) or sum(thousandths) != N_STEPS:
        raise InputError(
            "split",
            f"{len(quantities)} numbers that sum to {N_STEPS}",
            f"{len(thousandths)} with another sum",
        )
    named_thousandths = zip(quantities, thousandths, strict=True)
    return Split(tuple((name, thousandth / N_STEPS) for name, thousandth in named_thousandths))


def _other_unlocked(split: Split, quantity: str) -> list[str]:
    return [name for name in split.quantities if name != quantity and name not in split.locked]


def _rescale_shares(shares: Vector, total: float) -> Vector:
    """Scale positive shares to a total; those that would fall below the minimum get it instead.

    Equal shares if all of them would fall below it.
    """
    at_minimum = np.zeros(len(shares), dtype=bool)
    while not np.all(at_minimum):
        remaining_share = total - MIN_SHARE * np.count_nonzero(at_minimum)
        sum_above_minimum = np.sum(shares, where=~at_minimum)
        rescaled_shares: Vector = np.where(
            at_minimum, MIN_SHARE, shares * remaining_share / sum_above_minimum
        )
        falls_below_minimum = ~at_minimum & (rescaled_shares < MIN_SHARE)
        if not np.any(falls_below_minimum):
            return rescaled_shares
        at_minimum |= falls_below_minimum
    return np.full(len(shares), total / len(shares))
