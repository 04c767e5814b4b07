"""Numbers behind each gap in the proofs; ``assets/proofs`` says how they are drawn and explained."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial

from dplda.core.formatting import digits
from dplda.corpus import Truth, simulate
from dplda.methods.base.calibration import Calibration
from dplda.methods.configurations.plan import Plan
from dplda.spectral.population import Population
from dplda.theory.gaps import counterexamples, instability
from dplda.theory.gaps.counterexamples import Counterexample
from dplda.theory.theorems import sensitivities
from dplda.theory.theorems.at_budget import BOUNDED, at_budget
from dplda.theory.theorems.readings import TRIVIAL
from dplda.theory.theorems.spectrum import from_population

DOCUMENTS = (440, 4_400, 44_000, 440_000, 4_400_000)
ALPHAS = (0.1, 1.0, 10.0, 1000.0)
EPSILONS = (0.5, 1.0, 3.0, 10.0, 100.0)
N_DOCUMENTS, EPSILON, DELTA = 100_000, 1.0, 1e-7
RARE = 0.01  # share of a topic
NUDGE = 1e-10  # of a tensor, in Frobenius norm


@dataclass(frozen=True, slots=True, eq=False)
class GapNumbers:
    """The numbers that a gap's picture and text use.

    Attributes:
        lines: values of each line; for bars, one list.
        across: x values of lines; empty for bars.
        limit: a reference value for bars.
        told: replacements in the card's texts, by placeholder.
    """

    lines: Sequence[Sequence[float]]
    across: Sequence[float] = ()
    limit: float = 0.0
    told: Mapping[str, str] = field(default_factory=dict)


def moments() -> GapNumbers:
    """Claimed and true change of the moments by one document."""
    n = DOCUMENTS[1]
    pairs = [sensitivities.pair_moment_l1(n_documents=n, alpha0=alpha0) for alpha0 in ALPHAS]
    triples = [sensitivities.triple_moment_l1(n_documents=n, alpha0=alpha0) for alpha0 in ALPHAS]
    told = {"times": digits(max(triples) * n / 2, 2), "n": f"{n:,}"}
    return GapNumbers([[2 / n] * len(ALPHAS), pairs, triples], ALPHAS, told=told)


def turn(example: Callable[[int], Counterexample]) -> GapNumbers:
    """The change of the tensor, which stays constant, while Theorem 5's bound falls with N."""
    found = [example(n) for n in DOCUMENTS]
    shown = found[1]
    listed = ", ".join(f"{number:,} × “{kind}”" for kind, number in shown.documents)
    before, after = shown.replaced
    story = (
        f"Take {listed}, and replace a single “{before}” by “{after}” (each digit is a word): T moves by"
        f" {digits(shown.change)}, {shown.ratio:,.0f} times what the theorem allows."
    )
    told = {"story": story, "gap": digits(shown.gap, 2), "change": digits(found[-1].change, 2)}
    return GapNumbers(
        [[each.published for each in found], [each.change for each in found]], DOCUMENTS, told=told
    )


def scaling() -> GapNumbers:
    """σk scaled and in documents, relative to the first value."""
    truth = _drawn(n_words=50, alpha0=1.0)
    lines = counterexamples.scalings(
        truth.topics, truth.alpha / truth.alpha.sum(), ALPHAS, n_documents=DOCUMENTS[1]
    )
    return GapNumbers((lines / lines[:, :1]).tolist(), ALPHAS, told={"first": f"{ALPHAS[0]:g}"})


def spending() -> GapNumbers:
    """Claimed and spent ε, for both readings."""
    read = [
        [
            counterexamples.spent_by_published_config_1(
                epsilon=EPSILON, delta=DELTA, alpha0=a, variance=reading
            )
            for a in ALPHAS
        ]
        for reading in (False, True)
    ]
    told = {"claimed": f"{EPSILON:g}", "spent": digits(max(read[1]), 2), "most": f"{ALPHAS[-1]:g}"}
    return GapNumbers([[EPSILON] * len(ALPHAS), *read], ALPHAS, told=told)


def below() -> GapNumbers:
    """Change of γs with a rare topic, as claimed and at worst."""
    lines = [[2 / n for n in DOCUMENTS], [RARE**-1.5 / 8 / n for n in DOCUMENTS]]
    return GapNumbers(
        lines, DOCUMENTS, told={"times": digits(RARE**-1.5 / 16, 2), "rare": f"{RARE:.0%}"}
    )


def order() -> GapNumbers:
    """Size of a nudge of a tensor, and how far its first vector moves."""
    return GapNumbers(
        [[NUDGE, instability.swap(NUDGE)]], limit=math.sqrt(2), told={"nudge": f"{NUDGE:.0e}"}
    )


def bases() -> GapNumbers:
    """Errors of unwhitening in another basis and in the same basis."""
    found = [
        instability.mismatch(n_documents=N_DOCUMENTS, epsilon=epsilon, delta=DELTA)
        for epsilon in EPSILONS
    ]
    told = {
        "epsilon": f"{EPSILONS[-1]:g}",
        "error": digits(found[-1][0], 2),
        "n": f"{N_DOCUMENTS:,}",
    }
    return GapNumbers(list(zip(*found, strict=True)), EPSILONS, told=told)


def vacuous() -> GapNumbers:
    """Theorems 10 to 13 in the paper's own setting."""
    truth = _drawn(n_words=100, alpha0=0.1)
    spectrum = from_population(Population(truth.topics, truth.alpha))
    plans = (Plan(name, EPSILON, DELTA, calibration=Calibration.PUBLISHED) for name in BOUNDED)
    found = [at_budget(plan, spectrum, n_documents=N_DOCUMENTS).total for plan in plans]
    told = {
        "vacuous": str(sum(total > TRIVIAL for total in found)),
        "all": str(len(found)),
        "n": f"{N_DOCUMENTS:,}",
    }
    return GapNumbers([found], limit=TRIVIAL, told=told)


def _drawn(*, n_words: int, alpha0: float) -> Truth:
    drawn = simulate(
        n_documents=3, n_words=n_words, n_topics=3, alpha0=alpha0, mean_length=3, seed=0
    ).truth
    assert drawn is not None
    return drawn


@cache
def numbers(name: str) -> GapNumbers:
    """The numbers of one card, by its name."""
    return NUMBERS[name]()


NUMBERS: Mapping[str, Callable[[], GapNumbers]] = {
    "moments": moments,
    "rotation": partial(turn, counterexamples.rotation),
    "exchange": partial(turn, counterexamples.exchange),
    "scaling": scaling,
    "spending": spending,
    "below": below,
    "order": order,
    "bases": bases,
    "vacuous": vacuous,
}
