"""Gaps in the paper's proofs, each as a small computation that is exact at any N.

A corpus here is a few kinds of documents with their numbers, so its moments cost the same at any N.
"""

import math
from dataclasses import dataclass
from itertools import permutations, product

import numpy as np

from dplda.core import checks
from dplda.core.errors import InputError
from dplda.core.types import Matrix, Tensor3, Vector
from dplda.privacy import sensitivity
from dplda.privacy.accounting import gaussian
from dplda.privacy.accounting.composition import classic_multiplier
from dplda.spectral.cumulants import Coefficients, cube, three_positions
from dplda.theory.theorems import sensitivities

ALPHA0 = 0.1
KINDS = {"111": (3, 0), "222": (0, 3), "1122": (2, 2)}  # counts of two words
KIND_NAMES = tuple(KINDS)
UNIT = 88  # smallest N at which the pair moment is a multiple of the identity up to 1/N


@dataclass(frozen=True, slots=True)
class Counterexample:
    """Two neighboring corpora and the distance of their whitened tensors.

    Attributes:
        replaced: the kind of the replaced document, and the kind of the new one.
        gap: ``σk − σk+1`` in units of ``Δ2``; the paper asks for at least 1.
        change: ``‖T − T'‖_F``, least over all orders and signs of the whitened directions.
        published: Theorem 5's bound on it, the paper's (64) in full.
    """

    documents: tuple[tuple[str, int], ...]
    replaced: tuple[str, str]
    n_documents: int
    n_topics: int
    gap: float
    change: float
    published: float

    @property
    def ratio(self) -> float:
        """The change divided by the published bound."""
        return self.change / self.published


def rotation(n_documents: int = 4400) -> Counterexample:
    """Counterexample A: the two kept directions rotate in their plane; change 0.977 at every N.

    The numbers of "111", "222" and "1122" are ``41j + 1``, ``41j − 1`` and ``6j`` with ``j = N/88``, so that both
    eigenvalues agree up to 1/N: the rotation that one document causes does not shrink with N.

    Args:
        n_documents: ``N``, at least 88; rounded down to a multiple of 88.
    """
    return _compare(_nearly_isotropic(n_documents, 1), replaced=(0, 2), n_topics=2)


def exchange(n_documents: int = 4400, *, excess: int = 2) -> Counterexample:
    """Counterexample B: one direction is kept, and the paper's gap condition holds.

    Args:
        n_documents: ``N``, at least 88; rounded down to a multiple of 88.
        excess: extra "111" over ``41 N/88``, with as many fewer "222"; the gap is about ``0.77 excess Δ2``.

    Returns:
        With 2, a gap of 1.5 Δ2 and a change of 3.66e-2 at every N.
    """
    return _compare(_nearly_isotropic(n_documents, excess), replaced=(2, 1), n_topics=1)


def scalings(
    topics: Matrix, shares: Vector, alpha0s: tuple[float, ...], *, n_documents: int
) -> Matrix:
    """``α0(α0+1) σk(M2)``, which grows with α0, and σk in documents' worth of change, which falls; shape (2, n).

    ``shares`` are the topics', ``α/α0``. Scaled or not, σk has a sensitivity that grows by the same factor.
    """
    found = []
    for alpha0 in alpha0s:
        weighted = topics * np.sqrt(shares / (alpha0 + 1))[:, None]
        sigma = float(np.linalg.eigvalsh(weighted @ weighted.T)[0])
        delta = sensitivity.direct_pair_moment(n_documents=n_documents, a=Coefficients(alpha0).a)
        found.append((alpha0 * (alpha0 + 1) * sigma, sigma / delta))
    return np.array(found).T


def spent_by_published_config_1(
    *, epsilon: float, delta: float, alpha0: float, variance: bool
) -> float:
    """A lower bound on the ε that configuration 1 spends where the paper claims ``epsilon``, at any N.

    ε and δ are split evenly over e3, e4 and e8; noise is scaled to a sensitivity of 1/N as published. The bound uses
    the attained changes of ``M2`` and ``M3`` (``√(2 + 6b² + 6(b+c)²)/N``) and exact Gaussian composition.

    Args:
        variance: whether τ is read as a variance, ``N(0, Δ²τ)``, instead of a standard deviation per sensitivity.
    """
    tau = classic_multiplier(epsilon / 3, delta / 3)
    scale = math.sqrt(tau) if variance else tau
    c = Coefficients(alpha0)
    pair = sensitivity.direct_pair_moment(n_documents=1, a=c.a)
    triple = math.sqrt(2 + 6 * c.b**2 + 6 * (c.b + c.c) ** 2)
    return gaussian.epsilon_for(
        gaussian.compose([pair / scale, pair / scale, triple / scale]), delta
    )


