"""Whitening: from the pair moment to the space where topics are orthonormal, and back."""

import math
from dataclasses import dataclass, replace

import numpy as np
from scipy.sparse.linalg import LinearOperator

from dplda.core import checks
from dplda.core.types import Matrix, Vector
from dplda.spectral.eigenpairs import leading_eigenpairs

RELATIVE_FLOOR = 1e-12
"""Eigenvalues below this fraction of the largest one are rounding."""


@dataclass(frozen=True, slots=True, eq=False)
class Whitening:
    """A map to the space where topics are orthonormal, and the map back.

    ``m ≤ k`` directions are kept: those with eigenvalues above the noise floor, or all where they
    are used as is.

    Attributes:
        whitener: ``W``, shape (d, m); ``Wᵀ M2 W`` is the identity on the kept directions (before
            shrinking).
        unwhitener: ``B``, shape (d, m), the pseudo-inverse of ``Wᵀ``.
        spectrum: shape (min(k + 1, d),), leading eigenvalues of ``M2``; the last one may be up to a
            third low.
        kept: shape (m,), the eigenvalues used, with the effect of known noise removed.
        noise_floor: level above which an eigenvalue counts as a topic; see the function of that
            name.
        overlap: shape (m,), expected squared cosine of a direction and its noise-free counterpart;
            0 without signal.
    """

    whitener: Matrix
    unwhitener: Matrix
    spectrum: Vector
    kept: Vector
    noise_floor: float
    overlap: Vector

    @property
    def resolved(self) -> int:
        """``m``, the number of directions kept, of k."""
        return len(self.kept)

    @property
    def rising(self) -> int:
        """Number of kept directions with some expected signal.

        That is all, unless directions within the noise are kept.
        """
        return int(np.count_nonzero(self.overlap))

    def leading(self, count: int) -> "Whitening":
        """The whitening with only its first ``count`` directions.

        The spectrum and the noise floor stay as they are.
        """
        return replace(
            self,
            whitener=self.whitener[:, :count],
            unwhitener=self.unwhitener[:, :count],
            kept=self.kept[:count],
            overlap=self.overlap[:count],
        )


def without_directions(n_words: int) -> Whitening:
    """A whitening without directions, spectrum or noise floor, for an unknown pair moment."""
    no_numbers = np.empty(0)
    no_directions = np.empty((n_words, 0))
    return Whitening(
        whitener=no_directions,
        unwhitener=no_directions,
        spectrum=no_numbers,
        kept=no_numbers,
        noise_floor=0.0,
        overlap=no_numbers,
    )


def noise_edge(n_words: int, entry_noise: float) -> float:
    r"""99 % quantile of the largest eigenvalue of a symmetric noise matrix.

    Returns:
        :math:`2 s\sqrt d\,(1 + 1.01\,d^{-2/3} + 1/d)`, with ``s ≥ 0`` the standard deviation of one
        off-diagonal entry.

    Source:
        Wigner's semicircle, then half the 99 % point (2.02) of the Tracy–Widom law of order one.
        That law is for diagonal entries of standard deviation ``√2 s``; on a histogram over
        unordered pairs they have ``2 s``, and the excess variance ``2 s²`` on the diagonal moves
        the edge by ``2 s² / (s √d)``, the last term.
    """
    edge_of_semicircle = 2 * entry_noise * math.sqrt(n_words)
    tail_of_largest = 1.01 * math.pow(n_words, -2 / 3)
    return edge_of_semicircle * (1 + tail_of_largest + 1 / n_words)


def noise_floor(n_words: int, entry_noise: float) -> float:
    r"""The level above which an eigenvalue counts as a topic: more signal than noise.

    The larger of ``noise_edge`` and :math:`\tfrac{3}{\sqrt2} s\sqrt d`, 6 % above the edge of the
    semicircle, where the signal is :math:`\sqrt{2d}\,s` and half of the direction (in squared
    cosine) is expected to be signal.
    """
    above_largest_noise = noise_edge(n_words, entry_noise)
    above_half_signal = 3 / math.sqrt(2) * entry_noise * math.sqrt(n_words)
    return max(above_largest_noise, above_half_signal)


def shrink(eigenvalues: Vector, n_words: int, entry_noise: float) -> Vector:
    r"""Signal eigenvalues, shape (m,), without what symmetric noise adds to them above its edge.

    An eigenvalue :math:`\ell` of the signal appears at :math:`\ell + d s^2/\ell`; the inverse is
    :math:`(\lambda + \sqrt{\lambda^2 - 4 d s^2})/2`.

    Args:
        eigenvalues: ``λ`` of the noisy matrix, shape (m,).
        n_words: ``d``, size of the matrix.
        entry_noise: ``s``, standard deviation of the noise in an entry.

    Source:
        The spiked Wigner model (Baik–Ben Arous–Péché); post-processing of a noisy matrix whose
        noise level is known.
    """
    discriminant = eigenvalues**2 - 4 * n_words * entry_noise**2
    root = np.sqrt(np.maximum(discriminant, 0))
    return np.asarray((eigenvalues + root) / 2)


