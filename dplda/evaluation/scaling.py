"""Classical scaling: points in the plane whose distances approximate given ones."""

from dataclasses import dataclass

import numpy as np

from dplda.core.types import Matrix, Vector

EQUAL = 1e-6  # relative: coordinates this close to the farthest count as equally far


@dataclass(frozen=True, slots=True, eq=False)
class TopicMap:
    """Points in the plane, and how well they show the distances.

    Attributes:
        points: shape (m, 2), centered, widest axis first; each axis points to the first of its farthest points.
        shown: share of the squared distances that the plane shows, in [0, 1].
        spread: shape (2,), sum of squares along each axis.
        squares: shape (m,), mean squared distance of each point from the others, itself included.
    """

    points: Matrix
    shown: float
    spread: Vector
    squares: Vector

    def place(self, distances: Matrix) -> Matrix:
        """Positions of new points, shape (n, 2), from distances of shape (n, m) to the points of the map.

        A point of the map, given its own distances, keeps its position.

        Source:
            Gower (1968), "Adding a point to vector diagrams in multivariate analysis".
        """
        axes = np.divide(
            self.points, self.spread, out=np.zeros_like(self.points), where=self.spread > 0
        )
        return (self.squares - distances**2) @ axes / 2


def classical_scaling(distances: Matrix) -> TopicMap:
    """The map of classical multidimensional scaling; deterministic.

    Source:
        Torgerson (1952), "Multidimensional scaling: I. Theory and method".
    """
    squares = distances**2
    means = np.mean(squares, axis=1)
    inner = -(squares - means[:, None] - means[None, :] + np.mean(squares)) / 2
    values, vectors = np.linalg.eigh(inner)
    values, vectors = np.maximum(values[::-1], 0), vectors[:, ::-1]
    values[values <= 1e-12 * values[0]] = 0  # rounding of a plane that has fewer directions
    missing = max(0, 2 - len(values))
    points = np.pad(vectors[:, :2] * np.sqrt(values[:2]), ((0, 0), (0, missing)))
    points = np.stack([_turned(axis) for axis in points.T], axis=1)
    total = float(np.sum(values))
    shown = float(np.sum(values[:2])) / total if total > 0 else 1.0
    # column means of squares, as in Gower's formula
    return TopicMap(points, shown, np.pad(values[:2], (0, missing)), means)


def _turned(axis: Vector) -> Vector:
    far = np.abs(axis)
    first = int(np.argmax(far >= (1 - EQUAL) * np.max(far)))
    return (-axis if axis[first] < 0 else axis) + 0.0  # no zero with a sign
