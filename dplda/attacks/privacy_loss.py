r"""The privacy loss of a run: how much more likely its releases are on the documents at hand than on a neighbour.

A run is watched while it draws noise. Then the same method runs on the neighbour, and its source of noise answers with
what the first run released: so both runs take the same decisions, and at every release the density of the noise is
known exactly on either side. The sum of the logarithms of their ratios is the loss; whoever knows both corpora can do
no better than to guess by its sign. At a method that is (ε, δ)-DP the mean of (1 − exp(ε − loss))₊ is at
most δ.
"""

from dataclasses import dataclass
from itertools import islice
from typing import Literal, TypeAlias

import numpy as np

from dplda.core.errors import InputError
from dplda.core.types import Vector
from dplda.corpus import Corpus
from dplda.methods.chain.sums import Sums
from dplda.methods.method import Method
from dplda.methods.problem import Budget, Problem
from dplda.methods.resources import Resources
from dplda.privacy.noise.keys import NoiseKind
from dplda.privacy.noise.layouts import Draw, Spread

Law: TypeAlias = Literal["normal", "laplace"]


@dataclass(frozen=True, slots=True, eq=False)
class _Release:
    """One release, from inside: what was hidden, and what came out."""

    of: str
    law: Law
    scale: float
    spread: Spread
    hidden: Vector
    shown: Vector


class _Watched:
    """Noise as always, and a note of every release."""

    kind = NoiseKind.SEEDED

    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng
        self.releases: list[_Release] = []

    def perturb(self, coordinates: Vector, scale: float, spread: Spread, of: str) -> Vector:
        """Adds normal numbers."""
        return self._released(coordinates, scale, spread, of, "normal")

    def perturb_laplace(self, coordinates: Vector, scale: float, spread: Spread, of: str) -> Vector:
        """Adds Laplace numbers."""
        return self._released(coordinates, scale, spread, of, "laplace")

    def _released(self, hidden: Vector, scale: float, spread: Spread, of: str, law: Law) -> Vector:
        draw = self._rng.standard_normal if law == "normal" else lambda size: self._rng.laplace(size=size)
        shown: Vector = hidden + scale * spread.noise(draw, len(hidden))
        self.releases.append(_Release(of, law, scale, spread, hidden.copy(), shown))
        return shown.copy()


class _Repeated:
    """Answers as another run was answered, and adds up what tells the two apart."""

    kind = NoiseKind.SEEDED

    def __init__(self, releases: list[_Release]) -> None:
        self._left = iter(releases)
        self.losses: dict[str, float] = {}

    def perturb(self, coordinates: Vector, scale: float, spread: Spread, of: str) -> Vector:
        """The other run's answer."""
        return self._answer(coordinates, scale, of, "normal")

    def perturb_laplace(self, coordinates: Vector, scale: float, spread: Spread, of: str) -> Vector:
        """The other run's answer."""
        return self._answer(coordinates, scale, of, "laplace")

    def _answer(self, hidden: Vector, scale: float, of: str, law: Law) -> Vector:
        before = next(self._left)
        if (before.of, before.law, before.scale) != (of, law, scale):
            raise AssertionError(f"{of}: what is released, or its noise, depends on more than earlier releases")
        here, there = before.shown - hidden, before.shown - before.hidden
        self.losses[of] = self.losses.get(of, 0.0) + _exponent(here, before) - _exponent(there, before)
        return before.shown.copy()


def privacy_loss(
    method: Method,
    problem: Problem,
    budget: Budget,
    documents: Corpus,
    neighbour: Corpus,
    *,
    rng: np.random.Generator,
    sums: tuple[Sums, Sums],
) -> dict[str, float]:
    """One run on documents, and how its releases would have looked on a neighbour.

    Args:
        rng: draws the noise.

    Returns:
        ``ln p(releases | documents) − ln p(releases | neighbour)``, a part for every kind of release.

    Raises:
        DpldaError: the run was refused.
    """
    if method.minibatches is not None:
        raise InputError("method", "one whose releases are all there is to see", method.title, "Take another method.")
    watched = _Watched(rng)
    method.fit(documents, problem, budget, Resources(noise=watched, sums=sums[0]))
    repeated = _Repeated(watched.releases)
    method.fit(neighbour, problem, budget, Resources(noise=repeated, sums=sums[1]))
    return repeated.losses


def _exponent(noise: Vector, release: _Release) -> float:
    """Minus the logarithm of the density of this noise, up to what all noise of the release shares."""
    scaled = noise / release.scale
    if not release.spread.isotropic:
        scaled = np.linalg.lstsq(_factor(release), scaled, rcond=None)[0]
    return float(np.sum(scaled**2) / 2) if release.law == "normal" else float(np.sum(np.abs(scaled)))


def _factor(release: _Release) -> np.ndarray:
    """A matrix L, noise being L·(independent normal numbers), for noise that is not of one scale."""
    if release.law != "normal":
        raise InputError("noise", "of one scale, or Gaussian", f"a Laplace mixture on {release.of}")
    size = 0

    def count(n: int) -> Vector:
        nonlocal size
        size += n
        return np.zeros(n)

    p = len(release.hidden)
    release.spread.noise(count, p)
    return np.column_stack([release.spread.noise(_unit(place, size), p) for place in range(size)])


def _unit(place: int, size: int) -> Draw:
    """Draws that are 0 but for one of them, which is 1."""
    numbers = iter(np.eye(size)[place])
    return lambda n: np.array(list(islice(numbers, n)))
