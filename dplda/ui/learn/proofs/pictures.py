"""A picture for each gap, worked out once."""

import math
from collections.abc import Callable, Mapping, Sequence
from functools import cache

from dplda import figures
from dplda.core.formatting import digits
from dplda.corpus import simulate
from dplda.figures import Figure, GapLine
from dplda.figures.errors.gaps import ASIDE, CLAIMED
from dplda.spectral.population import Population
from dplda.theory.theorems import gaps, instability, sensitivities
from dplda.theory.theorems.gaps import Counterexample
from dplda.theory.theorems.readings import TRIVIAL
from dplda.theory.theorems.spectrum import from_population

DOCUMENTS = (440, 4_400, 44_000, 440_000, 4_400_000)
ALPHAS = (0.1, 1.0, 10.0, 1000.0)
EPSILONS = (0.5, 1.0, 3.0, 10.0, 100.0)
N_DOCUMENTS, EPSILON, DELTA = 100_000, 1.0, 1e-7
RARE = 0.01  # share of a topic
_MIXING, _SIZE = "mixing α₀ (log)", "documents N (log)"


@cache
def rotations() -> tuple[Counterexample, ...]:
    """Turned eigenvectors, at each number of documents."""
    return tuple(map(gaps.rotation, DOCUMENTS))


@cache
def exchanges() -> tuple[Counterexample, ...]:
    """Exchanged eigenvectors in spite of a gap, at each number of documents."""
    return tuple(map(gaps.exchange, DOCUMENTS))


@cache
def moments() -> Figure:
    """How far one document moves the moments, claimed and true."""
    n = DOCUMENTS[1]
    true3 = tuple(sensitivities.triple_moment_l1(n_documents=n, alpha0=alpha0) for alpha0 in ALPHAS)
    drawn = (
        GapLine("claimed: 2/N", (2 / n,) * len(ALPHAS), CLAIMED),
        GapLine("M₂, true", tuple(sensitivities.pair_moment_l1(n_documents=n, alpha0=a) for a in ALPHAS), ASIDE),
        GapLine("M₃, true", true3),
    )
    title = f"One document moves M₃ by up to {digits(max(true3) * n / 2, 2)} times what is claimed"
    return figures.gap_lines(drawn, ALPHAS, title=title, x=_MIXING, y=f"L1 change at N = {n:,}")


def turn(found: Sequence[Counterexample]) -> Figure:
    """What Theorem 5 allows falls with N, and the change of the tensor stays."""
    drawn = (
        GapLine("Theorem 5 allows", tuple(each.published for each in found), CLAIMED),
        GapLine("T really moves by", tuple(each.change for each in found)),
    )
    title = f"More documents do not help: T moves by {digits(found[-1].change)} at every N, the bound falls"
    return figures.gap_lines(drawn, DOCUMENTS, title=title, x=_SIZE, y="Frobenius change")


@cache
def scaling() -> Figure:
    """σk multiplied and in documents, each beside its first value."""
    drawn = simulate(
        n_documents=3, n_words=50, n_topics=3, alpha0=1.0, mean_length=3, seed=0, topic_concentration=0.1
    ).truth
    assert drawn is not None
    rows = gaps.scalings(drawn.topics, drawn.alpha / drawn.alpha.sum(), ALPHAS, n_documents=DOCUMENTS[1])
    first = rows[0]
    lines = (
        GapLine("σk multiplied, as drawn in the paper", tuple(row.scaled / first.scaled for row in rows), CLAIMED),
        GapLine("worth how many documents", tuple(row.per_document / first.per_document for row in rows)),
    )
    title = "σk seems to grow with α₀; counted in documents it falls"
    return figures.gap_lines(lines, ALPHAS, title=title, x=_MIXING, y=f"times its value at α₀ = {first.alpha0:g}")


