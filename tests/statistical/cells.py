"""Symmetric arrays by one number for each degree of freedom, read off entry by entry.

A second route to what ``privacy.noise.layouts`` does: a test trusts nothing of what it tests.
"""

import numpy as np

from dplda.core.types import Matrix, Tensor3, Vector


def histogram_cells(matrix: Matrix) -> Vector:
    """A symmetric matrix as its histogram over unordered pairs: diagonal as it is, off-diagonal entries doubled."""
    rows, columns = np.triu_indices(len(matrix))
    return matrix[rows, columns] * np.where(rows == columns, 1.0, 2.0)


def triple_cells(tensor: Tensor3) -> Vector:
    """A symmetric tensor as its histogram over unordered triples: entries times the number of their orders."""
    triples, orders = _unordered_triples(len(tensor))
    return np.array([tensor[t] for t in triples]) * orders


def orthonormal_coordinates(tensor: Tensor3) -> Vector:
    """A symmetric tensor in the orthonormal basis of symmetric tensors: entries times the root of their orders."""
    triples, orders = _unordered_triples(len(tensor))
    return np.array([tensor[t] for t in triples]) * np.sqrt(orders)


def _unordered_triples(size: int) -> tuple[list[tuple[int, int, int]], Vector]:
    triples = [(i, j, m) for i in range(size) for j in range(i, size) for m in range(j, size)]
    return triples, np.array([{1: 1, 2: 3, 3: 6}[len({*triple})] for triple in triples])
