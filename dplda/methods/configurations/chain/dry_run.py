"""Dry run of a plan's route on public numbers, without corpus or noise.

It runs the same function as a fit, so sensitivities and scales are those of a fit, except for the
rounding of whitened sums. What a route reads off documents comes from a spectrum, a few typical
norms, or known values.
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
from dplda.privacy.mechanisms import Mechanisms, Value
from dplda.privacy.named_quantity import NamedQuantity
from dplda.privacy.noise.fixed_point import FixedPointSum
from dplda.privacy.noise.keys import NoiseKind
from dplda.privacy.noise.layouts import Layout
from dplda.privacy.noise.sources import NoNoise
from dplda.privacy.release import Release
from dplda.spectral.corpus_statistics import CorpusStatistics
from dplda.spectral.documents import LARGEST_PAIR_NORM
from dplda.spectral.statistics import Averages, PairMoment
from dplda.spectral.tensor import Components
from dplda.spectral.topics import RawTopics
from dplda.spectral.whitening import Whitening

UNBOUNDED = 1e30  # a lower bound far above any margin


@dataclass(frozen=True, slots=True, eq=False)
class DryRun:
    """A dry run's releases, with stand-in values.

    Attributes:
        releases: every release of the route, in order.
        failed_bounds: symbols of private lower bounds that came out at 0 or below.
        numbers: stand-ins for released numbers, by symbol.
    """

    releases: tuple[Release, ...]
    failed_bounds: tuple[str, ...]
    numbers: dict[str, float]

    @property
    def mass(self) -> float:
        """Mean weight of a document where averages are divided by a released one; else 1."""
        return max(self.numbers.get("w̄", 1.0), 1e-12)

    def failed_bound_before(self, release: Release) -> str:
        """Symbol of the failed bound that leaves a release without finite noise, or empty."""
        symbols = [earlier.symbol for earlier in self.releases]
        for symbol in self.failed_bounds:
            if release.shape and self.releases.index(release) > symbols.index(symbol):
                return symbol
        return ""


def dry_run(
    plan: Plan,
    size: ProblemSize,
    spectrum: SpectrumLike,
    mean_length: float,
    known_numbers: Mapping[str, float],
) -> DryRun:
    """Run a plan's route without documents, on stand-in values, and list what it would release.

    When a private bound fails, its quantity is noted, and the route runs again from the beginning
    with that bound so large that it cannot fail.

    Args:
        plan: whose route is run.
        size: public numbers of the run.
        spectrum: known eigenvalues of the corpus.
        mean_length: words of a typical document.
        known_numbers: numbers that take the place of released ones, by symbol.

    Raises:
        NoFiniteNoise: a quantity failed a second time.
    """
    failed_bounds: list[str] = []
    while True:
        large_bounds = dict.fromkeys(failed_bounds, UNBOUNDED)
        mechanisms = _RecordingMechanisms({**known_numbers, **large_bounds})
        route = start_route(plan, size, mechanisms)
        try:
            route.run(
                _TypicalStatistics(size, spectrum, mean_length),
                _SpectrumNumerics(spectrum, size),
                is_private=True,
            )
        except NoFiniteNoise as error:
            if error.quantity in failed_bounds:
                raise
            failed_bounds.append(error.quantity)
        else:
            return DryRun(mechanisms.releases, tuple(failed_bounds), mechanisms.numbers)


class _TypicalStatistics(CorpusStatistics):
    """Typical numbers in place of documents, with arrays of size one where unknown.

    Topics are about equally frequent and share few words. Pairs have the mean squared length
    ``(1 + α0/k) Σ σ_i``, plus ``1/L`` for L words; whitened triples ``(k (α0 + 1))^{3/2}``, too
    large for α0 well above 1. Averages have no words, so the shift leaves directions unchanged.
    """

    def __init__(self, size: ProblemSize, spectrum: SpectrumLike, mean_length: float) -> None:
        """Work out the norms of a typical document's pairs and triples."""
        k = size.n_topics
        alpha0 = size.alpha0
        eigenvalue_sum = float(np.sum(np.maximum(spectrum.pair_eigenvalues[:k], 0)))
        pair_norm = (1 + alpha0 / k) * eigenvalue_sum + 1 / mean_length
        self._spectrum = spectrum
        self._pair_norm = min(max(pair_norm, SMALLEST_PAIR_NORM), LARGEST_PAIR_NORM)
        self._triple_norm = math.pow(k * (alpha0 + 1), 1.5)

    def pair_norms(self) -> Vector:
        return np.array([self._pair_norm])

    def averages(self, clip: float) -> Averages:
        weight = min(1.0, clip / self._pair_norm)
        return Averages(np.zeros(1), np.ones((1, 1)), weight, clip=clip)

    def word_counts(self, clip_norm: float) -> Vector:
        return np.ones(1)

    def pair_moment(self) -> PairMoment:
        return PairMoment(np.ones((1, 1)))

    def leading_eigenvalues(self, count: int) -> Vector:
        eigenvalues = np.asarray(self._spectrum.pair_eigenvalues[:count], dtype=np.float64)
        return np.pad(eigenvalues, (0, count - len(eigenvalues)))

    def largest_frequencies(self) -> tuple[float, float]:
        return self._spectrum.largest_word, self._spectrum.largest_pair

    def third_moment(self, whitener: Matrix) -> Tensor3:
        return np.ones((1, 1, 1))

    def triple_norms(self, clip: float, directions: Matrix) -> Vector:
        weight = min(1.0, clip / self._pair_norm)
        return np.array([weight * self._triple_norm])

    def triple_average(self, clip: float, directions: Matrix, limit: float) -> Tensor3:
        return np.ones((1, 1, 1))


