r"""The public choices of a refinement, each with what it was chosen on, and how they divide a budget.

All were chosen on documents drawn from the model (d = 100 and 1,000, k = 3 and 10, N = 20,000 and 100,000, α0 = 0.1 to
10), the docstrings of installed packages, 20 Newsgroups and Wikipedia's leads, ``growth`` on AP too; the last four at
ε = 0.3 to 10, d = 500 and 1,000, k = 10. On other documents none is fitted to what is at hand, and the guarantee holds
for any values.
"""

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from dplda.core import checks
from dplda.core.types import Vector
from dplda.corpus.on_disk import AnyCorpus
from dplda.methods.chain.guarantees import claim
from dplda.methods.configurations.averages import CONSTANTS_CHOSEN, PROVEN_RESTS_ON
from dplda.methods.problem import Budget
from dplda.privacy import gaussian
from dplda.privacy.release import Guarantee, Release, Status


@dataclass(frozen=True, slots=True)
class Recipe:
    """Public choices of a run, made without looking at the documents.

    Attributes:
        bound: ``C``, norm that no document's word counts and no document's contribution exceeds, in words. 1.5 to 3
            tie; 6 costs 1–6 % of perplexity at ε ≤ 1.
        words_share: of μ² for word frequencies of a corpus of middling size.
        plenty: edge ρ at which half of that share is enough, since word frequencies are known well by then: less of
            it at less noise.
        infeasible: edge ``ρ = 2√d/(Nμ)`` at which half of what is left goes to the word frequencies: topics cannot be
            learned there, and what is then released is the unigram model.
        border: a spectral start is bought where its noise edge, over the largest eigenvalue of the pair average, is
            below this. A start on real text that could do without costs 1–2 % just under it; half a start resolves
            nothing.
        sure_share: the same where the start's noise is next to nothing: on documents of the model its topics are then
            the better ones.
        sure: noise edge of the start, over the largest eigenvalue, half way between the two.
        steps: of refinement; 12 to 24 differ by less than 2.5 % (docstrings, 20 Newsgroups), and each takes its time.
        growth: power of t that the budget of step t grows with. The last mean has least noise where budgets grow as its
            weights, t²; the means on the way to it where they are nearly equal. √t is between: docstrings at ε = 0.3
            gain 1.6 % over equal budgets, AP 0.2 to 0.4 %; others tie, simulated documents within 6 % less to 2 % more.
        cooled: largest α0 in the first half of a run from data-free topics: a flat prior cannot break the symmetry. At
            α0 = 10 and ε = 1 it is worth 4 to 8 % of perplexity on text, at α0 = 1 nothing.
        memory: ``a`` in the weight ``a/(t + a)`` of step t in the running mean: 3 makes weights grow as t². 2 ties with
            it on text, is 1 % better on docstrings at ε = 0.3 and 6 % worse on simulated documents (k = 3, ε = 1).
        bias: relative distance that a variational fixed point may be off the truth on documents of the model, in every
            word, at α0 ≤ 1; it grows as √α0, since documents that mix more topics are harder to tell apart. Intervals
            add it, as far as topics are not those of moments. Steps from the truth itself end 0.5 to 1.1 % off it.
        misfit: relative distance of the two readings from which on it is laid to moments, and not to the fixed point.
    """

    bound: float = 2.0
    words_share: float = 0.06
    plenty: float = 0.002
    infeasible: float = 0.2
    border: float = 0.14
    start_share: float = 0.5
    sure_share: float = 0.95
    sure: float = 0.003
    steps: int = 16
    steps_after_start: int = 12
    growth: float = 0.5
    cooled: float = 0.3
    memory: float = 3.0
    bias: float = 0.01
    misfit: float = 0.1

    def __post_init__(self) -> None:
        """Check every limit."""
        for name in ("bound", "plenty", "infeasible", "sure", "cooled", "memory"):
            checks.positive(name, getattr(self, name))
        for name in ("words_share", "start_share", "sure_share"):
            checks.between(name, getattr(self, name), 0, 1, open_ends=True)
        for name in ("border", "growth", "bias", "misfit"):
            checks.at_least(name, getattr(self, name), 0)
        checks.integer_at_least("steps", self.steps, 1)
        checks.integer_at_least("steps_after_start", self.steps_after_start, 1)


@dataclass(frozen=True, slots=True)
class Shares:
    """Fractions of μ² for word counts, a spectral start and every step: they add up to at most 1, exactly."""

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

    It is :math:`\max(1, k/10)\, ρ/(L‖p‖^2)` with :math:`L = \max(1, (m/(CN))^2)`, about the number of different words
    in a document: a pair average is clipped at about 1/L, and more than ten topics need as many times less noise.
    """
    different = max(1.0, (n_tokens / (bound * n_documents)) ** 2)
    return max(1.0, n_topics / 10) * rho / (different * float(np.sum(mean_words**2)))


def shares(words: float, q: float, recipe: Recipe) -> Shares:
    """How the budget is shared, decided from ``start_noise``, which is released, and public numbers."""
    start = 0.0
    if q < recipe.border:
        sure = 1 / (1 + (q / recipe.sure) ** 2)
        start = (1 - words) * (recipe.start_share + (recipe.sure_share - recipe.start_share) * sure)
    n_steps = recipe.steps_after_start if start else recipe.steps
    left = math.nextafter(float(1 - Fraction(words) - Fraction(start)), 0.0)
    parts = [t**recipe.growth for t in range(1, n_steps + 1)]
    return Shares(words, start, tuple(left * part / math.fsum(parts) * (1 - 1e-15) for part in parts))


def check_spending(spent: list[float], mu: float) -> None:
    """Refuse to claim anything of a run whose releases' ``μ``, squared and added up exactly, exceed the whole."""
    if sum(Fraction(part) ** 2 for part in spent) > Fraction(mu) ** 2:
        raise RuntimeError(f"releases of μ = {gaussian.compose(spent):g} exceed the budget of {mu:g}")


def promised(corpus: AnyCorpus, budget: Budget, releases: tuple[Release, ...] = ()) -> Guarantee:
    """What is claimed of a run, made or to come."""
    return claim(
        corpus,
        releases,
        status=Status.PROVEN,
        rests_on=(*PROVEN_RESTS_ON, CONSTANTS_CHOSEN),
        epsilon=budget.epsilon,
        delta=budget.delta,
        gaussian_fit=True,
    )
