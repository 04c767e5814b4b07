r"""The L1 error to expect of the proven configurations, derived to first order and without a fitted constant.

Noise ``G`` on ``M2`` moves topic i by :math:`P_⊥ G h_i`, ``h_i = M2† μ_i``, out of the plane of the topics, and within
it as in ``sampling``'s docstring. Words and noise being many, a topic's error is Gaussian word by word; rows scaled to
sum one are then projected onto the simplex, which ``projection`` computes. Where the noise in a direction of eigenvalue
σ is not small, its tilt ``√((1−o)/o)``, ``o = 1 − d s²/σ²``, takes the place of its first-order value.

Not derived: of topics that sink into the noise nothing is said except that they then are the mean word distribution,
which the mechanism returns in their place; between none and all, errors are interpolated by the share that is left.
First order is not enough for configuration 2, whose tensor noise makes topics change places: there the prediction is
right within a factor of two only, and not in every run. The shrinkage that ends ``adaptive`` comes after and is not
predicted: its errors are mostly a little below.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dplda.core.types import Matrix, Tensor3, Vector
from dplda.methods.configurations.variant import Levels
from dplda.methods.plan import Plan
from dplda.spectral.whitening import noise_edge
from dplda.theory.prediction import projection, sampling
from dplda.theory.prediction.geometry import Geometry
from dplda.theory.prediction.noise_levels import NO_NOISE, levels_of, weights

OUT, IN, TENSOR, WORDS, SAMPLING, CLIPPING = (
    "pair noise, out of the topics' plane",
    "pair noise, within it",
    "tensor noise",
    "noise on mean words",
    "sampling",
    "clipping",
)
LEAST_OVERLAP = 0.2  # about that of a direction whose eigenvalue is just at the noise edge


@dataclass(frozen=True, slots=True, eq=False)
class Prediction:
    """An expected error.

    Attributes:
        l1: mean over topics of the L1 distance from the truth, in [0, 2].
        by_topic: shape (k,), the same topic by topic, in the order of the geometry.
        parts: pairs (source of error, its share of ``l1``), summing to ``l1``.
        sampling: what the un-noised fit would have.
        resolved: how many directions rise above the noise floor.
    """

    l1: float
    by_topic: Vector
    parts: tuple[tuple[str, float], ...]
    sampling: float
    resolved: int


def predict(plan: Plan | None, geometry: Geometry, *, n_documents: int) -> Prediction:
    """The expected error of a plan, or of none.

    Args:
        plan: ``adaptive``, ``shared-moment``, ``config-1`` or ``config-2``, corrected; None for no noise.

    Raises:
        NoFiniteNoise: configuration 2's private bounds leave no gap.
    """
    levels = NO_NOISE if plan is None else levels_of(plan, geometry, n_documents=n_documents)
    return predict_at(levels, geometry, n_documents=n_documents)


def predict_at(levels: Levels, geometry: Geometry, *, n_documents: int) -> Prediction:
    """The expected error at known noise, for instance that of a fit's own releases."""
    words, k = geometry.words, len(geometry.alpha)
    resolved = _resolved(levels, geometry)
    if resolved == 0:
        return _lost(geometry)
    shared = _sampled(geometry, n_documents)
    parts = {**_noise(levels, geometry), SAMPLING: shared}
    total = sum(parts.values(), np.zeros_like(words.mass))
    still = np.zeros_like(words.mass)
    before = projection.expected_l1(words.mass, words.size, still, np.sqrt(total))
    errors = before
    if levels.clip is not None:
        errors = projection.expected_l1(words.mass, words.size, _shift(levels, geometry), np.sqrt(total))
    alone = projection.expected_l1(words.mass, words.size, still, np.sqrt(shared))
    left = resolved / k
    by_topic = left * np.minimum(errors, geometry.unigram) + (1 - left) * geometry.unigram
    shares = {name: _share(words.size, part, total) for name, part in parts.items()}
    scale = float(np.mean(by_topic)) / float(np.mean(errors))
    clipping = scale * float(np.mean(errors - before))
    rest = float(np.mean(by_topic)) - clipping
    return Prediction(
        l1=float(np.mean(by_topic)),
        by_topic=by_topic,
        parts=(*((name, share * rest) for name, share in shares.items()), (CLIPPING, clipping)),
        sampling=float(np.mean(alone)),
        resolved=resolved,
    )


