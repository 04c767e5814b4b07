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
        documents: each kind of document, and its number in the first corpus.
        replaced: the kind of the replaced document, and the kind of the new one.
        n_documents: ``N``.
        n_topics: ``k``, number of whitened directions.
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

    The numbers of "111", "222" and "1122" are ``41j + 1``, ``41j − 1`` and ``6j`` with ``j =
    N/88``, so that both eigenvalues agree up to 1/N: the rotation that one document causes does not
    shrink with N.

    Args:
        n_documents: ``N``, at least 88; rounded down to a multiple of 88.

    Raises:
        InputError: N is below 88.
    """
    return _compare(_nearly_isotropic(n_documents, 1), replaced=(0, 2), n_topics=2)


def exchange(n_documents: int = 4400, *, excess: int = 2) -> Counterexample:
    """Counterexample B: one direction is kept, and the paper's gap condition holds.

    Args:
        n_documents: ``N``, at least 88; rounded down to a multiple of 88.
        excess: extra "111" over ``41 N/88``, with as many fewer "222"; the gap is about ``0.77
            excess Δ2``.

    Returns:
        With 2, a gap of 1.5 Δ2 and a change of 3.66e-2 at every N.

    Raises:
        InputError: N is below 88, or ``excess`` is below 1 or leaves no "222".
    """
    return _compare(_nearly_isotropic(n_documents, excess), replaced=(2, 1), n_topics=1)


def scalings(
    topics: Matrix, shares: Vector, alpha0s: tuple[float, ...], *, n_documents: int
) -> Matrix:
    """Compare σk as the paper scales it, which grows with α0, with σk in documents, which falls.

    Scaled or not, σk has a sensitivity that grows by the same factor.

    Args:
        topics: shape (k, d).
        shares: of the topics in the documents, ``α/α0``, shape (k,).
        alpha0s: values of α0 to compare.
        n_documents: ``N``.

    Returns:
        Shape (2, len(alpha0s)): ``α0(α0+1) σk(M2)``, and ``σk`` over one document's change of
        ``M2``.
    """
    rows = []
    for alpha0 in alpha0s:
        weighted_topics = topics * np.sqrt(shares / (alpha0 + 1))[:, None]
        sigma_k = float(np.linalg.eigvalsh(weighted_topics @ weighted_topics.T)[0])
        pair_sensitivity = sensitivity.direct_pair_moment(
            n_documents=n_documents, a=Coefficients(alpha0).a
        )
        rows.append((alpha0 * (alpha0 + 1) * sigma_k, sigma_k / pair_sensitivity))
    return np.array(rows).T


def spent_by_published_config_1(
    *, epsilon: float, delta: float, alpha0: float, variance: bool
) -> float:
    """A lower bound, at any N, on configuration 1's ε where the paper claims ``epsilon``.

    ε and δ are split evenly over e3, e4 and e8; noise is scaled to a sensitivity of 1/N as
    published. The bound uses the attained changes of ``M2`` and ``M3`` (``√(2 + 6b² + 6(b+c)²)/N``)
    and exact Gaussian composition.

    Args:
        epsilon: claimed ε of the whole run.
        delta: δ of the whole run, claimed and spent.
        alpha0: of the Dirichlet prior.
        variance: whether τ is read as a variance, ``N(0, Δ²τ)``, instead of a standard deviation
            per sensitivity.
    """
    tau = classic_multiplier(epsilon / 3, delta / 3)
    noise_std = math.sqrt(tau) if variance else tau  # times N
    coefficients = Coefficients(alpha0)
    pair_change = sensitivity.direct_pair_moment(n_documents=1, a=coefficients.a)
    triple_change = math.sqrt(
        2 + 6 * coefficients.b**2 + 6 * (coefficients.b + coefficients.c) ** 2
    )
    mus = [pair_change / noise_std, pair_change / noise_std, triple_change / noise_std]
    return gaussian.epsilon_for(gaussian.compose(mus), delta)


def _nearly_isotropic(n_documents: int, excess: int) -> tuple[int, int, int]:
    """Numbers of "111", "222" and "1122" whose pair moment is nearly a multiple of the identity.

    They sum to the largest multiple of ``UNIT`` up to N.

    Args:
        n_documents: ``N``, at least ``UNIT``.
        excess: documents "111" more than in the balanced corpus, and documents "222" fewer.

    Raises:
        InputError: N is below ``UNIT``, or ``excess`` is below 1 or leaves no "222".
    """
    checks.integer_at_least("n_documents", n_documents, UNIT)
    checks.integer_at_least("excess", excess, 1)
    j = n_documents // UNIT
    if excess >= 41 * j:
        raise InputError("excess", f"below {41 * j} at this N", str(excess))
    return 41 * j + excess, 41 * j - excess, 6 * j


def _compare(
    numbers: tuple[int, int, int], *, replaced: tuple[int, int], n_topics: int
) -> Counterexample:
    """Compare the corpus of these numbers of kinds with a neighbor.

    The gap is in units of the L1 sensitivity of the pair moment, not of this pair's change.

    Args:
        numbers: of documents of each kind, in the order of ``KIND_NAMES``.
        replaced: index of the kind that loses a document, and of the kind that gains one.
        n_topics: ``k``.
    """
    old_kind, new_kind = replaced
    neighbor_numbers = list(numbers)
    neighbor_numbers[old_kind] -= 1
    neighbor_numbers[new_kind] += 1
    n_documents = sum(numbers)
    kind_counts = np.array(numbers, dtype=np.float64)
    neighbor_kind_counts = np.array(neighbor_numbers, dtype=np.float64)
    eigenvalues, tensor = _whiten_corpus(kind_counts, n_topics)
    _, neighbor_tensor = _whiten_corpus(neighbor_kind_counts, n_topics)
    sigma_k = float(eigenvalues[n_topics - 1])
    sigma_next = float(eigenvalues[n_topics])
    pair_sensitivity = sensitivities.pair_moment_l1(n_documents=n_documents, alpha0=ALPHA0)
    return Counterexample(
        documents=tuple(zip(KIND_NAMES, numbers, strict=True)),
        replaced=(KIND_NAMES[old_kind], KIND_NAMES[new_kind]),
        n_documents=n_documents,
        n_topics=n_topics,
        gap=(sigma_k - sigma_next) / pair_sensitivity,
        change=distance(tensor, neighbor_tensor),
        published=sensitivities.whitened_tensor_64(
            n_documents=n_documents,
            n_topics=n_topics,
            alpha0=ALPHA0,
            sigma_k=sigma_k,
            sigma_next=sigma_next,
        ),
    )


def distance(tensor: Tensor3, other: Tensor3) -> float:
    """Frobenius distance, least over orders and signs of the other's coordinates.

    Any k is allowed, but all k!·2^k orders and signs are tried.

    Args:
        tensor: shape (k, k, k).
        other: shape (k, k, k).
    """
    k = len(tensor)
    least_distance = math.inf
    for order in permutations(range(k)):
        for signs in product((1.0, -1.0), repeat=k):
            permutation = np.eye(k)[:, list(order)]
            P = permutation * np.array(signs)
            reordered = np.einsum("abc,ai,bj,cm->ijm", other, P, P, P)
            frobenius_distance = float(np.linalg.norm(tensor - reordered))
            least_distance = min(least_distance, frobenius_distance)
    return least_distance


def _whiten_corpus(numbers: Vector, n_topics: int) -> tuple[Vector, Tensor3]:
    """Whiten the moments of a corpus, given its number of documents of each kind.

    Returns:
        Eigenvalues of the U-statistic ``M2``, largest first, with a third word's 0 at the end; and
        ``M3(W, W, W)`` with ``W = U Σ^{-1/2}``.
    """
    M2, M3 = _moments(numbers)
    ascending_eigenvalues, ascending_vectors = np.linalg.eigh(M2)
    eigenvalues = np.append(ascending_eigenvalues[::-1], 0.0)
    vectors = ascending_vectors[:, ::-1]
    root_eigenvalues = np.sqrt(eigenvalues[:n_topics])
    W = vectors[:, :n_topics] / root_eigenvalues
    tensor: Tensor3 = np.einsum("abc,ai,bj,cm->ijm", M3, W, W, W)
    return eigenvalues, tensor


def _moments(numbers: Vector) -> tuple[Matrix, Tensor3]:
    """The U-statistics ``M2`` and ``M3`` over two words, by their definition.

    Args:
        numbers: of documents of each kind, in the order of ``KINDS``.
    """
    n = float(np.sum(numbers))
    coefficients = Coefficients(ALPHA0)
    n_pairs = n * (n - 1)
    n_triples = n * (n - 1) * (n - 2)
    # Sums over documents: of f1, f2 and f3, then of f1⊗f1, s3(f2, f1) and f1⊗f1⊗f1 of one document.
    F1 = np.zeros(2)
    F2 = np.zeros((2, 2))
    F3 = np.zeros((2, 2, 2))
    own_squares = np.zeros((2, 2))
    own_crosses = np.zeros((2, 2, 2))
    own_cubes = np.zeros((2, 2, 2))
    for counts, number in zip(KINDS.values(), numbers, strict=True):
        f1, f2, f3 = _frequencies(np.array(counts, dtype=np.float64))
        F1 = F1 + number * f1
        F2 = F2 + number * f2
        F3 = F3 + number * f3
        own_squares = own_squares + number * np.outer(f1, f1)
        own_crosses = own_crosses + number * three_positions(f2, f1)
        own_cubes = own_cubes + number * cube(f1)
    different_pairs = np.outer(F1, F1) - own_squares
    M2 = F2 / n - coefficients.a * different_pairs / n_pairs
    different_crosses = three_positions(F2, F1) - own_crosses
    distinct_cubes = cube(F1) - three_positions(own_squares, F1) + 2 * own_cubes
    M3 = F3 / n + coefficients.b * different_crosses / n_pairs
    M3 = M3 + coefficients.c * distinct_cubes / n_triples
    return M2, M3


def _frequencies(counts: Vector) -> tuple[Vector, Matrix, Tensor3]:
    """Frequencies of the words, word pairs and word triples of one document, from its counts.

    Pairs and triples are of different tokens, in any order, so a document needs three tokens.

    Returns:
        ``f1``, ``f2`` and ``f3``, of shapes (2,), (2, 2) and (2, 2, 2), each with sum 1.
    """
    n_words = len(counts)
    length = float(np.sum(counts))
    n_pairs = length * (length - 1)
    n_triples = n_pairs * (length - 2)
    unit_vectors = np.eye(n_words)
    diagonals = np.zeros((2, 2, 2))
    repeats = np.zeros((2, 2, 2))
    for i in range(n_words):
        own_pair = np.outer(unit_vectors[i], unit_vectors[i])
        diagonals = diagonals + counts[i] * three_positions(own_pair, counts)
        repeats = repeats + counts[i] * cube(unit_vectors[i])
    pairs = np.outer(counts, counts) - np.diag(counts)
    triples = cube(counts) - diagonals + 2 * repeats
    f1 = counts / length
    f2 = pairs / n_pairs
    f3: Tensor3 = triples / n_triples
    return f1, f2, f3