def _nearly_isotropic(n_documents: int, excess: int) -> tuple[int, int, int]:
    checks.integer_at_least("n_documents", n_documents, UNIT)
    checks.integer_at_least("excess", excess, 1)
    j = n_documents // UNIT
    if excess >= 41 * j:
        raise InputError("excess", f"below {41 * j} at this N", str(excess))
    return 41 * j + excess, 41 * j - excess, 6 * j


def _compare(
    numbers: tuple[int, int, int], *, replaced: tuple[int, int], n_topics: int
) -> Counterexample:
    neighbour = list(numbers)
    neighbour[replaced[0]] -= 1
    neighbour[replaced[1]] += 1
    n = sum(numbers)
    values, tensor = _whitened(np.array(numbers, dtype=np.float64), n_topics)
    _, other = _whitened(np.array(neighbour, dtype=np.float64), n_topics)
    last, following = float(values[n_topics - 1]), float(values[n_topics])
    return Counterexample(
        documents=tuple(zip(KIND_NAMES, numbers, strict=True)),
        replaced=(KIND_NAMES[replaced[0]], KIND_NAMES[replaced[1]]),
        n_documents=n,
        n_topics=n_topics,
        gap=(last - following) / sensitivities.pair_moment_l1(n_documents=n, alpha0=ALPHA0),
        change=distance(tensor, other),
        published=sensitivities.whitened_tensor_64(
            n_documents=n, n_topics=n_topics, alpha0=ALPHA0, sigma_k=last, sigma_next=following
        ),
    )


def distance(tensor: Tensor3, other: Tensor3) -> float:
    """Frobenius distance, least over all orders and signs of the other's coordinates; for k of 1 or 2."""
    k = len(tensor)
    least = math.inf
    for order in permutations(range(k)):
        for signs in product((1.0, -1.0), repeat=k):
            P = np.eye(k)[:, list(order)] * np.array(signs)
            turned = np.einsum("abc,ai,bj,cm->ijm", other, P, P, P)
            least = min(least, float(np.linalg.norm(tensor - turned)))
    return least


def _whitened(numbers: Vector, n_topics: int) -> tuple[Vector, Tensor3]:
    """Eigenvalues of the U-statistic ``M2``, a third word's 0 included, and ``M3(W, W, W)`` with ``W = U Σ^{-1/2}``."""
    M2, M3 = _moments(numbers)
    values, vectors = np.linalg.eigh(M2)
    values, vectors = np.append(values[::-1], 0.0), vectors[:, ::-1]
    W = vectors[:, :n_topics] / np.sqrt(values[:n_topics])
    tensor: Tensor3 = np.einsum("abc,ai,bj,cm->ijm", M3, W, W, W)
    return values, tensor


def _moments(numbers: Vector) -> tuple[Matrix, Tensor3]:
    """The U-statistics ``M2`` and ``M3`` over two words, by their definition."""
    n, coefficients = float(np.sum(numbers)), Coefficients(ALPHA0)
    pairs, triples = n * (n - 1), n * (n - 1) * (n - 2)
    S1, S2, G = np.zeros(2), np.zeros((2, 2)), np.zeros((2, 2))
    S3, own, cubes = np.zeros((2, 2, 2)), np.zeros((2, 2, 2)), np.zeros((2, 2, 2))
    for kind, times in zip(KINDS.values(), numbers, strict=True):
        f1, f2, f3 = _frequencies(np.array(kind, dtype=np.float64))
        S1, S2, S3 = S1 + times * f1, S2 + times * f2, S3 + times * f3
        G, own, cubes = (
            G + times * np.outer(f1, f1),
            own + times * three_positions(f2, f1),
            cubes + times * cube(f1),
        )
    M2 = S2 / n - coefficients.a * (np.outer(S1, S1) - G) / pairs
    distinct = cube(S1) - three_positions(G, S1) + 2 * cubes
    M3 = (
        S3 / n
        + coefficients.b * (three_positions(S2, S1) - own) / pairs
        + coefficients.c * distinct / triples
    )
    return M2, M3


def _frequencies(c: Vector) -> tuple[Vector, Matrix, Tensor3]:
    length = float(np.sum(c))
    unit = np.eye(len(c))
    diagonals = sum(
        (c[i] * three_positions(np.outer(unit[i], unit[i]), c) for i in range(len(c))),
        np.zeros((2, 2, 2)),
    )
    repeats = sum((c[i] * cube(unit[i]) for i in range(len(c))), np.zeros((2, 2, 2)))
    f3: Tensor3 = (cube(c) - diagonals + 2 * repeats) / (length * (length - 1) * (length - 2))
    return c / length, (np.outer(c, c) - np.diag(c)) / (length * (length - 1)), f3
