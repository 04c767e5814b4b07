"""How large a released quantity is where it matters, and how large its noise is there."""

import math
from dataclasses import dataclass

import numpy as np

from dplda._types import Vector
from dplda.configurations.route import Shape
from dplda.fitting.dry_run import DryRun, SpectrumLike
from dplda.privacy.release import Release
from dplda.spectral.whitening import noise_edge

GROUND_STATE = 1.657


@dataclass(frozen=True, slots=True)
class Size:
    """Signal and noise in one unit.

    Attributes:
        signal: ≥ 0.
        noise: > 0, in the same unit.
        words: what is compared with what.
    """

    signal: float
    noise: float
    words: str


def size(release: Release, shape: Shape, spectrum: SpectrumLike, dry_run: DryRun) -> Size:
    r"""What the noise on a release has to be compared with.

    Pair statistics: ``λ_k`` of M2 against the largest eigenvalue of the noise, about :math:`2 s\sqrt d`, with ``s`` the
    deviation of one off-diagonal entry of M2. Third-order statistics: the smallest eigenvalue of ``T`` against the
    largest value of the noise over unit vectors, :math:`1.657\sqrt k` times the deviation of a coordinate; noise on
    d×d×d tensors is seen through ``W`` first, in whose weakest direction it grows by :math:`λ_k^{-3/2}`.

    Statistics:
        Wigner's semicircle; the ground state of the spherical three-spin model (Auffinger, Ben Arous & Černý), where
        with unequal ``λ_i`` the variances along the eigenvectors, :math:`\sum (λ_k/λ_i)^3`, stand for ``k``: in
        simulations 1 to 1.8 times what was found, and never far below it.
    """
    k, d = shape.n_topics, shape.n_words
    deviation = (math.sqrt(2) if release.pure_epsilon else 1.0) * release.scale
    per_document = deviation / max(_mass(dry_run), 1e-12)
    last = max(float(spectrum.pair_eigenvalues[k - 1]), 0.0)
    if release.symbol in ("E₂", "M₂"):
        entry = per_document / 2 if release.symbol == "E₂" else deviation / math.sqrt(2)
        return Size(last, noise_edge(d, entry), "k-th eigenvalue of M₂, against the largest of its noise")
    if release.symbol in ("E₃", "M₃", "T"):
        unit = {"E₃": per_document / math.sqrt(6), "M₃": deviation, "T": per_document}[release.symbol]
        stretch = math.sqrt(k) if release.symbol == "T" else _stretch(spectrum.pair_eigenvalues[:k])
        smallest = float(np.min(np.abs(spectrum.tensor_eigenvalues)))
        words = "smallest eigenvalue of T, against the largest of its noise"
        return Size(smallest, GROUND_STATE * stretch * unit, words)
    if release.symbol == "E₁":
        words = "length of a flat word distribution, and of its noise"
        return Size(1 / math.sqrt(d), math.sqrt(d) * per_document, words)
    if release.symbol == "w̄":
        return Size(_mass(dry_run), deviation, "mean weight of a document, and its noise")
    if release.symbol in ("C₂", "C₃"):
        return Size(float(shape.n_documents), deviation, "documents counted, and the noise on a count")
    if release.symbol == "v, λ":
        return Size(1.0, math.sqrt(k) * deviation, "length of an eigenvector, and of its noise")
    if release.symbol == "μ, α":
        return Size(_topic_length(shape, spectrum), math.sqrt(d) * deviation, "length of a topic, and of its noise")
    return Size(_bounded(release.symbol, shape, spectrum), deviation, "the number itself, and its noise")


def _mass(dry_run: DryRun) -> float:
    return dry_run.values["w̄"] if any(made.symbol == "w̄" for made in dry_run.releases) else 1.0


def _stretch(sigma: Vector) -> float:
    """Length of the deviations that whitening gives unit noise on M3 along each eigenvector of M2."""
    return math.sqrt(float(np.sum(sigma**-3.0))) if sigma[-1] > 0 else math.inf


def _topic_length(shape: Shape, spectrum: SpectrumLike) -> float:
    """Root mean square of ``(α0 + 2)/2 · λ_i · √σ_i``, the length of a topic that is one eigenvector."""
    sigma = float(np.mean(np.maximum(spectrum.pair_eigenvalues[: shape.n_topics], 0)))
    square = float(np.mean(np.square(spectrum.tensor_eigenvalues)))
    return shape.coefficients.eigenvalue_to_topic() * math.sqrt(sigma * square)


def _bounded(symbol: str, shape: Shape, spectrum: SpectrumLike) -> float:
    k = shape.n_topics
    following = float(spectrum.pair_eigenvalues[k]) if len(spectrum.pair_eigenvalues) > k else 0.0
    eigenvalues = np.append(np.sort(np.abs(spectrum.tensor_eigenvalues))[::-1], 0.0)
    found = {
        "σk": float(spectrum.pair_eigenvalues[k - 1]),
        "gap": float(spectrum.pair_eigenvalues[k - 1]) - following,
        "γs": float(np.min(-np.diff(eigenvalues), initial=math.inf)) / 4,
        "largest word": spectrum.largest_word,
        "largest pair": spectrum.largest_pair,
    }
    return max(found[symbol], 0.0)