def errors_at(cases: Sequence[tuple[Levels, int]], geometry: Geometry) -> Vector:
    """The expected errors of many noises at once, several times as fast as one by one.

    Args:
        cases: pairs (noise, ``N``).

    Returns:
        What ``predict_at`` calls ``l1``, in the order of ``cases``.
    """
    words, k = geometry.words, len(geometry.alpha)
    resolved = np.array([_resolved(levels, geometry) for levels, _ in cases], dtype=np.int64)
    found = np.full((len(cases), k), geometry.unigram)
    sampled = {n: _sampled(geometry, n) for n in {n for _, n in cases}}
    at = np.flatnonzero(resolved).tolist()
    if at:
        kept = [cases[i] for i in at]
        totals = [sum(_noise(levels, geometry).values(), sampled[n]) for levels, n in kept]
        shifts = [_shift(levels, geometry) for levels, _ in kept]
        rows = (len(at), 1)
        errors = projection.expected_l1(
            np.tile(words.mass, rows), np.tile(words.size, rows), np.vstack(shifts), np.sqrt(np.vstack(totals))
        ).reshape(len(at), k)
        left = resolved[at, None] / k
        found[at] = left * np.minimum(errors, geometry.unigram) + (1 - left) * geometry.unigram
    result: Vector = np.mean(found, axis=1)
    return result


def _noise(levels: Levels, geometry: Geometry) -> dict[str, Matrix]:
    """Variance of every word from each kind of noise, shape (k, B) each."""
    return {
        OUT: _out_of_plane(levels, geometry),
        IN: _turned(geometry, _pair_turns(levels, geometry)),
        TENSOR: _turned(geometry, _tensor_turns(levels, geometry)),
        WORDS: _word_noise(levels, geometry),
    }


def _sampled(geometry: Geometry, n_documents: int) -> Matrix:
    """Variance of every word from having N documents, shape (k, B)."""
    return _turned(geometry, geometry.in_plane / n_documents) + geometry.words.sampling / n_documents


def _shift(levels: Levels, geometry: Geometry) -> Matrix:
    """By how much clipping moves every word, shape (k, B)."""
    clipped = weights(levels, geometry)
    if clipped is None:
        return np.zeros_like(geometry.words.mass)
    bias = sampling.weighting(geometry.typical.proportions, clipped, geometry.alpha)
    result: Matrix = np.einsum("ij,ijb->ib", bias, geometry.words.differences)
    return result


def _resolved(levels: Levels, geometry: Geometry) -> int:
    """How many eigenvalues stand above the noise edge once noise has raised them, from ``σ`` to ``σ + d s²/σ``.

    None where they are too few for topics.
    """
    s, d = max(levels.pairs, levels.back), geometry.spectrum.n_words
    values = geometry.spectrum.pair_eigenvalues[: len(geometry.alpha)]
    seen = values + d * s**2 / values
    found = int(np.sum((values > s * np.sqrt(d)) & (seen > noise_edge(d, s))))
    return found if found >= levels.fewest else 0


def _out_of_plane(levels: Levels, geometry: Geometry) -> Matrix:
    """``s² (‖h‖² + (diagonal − 2) h_x²)``, less what lies in the plane, as all of ``h⊗h`` does."""
    s, words, k = levels.back, geometry.words, len(geometry.alpha)
    values = geometry.spectrum.pair_eigenvalues[:k]
    tilt = np.maximum(1 - geometry.spectrum.n_words * s**2 / values**2, LEAST_OVERLAP)
    # ‖h_i‖² direction by direction: h_i = U Σ^{-1/2} q_i /√w_i
    scale = (geometry.alpha.sum() * (geometry.alpha.sum() + 1)) / geometry.alpha
    norms = scale * np.sum(geometry.frame.T**2 / (values * tilt)[None, :], axis=1)
    out = 1 - words.leverage
    result: Matrix = s**2 * out * (norms[:, None] + (levels.diagonal - 2) * words.inverse * out)
    return result


def _word_noise(levels: Levels, geometry: Geometry) -> Matrix:
    """``E1`` enters ``M2`` as ``−a(E1⊗n + n⊗E1)`` and ``E1·h_i = α0 + 1``, so every word gets ``−α0 n_x``."""
    a0 = geometry.spectrum.alpha0
    return (a0 * levels.words) ** 2 * (1 - geometry.words.leverage)


