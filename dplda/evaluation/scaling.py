"""Classical scaling: points in the plane whose distances approximate given ones."""

from dataclasses import dataclass

import numpy as np

from dplda.core.types import Matrix, Vector

EQUAL_DISTANCE = 1e-6  # relative: coordinates this close to the farthest count as equally far


@dataclass(frozen=True, slots=True, eq=False)
class TopicMap:
    """Points in the plane, and the share of distances that they show.

    Attributes:
        points: shape (m, 2), centered, widest axis first; each axis points to the first of its
            farthest points.
        shown: share of the squared distances that the plane shows, in [0, 1]; 1 for equal points.
        spread: shape (2,), sum of squares along each axis.
        squares: shape (m,), mean squared distance of each point from all points, itself included.
    """

    points: Matrix
    shown: float
    spread: Vector
    squares: Vector

    def place(self, distances: Matrix) -> Matrix:
        """Place new points, shape (n, 2), by their distances to the points of the map.

        A point of the map, given its own distances, keeps its position.

        Args:
            distances: shape (n, m).

        Source:
            Gower (1968), "Adding a point to vector diagrams in multivariate analysis".
        """
        has_spread = self.spread > 0
        zeros = np.zeros_like(self.points)
        axes = np.divide(self.points, self.spread, out=zeros, where=has_spread)
        differences = self.squares - distances**2
        return differences @ axes / 2


def classical_scaling(distances: Matrix) -> TopicMap:
    """The plane of classical multidimensional scaling; the same distances give the same map.

    An axis without a positive eigenvalue has coordinates of 0. Negative eigenvalues count as 0,
    also in the share that the plane shows.

    Args:
        distances: shape (m, m), symmetric, of at least one point.

    Source:
        Torgerson (1952), "Multidimensional scaling: I. Theory and method".
    """
    squared_distances = distances**2
    mean_squares = np.mean(squared_distances, axis=1)
    mean_of_all = np.mean(squared_distances)
    centered_squares = (
        squared_distances - mean_squares[:, None] - mean_squares[None, :] + mean_of_all
    )
    inner_products = -centered_squares / 2
    ascending_eigenvalues, ascending_eigenvectors = np.linalg.eigh(inner_products)
    eigenvalues = np.maximum(ascending_eigenvalues[::-1], 0)
    eigenvectors = ascending_eigenvectors[:, ::-1]
    rounding = 1e-12 * eigenvalues[0]
    eigenvalues[eigenvalues <= rounding] = 0
    shown_eigenvalues = eigenvalues[:2]
    coordinates = eigenvectors[:, :2] * np.sqrt(shown_eigenvalues)
    n_missing_axes = max(0, 2 - len(eigenvalues))
    padded_coordinates = np.pad(coordinates, ((0, 0), (0, n_missing_axes)))
    oriented_axes = [_orient(axis) for axis in padded_coordinates.T]
    sum_of_eigenvalues = float(np.sum(eigenvalues))
    share_shown = 1.0
    if sum_of_eigenvalues > 0:
        share_shown = float(np.sum(shown_eigenvalues)) / sum_of_eigenvalues
    return TopicMap(
        points=np.stack(oriented_axes, axis=1),
        shown=share_shown,
        spread=np.pad(shown_eigenvalues, (0, n_missing_axes)),
        squares=mean_squares,  # column means of squares, as in Gower's formula
    )


def _orient(axis: Vector) -> Vector:
    """The coordinates with the sign that makes the first of the farthest points positive."""
    sizes = np.abs(axis)
    smallest_of_farthest = (1 - EQUAL_DISTANCE) * np.max(sizes)
    first_farthest = int(np.argmax(sizes >= smallest_of_farthest))
    oriented = -axis if axis[first_farthest] < 0 else axis
    return oriented + 0.0  # no zero with a sign