class _SpectrumNumerics(Numerics):
    """Numerics that give the known spectrum, whatever they are given."""

    def __init__(self, spectrum: SpectrumLike, size: ProblemSize) -> None:
        super().__init__(size, np.random.default_rng(0), silent)
        self._spectrum = spectrum

    def whiten(self, pairs: Averages | PairMoment, *, direct: bool) -> Whitening:
        """Give a whitening with the known spectrum and maps of ones, whatever the pairs are."""
        return Whitening(
            np.ones((1, 1)),
            np.ones((1, 1)),
            spectrum=self._spectrum.pair_eigenvalues[: self._size.n_topics + 1],
            kept=np.ones(1),
            noise_floor=0.0,
            overlap=np.ones(1),
        )

    def has_directions(self, whitening: Whitening, n_needed: int) -> bool:
        return True

    def decompose(self, tensor: Tensor3) -> Components:
        """Give the known tensor eigenvalues, with vectors of ones, whatever the tensor is."""
        eigenvalues = np.asarray(self._spectrum.tensor_eigenvalues, dtype=np.float64)
        vectors = np.ones((1, len(eigenvalues)))
        return Components(eigenvalues, vectors, 0.0, converged=True, n_starts=1)

    def unwhiten(
        self, components: Components, whitening: Whitening, pairs: Averages | PairMoment
    ) -> RawTopics:
        """Give topics of ones, one word each; the eigenvalues stand in for α."""
        return RawTopics(
            words=components.vectors.T,
            alpha=components.eigenvalues,
            mean_words=np.ones(1),
            eigenvalues=components.eigenvalues,
        )


class _ZeroNoise(NoNoise):
    """Zeros in place of noise; scales are still declared, since routes depend on them."""

    kind = NoiseKind.SEEDED


class _RecordingMechanisms(Mechanisms):
    """Keeps the releases of a dry run; known numbers replace what a route would release."""

    def __init__(self, known_numbers: Mapping[str, float]) -> None:
        """Begin without a record; known numbers, by symbol, take the place of released ones."""
        super().__init__(_ZeroNoise())
        self._known_numbers = known_numbers
        self.numbers: dict[str, float] = {}

    def gaussian(
        self,
        quantity: NamedQuantity,
        value: Value | FixedPointSum,
        layout: Layout[Value],
        *,
        sensitivity: float,
        mu: float,
    ) -> Value:
        """Release as without noise; a number is recorded, or the known one in its place."""
        released = super().gaussian(quantity, value, layout, sensitivity=sensitivity, mu=mu)
        return self._record_number(quantity, released)

    def laplacian(
        self,
        quantity: NamedQuantity,
        value: Value,
        layout: Layout[Value],
        *,
        sensitivity: float,
        epsilon: float,
    ) -> Value:
        """Release as without noise; a number is recorded, or the known one in its place."""
        released = super().laplacian(
            quantity, value, layout, sensitivity=sensitivity, epsilon=epsilon
        )
        return self._record_number(quantity, released)

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
        """Record the exact quantile of the norms above 0, or the known level in its place.

        Without any norm above 0 it is ``low``.
        """
        super().clip_level(of, norms, low=low, high=high, quantile=quantile, mu=mu, steps=steps)
        contributing = norms[norms > 0]
        level = float(np.quantile(contributing, quantile)) if len(contributing) else low
        return self._record_number(of, level)

    def _record_number(self, quantity: NamedQuantity, released: Value) -> Value:
        """The known number in place of a released one, which is recorded; an array as it is."""
        if not isinstance(released, float):
            return released
        number = self._known_numbers.get(quantity.symbol, released)
        self.numbers[quantity.symbol] = number
        return number
