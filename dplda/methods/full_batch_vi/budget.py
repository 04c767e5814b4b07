"""How a refinement divides its budget: shares of μ² that add up to the whole on every path, and what is spent."""

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from dplda.core.types import Vector
from dplda.methods.full_batch_vi.recipe import Recipe
from dplda.privacy import gaussian


@dataclass(frozen=True, slots=True)
class Shares:
    """Fractions of μ²: they add up to at most 1, exactly.

    Attributes:
        start: for a spectral start; 0 for none.
        steps: for each step of refinement, in order.
    """

    words: float
    start: float
    steps: tuple[float, ...]


def noise_edge(n_documents: int, n_words: int, mu: float) -> float:
    """``ρ = 2√d/(Nμ)``: the noise edge of a pair average of unit clip level, released with the whole budget."""
    return 2 * math.sqrt(n_words) / (n_documents * mu)


def words_share(rho: float, recipe: Recipe) -> float:
    """Share of μ² for the word frequencies: towards 1 as the corpus grows too small for topics."""
    x = (rho / recipe.infeasible) ** 2
    return min((recipe.words_share * rho / (rho + recipe.plenty) + x) / (1 + x), 1 - 1e-6)


def start_noise(
    rho: float, mean_words: Vector, n_tokens: float, n_documents: int, n_topics: int, bound: float
) -> float:
    r"""``q``: the noise edge of a released pair average over its largest eigenvalue.

    Args:
        rho: ``ρ``.
        mean_words: ``p``, as released.
        n_documents: ``N``.
        n_topics: ``k``; more than ten need as many times less noise.

    Returns:
        :math:`\max(1, k/10)\, ρ/(L‖p‖^2)` with :math:`L = \max(1, (m/(CN))^2)`, about the number of different words in
        a document: a pair average is clipped at about 1/L.
    """
    different = max(1.0, (n_tokens / (bound * n_documents)) ** 2)
    return max(1.0, n_topics / 10) * rho / (different * float(np.sum(mean_words**2)))


def shares(words: float, q: float, recipe: Recipe) -> Shares:
    """How the budget is shared, decided from released values and public numbers.

    Args:
        q: see ``start_noise``.
    """
    start = 0.0
    if q < recipe.border:
        sure = 1 / (1 + (q / recipe.sure) ** 2)
        start = (1 - words) * (recipe.start_share + (recipe.sure_share - recipe.start_share) * sure)
    n_steps = recipe.steps_after_start if start else recipe.steps
    left = math.nextafter(float(1 - Fraction(words) - Fraction(start)), 0.0)
    parts = [t**recipe.growth for t in range(1, n_steps + 1)]
    return Shares(words, start, tuple(left * part / math.fsum(parts) * (1 - 1e-15) for part in parts))


def check_spending(spent: list[float], mu: float) -> None:
    """Refuse to claim anything of a run whose budgets, squared and added up exactly, exceed the whole.

    Args:
        spent: ``μ`` of every release.

    Raises:
        RuntimeError: they do.
    """
    if sum(Fraction(part) ** 2 for part in spent) > Fraction(mu) ** 2:
        raise RuntimeError(f"releases of μ = {gaussian.compose(spent):g} exceed the budget of {mu:g}")
