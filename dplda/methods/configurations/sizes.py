r"""Signal and noise sizes of released quantities; one function for each kind.

Pair statistics: ``λ_k`` of M2 against the largest eigenvalue of the noise, about :math:`2 s\sqrt d`, with ``s`` the
deviation of one off-diagonal entry of M2. Third-order statistics: the smallest eigenvalue of ``T`` against the largest
value of the noise over unit vectors, :math:`1.657\sqrt k` times the deviation of a coordinate; noise on d×d×d tensors
is seen through ``W`` first, in whose weakest direction it grows by :math:`λ_k^{-3/2}`.

Source:
    Wigner's semicircle; the ground state of the spherical three-spin model (Auffinger, Ben Arous & Černý), where with
    unequal ``λ_i`` the variances along the eigenvectors, :math:`\sum (λ_k/λ_i)^3`, replace ``k``: in simulations 1 to
    1.8 times the true value, and never far below it.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TypeAlias

import numpy as np

from dplda.core.types import Vector
from dplda.methods.base.problem import ProblemSize
from dplda.methods.denoising.word_frequencies import CLIP_NORM
from dplda.privacy.mechanisms import NamedQuantity
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
class Where:
    """Reference of a quantity; ``mass`` is the mean weight of documents where averages are divided by it."""

    shape: ProblemSize
    spectrum: SpectrumLike
    mass: float
    mean_length: float = 100.0

    @property
    def last(self) -> float:
        """``λ_k`` of M2, at least 0."""
        return max(float(self.spectrum.pair_eigenvalues[self.shape.n_topics - 1]), 0.0)

    @property
    def smallest(self) -> float:
        """Smallest eigenvalue of ``T`` in magnitude."""
        return float(np.min(np.abs(self.spectrum.tensor_eigenvalues)))


@dataclass(frozen=True, slots=True)
class Size:
    """Signal and noise in one unit, with their names."""

    signal: float
    noise: float
    words: str


SizeOf: TypeAlias = Callable[[float, Where], Size]
"""From the standard deviation of one coordinate of the noise, and the reference."""


@dataclass(frozen=True, slots=True)
class Quantity(NamedQuantity):
    """One noisy value that a run releases.

    Attributes:
        why: why one document can move it no further than its sensitivity, a sentence.
        size: signal and noise where they matter; None without a comparison.
        rests_on: names of earlier quantities that scale its noise.
        is_level: whether it is a clip level, estimated before a run; a bound is used without its noise instead.
    """

    why: str = ""
    size: SizeOf | None = None
    rests_on: tuple[str, ...] = ()
    is_level: bool = False


def pair_average(deviation: float, where: Where) -> Size:
    """``E2`` as a histogram over unordered pairs; an off-diagonal entry has half of a cell's noise."""
    return _pairs(where, deviation / where.mass / 2)


def pair_moment(deviation: float, where: Where) -> Size:
    """``M2`` with isotropic noise."""
    return _pairs(where, deviation / math.sqrt(2))


def triple_average(deviation: float, where: Where) -> Size:
    """``E3`` as a histogram over unordered triples, seen whitened."""
    return _triples(where, deviation / where.mass / math.sqrt(6), _stretch(where))


def triple_moment(deviation: float, where: Where) -> Size:
    """``M3`` with isotropic noise, seen whitened."""
    return _triples(where, deviation, _stretch(where))


def tensor(deviation: float, where: Where) -> Size:
    """``T`` itself."""
    return _triples(where, deviation / where.mass, math.sqrt(where.shape.n_topics))


def word_average(deviation: float, where: Where) -> Size:
    """``E1``."""
    root = math.sqrt(where.shape.n_words)
    return Size(
        1 / root,
        root * deviation / where.mass,
        "length of a flat word distribution, and of its noise",
    )


def word_counts(deviation: float, where: Where) -> Size:
    """Clipped word counts, for documents of distinct, equally frequent words."""
    root = math.sqrt(where.shape.n_words)
    each = where.mean_length * min(1.0, CLIP_NORM / math.sqrt(where.mean_length))
    counted = where.shape.n_documents * each / root
    return Size(
        counted,
        root * deviation,
        "length of a flat word distribution's clipped counts, and of their noise",
    )


def mean_weight(deviation: float, where: Where) -> Size:
    """``w̄``."""
    return Size(where.mass, deviation, "mean weight of a document, and its noise")


def count(deviation: float, where: Where) -> Size:
    """The counts behind a clip level."""
    return Size(
        float(where.shape.n_documents), deviation, "documents counted, and the noise on a count"
    )


def factors(deviation: float, where: Where) -> Size:
    """Eigenvalues and vectors of ``T``."""
    noise = math.sqrt(where.shape.n_topics) * deviation
    return Size(1.0, noise, "length of an eigenvector, and of its noise")


def topics(deviation: float, where: Where) -> Size:
    """Topics: root mean square of ``(α0 + 2)/2 · λ_i · √σ_i``, the length of a topic that is one eigenvector."""
    sigma = float(np.mean(np.maximum(where.spectrum.pair_eigenvalues[: where.shape.n_topics], 0)))
    square = float(np.mean(np.square(where.spectrum.tensor_eigenvalues)))
    length = where.shape.coefficients.eigenvalue_to_topic() * math.sqrt(sigma * square)
    noise = math.sqrt(where.shape.n_words) * deviation
    return Size(length, noise, "length of a topic, and of its noise")


def _number(value: Callable[[Where], float]) -> SizeOf:
    return lambda deviation, where: Size(
        max(value(where), 0.0), deviation, "the number itself, and its noise"
    )


def _gap(where: Where) -> float:
    values, k = where.spectrum.pair_eigenvalues, where.shape.n_topics
    return float(values[k - 1]) - (float(values[k]) if len(values) > k else 0.0)


def _tensor_gap(where: Where) -> float:
    eigenvalues = np.append(np.sort(np.abs(where.spectrum.tensor_eigenvalues))[::-1], 0.0)
    return float(np.min(-np.diff(eigenvalues), initial=math.inf)) / 4


eigenvalue, gap, tensor_gap = _number(lambda where: where.last), _number(_gap), _number(_tensor_gap)
"""``σk``, the gap after it, and ``γs``, a quarter of ``T``'s smallest eigenvalue gap."""
largest_word = _number(lambda where: where.spectrum.largest_word)
largest_pair = _number(lambda where: where.spectrum.largest_pair)
"""The largest entries of ``E1`` and ``E2``."""


def _pairs(where: Where, entry: float) -> Size:
    words = "k-th eigenvalue of M₂, against the largest of its noise"
    return Size(where.last, noise_edge(where.shape.n_words, entry), words)


def _triples(where: Where, unit: float, stretch: float) -> Size:
    words = "smallest eigenvalue of T, against the largest of its noise"
    return Size(where.smallest, GROUND_STATE * stretch * unit, words)


def _stretch(where: Where) -> float:
    """Deviations that whitening gives unit noise on M3 along each eigenvector of M2, combined."""
    sigma = where.spectrum.pair_eigenvalues[: where.shape.n_topics]
    return math.sqrt(float(np.sum(sigma**-3.0))) if sigma[-1] > 0 else math.inf
