"""A division in whole thousandths, as sliders and links hold it: few characters, and the same on both sides."""

from collections.abc import Sequence

import numpy as np

from dplda.core.errors import InputError
from dplda.methods.budget.split import Split

STEPS = 1000


def in_steps(split: Split) -> tuple[int, ...]:
    """The division in thousandths that sum to 1000; what is lost in rounding down goes where most was lost.

    Args:
        split: any; a share that already is a whole number of thousandths stays as it is.
    """
    exact = np.array([round(share * STEPS, 6) for _, share in split.shares])
    steps = np.floor(exact).astype(np.int64)
    left = STEPS - int(np.sum(steps))
    steps[np.argsort(-(exact - steps), kind="stable")[:left]] += 1
    return tuple(int(step) for step in steps)


def from_steps(quantities: Sequence[str], steps: Sequence[int]) -> Split:
    """The division that ``in_steps`` gives, back.

    Args:
        quantities: names, in order.
        steps: thousandths for each, at least 5 of them and 1000 in all.
    """
    if len(steps) != len(quantities) or sum(steps) != STEPS:
        raise InputError("split", f"{len(quantities)} numbers that sum to {STEPS}", f"{len(steps)} with another sum")
    return Split(tuple((name, step / STEPS) for name, step in zip(quantities, steps, strict=True)))
