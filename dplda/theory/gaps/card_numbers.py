"""Numbers behind each gap in the proofs; ``assets/proofs`` says how they are drawn and explained."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial

from dplda.core.formatting import digits
from dplda.corpus import Truth, simulate
from dplda.methods.base.calibration import Calibration
from dplda.methods.configurations.plan import Plan
from dplda.spectral.population import Population
from dplda.theory.gaps import (
    charges,
    counterexamples,
    instability,
    moment_slips,
    noise_laws,
    rare_topics,
    selection,
    turned_frames,
)
from dplda.theory.gaps.counterexamples import Counterexample
from dplda.theory.theorems import sensitivities
from dplda.theory.theorems.at_budget import BOUNDED, at_budget
from dplda.theory.theorems.readings import TRIVIAL
from dplda.theory.theorems.spectrum import from_population

DOCUMENTS = (440, 4_400, 44_000, 440_000, 4_400_000)
ALPHAS = (0.1, 1.0, 10.0, 1000.0)
EPSILONS = (0.5, 1.0, 3.0, 10.0, 100.0)
N_DOCUMENTS, EPSILON, DELTA = 100_000, 1.0, 1e-7
AMPLITUDES = (1e-6, 1e-5, 1e-4, 1e-3)  # of the wave that turns a frame
SHOWN_AMPLITUDE = 1e-5  # whose numbers stand in the text
GRID_STEPS = (5, 10, 20)  # into which a grid search divides ε
SHOWN_STEPS = 10
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
    """Change of γs between two rare topics, as claimed and in truth."""
    documents = DOCUMENTS[1:]  # fewer hold no document between the two numbers
    changes = [rare_topics.gamma_s_change(n) for n in documents]
    first, second = (f"{share:.1%}" for share in rare_topics.RARE_SHARES)
    times = changes[-1] / (2 / documents[-1])
    told = {"times": digits(times, 2), "first": first, "second": second}
    return GapNumbers([[2 / n for n in documents], changes], documents, told=told)


def order() -> GapNumbers:
    """Change of the first vector where a wave of any small size turns the best frame."""
    frames = [turned_frames.turn_frame(amplitude) for amplitude in AMPLITUDES]
    shown = frames[AMPLITUDES.index(SHOWN_AMPLITUDE)]
    told = {
        "gamma_s": digits(shown.gamma_s, 2),
        "distance": f"{shown.distance:.1e}".replace("e-0", "e-"),
        "change": digits(shown.frame_change, 2),
        "allowed": f"{shown.allowed:.0e}".replace("e-0", "e-"),
        "nudge": f"{NUDGE:.0e}",
    }
    assert instability.swap(NUDGE) > 1, "what the card says of topics of equal size"
    lines = [
        [frame.allowed for frame in frames],
        [frame.frame_change for frame in frames],
        [frame.deflation_change for frame in frames],
    ]
    return GapNumbers(lines, AMPLITUDES, told=told)


def equations() -> GapNumbers:
    """Relative errors of M₃ with one printed equation each."""
    truth = _drawn(n_words=50, alpha0=ALPHAS[0])
    n_documents = DOCUMENTS[1]
    errors = moment_slips.relative_errors(
        Population(truth.topics, truth.alpha), n_documents=n_documents
    )
    told = {
        "alpha0": f"{ALPHAS[0]:g}",
        "n": f"{n_documents:,}",
        "times": f"{float(digits(errors['(9)'], 1)):,.0f}",
    }
    return GapNumbers([list(errors.values())], limit=1.0, told=told)


def twice() -> GapNumbers:
    """Noise multipliers on M₂ under four ways of adding up."""
    multipliers = list(charges.multipliers_on_pair_moment(EPSILON, DELTA).values())
    told = {"epsilon": f"{EPSILON:g}", "times": digits(multipliers[0] / multipliers[-1], 2)}
    return GapNumbers([multipliers], limit=multipliers[-1], told=told)


def entries() -> GapNumbers:
    """Deviations of the noise on an entry, printed and averaged."""
    deviations = noise_laws.entry_deviations()
    told = {
        "pairs": digits(deviations["pairs, averaged"], 2),
        "triples": digits(deviations["triples, averaged"], 2),
    }
    return GapNumbers([list(deviations.values())], limit=1.0, told=told)


def search() -> GapNumbers:
    """ε of the best of several runs: claimed, at least in an example, and at most."""
    n_runs = [1, *(selection.n_splits(3, n_steps) for n_steps in GRID_STEPS)]
    least = [selection.epsilon_of_largest(EPSILON, DELTA, n) for n in n_runs]
    most = [selection.epsilon_of_all_runs(EPSILON, DELTA, n) for n in n_runs]
    shown = n_runs.index(selection.n_splits(3, SHOWN_STEPS))
    told = {
        "n": str(n_runs[shown]),
        "least": digits(least[shown], 2),
        "most": digits(most[shown], 2),
    }
    return GapNumbers([[EPSILON] * len(n_runs), least, most], n_runs, told=told)


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
    "equations": equations,
    "moments": moments,
    "rotation": partial(turn, counterexamples.rotation),
    "exchange": partial(turn, counterexamples.exchange),
    "scaling": scaling,
    "spending": spending,
    "twice": twice,
    "entries": entries,
    "search": search,
    "below": below,
    "order": order,
    "bases": bases,
    "vacuous": vacuous,
}
