r"""Dirichlet coefficients, which turn plain averages into moments that are diagonal in the topics.

With :math:`E_1, E_2, E_3` the expected frequencies of words, ordered pairs and ordered triples in a
document,

.. math::
    M_2 = E_2 - a\,E_1\otimes E_1,\qquad
    M_3 = E_3 + b\,s_3(E_2, E_1) + c\,E_1^{\otimes 3}

where :math:`s_3(A, v)` adds ``A⊗v`` over the three positions of ``v``.
"""

from dataclasses import dataclass

import numpy as np

from dplda.core import checks
from dplda.core.types import Matrix, Tensor3, Vector


@dataclass(frozen=True, slots=True)
class Coefficients:
    """``a``, ``b``, ``c``, the weights of products of averages in the moments; without unit.

    Attributes:
        alpha0: concentration of the Dirichlet distribution, the sum of its parameters, above 0.

    Source:
        Anandkumar et al.'s moments for LDA in the unscaled convention; the paper's printed
        coefficients differ in several places and are not unbiased.
    """

    alpha0: float

    def __post_init__(self) -> None:
        checks.alpha0(self.alpha0)

    @property
    def a(self) -> float:
        """Weight of ``E1⊗E1`` in the pair moment, in (0, 1)."""
        return self.alpha0 / (self.alpha0 + 1)

    @property
    def b(self) -> float:
        """Weight of ``s3(E2, E1)`` in the triple moment, in (−1, 0)."""
        return -self.alpha0 / (self.alpha0 + 2)

    @property
    def c(self) -> float:
        """Weight of ``E1⊗E1⊗E1`` in the triple moment, in (0, 2)."""
        numerator = 2 * self.alpha0**2
        denominator = (self.alpha0 + 1) * (self.alpha0 + 2)
        return numerator / denominator

    @property
    def after_shift(self) -> float:
        """``c − 3b² − b³``, what is left of ``c`` once every token is shifted by ``b·t``.

        See ``shift_directions``.
        """
        return self.c - 3 * self.b**2 - self.b**3

    def eigenvalue_to_topic(self) -> float:
        r"""``(α0 + 2)/2``, the factor of :math:`\lambda_i B v_i` in a topic."""
        return (self.alpha0 + 2) / 2

    def eigenvalues(self, alpha: Vector) -> Vector:
        """Eigenvalues of a population's whitened tensor by its ``alpha``, shape (k,)."""
        scale = 2 / (self.alpha0 + 2)
        squared = self.alpha0 * (self.alpha0 + 1) / alpha
        return scale * np.sqrt(squared)

    def alpha(self, eigenvalues: Vector) -> Vector:
        """Dirichlet parameters, shape (k,), of a population by its tensor's eigenvalues."""
        numerator = 4 * self.alpha0 * (self.alpha0 + 1)
        denominator = (self.alpha0 + 2) ** 2 * eigenvalues**2
        return numerator / denominator


def symmetrize(tensor: Tensor3) -> Tensor3:
    """Average a (k, k, k) array over the six orders of its indices."""
    two_orders = tensor + tensor.transpose(1, 0, 2)
    rotated_once = two_orders.transpose(1, 2, 0)
    rotated_twice = two_orders.transpose(2, 0, 1)
    six_orders = two_orders + rotated_once + rotated_twice
    return np.asarray(six_orders / 6)


def three_positions(matrix: Matrix, vector: Vector) -> Tensor3:
    """``s3(A, v)``: a symmetric (k, k) matrix times a vector, over its three positions.

    Args:
        matrix: ``A``, shape (k, k), symmetric.
        vector: ``v``, shape (k,).

    Returns:
        ``A_ij v_l + A_il v_j + A_jl v_i``, shape (k, k, k), symmetric.
    """
    tensor: Tensor3 = np.multiply.outer(vector, matrix)
    slabs_and_rows = zip(tensor, matrix, strict=True)
    for slab, matrix_row in slabs_and_rows:  # in memory order; a slab is a view of the tensor
        product = np.multiply.outer(matrix_row, vector)
        slab += product + product.T
    return tensor


def cube(vector: Vector) -> Tensor3:
    """``v⊗v⊗v``, shape (k, k, k)."""
    square = np.multiply.outer(vector, vector)
    return np.asarray(np.multiply.outer(square, vector))