def _pair_turns(levels: Levels, geometry: Geometry) -> Matrix:
    """Variance of ``c_ij`` from noise on ``M2`` and on ``E1`` inside it, shape (k, k)."""
    lam, a0 = geometry.eigenvalues, geometry.spectrum.alpha0
    squares = lam[:, None] ** 2 + lam[None] ** 2
    together = (np.multiply.outer(lam, lam) / squares) ** 2
    if levels.exact_whitening:
        return _root_turns(levels, geometry)
    ahead = levels.pairs**2 * _entry_variance(levels, geometry)
    norms = np.diag(geometry.gram)
    t = np.sqrt(geometry.alpha * (a0 + 1) / a0)
    cross = np.multiply.outer(t, t) * geometry.gram
    words = np.multiply.outer(t**2, norms) + np.multiply.outer(norms, t**2) + 2 * cross
    by_words: Matrix = together * (a0 / (a0 + 1) * levels.words) ** 2 * words
    if levels.shared:
        return together * ahead + by_words
    behind = levels.back**2 * _entry_variance(levels, geometry)
    apart = ((lam[:, None] ** 2 - lam[None] ** 2) / squares) ** 2
    return (lam[:, None] / lam[None]) ** 2 / 4 * (behind + apart * ahead) + by_words


def _entry_variance(levels: Levels, geometry: Geometry) -> Matrix:
    """Variance of ``g_iᵀ G g_j`` for noise of deviation 1 off the diagonal."""
    norms = np.diag(geometry.gram)
    result: Matrix = np.multiply.outer(norms, norms) + geometry.gram**2
    return result + (levels.diagonal - 2) * geometry.gram_22


def _root_turns(levels: Levels, geometry: Geometry) -> Matrix:
    r"""Configuration 2: unwhitening is :math:`\tilde M_2^{1/2}`, where ``G_ab`` appears over ``√σ_a + √σ_b``."""
    k, lam, q = len(geometry.alpha), geometry.eigenvalues, geometry.frame
    roots = np.sqrt(geometry.spectrum.pair_eigenvalues[:k])
    divisor = roots[:, None] * (roots[:, None] + roots[None])
    variance = np.zeros((k, k))
    for i in range(k):
        for j in range(k):
            C = np.multiply.outer(q[:, j], q[:, i]) / divisor
            variance[i, j] = levels.back**2 * np.sum((C + C.T) ** 2) / 2
    return (lam[:, None] / lam[None]) ** 2 * variance


def _tensor_turns(levels: Levels, geometry: Geometry) -> Matrix:
    """Variance of ``c_ij`` from noise on ``T``, and from ``E1``'s in the terms that complete it; shape (k, k).

    Of the histogram over triples, cells of one word thrice count two thirds: the rest is a sum of sixth powers.
    """
    lam, K = geometry.eigenvalues, geometry.gram
    n, b = np.diag(K), geometry.spectrum.coefficients.b
    isotropic = np.full((len(lam), len(lam)), 1 / 3)
    own = levels.tensor**2 * isotropic + (b * levels.words) ** 2 * n[None, :]
    cell = levels.triples**2
    own = own + cell / 18 * (np.multiply.outer(n**2, n) + 2 * n[:, None] * K**2)
    fourth = np.diag(geometry.gram_22)
    own = own + cell / 18 * (
        np.multiply.outer(fourth, n) + 4 * geometry.gram_22 * n[:, None] + 4 * geometry.gram_31 * K
    )
    both = cell / 18 * (K**3 + 2 * K * np.multiply.outer(n, n))
    both = both + cell / 18 * (5 * geometry.gram_22 * K + 2 * geometry.gram_31 * n + 2 * (geometry.gram_31 * n).T)
    top = lam[:, None] ** 2 * own + lam[None] ** 2 * own.T - 2 * np.multiply.outer(lam, lam) * both
    return (lam[:, None] / lam[None]) ** 2 * top / (lam[:, None] ** 2 + lam[None] ** 2) ** 2


def _turned(geometry: Geometry, variances: Matrix) -> Matrix:
    """Variance of every word from turns of variance ``c_ij``; shape (k, B)."""
    squares: Tensor3 = geometry.words.squares  # zero for j = i
    result: Matrix = np.einsum("ij,ijb->ib", variances, squares)
    return result


def _share(size: Matrix, part: Matrix, total: Matrix) -> float:
    deviation = np.sqrt(np.maximum(total, np.finfo(float).tiny))
    return float(np.sum(size * part / deviation) / np.sum(size * deviation))


def _lost(geometry: Geometry) -> Prediction:
    l1 = float(np.mean(geometry.unigram))
    parts = tuple((name, l1 if name == OUT else 0.0) for name in (OUT, IN, TENSOR, WORDS, SAMPLING, CLIPPING))
    return Prediction(l1, geometry.unigram, parts, 0.0, 0)