@cache
def spending() -> Figure:
    """ε as claimed and as spent in both readings."""
    deviation, variance = (
        tuple(
            gaps.spent_by_published_config_1(epsilon=EPSILON, delta=DELTA, alpha0=alpha0, variance=reading)
            for alpha0 in ALPHAS
        )
        for reading in (False, True)
    )
    drawn = (
        GapLine("claimed", (EPSILON,) * len(ALPHAS), CLAIMED),
        GapLine("spent at least, τ as a deviation", deviation, ASIDE),
        GapLine("spent at least, τ as a variance", variance),
    )
    title = f"Read letter by letter, ε = {EPSILON:g} costs at least {digits(max(variance), 2)} at α₀ = {ALPHAS[-1]:g}"
    return figures.gap_lines(drawn, ALPHAS, title=title, x=_MIXING, y="ε spent")


@cache
def below() -> Figure:
    """How far γs moves with a rare topic, and what is claimed."""
    drawn = (
        GapLine("claimed of γs: 2/N", tuple(2 / n for n in DOCUMENTS), CLAIMED),
        GapLine(f"γs with a topic of share {RARE:.0%}", tuple(RARE**-1.5 / 8 / n for n in DOCUMENTS)),
    )
    title = f"One document moves γs by {digits(RARE**-1.5 / 16, 2)} times what is claimed, at every N"
    return figures.gap_lines(drawn, DOCUMENTS, title=title, x=_SIZE, y="change")


@cache
def order() -> Figure:
    """A nudge of a tensor, and of its first vector."""
    found = instability.swap()
    return figures.gap_bars(
        {"two tensors are apart by": found.apart, "their first vectors by": found.moved},
        limit=math.sqrt(2),
        title=f"A nudge of {found.apart:.0e} turns the first vector as far as vectors can be apart",
        said="√2, as far as vectors can be",
        x="distance",
    )


@cache
def bases() -> Figure:
    """Errors of unwhitening in another basis, and in the same."""
    found = [instability.mismatch(n_documents=N_DOCUMENTS, epsilon=epsilon, delta=DELTA) for epsilon in EPSILONS]
    drawn = (
        GapLine("as published", tuple(each.as_published for each in found)),
        GapLine("in one basis", tuple(each.aligned for each in found), ASIDE),
    )
    title = f"At ε = {EPSILONS[-1]:g} topics are still off by {digits(found[-1].as_published, 2)}: no price of privacy"
    return figures.gap_lines(drawn, EPSILONS, title=title, x="privacy loss ε (log)", y="mean L1 error")


@cache
def vacuous() -> Figure:
    """Theorems 10 to 13 in the paper's own setting."""
    truth = simulate(n_documents=3, n_words=100, n_topics=3, alpha0=0.1, mean_length=3, seed=0).truth
    assert truth is not None
    spectrum = from_population(Population(truth.topics, truth.alpha))
    found = instability.published_bounds(spectrum, n_documents=N_DOCUMENTS, epsilon=EPSILON, delta=DELTA)
    n_vacuous = sum(bound.total > TRIVIAL for _, bound in found)
    return figures.gap_bars(
        {title: bound.total for title, bound in found},
        limit=TRIVIAL,
        title=f"{n_vacuous} of {len(found)} bounds say nothing: no two distributions are that far apart",
        said=f"{TRIVIAL:.2f}, as far as distributions can be",
        x="bound on the L2 error",
    )


COUNTEREXAMPLES: Mapping[str, Callable[[], Sequence[Counterexample]]] = {"rotation": rotations, "exchange": exchanges}
PICTURES: Mapping[str, Callable[[], Figure]] = {
    "moments": moments,
    "rotation": lambda: turn(rotations()),
    "exchange": lambda: turn(exchanges()),
    "scaling": scaling,
    "spending": spending,
    "below": below,
    "order": order,
    "bases": bases,
    "vacuous": vacuous,
}
"""By the names of the cards in ``assets/proofs``."""
