r"""Signal and noise of released quantities; one function for each kind.

Each takes the standard deviation of the noise on one coordinate, and known numbers of the corpus.

Pair statistics: ``λ_k`` of M2 against the largest eigenvalue of the noise, about
:math:`2 s\sqrt d`, with ``s`` the standard deviation of one off-diagonal entry of M2. Third-order
statistics: the smallest eigenvalue of ``T`` against the largest value of the noise over unit
vectors, :math:`1.657\sqrt k` times the standard deviation of a coordinate; noise on d×d×d tensors
is seen through ``W`` first, in whose weakest direction it grows by :math:`λ_k^{-3/2}`.

Source:
    Wigner's semicircle; the ground state of the spherical three-spin model (Auffinger, Ben Arous &
    Černý), where with unequal ``λ_i`` the variances along the eigenvectors,
    :math:`\sum (λ_k/λ_i)^3`, replace ``k``: in simulations 1 to 1.8 times the true value, and
    never far below it.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TypeAlias

import numpy as np

from dplda.core.types import Vector
from dplda.methods.base.problem import ProblemSize
from dplda.methods.denoising.word_frequencies import CLIP_NORM
from dplda.privacy.named_quantity import NamedQuantity
from dplda.spectral.whitening import noise_edge

GROUND_STATE = 1.657


class SpectrumLike(Protocol):
    """Known eigenvalues of a corpus: exact for simulated and public ones, released for others."""

    @property
    def pair_eigenvalues(self) -> Vector:
        """Leading eigenvalues of ``M2``, largest first, at least k + 1 of them (k where k = d)."""

    @property
    def tensor_eigenvalues(self) -> Vector:
        """Eigenvalues of the whitened tensor ``T``, shape (k,)."""

    @property
    def largest_word(self) -> float:
        """Largest entry of ``E1``, in (0, 1]."""

    @property
    def largest_pair(self) -> float:
        """Largest entry of ``E2``, in (0, 1]."""


@dataclass(frozen=True, slots=True, eq=False)
class SignalSource:
    """Known numbers that a quantity's signal is worked out from.

    Attributes:
        size: public numbers of the run.
        spectrum: known eigenvalues of the corpus.
        mass: mean weight of a document where averages are divided by a released one; else 1.
        mean_length: words of a typical document.
    """

    size: ProblemSize
    spectrum: SpectrumLike
    mass: float
    mean_length: float = 100.0

    @property
    def smallest_pair_eigenvalue(self) -> float:
        """``λ_k`` of M2, at least 0."""
        return max(float(self.spectrum.pair_eigenvalues[self.size.n_topics - 1]), 0.0)

    @property
    def smallest_tensor_eigenvalue(self) -> float:
        """Smallest eigenvalue of ``T`` in magnitude."""
        return float(np.min(np.abs(self.spectrum.tensor_eigenvalues)))


@dataclass(frozen=True, slots=True)
class SignalNoise:
    """Signal and noise of a quantity where they matter.

    Attributes:
        signal: size without noise, at least 0.
        noise: size of the noise, in the same unit.
        description: names of both, a phrase.
    """

    signal: float
    noise: float
    description: str


SignalNoiseOf: TypeAlias = Callable[[float, SignalSource], SignalNoise]
"""From the standard deviation of the noise on one coordinate, and known numbers."""


@dataclass(frozen=True, slots=True)
class Quantity(NamedQuantity):
    """One noisy value that a run releases.

    Attributes:
        reason: why one document can move it no further than its sensitivity, a sentence.
        measure: works out its signal and noise; None without a comparison.
        rests_on: names of earlier quantities that scale its noise.
        is_level: whether it is a clip level, estimated before a run; a bound is used without its
            noise instead.
    """

    reason: str = ""
    measure: SignalNoiseOf | None = None
    rests_on: tuple[str, ...] = ()
    is_level: bool = False


def measure_pair_average(noise_std: float, source: SignalSource) -> SignalNoise:
    """Measure ``E2`` as a histogram over unordered pairs.

    An off-diagonal entry has half of a cell's noise.
    """
    return _measure_pairs(noise_std / source.mass / 2, source)


def measure_pair_moment(noise_std: float, source: SignalSource) -> SignalNoise:
    """Measure ``M2`` with isotropic noise."""
    return _measure_pairs(noise_std / math.sqrt(2), source)


def measure_triple_average(noise_std: float, source: SignalSource) -> SignalNoise:
    """Measure ``E3`` as a histogram over unordered triples, seen whitened."""
    return _measure_triples(
        noise_std / source.mass / math.sqrt(6), _whitening_stretch(source), source
    )


def measure_tensor(noise_std: float, source: SignalSource) -> SignalNoise:
    """Measure ``T`` itself."""
    return _measure_triples(noise_std / source.mass, math.sqrt(source.size.n_topics), source)


def measure_mirrored_pair_moment(noise_std: float, source: SignalSource) -> SignalNoise:
    """Measure ``M2`` with noise of one standard deviation on every distinct entry."""
    return _measure_pairs(noise_std, source)


def measure_mirrored_triple_moment(noise_std: float, source: SignalSource) -> SignalNoise:
    """Measure ``M3`` with such noise, seen whitened."""
    entry_noise = noise_std * _mirroring_factor(source.size.n_words)
    return _measure_triples(entry_noise, _whitening_stretch(source), source)


def measure_mirrored_tensor(noise_std: float, source: SignalSource) -> SignalNoise:
    """Measure ``T`` itself with such noise."""
    n_topics = source.size.n_topics
    entry_noise = noise_std * _mirroring_factor(n_topics)
    return _measure_triples(entry_noise, math.sqrt(n_topics), source)


def measure_word_average(noise_std: float, source: SignalSource) -> SignalNoise:
    """Measure ``E1`` by the length of a flat word distribution, 1/√d.

    Its noise is √d times the standard deviation, over the mean weight.
    """
    root_of_n_words = math.sqrt(source.size.n_words)
    return SignalNoise(
        1 / root_of_n_words,
        root_of_n_words * noise_std / source.mass,
        "length of a flat word distribution, and of its noise",
    )


def measure_word_counts(noise_std: float, source: SignalSource) -> SignalNoise:
    """Measure clipped word counts, for documents of distinct, equally frequent words."""
    root_of_n_words = math.sqrt(source.size.n_words)
    clipping_factor = min(1.0, CLIP_NORM / math.sqrt(source.mean_length))
    counted_words = source.mean_length * clipping_factor
    return SignalNoise(
        source.size.n_documents * counted_words / root_of_n_words,
        root_of_n_words * noise_std,
        "length of a flat word distribution's clipped counts, and of their noise",
    )


def measure_mean_weight(noise_std: float, source: SignalSource) -> SignalNoise:
    """Measure the mean weight ``w̄`` of a document."""
    return SignalNoise(source.mass, noise_std, "mean weight of a document, and its noise")


def measure_count(noise_std: float, source: SignalSource) -> SignalNoise:
    """Measure the counts of documents behind a clip level."""
    n_documents = float(source.size.n_documents)
    return SignalNoise(n_documents, noise_std, "documents counted, and the noise on a count")


def measure_factors(noise_std: float, source: SignalSource) -> SignalNoise:
    """Measure eigenvalues and vectors of ``T``."""
    noise = math.sqrt(source.size.n_topics) * noise_std
    return SignalNoise(1.0, noise, "length of an eigenvector, and of its noise")


def measure_topics(noise_std: float, source: SignalSource) -> SignalNoise:
    """Measure topics.

    The signal is the root mean square of ``(α0 + 2)/2 · λ_i · √σ_i``, the length of a topic that
    is one eigenvector.
    """
    pair_eigenvalues = source.spectrum.pair_eigenvalues[: source.size.n_topics]
    mean_eigenvalue = float(np.mean(np.maximum(pair_eigenvalues, 0)))
    mean_squared_tensor_eigenvalue = float(np.mean(np.square(source.spectrum.tensor_eigenvalues)))
    topic_length = source.size.coefficients.eigenvalue_to_topic() * math.sqrt(
        mean_eigenvalue * mean_squared_tensor_eigenvalue
    )
    noise_length = math.sqrt(source.size.n_words) * noise_std
    return SignalNoise(topic_length, noise_length, "length of a topic, and of its noise")


def measure_eigenvalue(noise_std: float, source: SignalSource) -> SignalNoise:
    """Measure ``σk``."""
    return _measure_number(source.smallest_pair_eigenvalue, noise_std)


def measure_gap(noise_std: float, source: SignalSource) -> SignalNoise:
    """Measure the gap after ``σk``; ``σk`` itself where k = d."""
    eigenvalues = source.spectrum.pair_eigenvalues
    k = source.size.n_topics
    following = float(eigenvalues[k]) if len(eigenvalues) > k else 0.0
    return _measure_number(float(eigenvalues[k - 1]) - following, noise_std)


def measure_tensor_gap(noise_std: float, source: SignalSource) -> SignalNoise:
    """Measure ``γs``, a quarter of ``T``'s smallest eigenvalue gap."""
    magnitudes = np.sort(np.abs(source.spectrum.tensor_eigenvalues))[::-1]
    gaps = -np.diff(np.append(magnitudes, 0.0))
    return _measure_number(float(np.min(gaps, initial=math.inf)) / 4, noise_std)


