"""Slips in the paper's moment equations: how far each leads away from the triple moment M₃.

Each is the printed equation in place of the right one, with all others right, in expectation over
documents. Left out are terms of relative size 1/N, such as the one that (8) forgets to subtract.
"""

import math

import numpy as np

from dplda.core.types import Matrix, Tensor3, Vector
from dplda.spectral.cumulants import Coefficients, cube, three_positions
from dplda.spectral.population import Population


def relative_errors(population: Population, *, n_documents: int) -> dict[str, float]:
    """Relative Frobenius error of M₃ by Lemma 3, (7), (8) and (9); 1 is as wrong as answering 0.

    Args:
        population: topics and their Dirichlet parameters.
        n_documents: ``N``, by whose cube (9) forgets to divide.

    Returns:
        By name of the equation, in the order of the paper.
    """
    coefficients = Coefficients(population.alpha0)
    mean_words = population.mean_words()
    word_products = np.outer(mean_words, mean_words)
    pair_average = population.pair_moment() + coefficients.a * word_products  # E2
    third_moment = _third_moment(population)
    difference_by_equation = {
        "Lemma 3": _lemma_3(coefficients, pair_average, mean_words),
        "(7)": _factor_of_7(coefficients) * third_moment,
        "(8)": _permutation_of_8(coefficients, pair_average, mean_words),
        "(9)": _missing_division_of_9(coefficients, mean_words, n_documents),
    }
    norm = float(np.linalg.norm(third_moment))
    errors = {}
    for equation, difference in difference_by_equation.items():
        errors[equation] = float(np.linalg.norm(difference)) / norm
    return errors


def _lemma_3(coefficients: Coefficients, pairs: Matrix, mean: Vector) -> Tensor3:
    """Change of M₃ by Lemma 3, as printed less right, shape (d, d, d).

    Lemma 3 has −1/(α₀ + 2) before the mixed terms, Lemma 21 rightly −α₀/(α₀ + 2).
    """
    printed = -1 / (coefficients.alpha0 + 2)
    return (printed - coefficients.b) * three_positions(pairs, mean)


def _factor_of_7(coefficients: Coefficients) -> float:
    """Change of M₃ by (7), as printed less right, as a multiple of M₃.

    (7) multiplies all by d = α₀(α₀ + 1)(α₀ + 2)/2, and Lemma 22 calls the product unbiased.
    """
    alpha0 = coefficients.alpha0
    printed_factor = alpha0 * (alpha0 + 1) * (alpha0 + 2) / 2
    return printed_factor - 1


def _permutation_of_8(coefficients: Coefficients, pairs: Matrix, mean: Vector) -> Tensor3:
    """Change of M₃ by (8), as printed less right, shape (d, d, d).

    Below (8), [B₂]ijk = [B₁]ikj and [B₃]ijk = [B₁]kij are the same: pairs commute.
    """
    B1 = coefficients.b * np.einsum("ij,k->ijk", pairs, mean)
    printed_B3 = np.einsum("kij->ijk", B1)
    right_B3 = np.einsum("jki->ijk", B1)
    return np.asarray(printed_B3 - right_B3)


def _missing_division_of_9(coefficients: Coefficients, mean: Vector, n_documents: int) -> Tensor3:
    """Change of M₃ by (9), as printed less right, shape (d, d, d).

    (9) forgets to divide the cube of a sum over documents by N³.
    """
    cubed_number = math.pow(n_documents, 3)
    return coefficients.c * (cubed_number - 1) * cube(mean)


def _third_moment(population: Population) -> Tensor3:
    """M₃ = Σ 2αᵢ/(α₀(α₀ + 1)(α₀ + 2)) μᵢ⊗μᵢ⊗μᵢ, Lemma 3's second half, which is right."""
    alpha0 = population.alpha0
    weights = 2 * population.alpha / (alpha0 * (alpha0 + 1) * (alpha0 + 2))
    topics = population.topics
    moment: Tensor3 = np.einsum("t,ti,tj,tk->ijk", weights, topics, topics, topics)
    return moment
