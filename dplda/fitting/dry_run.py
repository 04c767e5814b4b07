"""A plan's route walked through without a corpus and without noise: which releases it would make, and how scaled.

The very code that a fit runs is run on stand-ins of size one, so that sensitivities and scales cannot differ from those
of a fit. Numbers that a route reads off the documents come from a spectrum, from what is already known of a run, or,
for clip levels, from a stated estimate.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from dplda._types import Matrix, Tensor3, Vector
from dplda.configurations.adaptive import SMALLEST_PAIR_NORM
from dplda.configurations.averages import LARGEST_PAIR_NORM
from dplda.configurations.route import Shape
from dplda.errors import NoFiniteNoise
from dplda.fitting.pipeline import start_route
from dplda.plan import Plan
from dplda.privacy.keys import NoiseKind
from dplda.privacy.mechanisms import Mechanisms, ReleaseName
from dplda.privacy.noise import NoNoise
from dplda.privacy.release import Release
from dplda.spectral.statistics import Averages, PairMoment
from dplda.spectral.tensor import Components
from dplda.spectral.topics import RawTopics
from dplda.spectral.whitening import Whitening

UNBOUNDED = 1e30  # a lower bound far above any margin


class SpectrumLike(Protocol):
    """What is known of a corpus: exact for simulated and public ones, released for others."""

    @property
    def pair_eigenvalues(self) -> Vector:
        """Of ``M2``, the leading ones, largest first, at least k + 1 of them (k where k = d)."""

    @property
    def tensor_eigenvalues(self) -> Vector:
        """Of the whitened tensor ``T``, shape (k,)."""

    @property
    def largest_word(self) -> float:
        """Largest entry of ``E1``, in (0, 1]."""

    @property
    def largest_pair(self) -> float:
        """Largest entry of ``E2``, in (0, 1]."""


@dataclass(frozen=True, slots=True)
class Estimates:
    """Guesses at what a spectrum does not say, for topics that are about equally frequent and share few words.

    Attributes:
        pair_norm: ``‖f2‖_θ`` of a document, and the estimate of ``C₂``: the mean squared length of a document's word
            distribution, ``(1 + α0/k) Σ σ_i``, plus ``1/L`` for documents of L words.
        triple_norm: of a document's whitened triples, and the estimate of ``C₃``: ``(k (α0 + 1))^{3/2}``, which a
            document of one topic has; too large for α0 well above 1, where there are no such documents.
    """

    pair_norm: float
    triple_norm: float


@dataclass(frozen=True, slots=True, eq=False)
class DryRun:
    """What a dry run found.

    Attributes:
        releases: in the order in which a fit makes them; their values are stand-ins.
        refused: symbols of private lower bounds that came out at zero or below.
        values: clip levels and released numbers used, by symbol.
    """

    releases: tuple[Release, ...]
    refused: tuple[str, ...]
    values: dict[str, float]

    def infeasible(self, release: Release) -> str:
        """The symbol of the bound for want of which a release has no finite noise, or nothing."""
        symbols = [made.symbol for made in self.releases]
        for bound in self.refused:
            if release.shape and self.releases.index(release) > symbols.index(bound):
                return bound
        return ""


def dry_run_of(
    plan: Plan, shape: Shape, spectrum: SpectrumLike, known: Mapping[str, float], mean_length: float
) -> DryRun:
    """Walks through a plan; where a private bound leaves no finite noise, goes on as if it were out of the way."""
    estimates = _estimates(shape, spectrum, mean_length)
    level = known.get("C₂", estimates.pair_norm)
    values = {"C₂": level, "C₃": estimates.triple_norm, "w̄": min(1.0, level / estimates.pair_norm), **known}
    refused: list[str] = []
    while True:
        mechanisms = _Mechanisms({**values, **dict.fromkeys(refused, UNBOUNDED)})
        try:
            _walk(plan, shape, spectrum, mechanisms)
        except NoFiniteNoise as error:
            if error.quantity in refused:
                raise
            refused.append(error.quantity)
        else:
            return DryRun(mechanisms.releases, tuple(refused), values)


def _walk(plan: Plan, shape: Shape, spectrum: SpectrumLike, mechanisms: Mechanisms) -> None:
    """The steps of ``pipeline.fit``, in its order; what is only post-processing is left out."""
    source = _Source(spectrum)
    route = start_route(plan, shape, mechanisms)
    pairs = route.e2(route.pairs(source))
    ahead = route.e4(pairs)
    route.e8(pairs)
    one, few = np.ones((1, 1)), spectrum.pair_eigenvalues[: shape.n_topics + 1]
    whitening = Whitening(one, one, spectrum=few, kept=np.ones(1), noise_floor=0.0, overlap=np.ones(1))
    route.e6(route.triples(source, whitening, ahead), whitening)
    eigenvalues = np.asarray(spectrum.tensor_eigenvalues, dtype=np.float64)
    vectors = np.ones((1, len(eigenvalues)))
    components = route.e7(Components(eigenvalues, vectors, 0.0, converged=True, agreeing=1, tried=1), whitening)
    route.e9(RawTopics(vectors.T, eigenvalues, np.ones(1), eigenvalues), components, whitening)


class _Silence(NoNoise):
    """Zeros in the place of noise whose scale still counts: routes allow for noise that is really there elsewhere."""

    kind = NoiseKind.SEEDED


class _Mechanisms(Mechanisms):
    """Keeps the releases of a dry run; answers numbers with what is known of them, or as they are."""

    def __init__(self, values: Mapping[str, float]) -> None:
        super().__init__(_Silence())
        self._values = values

    def number(self, label: ReleaseName, value: float, *, sensitivity: float, mu: float) -> float:
        found = super().number(label, value, sensitivity=sensitivity, mu=mu)
        return self._values.get(label.symbol, found)

    def laplace_number(self, label: ReleaseName, value: float, *, sensitivity: float, epsilon: float) -> float:
        found = super().laplace_number(label, value, sensitivity=sensitivity, epsilon=epsilon)
        return self._values.get(label.symbol, found)

    def clip_level(
        self,
        label: ReleaseName,
        norms: Vector,
        *,
        low: float,
        high: float,
        quantile: float,
        mu: float,
        steps: int = 8,
    ) -> float:
        super().clip_level(label, norms, low=low, high=high, quantile=quantile, mu=mu, steps=steps)
        return self._values[label.symbol]


class _Source:
    """Stand-ins of size one for everything a route takes from the documents; numbers come from the spectrum."""

    def __init__(self, spectrum: SpectrumLike) -> None:
        self._spectrum = spectrum

    def pair_norms(self) -> Vector:
        return np.ones(1)

    def averages(self, clip: float) -> Averages:
        return Averages(np.ones(1), np.ones((1, 1)), 1.0)

    def pair_moment(self) -> PairMoment:
        return PairMoment(np.ones((1, 1)))

    def leading_eigenvalues(self, count: int) -> Vector:
        values = np.asarray(self._spectrum.pair_eigenvalues[:count], dtype=np.float64)
        return np.pad(values, (0, count - len(values)))

    def largest_frequencies(self) -> tuple[float, float]:
        return self._spectrum.largest_word, self._spectrum.largest_pair

    def third_moment(self, whitener: Matrix) -> Tensor3:
        return np.ones((1, 1, 1))

    def triple_norms(self, clip: float, directions: Matrix) -> Vector:
        return np.ones(1)

    def triple_average(self, clip: float, directions: Matrix, limit: float) -> Tensor3:
        return np.ones((1, 1, 1))


def _estimates(shape: Shape, spectrum: SpectrumLike, mean_length: float) -> Estimates:
    k, alpha0 = shape.n_topics, shape.alpha0
    squares = (1 + alpha0 / k) * float(np.sum(np.maximum(spectrum.pair_eigenvalues[:k], 0)))
    return Estimates(
        pair_norm=min(max(squares + 1 / mean_length, SMALLEST_PAIR_NORM), LARGEST_PAIR_NORM),
        triple_norm=math.pow(k * (alpha0 + 1), 1.5),
    )
