"""Does noise follow its promised law? Checks that accept it, and that a scale 10 % off in either direction fails.

False alarms: each check errs with probability ``FALSE_ALARM`` = 1e-4 on noise that follows its law (``uncorrelated``
with up to 6e-4, as products that share a coordinate depend on each other); seeds are fixed. Noise without a seed is
asked for ``UNSEEDED`` instead, of three times as many coordinates: every accepted band is narrower then.
Power: of ``ENOUGH`` = 5,000 coordinates the mean square has standard deviation 0.02 and the accepted band is
1 ± 0.078; a scale 10 % too large (small) gives 1.21 (0.81), 5 (7) standard deviations outside the band, so that a
wrong scale passes with probability below 1e-6.

Symmetric arrays are read off entry by entry, a second route to what ``privacy.noise.layouts`` does.
"""

from itertools import combinations_with_replacement

import numpy as np
from scipy import stats

from dplda.core.types import Matrix, Tensor3, Vector

FALSE_ALARM, UNSEEDED = 1e-4, 1e-9
ENOUGH = 5_000


def unit_scale(standardised: np.ndarray, alarm: float = FALSE_ALARM) -> bool:
    """Whether independent coordinates, divided by their declared scale, have variance one (chi-square, two-sided)."""
    values = np.ravel(standardised)
    if len(values) < ENOUGH:
        raise ValueError(f"{len(values)} coordinates are too few to tell a scale that is 10 % off")
    lower = stats.chi2.cdf(np.sum(values**2), df=len(values))
    return bool(min(lower, 1 - lower) > alarm / 2)


def centred(standardised: np.ndarray, alarm: float = FALSE_ALARM) -> bool:
    values = np.ravel(standardised)
    return bool(2 * stats.norm.sf(abs(np.sum(values)) / np.sqrt(len(values))) > alarm)


def gaussian(standardised: np.ndarray, alarm: float = FALSE_ALARM) -> bool:
    """Kolmogorov–Smirnov against the standard normal law."""
    return bool(stats.kstest(np.ravel(standardised), "norm").pvalue > alarm)


def uncorrelated(draws: np.ndarray, alarm: float = FALSE_ALARM) -> bool:
    """Whether coordinates, shape (draws, coordinates), are independent: chi-square of all products of two."""
    n, m = draws.shape
    if m == 1:
        return True
    products = (draws.T @ draws)[np.triu_indices(m, 1)] / np.sqrt(n)
    expected_sd = (
        1 + 3 / n
    )  # products of normals have a little more than variance one in the square
    return bool(stats.chi2.sf(np.sum(products**2) / expected_sd, df=len(products)) > alarm)


def follows(draws: np.ndarray, alarm: float = FALSE_ALARM) -> bool:
    """All four together; shape (draws, coordinates), each row one draw in its declared unit."""
    return all(check(draws, alarm) for check in (unit_scale, centred, gaussian, uncorrelated))


def histogram_cells(matrix: Matrix) -> Vector:
    """A symmetric matrix as its histogram over unordered pairs: diagonal as it is, off-diagonal entries doubled."""
    rows, columns = np.triu_indices(len(matrix))
    return matrix[rows, columns] * np.where(rows == columns, 1.0, 2.0)


def distinct_entries(array: Matrix | Tensor3) -> Vector:
    """Entries of a symmetric array with indices in ascending order, as they are."""
    indices = combinations_with_replacement(range(len(array)), array.ndim)
    return np.array([array[index] for index in indices])


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
