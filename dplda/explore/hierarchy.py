"""Which topics are most alike, then which groups of them: a tree."""

from dataclasses import dataclass

from scipy.cluster.hierarchy import linkage, optimal_leaf_ordering
from scipy.spatial.distance import squareform

from dplda._types import Matrix


@dataclass(frozen=True, slots=True)
class Join:
    """Two branches that meet.

    Attributes:
        left: topics of the first branch, as rows.
        right: topics of the second.
        height: mean distance between topics of the two.
    """

    left: tuple[int, ...]
    right: tuple[int, ...]
    height: float


@dataclass(frozen=True, slots=True)
class Tree:
    """Topics joined step by step, the most alike first.

    Attributes:
        order: of the topics, such that no branches cross.
        joins: m − 1 of them, lowest first.
    """

    order: tuple[int, ...]
    joins: tuple[Join, ...]


def hierarchy(distances: Matrix) -> Tree:
    """Average linkage, leaves ordered so that neighbours are alike.

    Args:
        distances: shape (m, m), symmetric, zeros on the diagonal; m ≥ 2.

    Example:
        >>> import numpy as np
        >>> from dplda.explore.hierarchy import hierarchy
        >>> tree = hierarchy(np.array([[0.0, 0.2, 0.9], [0.2, 0.0, 0.7], [0.9, 0.7, 0.0]]))
        >>> tree.order, [(join.left, join.right, round(join.height, 3)) for join in tree.joins]
        ((0, 1, 2), [((0,), (1,), 0.2), ((0, 1), (2,), 0.8)])
    """
    flat = squareform((distances + distances.T) / 2, checks=False)
    steps = optimal_leaf_ordering(linkage(flat, method="average"), flat)
    branches: list[tuple[int, ...]] = [(topic,) for topic in range(len(distances))]
    joins = []
    for first, second, height, _ in steps:
        left, right = branches[int(first)], branches[int(second)]
        joins.append(Join(left, right, float(height)))
        branches.append(left + right)
    order = branches[-1]
    if order[0] > order[-1]:  # of the two ways to read a tree, the one that begins with the lower number
        order = order[::-1]
        joins = [Join(join.right[::-1], join.left[::-1], join.height) for join in joins]
    return Tree(order, tuple(joins))
