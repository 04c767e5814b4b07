"""Division of a budget among a configuration's quantities; moving one share leaves locked ones unchanged."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from dplda.core import checks
from dplda.core.errors import InputError
from dplda.core.types import Vector
from dplda.methods.configurations.variant import Variant

MIN_SHARE = 0.005
"""The smallest share allowed."""
ROUNDING = 1e-12
N_STEPS = 1000
"""Sliders and links hold splits in whole thousandths, so links stay short and exact."""


@dataclass(frozen=True, slots=True)
class Split:
    """Shares of a budget, summing to 1: of μ² for exactly composed Gaussian noise, else of ε (and δ)."""

    shares: tuple[tuple[str, float], ...]
    locked: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        if not self.shares or len(set(self.quantities)) < len(self.shares):
            raise InputError(
                "quantities", "at least one name, each once", f"{len(self.shares)} names"
            )
        for name in self.locked:
            self.known(name)
        for name, share in self.shares:
            checks.at_least(f"share of {name}", share, MIN_SHARE * (1 - ROUNDING))
        total = math.fsum(share for _, share in self.shares)
        if abs(total - 1) > ROUNDING:
            raise InputError("shares", "fractions that sum to 1", f"{total:.14g}")

    def __getitem__(self, quantity: str) -> float:
        return dict(self.shares)[self.known(quantity)]

    @property
    def quantities(self) -> tuple[str, ...]:
        """Names in the configuration's order."""
        return tuple(name for name, _ in self.shares)

    def known(self, quantity: str) -> str:
        """The name itself; an error if it is none of the quantities."""
        if quantity not in self.quantities:
            raise InputError("quantity", "one of " + ", ".join(self.quantities), "another name")
        return quantity


def equal_split(quantities: Sequence[str]) -> Split:
    """The same share for every quantity."""
    return Split(tuple((name, 1 / len(quantities)) for name in quantities))


def default_split(variant: Variant) -> Split:
    """The default split of a configuration's calibration."""
    return split_from_shares(variant.default_split)


def split_from_shares(shares: Iterable[tuple[str, float]]) -> Split:
    """A split from shares that sum to 1 up to 1e-6, as plans and forms give them; rounding is corrected."""
    pairs = tuple(shares)
    for name, share in pairs:
        checks.positive(f"share of {name}", share)
    total = math.fsum(share for _, share in pairs)
    if abs(total - 1) > 1e-6:
        raise InputError("shares", "fractions that sum to 1", f"{total:.10g}")
    return Split(tuple((name, share / total) for name, share in pairs))


def lock_share(split: Split, quantity: str, *, held: bool = True) -> Split:
    """The split with one share locked, or unlocked."""
    return replace(
        split, locked=split.locked | {split.known(quantity)} if held else split.locked - {quantity}
    )


def allowed_range(split: Split, quantity: str) -> tuple[float, float]:
    """The smallest and largest share that a quantity can get while locked shares stay; ends of a slider."""
    if split.known(quantity) in split.locked:
        return split[quantity], split[quantity]
    others = _others(split, quantity)
    left = 1 - math.fsum(split[name] for name in split.locked)
    return (MIN_SHARE, left - len(others) * MIN_SHARE) if others else (left, left)


def set_share(split: Split, quantity: str, share: float) -> Split:
    """The split with a new share for one quantity; unlocked ones divide the rest, all at least the minimum."""
    if split.known(quantity) in split.locked:
        raise InputError("quantity", "one whose share is not locked", quantity, "Unlock it first.")
    low, high = allowed_range(split, quantity)
    checks.between(f"share of {quantity}", share, low - 1e-9, high + 1e-9, open_ends=False)
    now = dict(split.shares)
    now[quantity] = min(max(share, low), high)
    if others := _others(split, quantity):
        left = 1 - math.fsum([now[quantity], *(now[name] for name in split.locked)])
        scaled = _scaled(np.array([now[name] for name in others]), left)
        now.update(zip(others, map(float, scaled), strict=True))
    return replace(split, shares=tuple(now.items()))


def to_thousandths(split: Split) -> tuple[int, ...]:
    """The split in thousandths that sum to 1000; rounding goes to the shares that lost most."""
    exact = np.array([round(share * N_STEPS, 6) for _, share in split.shares])
    steps = np.floor(exact).astype(np.int64)
    left = N_STEPS - int(np.sum(steps))
    steps[np.argsort(-(exact - steps), kind="stable")[:left]] += 1
    return tuple(int(step) for step in steps)


def from_thousandths(quantities: Sequence[str], steps: Sequence[int]) -> Split:
    """The split of ``to_thousandths``' thousandths."""
    if len(steps) != len(quantities) or sum(steps) != N_STEPS:
        raise InputError(
            "split",
            f"{len(quantities)} numbers that sum to {N_STEPS}",
            f"{len(steps)} with another sum",
        )
    return Split(
        tuple((name, step / N_STEPS) for name, step in zip(quantities, steps, strict=True))
    )


def _others(split: Split, quantity: str) -> list[str]:
    return [name for name in split.quantities if name != quantity and name not in split.locked]


def _scaled(shares: Vector, total: float) -> Vector:
    held = np.zeros(len(shares), dtype=bool)
    while not np.all(held):
        left = total - MIN_SHARE * np.count_nonzero(held)
        scaled: Vector = np.where(held, MIN_SHARE, shares * left / np.sum(shares, where=~held))
        below = ~held & (scaled < MIN_SHARE)
        if not np.any(below):
            return scaled
        held |= below
    return np.full(len(shares), total / len(shares))
