"""The second route to every moment: averages over ordered tuples of distinct positions and of distinct documents."""

from itertools import permutations

import numpy as np

from dplda.core.types import Matrix, Tensor3, Vector
from dplda.spectral.cumulants import Coefficients
from tests.tiny_corpora import Rows


def frequencies(row: Rows) -> tuple[Vector, Matrix, Tensor3]:
    """Frequencies of a document's words, ordered pairs and ordered triples of distinct token positions."""
    d = len(row)
    tokens = np.repeat(np.arange(d), row)
    f1, f2, f3 = np.zeros(d), np.zeros((d, d)), np.zeros((d, d, d))
    if len(tokens) < 3:
        return f1, f2, f3
    for tuple_counts, size in ((f1, 1), (f2, 2), (f3, 3)):
        for positions in permutations(tokens, size):
            tuple_counts[positions] += 1
        tuple_counts /= tuple_counts.sum()
    return f1, f2, f3


def weighted_averages(rows: Rows, weights: Vector) -> tuple[Vector, Matrix, Tensor3]:
    """``Σ w f / N`` for words, pairs and triples."""
    parts = [frequencies(row) for row in rows]
    n = len(rows)
    words = sum(w * f1 for w, (f1, _, _) in zip(weights, parts, strict=True)) / n
    pairs = sum(w * f2 for w, (_, f2, _) in zip(weights, parts, strict=True)) / n
    triples = sum(w * f3 for w, (_, _, f3) in zip(weights, parts, strict=True)) / n
    return words, pairs, triples


def u_statistics(rows: Rows, c: Coefficients) -> tuple[Matrix, Tensor3]:
    """M2 and M3 of the documents of three words or more, every sum over distinct documents written out."""
    parts = [frequencies(row) for row in rows if row.sum() >= 3]
    n = len(parts)
    M2 = sum(f2 for _, f2, _ in parts) / n
    M3 = sum(f3 for _, _, f3 in parts) / n
    for part, other_part in permutations(parts, 2):
        M2 = M2 - c.a * np.multiply.outer(part[0], other_part[0]) / (n * (n - 1))
        M3 = M3 + c.b * all_positions(part[1], other_part[0]) / (n * (n - 1))
    for part, other_part, third_part in permutations(parts, 3):
        product = np.multiply.outer(np.multiply.outer(part[0], other_part[0]), third_part[0])
        M3 = M3 + c.c * product / (n * (n - 1) * (n - 2))
    return M2, M3


def all_positions(matrix: Matrix, vector: Vector) -> Tensor3:
    """``s3``: entry (i, j, m) is ``A_ij v_m + A_im v_j + A_jm v_i``."""
    d = len(vector)
    total = np.empty((d, d, d))
    for i, j, m in np.ndindex(d, d, d):
        total[i, j, m] = (
            matrix[i, j] * vector[m] + matrix[i, m] * vector[j] + matrix[j, m] * vector[i]
        )
    return total


def seen_by(tensor: Tensor3, directions: Matrix) -> Tensor3:
    """``T(B, B, B)``."""
    return np.einsum("abc,ai,bj,cm->ijm", tensor, directions, directions, directions)
