"""The noise on one entry of a symmetric array: independent and mirrored, or averaged over orders.

Both hide a change of Frobenius norm Δ with the same guarantee: averaging an array over the orders
of its indices is post-processing.
"""

import numpy as np

from dplda.privacy.noise.layouts import (
    MirroredMatrix,
    MirroredTensor,
    SymmetricMatrix,
    SymmetricTensor,
)

SIZE = 3  # of the arrays: the smallest with an entry whose three indices differ


def entry_deviations() -> dict[str, float]:
    """Standard deviation of an entry with distinct indices, in units of Δτ.

    Returns:
        By array and law, the printed law first.
    """
    pair_indices = (0, 1)
    triple_indices = (0, 1, 2)
    return {
        "pairs, printed": _deviation(MirroredMatrix(SIZE), pair_indices),
        "pairs, averaged": _deviation(SymmetricMatrix(SIZE), pair_indices),
        "triples, printed": _deviation(MirroredTensor(SIZE), triple_indices),
        "triples, averaged": _deviation(SymmetricTensor(SIZE), triple_indices),
    }


def _deviation(layout: SymmetricMatrix | SymmetricTensor, entry: tuple[int, ...]) -> float:
    """Standard deviation of an entry whose independent coordinates have standard deviation 1."""
    n_coordinates = len(layout.coordinates(np.zeros((SIZE,) * len(entry))))
    entry_by_coordinate = []
    for unit_coordinates in np.eye(n_coordinates):
        array = layout.array(unit_coordinates)
        entry_by_coordinate.append(array[entry])
    return float(np.linalg.norm(np.array(entry_by_coordinate)))
