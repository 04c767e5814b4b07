"""Replay of a run on D with a neighbor D′ that receives D's releases; every attack uses this record.

Both runs then take the same decisions, so the record holds every release before noise, on D and on D′. It gives the
privacy loss of whole runs and the exact budget of a path: ``Σ ‖m − m′‖²/σ²`` for Gaussian noise, ``Σ ‖m − m′‖₁/b`` for
Laplace noise. A run fails if a release differs in name, order, shape or scale, since no noise hides that.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Generic, Literal, TypeAlias, TypeVar, cast

import numpy as np
from scipy.optimize import linprog

from dplda.core.errors import InputError
from dplda.core.types import Matrix, Tensor3, Vector
from dplda.corpus import Corpus
from dplda.privacy.noise.keys import NoiseKind
from dplda.privacy.noise.layouts import Draw, Layout, Spread
from dplda.privacy.noise.sources import NoiseSource

Result = TypeVar("Result")
Law: TypeAlias = Literal["normal", "laplace"]
Answer: TypeAlias = float | Vector | Matrix | Tensor3
Answers: TypeAlias = Mapping[str, Answer]
"""Answers to releases of D instead of a draw, by edge and quantity; a number is for every coordinate."""


@dataclass(frozen=True, slots=True, eq=False)
class NoiseRequest:
    """One request to a source of noise, and its draws.

    Attributes:
        of: edge and quantity.
        mean: before noise, shape (p,); for a random minibatch, with every document in it.
        means: before noise of each draw, shape (draws, p) or (1, p).
        noisy: shape (draws, p).
        answer: value returned to the run, shape (p,).
    """

    stream: str
    law: Law
    scale: float
    spread: Spread
    mean: Vector
    draw_means: Matrix
    noisy_draws: Matrix
    answer: Vector


class Recorder:
    """Noise source that records requests and can return given answers.

    Args:
        honest: draws the noise.
        draws: per release; 0 only when repeating another recorder.
        only: edge and quantity of the one release with many draws; empty for all.
        answers: to releases by name; the first draw for all others.
        scales: of the noise in the answers' unit, by name; default: that of the coordinates.
        scale_lost: factor by which all noise is too small.
        everyone: whether all documents are in every minibatch.
    """

    def __init__(
        self,
        source: NoiseSource,
        *,
        n_draws: int = 1,
        drawn_stream: str = "",
        answers: Answers | None = None,
        scales: Mapping[str, float] | None = None,
        noise_shrinkage: float = 1.0,
        takes_everyone: bool = False,
    ) -> None:
        self.kind: NoiseKind = source.kind
        self.requests: list[NoiseRequest] = []
        self.takes_everyone = takes_everyone
        self.pending_minibatch: tuple[Vector, Callable[[], Vector]] | None = None
        self._honest, self._draws, self._only, self._lost = (
            source,
            n_draws,
            drawn_stream,
            noise_shrinkage,
        )
        self._answers, self._scales = answers or {}, scales or {}
        self._before: Iterator[NoiseRequest] | None = None

    def answer_like(self, other: "Recorder") -> None:
        """Return the answers of another recorder."""
        self._before = iter(other.requests)

    def perturb(self, coordinates: Vector, scale: float, spread: Spread, stream: str) -> Vector:
        """Add Gaussian noise."""
        return self._answered("normal", coordinates, scale, spread, stream)

    def perturb_laplace(
        self, coordinates: Vector, scale: float, spread: Spread, stream: str
    ) -> Vector:
        """Add Laplace noise."""
        return self._answered("laplace", coordinates, scale, spread, stream)

    def _answered(
        self, law: Law, coordinates: Vector, scale: float, spread: Spread, of: str
    ) -> Vector:
        scale, times = scale / self._lost, self._draws if self._only in ("", of) else 1
        draw = self._honest.perturb if law == "normal" else self._honest.perturb_laplace
        means, mean = [coordinates], coordinates
        if self.pending_minibatch is not None:
            mean, again = self.pending_minibatch
            means += [again() for _ in range(times - 1)]
            self.pending_minibatch = None
        noisy = np.array(
            [draw(each, scale, spread, of) for each in (means if len(means) > 1 else means * times)]
        )
        answer = self._answer(law, mean, scale, spread, of, noisy)
        self.requests.append(
            NoiseRequest(of, law, scale, spread, mean.copy(), np.array(means), noisy, answer)
        )
        return answer.copy()

    def _answer(
        self, law: Law, mean: Vector, scale: float, spread: Spread, of: str, own: Matrix
    ) -> Vector:
        if self._before is not None:
            before = next(self._before, None)
            if before is None or not _alike(before, (of, law, scale, mean.shape), spread):
                raise AssertionError(
                    f"{of}: what is released, or its noise, depends on more than earlier releases"
                )
            return before.answer
        if of not in self._answers:
            return np.asarray(own[0])
        answer = np.asarray(
            cast(Layout[Answer], spread).coordinates(self._answers[of]), dtype=np.float64
        )
        return answer * (scale / self._scales.get(of, scale))


def _alike(
    before: NoiseRequest, now: tuple[str, Law, float, tuple[int, ...]], spread: Spread
) -> bool:
    """Whether a release has the same name, law, scale, shape and noise layout."""
    if (before.stream, before.law, before.scale, before.mean.shape) != now or type(
        before.spread
    ) is not type(spread):
        return False
    size = len(before.mean)
    one, two = (
        each.noise(np.random.default_rng(0).standard_normal, size)
        for each in (before.spread, spread)
    )
    return np.array_equal(one, two)


@dataclass(frozen=True, eq=False)
class ReplayedRelease:
    """One release on D and on D′, with equal answers."""

    requests: tuple[NoiseRequest, NoiseRequest]

    @property
    def stream(self) -> str:
        """Edge and quantity."""
        return self.requests[0].stream

    @property
    def laplace(self) -> bool:
        """Whether the noise is Laplace noise."""
        return self.requests[0].law == "laplace"

    @cached_property
    def _factor(self) -> Matrix | None:
        """L such that noise is L·(independent numbers), square where normal numbers are more; None for one scale."""
        one = self.requests[0]
        found = None if one.spread.isotropic else _factor(one.spread, len(one.mean))
        if found is None or self.laplace or found.shape[0] >= found.shape[1]:
            return found
        return np.asarray(np.linalg.cholesky(found @ found.T), np.float64)  # the same law

    @property
    def _mixed(self) -> bool:
        return self._factor is not None and self._factor.shape[0] < self._factor.shape[1]

    def independent(self, coordinates: Matrix) -> Matrix:
        """Rows of coordinates in a basis where the noise is independent and has the declared scale.

        Raises:
            InputError: the noise is a mixture of Laplace numbers, whose density is unknown.
        """
        if self._mixed:
            raise InputError(
                "noise", "of one scale, or Gaussian", f"a Laplace mixture on {self.stream}"
            )
        known = np.asarray(coordinates, dtype=np.float64)
        return (
            known
            if self._factor is None
            else np.asarray(np.linalg.lstsq(self._factor, known.T, rcond=None)[0].T)
        )

    def whitened(self, coordinates: Matrix) -> Matrix:
        """The same in units of the noise."""
        return np.asarray(self.independent(coordinates) / self.requests[0].scale, dtype=np.float64)

    @cached_property
    def distance(self) -> float:
        """Distance of the two means in units of the noise: L2, or L1 for Laplace noise.

        For a mixture of Laplace numbers, the smallest possible move of these, which bounds the loss.
        """
        one, two = self.requests
        difference = (one.mean - two.mean)[None]
        factor = self._factor
        if factor is None or not self._mixed:
            return float(np.linalg.norm(self.whitened(difference)[0], 1 if self.laplace else 2))
        unit = np.max(np.abs(factor))
        both = np.hstack([factor, -factor]) / unit
        moved = linprog(np.ones(both.shape[1]), A_eq=both, b_eq=difference[0] / one.scale / unit)
        return float(cast(float, moved.fun))

    def losses(self, side: int) -> Vector:
        """``ln p(release | D) − ln p(release | D′)`` of every draw on D (side 0) or D′ (side 1)."""
        one, two = self.requests
        here, there = (
            self.independent(self.requests[side].noisy_draws - each.mean) for each in (one, two)
        )
        if self.laplace:
            return np.asarray(np.sum(np.abs(there) - np.abs(here), axis=1) / one.scale)
        return np.asarray(np.sum(there**2 - here**2, axis=1) / (2 * one.scale**2))

    def minibatch_losses(self, side: int, rate: float) -> Vector:
        """Privacy losses of sums over random minibatches that include each document with probability ``rate``.

        No other document may contribute. With noisy sum x, a document's part a and noise deviation s, the likelihood
        ratio to noise alone is ``1 − ν + ν exp((⟨x, a⟩ − ‖a‖²/2)/s²)``.
        """
        noisy = self.whitened(self.requests[side].noisy_draws)
        parts = [self.whitened(each.mean[None])[0] for each in self.requests]
        own, other = (log_mixture(rate, noisy @ part - part @ part / 2) for part in parts)
        return np.asarray(own - other)

    @property
    def residuals(self) -> Matrix:
        """Draws on D minus their means, in units of the noise, shape (draws, numbers)."""
        return self.whitened(self.requests[0].noisy_draws - self.requests[0].draw_means)


def log_mixture(rate: float, exponent: Vector) -> Vector:
    """``log(1 − ν + ν eˣ)``."""
    return exponent if rate == 1 else np.logaddexp(np.log1p(-rate), np.log(rate) + exponent)


@dataclass(frozen=True, slots=True, eq=False)
class Transcript(Generic[Result]):
    """All releases of a run on D and its replay on D′, in order, and the results of both runs."""

    releases: tuple[ReplayedRelease, ...]
    results: tuple[Result, Result]

    @property
    def spent_budget(self) -> float:
        """Budget of the path: μ for Gaussian noise, ε for Laplace noise."""
        return add_budgets([release.distance for release in self.releases], laplace=self.laplace)

    @property
    def laplace(self) -> bool:
        """Whether any noise of the path is Laplace noise."""
        return any(release.laplace for release in self.releases)

    def losses(self, side: int = 0) -> Vector:
        """Privacy loss of all releases together."""
        return np.asarray(sum(release.losses(side) for release in self.releases))


def add_budgets(parts: Iterable[float], *, laplace: bool) -> float:
    """Total budget: the sum (Laplace), or the root of the sum of squares (Gaussian)."""
    return math.fsum(parts) if laplace else math.hypot(*parts)


def replay(
    run: Callable[[Corpus, NoiseSource], Result],
    corpora: tuple[Corpus, Corpus],
    noise: tuple[Recorder, Recorder],
) -> Transcript[Result]:
    """Run on D, then on D′ with D's releases as answers; each draws from its own source.

    Raises:
        AssertionError: a release, or its noise, depends on more than earlier releases.
        DpldaError: a run was refused.
    """
    one, two = noise
    first = run(corpora[0], one)
    two.answer_like(one)
    second = run(corpora[1], two)
    if len(two.requests) < len(one.requests):
        raise AssertionError(
            f"{one.requests[len(two.requests)].stream}: released on one neighbor only"
        )
    return Transcript(
        tuple(map(ReplayedRelease, zip(one.requests, two.requests, strict=True))), (first, second)
    )


def _factor(spread: Spread, p: int) -> Matrix:
    size = 0

    def count(n: int) -> Vector:
        nonlocal size
        size += n
        return np.zeros(n)

    def drawn_from(numbers: Iterator[float]) -> Draw:
        return lambda n: np.fromiter(islice(numbers, n), np.float64)

    spread.noise(count, p)
    return np.column_stack([spread.noise(drawn_from(iter(unit)), p) for unit in np.eye(size)])