def measure_largest_word(noise_std: float, source: SignalSource) -> SignalNoise:
    """Measure the largest entry of ``E1``."""
    return _measure_number(source.spectrum.largest_word, noise_std)


def measure_largest_pair(noise_std: float, source: SignalSource) -> SignalNoise:
    """Measure the largest entry of ``E2``."""
    return _measure_number(source.spectrum.largest_pair, noise_std)


def _measure_number(number: float, noise_std: float) -> SignalNoise:
    return SignalNoise(max(number, 0.0), noise_std, "the number itself, and its noise")


def _measure_pairs(entry_noise: float, source: SignalSource) -> SignalNoise:
    """``entry_noise``: standard deviation on one off-diagonal entry of M2."""
    return SignalNoise(
        source.smallest_pair_eigenvalue,
        noise_edge(source.size.n_words, entry_noise),
        "k-th eigenvalue of M₂, against the largest of its noise",
    )


def _measure_triples(noise_std: float, stretch: float, source: SignalSource) -> SignalNoise:
    """``stretch``: growth of the noise by whitening, √k where it is added after that."""
    return SignalNoise(
        source.smallest_tensor_eigenvalue,
        GROUND_STATE * stretch * noise_std,
        "smallest eigenvalue of T, against the largest of its noise",
    )


def _mirroring_factor(size: int) -> float:
    """Growth of noise on a symmetric tensor where every distinct entry has the full scale.

    The root of the ratio of expected squared norms, ``n³`` for mirrored noise and
    ``n(n+1)(n+2)/6`` for isotropic noise: near √6 for large ``n``. In simulations the largest value
    over unit vectors is 0.8 to 1 times what it predicts from k = 3 on.
    """
    return math.sqrt(6 * size**2 / ((size + 1) * (size + 2)))


def _whitening_stretch(source: SignalSource) -> float:
    """Standard deviation that whitening gives unit noise on M3, all directions together."""
    sigma = source.spectrum.pair_eigenvalues[: source.size.n_topics]
    return math.sqrt(float(np.sum(sigma**-3.0))) if sigma[-1] > 0 else math.inf
