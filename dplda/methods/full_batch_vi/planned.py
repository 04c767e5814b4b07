"""The noise of a refinement before a run, from public numbers, for either outcome of its first release."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

from dplda.methods.configurations.adaptive import ADAPTIVE
from dplda.methods.configurations.sizes import Quantity
from dplda.methods.configurations.variant import Calibration
from dplda.methods.full_batch_vi.evidence import evidence_apart
from dplda.methods.full_batch_vi.flow import GAIN, GATE, STATISTIC, WORDS
from dplda.methods.full_batch_vi.recipe import USUAL, Recipe, Shares, borne_out, noise_edge
from dplda.methods.full_batch_vi.start import spectral_split
from dplda.methods.problem import Budget, Problem
from dplda.privacy import gaussian
from dplda.privacy.sensitivity import bounded_numbers
from dplda.privacy.sensitivity import word_counts as sensitivity_of

ALWAYS, FREE, BOUGHT = "always", "no spectral start", "spectral start"
KEPT = "a table in place of steps"
Range = tuple[float, float]


@dataclass(frozen=True, slots=True)
class PlannedRelease:
    """Known facts, before a run, on releases of one kind.

    Attributes:
        shape: of each release; empty for several quantities together.
        sensitivity: largest L2 change by one replaced document; NaN where a released clip level decides.
        scales: least and largest noise standard deviation of an entry, for each release; NaN likewise.
        share: least and largest fraction of the run's μ² for all of them together.
    """

    edge: str
    symbols: str
    quantity: str
    shape: tuple[int, ...]
    when: str
    law: str
    sensitivity: float
    scales: tuple[Range, ...]
    share: Range
    why: str

    @property
    def times(self) -> int:
        """Number of releases."""
        return len(self.scales)


def planned_releases(
    problem: Problem,
    budget: Budget,
    n_documents: int,
    n_words: int,
    *,
    recipe: Recipe | None = None,
    asks: bool = False,
    trusts: bool = False,
) -> tuple[PlannedRelease, ...]:
    """The noise of a run of this size (N, d), for every outcome of its first release, whatever the documents.

    ``asks`` and ``trusts`` say what is done with a table.
    """
    recipe, mu = recipe or Recipe(), gaussian.mu_for(budget.epsilon, budget.delta)
    n_topics, edge = problem.n_topics, noise_edge(n_documents, n_words, mu)
    sensitivity = sensitivity_of(n_documents=n_documents, n_words=n_words, n_topics=n_topics, bound=recipe.bound)
    asked = recipe.for_gate(n_documents, mu) if asks else 0.0
    gained = recipe.for_evidence(n_documents, mu)
    whole = 1 - asked - gained
    words = whole * recipe.for_words(edge)
    starts = 0.0, recipe.least_share(problem.alpha0), recipe.sure_start
    free, least, most = (recipe.shares(words, start, whole) for start in starts)

    def counts(when: str, share: float) -> PlannedRelease:
        return _released(WORDS, (n_words,), when, sensitivity, mu, low=(share,), high=(share,))

    def steps(when: str, fewest: Shares, largest: Shares) -> PlannedRelease:
        shape = n_topics, n_words
        return _released(STATISTIC, shape, when, sensitivity, mu, low=fewest.steps, high=largest.steps)

    kept = edge >= recipe.pays * (USUAL if trusts else borne_out(n_documents, mu))
    rows = [counts(ALWAYS, words)]
    if kept and (trusts or asked):
        rows.append(counts(ALWAYS if trusts else KEPT, whole - words))
    if not (kept and trusts):
        rows.append(steps(FREE if recipe.border else ALWAYS, free, free))
        if recipe.border:
            rows += [*_start(least.start, most.start), steps(BOUGHT, most, least)]
    if asked:
        apart = bounded_numbers(n_documents=n_documents, size=1.0, apart=2.0)
        rows.append(_released(GATE, (1,), ALWAYS, apart, mu, low=(asked,), high=(asked,)))
    apart = evidence_apart(n_documents, n_topics)
    return (*rows, _released(GAIN, (2 + n_topics,), ALWAYS, apart, mu, low=(gained,), high=(gained,)))


def planned_words(problem: Problem, budget: Budget, n_documents: int, n_words: int) -> tuple[PlannedRelease, ...]:
    """The one release of a private unigram of this size, with the whole budget."""
    sensitivity = sensitivity_of(n_documents=n_documents, n_words=n_words, n_topics=1, bound=Recipe().bound)
    mu = gaussian.mu_for(budget.epsilon, budget.delta)
    return (_released(WORDS, (n_words,), ALWAYS, sensitivity, mu, low=(1.0,), high=(1.0,)),)


def _released(
    of: Quantity,
    shape: tuple[int, ...],
    when: str,
    sensitivity: float,
    mu: float,
    *,
    low: tuple[float, ...],
    high: tuple[float, ...],
) -> PlannedRelease:
    def scale(share: float) -> float:
        return sensitivity / gaussian.share(mu, share) * (1 + 1e-15)

    law = "Gaussian on every entry" if len(shape) > 1 else "Gaussian on every coordinate"
    scales = tuple((scale(most), scale(least)) for least, most in zip(low, high, strict=True))
    share = (math.fsum(low), math.fsum(high))
    return PlannedRelease(of.edge, of.symbol, of.words, shape, when, law, sensitivity, scales, share, of.why)


def _start(low: float, high: float) -> Iterator[PlannedRelease]:
    variant = ADAPTIVE.variants[Calibration.CORRECTED]
    for edge in ADAPTIVE.edges:
        here = [quantity for quantity in variant.quantities if quantity.edge == edge]
        ends = [math.fsum(spectral_split(share)[one.name] for one in here) for share in (low, high)]
        yield PlannedRelease(
            edge=edge,
            symbols=", ".join(one.symbol for one in here),
            quantity=", ".join(one.words for one in here),
            shape=(),
            when=BOUGHT,
            law="Gaussian",
            sensitivity=math.nan,
            scales=((math.nan, math.nan),),
            share=(ends[0], ends[1]),
            why=" ".join(one.why for one in here),
        )