def whiten(
    pair_moment: Matrix | LinearOperator,
    n_topics: int,
    *,
    entry_noise: float = 0.0,
    direct: bool = False,
    within_noise: bool = False,
) -> Whitening:
    """Whiten with the leading eigenpairs of the pair moment that rise above its known noise.

    Uses algebraic eigenvalues, not singular values: on real text the pair moment has large negative
    ones. Directions at or below the noise floor are dropped, never raised to it; with
    ``within_noise`` they are kept, except those that are rounding.

    Args:
        pair_moment: ``M2``, shape (d, d).
        n_topics: ``k``, from 1 to d.
        entry_noise: standard deviation of the known noise on one off-diagonal entry.
        direct: whether to use the direct eigensolver in any case.
        within_noise: whether to keep directions below the noise floor too.

    Returns:
        With at most k directions, perhaps none; ``rising`` counts those with some expected signal.

    Raises:
        InputError: ``n_topics`` is not a whole number from 1 to d.
    """
    d = pair_moment.shape[0]
    checks.integer_between("n_topics", n_topics, 1, d)
    n_eigenvalues = min(n_topics + 1, d)
    spectrum, vectors = leading_eigenpairs(pair_moment, n_eigenvalues, direct=direct)
    floor_of_noise = noise_floor(d, entry_noise)
    largest_magnitude = float(np.max(np.abs(spectrum)))
    floor_of_rounding = RELATIVE_FLOOR * largest_magnitude
    lowest_kept = max(0.0 if within_noise else floor_of_noise, floor_of_rounding)
    is_kept = spectrum[:n_topics] > lowest_kept
    m = int(np.sum(is_kept))
    shrunk_eigenvalues = shrink(spectrum[:m], d, entry_noise)
    root_eigenvalues = np.sqrt(shrunk_eigenvalues)
    U = vectors[:, :m]
    return Whitening(
        whitener=U / root_eigenvalues,
        unwhitener=U * root_eigenvalues,
        spectrum=spectrum,
        kept=shrunk_eigenvalues,
        noise_floor=floor_of_noise,
        overlap=_expected_overlap(shrunk_eigenvalues, d, entry_noise),
    )


def with_known_noise(
    whitening: Whitening, entry_noise: float, *, at_most: int | None = None
) -> Whitening:
    """The same directions with ``noise_floor`` and ``overlap`` for noise that was ignored at first.

    The maps and the ``kept`` eigenvalues stay as they are: none is shrunk or dropped.

    Args:
        whitening: made without regard to noise.
        entry_noise: standard deviation of the noise on one off-diagonal entry of ``M2``.
        at_most: leading directions that may count as signal; all by default. The others get an
            overlap of 0.
    """
    d = len(whitening.whitener)
    floor = noise_floor(d, entry_noise)
    leading_eigenvalues = whitening.spectrum[: whitening.resolved]
    max_signals = whitening.resolved if at_most is None else at_most
    is_above_floor = leading_eigenvalues > floor
    n_signals = min(int(np.sum(is_above_floor)), max_signals)
    overlap = np.zeros(whitening.resolved)
    signal_eigenvalues = shrink(leading_eigenvalues[:n_signals], d, entry_noise)
    overlap[:n_signals] = _expected_overlap(signal_eigenvalues, d, entry_noise)
    return replace(whitening, noise_floor=floor, overlap=overlap)


def keep_common_directions(forward: Whitening, back: Whitening) -> tuple[Whitening, Whitening]:
    """Both whitenings with as many leading directions as the smaller one has."""
    m = min(forward.resolved, back.resolved)
    return forward.leading(m), back.leading(m)


def rotate_to_match(back: Whitening, forward: Whitening) -> Whitening:
    """Rotate one whitening into the frame of another, ``forward``.

    The two must have equally many directions.

    Only the two maps are rotated: ``kept`` and ``overlap`` stay those of ``back``.

    The two may differ by a rotation and signs. The rotation is the nearest orthogonal matrix to
    ``B_backᵀ W_forward`` (orthogonal Procrustes).
    """
    overlaps = back.unwhitener.T @ forward.whitener
    left, _, right = np.linalg.svd(overlaps)
    rotation = left @ right
    return replace(
        back,
        whitener=back.whitener @ rotation,
        unwhitener=back.unwhitener @ rotation,
    )


def in_frame_of(forward: Whitening, back: Whitening) -> Whitening:
    """Symmetric whitening ``H = U Σ^{-1/2} Uᵀ`` along the directions of another whitening.

    ``H`` has no ambiguity of sign or rotation, so one document moves what is seen through ``H Ũ``
    little. ``forward`` gives ``U`` and ``Σ``, ``back`` gives ``Ũ`` and keeps its unwhitener.
    """
    frame = back.unwhitener / np.sqrt(back.kept)
    coordinates = forward.whitener.T @ frame
    scaled_coordinates = np.sqrt(forward.kept)[:, None] * coordinates
    H_frame = forward.whitener @ scaled_coordinates
    return replace(back, whitener=H_frame)


def _expected_overlap(eigenvalues: Vector, n_words: int, entry_noise: float) -> Vector:
    """Expected squared cosine of noisy and noise-free directions, ``1 − d s²/ℓ²``, at least 0."""
    noise_share = n_words * entry_noise**2 / eigenvalues**2
    return np.maximum(0.0, 1 - noise_share)
