"""Dry run of a plan's route on public numbers, without corpus or noise: its releases and their scales.

It runs the same function as a fit, so sensitivities and scales are those of a fit, except for the rounding of whitened
sums. What a route reads off documents comes from a spectrum, a few typical norms, or known values.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from dplda.core.errors import NoFiniteNoise
from dplda.core.types import Matrix, Tensor3, Vector, silent
from dplda.methods.base.problem import ProblemSize
from dplda.methods.configurations.chain.pipeline import start_route
from dplda.methods.configurations.pairs_then_tensor import SMALLEST_PAIR_NORM
from dplda.methods.configurations.plan import Plan
from dplda.methods.configurations.route import Numerics
from dplda.methods.configurations.sizes import SpectrumLike
from dplda.privacy.mechanisms import Mechanisms, NamedQuantity
from dplda.privacy.noise.fixed_point import FixedPointSum
from dplda.privacy.noise.keys import NoiseKind
from dplda.privacy.noise.sources import NoNoise
from dplda.privacy.release import Release
from dplda.spectral.corpus_statistics import CorpusStatistics
from dplda.spectral.documents import LARGEST_PAIR_NORM
from dplda.spectral.statistics import Averages, PairMoment
from dplda.spectral.tensor import Components
from dplda.spectral.topics import RawTopics
from dplda.spectral.whitening import Whitening

UNBOUNDED = 1e30  # a lower bound far above any margin


class _PublicNumbers(CorpusStatistics):
    """Typical numbers in place of documents, with arrays of size one where unknown.

    Topics are about equally frequent and share few words. Pairs have the mean squared length ``(1 + α0/k) Σ σ_i``, plus
    ``1/L`` for L words; whitened triples ``(k (α0 + 1))^{3/2}``, too large for α0 well above 1. Averages have no words,
    so the shift leaves directions unchanged.
    """

    def __init__(self, shape: ProblemSize, spectrum: SpectrumLike, mean_length: float) -> None:
        k, alpha0 = shape.n_topics, shape.alpha0
        squares = (1 + alpha0 / k) * float(np.sum(np.maximum(spectrum.pair_eigenvalues[:k], 0)))
        self._spectrum = spectrum
        self._pair_norm = min(max(squares + 1 / mean_length, SMALLEST_PAIR_NORM), LARGEST_PAIR_NORM)
        self._triple_norm = math.pow(k * (alpha0 + 1), 1.5)

    def pair_norms(self) -> Vector:
        return np.array([self._pair_norm])

    def averages(self, clip: float) -> Averages:
        return Averages(np.zeros(1), np.ones((1, 1)), min(1.0, clip / self._pair_norm), clip=clip)

    def word_counts(self, bound: float) -> Vector:
        return np.ones(1)

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
        return np.array([min(1.0, clip / self._pair_norm) * self._triple_norm])

    def triple_average(self, clip: float, directions: Matrix, limit: float) -> Tensor3:
        return np.ones((1, 1, 1))


@dataclass(frozen=True, slots=True, eq=False)
class DryRun:
    """A dry run's releases, with stand-in values; ``refused``: symbols of private lower bounds at or below 0."""

    releases: tuple[Release, ...]
    refused: tuple[str, ...]
    values: dict[str, float]

    @property
    def mass(self) -> float:
        """Mean weight of a document where averages are divided by a released one; else 1."""
        return max(self.values.get("w̄", 1.0), 1e-12)

    def infeasible(self, release: Release) -> str:
        """Symbol of the failed bound that leaves a release without finite noise, or an empty string."""
        symbols = [made.symbol for made in self.releases]
        for bound in self.refused:
            if release.shape and self.releases.index(release) > symbols.index(bound):
                return bound
        return ""


def dry_run(
    plan: Plan,
    shape: ProblemSize,
    spectrum: SpectrumLike,
    mean_length: float,
    known: Mapping[str, float],
) -> DryRun:
    """Follows a plan's route; a failed private bound is recorded and does not stop it."""
    refused: list[str] = []
    while True:
        mechanisms = _Mechanisms({**known, **dict.fromkeys(refused, UNBOUNDED)})
        try:
            route = start_route(plan, shape, mechanisms)
            route.run(
                _PublicNumbers(shape, spectrum, mean_length),
                _SpectrumNumerics(spectrum, shape),
                is_private=True,
            )
        except NoFiniteNoise as error:
            if error.quantity in refused:
                raise
            refused.append(error.quantity)
        else:
            return DryRun(mechanisms.releases, tuple(refused), mechanisms.values)


class _SpectrumNumerics(Numerics):
    def __init__(self, spectrum: SpectrumLike, shape: ProblemSize) -> None:
        super().__init__(shape, np.random.default_rng(0), silent)
        self._spectrum = spectrum

    def whiten(self, pairs: Averages | PairMoment, *, direct: bool) -> Whitening:
        one, few = np.ones((1, 1)), self._spectrum.pair_eigenvalues[: self._shape.n_topics + 1]
        return Whitening(
            one, one, spectrum=few, kept=np.ones(1), noise_floor=0.0, overlap=np.ones(1)
        )

    def resolves(self, whitening: Whitening, fewest: int) -> bool:
        return True

    def decompose(self, tensor: Tensor3) -> Components:
        eigenvalues = np.asarray(self._spectrum.tensor_eigenvalues, dtype=np.float64)
        return Components(eigenvalues, np.ones((1, len(eigenvalues))), 0.0, converged=True, tried=1)

    def unwhiten(
        self, components: Components, whitening: Whitening, pairs: Averages | PairMoment
    ) -> RawTopics:
        return RawTopics(
            components.vectors.T, components.eigenvalues, np.ones(1), components.eigenvalues
        )


class _ZeroNoise(NoNoise):
    """Zeros in place of noise; scales are still declared, since routes depend on them."""

    kind = NoiseKind.SEEDED


class _Mechanisms(Mechanisms):
    """Keeps the releases of a dry run; known numbers replace what a route would release."""

    def __init__(self, known: Mapping[str, float]) -> None:
        super().__init__(_ZeroNoise())
        self._known = known
        self.values: dict[str, float] = {}

    def number(
        self, of: NamedQuantity, value: float | FixedPointSum, *, sensitivity: float, mu: float
    ) -> float:
        return self._answer(of, super().number(of, value, sensitivity=sensitivity, mu=mu))

    def laplace_number(
        self, of: NamedQuantity, value: float, *, sensitivity: float, epsilon: float
    ) -> float:
        return self._answer(
            of, super().laplace_number(of, value, sensitivity=sensitivity, epsilon=epsilon)
        )

    def clip_level(
        self,
        of: NamedQuantity,
        norms: Vector,
        *,
        low: float,
        high: float,
        quantile: float,
        mu: float,
        steps: int = 8,
    ) -> float:
        super().clip_level(of, norms, low=low, high=high, quantile=quantile, mu=mu, steps=steps)
        contributing = norms[norms > 0]
        return self._answer(
            of, float(np.quantile(contributing, quantile)) if len(contributing) else low
        )

    def _answer(self, of: NamedQuantity, found: float) -> float:
        self.values[of.symbol] = self._known.get(of.symbol, found)
        return self.values[of.symbol]
