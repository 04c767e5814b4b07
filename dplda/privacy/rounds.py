"""Consecutive releases of one kind, grouped, with their signal-to-noise ratios."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from dplda.core.types import Vector
from dplda.privacy.noise import layouts
from dplda.privacy.noise.keys import NoiseKind
from dplda.privacy.release import Release

_COORDINATES: dict[str, Callable[..., Vector]] = {
    layouts.Number.place: np.atleast_1d,
    layouts.PlainVector.place: np.ravel,
    layouts.Rectangle.place: np.ravel,
    layouts.PairHistogram.place: lambda value: layouts.PairHistogram(len(value)).coordinates(value),
    layouts.SymmetricMatrix.place: lambda value: layouts.SymmetricMatrix(len(value)).coordinates(value),
    layouts.SymmetricTensor.place: lambda value: layouts.SymmetricTensor(len(value)).coordinates(value),
}
"""By place of Gaussian noise: the numbers of a released value that got equal, independent noise."""


@dataclass(frozen=True, slots=True, eq=False)
class Rounds:
    """Consecutive releases of one quantity, shape and sensitivity; budgets and scales may differ."""

    releases: tuple[Release, ...]

    @property
    def first(self) -> Release:
        """The first release; the others share everything but value, time, budget and scale."""
        return self.releases[0]

    @property
    def signal_to_noise(self) -> tuple[float, ...]:
        """Signal-to-noise ratio of each release."""
        return tuple(map(signal_to_noise, self.releases))


def rounds(releases: tuple[Release, ...]) -> tuple[Rounds, ...]:
    """All releases in order, with consecutive ones of one quantity grouped."""

    def kind(one: Release) -> tuple[object, ...]:
        return one.name, one.edge, one.quantity, one.shape, one.sensitivity, one.sampling_rate

    return tuple(Rounds(tuple(group)) for _, group in groupby(releases, kind))


def signal_to_noise(release: Release) -> float:
    r"""Signal over noise, estimated from the released value: :math:`\sqrt{\max(0, \bar{x^2} - σ^2)}/σ`.

    The mean square of p released numbers is off by about :math:`σ^2\sqrt{2/p}`; the result is 0 where it is within the
    noise.

    Returns:
        Root mean square of the signal over the noise's standard deviation, at least 0: post-processing of a release.
        NaN for noise that is not Gaussian, of unequal size, or switched off.
    """
    law, _, place = release.mechanism.partition(" ")
    if law != "Gaussian" or place not in _COORDINATES or release.noise is NoiseKind.NONE or not release.mu:
        return math.nan
    square = float(np.mean(np.square(_COORDINATES[place](release.value))))
    return math.sqrt(max(0.0, square - release.scale**2)) / release.scale
