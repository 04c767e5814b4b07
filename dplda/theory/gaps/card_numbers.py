"""Numbers behind each gap in the proofs.

``assets/proofs`` says how they are drawn and explained.
"""

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
        lines: values of each line, in the order of the card's legend; for bars, one list.
        across: x values of lines; empty for bars.
        limit: value that bars are compared with; 0 for lines.
        replacements: text of each number in the card's sentences, by placeholder.
    """

    lines: Sequence[Sequence[float]]
    across: Sequence[float] = ()
    limit: float = 0.0
    replacements: Mapping[str, str] = field(default_factory=dict)


def moment_changes() -> GapNumbers:
    """L1 change of the moments by one document, against α₀: claimed for both, true for M₂, for M₃.

    N is ``DOCUMENTS[1]`` throughout.
    The text has N, and the largest of the last line over the claimed one.
    """
    n = DOCUMENTS[1]
    pair_changes = [sensitivities.pair_moment_l1(n_documents=n, alpha0=alpha0) for alpha0 in ALPHAS]
    triple_changes = [
        sensitivities.triple_moment_l1(n_documents=n, alpha0=alpha0) for alpha0 in ALPHAS
    ]
    claimed_changes = [2 / n] * len(ALPHAS)
    replacements = {"times": digits(max(triple_changes) * n / 2, 2), "n": f"{n:,}"}
    values_of_lines = [claimed_changes, pair_changes, triple_changes]
    return GapNumbers(values_of_lines, ALPHAS, replacements=replacements)


def tensor_turns(make_example: Callable[[int], Counterexample]) -> GapNumbers:
    """Bound of Theorem 5, which falls with N, and the tensor's true change, which does not.

    The text describes the example at the second number of documents, and gives the change at the
    largest.

    Args:
        make_example: makes a counterexample from a number of documents.
    """
    examples = [make_example(n) for n in DOCUMENTS]
    example_in_text = examples[1]
    kinds_with_numbers = ", ".join(
        f"{number:,} × “{kind}”" for kind, number in example_in_text.documents
    )
    old_kind, new_kind = example_in_text.replaced
    story = (
        f"Take {kinds_with_numbers}, and replace a single “{old_kind}” by “{new_kind}” (each digit"
        f" is a word): T moves by {digits(example_in_text.change)},"
        f" {example_in_text.ratio:,.0f} times what the theorem allows."
    )
    replacements = {
        "story": story,
        "gap": digits(example_in_text.gap, 2),
        "change": digits(examples[-1].change, 2),
    }
    values_of_lines = [
        [example.published for example in examples],
        [example.change for example in examples],
    ]
    return GapNumbers(values_of_lines, DOCUMENTS, replacements=replacements)


def scaled_sigmas() -> GapNumbers:
    """σk scaled, and σk in documents, against α₀; each relative to its value at the first α₀."""
    truth = _simulate_truth(n_words=50, alpha0=1.0)
    sigmas = counterexamples.scalings(
        truth.topics, truth.alpha / truth.alpha.sum(), ALPHAS, n_documents=DOCUMENTS[1]
    )
    relative_sigmas = sigmas / sigmas[:, :1]
    return GapNumbers(relative_sigmas.tolist(), ALPHAS, replacements={"first": f"{ALPHAS[0]:g}"})


def spent_epsilons() -> GapNumbers:
    """Claimed ε, and lower bounds on the ε spent, against α₀.

    The second line reads τ as a standard deviation, the third as a variance.
    The text has the largest value of the third line.
    """
    spent_by_reading = [
        [
            counterexamples.spent_by_published_config_1(
                epsilon=EPSILON, delta=DELTA, alpha0=alpha0, variance=is_variance
            )
            for alpha0 in ALPHAS
        ]
        for is_variance in (False, True)
    ]
    replacements = {
        "claimed": f"{EPSILON:g}",
        "spent": digits(max(spent_by_reading[1]), 2),
        "most": f"{ALPHAS[-1]:g}",
    }
    values_of_lines = [[EPSILON] * len(ALPHAS), *spent_by_reading]
    return GapNumbers(values_of_lines, ALPHAS, replacements=replacements)


def rare_topic_changes() -> GapNumbers:
    """Change of γs between two rare topics by one document, against N: claimed, then true.

    The smallest N is left out: there both rare topics have the same number of documents.
    The text has the ratio of true to claimed at the largest N, and both topics' shares.
    """
    numbers_of_documents = DOCUMENTS[1:]
    true_changes = [rare_topics.gamma_s_change(n) for n in numbers_of_documents]
    claimed_changes = [2 / n for n in numbers_of_documents]
    first_share, second_share = (f"{share:.1%}" for share in rare_topics.RARE_SHARES)
    times_claimed = true_changes[-1] / claimed_changes[-1]
    replacements = {
        "times": digits(times_claimed, 2),
        "first": first_share,
        "second": second_share,
    }
    return GapNumbers(
        [claimed_changes, true_changes], numbers_of_documents, replacements=replacements
    )


def frame_turns() -> GapNumbers:
    """Change of the first vector by a small wave, against its size.

    The lines are Theorem 6's bound, the best frame's change, and that of the power method with
    deflation. The text has the numbers at ``SHOWN_AMPLITUDE``.

    Raises:
        AssertionError: a change by ``NUDGE`` does not turn the first vector of equal topics.
    """
    frames = [turned_frames.turn_frame(amplitude) for amplitude in AMPLITUDES]
    frame_in_text = frames[AMPLITUDES.index(SHOWN_AMPLITUDE)]
    replacements = {
        "gamma_s": digits(frame_in_text.gamma_s, 2),
        "distance": f"{frame_in_text.distance:.1e}".replace("e-0", "e-"),
        "change": digits(frame_in_text.frame_change, 2),
        "allowed": f"{frame_in_text.allowed:.0e}".replace("e-0", "e-"),
        "nudge": f"{NUDGE:.0e}",
    }
    assert instability.swap(NUDGE) > 1, "what the card says of topics of equal size"
    values_of_lines = [
        [frame.allowed for frame in frames],
        [frame.frame_change for frame in frames],
        [frame.deflation_change for frame in frames],
    ]
    return GapNumbers(values_of_lines, AMPLITUDES, replacements=replacements)


def equation_errors() -> GapNumbers:
    """Relative error of M₃ with one printed equation each, as bars.

    The limit is 1, as wrong as answering 0. The text has the error of (9).
    """
    truth = _simulate_truth(n_words=50, alpha0=ALPHAS[0])
    n_documents = DOCUMENTS[1]
    error_by_equation = moment_slips.relative_errors(
        Population(truth.topics, truth.alpha), n_documents=n_documents
    )
    replacements = {
        "alpha0": f"{ALPHAS[0]:g}",
        "n": f"{n_documents:,}",
        "times": f"{float(digits(error_by_equation['(9)'], 1)):,.0f}",
    }
    return GapNumbers([list(error_by_equation.values())], limit=1.0, replacements=replacements)


def pair_charges() -> GapNumbers:
    """Noise multipliers on M₂ under four ways of accounting, as bars; the limit is the last one.

    The text has the first over the last.
    """
    multipliers = list(charges.multipliers_on_pair_moment(EPSILON, DELTA).values())
    replacements = {
        "epsilon": f"{EPSILON:g}",
        "times": digits(multipliers[0] / multipliers[-1], 2),
    }
    return GapNumbers([multipliers], limit=multipliers[-1], replacements=replacements)


def entry_noise() -> GapNumbers:
    """Standard deviations of an entry's noise, printed and averaged, in Δτ; as bars.

    The limit is 1, the printed one. The text has the averaged ones of pairs and of triples.
    """
    deviations = noise_laws.entry_deviations()
    replacements = {
        "pairs": digits(deviations["pairs, averaged"], 2),
        "triples": digits(deviations["triples, averaged"], 2),
    }
    return GapNumbers([list(deviations.values())], limit=1.0, replacements=replacements)


def best_run_epsilons() -> GapNumbers:
    """ε of publishing the best of several runs, against their number: claimed, lower, upper bound.

    The numbers of runs are 1 and those of grid searches; the text has that of ``SHOWN_STEPS``.
    """
    n_splits = [selection.n_splits(3, n_steps) for n_steps in GRID_STEPS]
    n_runs = [1, *n_splits]
    lower_bounds = [selection.epsilon_of_largest(EPSILON, DELTA, n) for n in n_runs]
    upper_bounds = [selection.epsilon_of_all_runs(EPSILON, DELTA, n) for n in n_runs]
    n_runs_in_text = selection.n_splits(3, SHOWN_STEPS)
    index_in_text = n_runs.index(n_runs_in_text)
    replacements = {
        "n": str(n_runs_in_text),
        "least": digits(lower_bounds[index_in_text], 2),
        "most": digits(upper_bounds[index_in_text], 2),
    }
    values_of_lines = [[EPSILON] * len(n_runs), lower_bounds, upper_bounds]
    return GapNumbers(values_of_lines, n_runs, replacements=replacements)


def basis_errors() -> GapNumbers:
    """Errors of topics against ε: unwhitened in another basis, then in the same basis.

    The text has the first one at the largest ε, that ε, and N.
    """
    error_pairs = [
        instability.mismatch(n_documents=N_DOCUMENTS, epsilon=epsilon, delta=DELTA)
        for epsilon in EPSILONS
    ]
    other_basis_errors, same_basis_errors = zip(*error_pairs, strict=True)
    replacements = {
        "epsilon": f"{EPSILONS[-1]:g}",
        "error": digits(other_basis_errors[-1], 2),
        "n": f"{N_DOCUMENTS:,}",
    }
    return GapNumbers([other_basis_errors, same_basis_errors], EPSILONS, replacements=replacements)


def published_bounds() -> GapNumbers:
    """Bounds of Theorems 10 to 13 in the paper's own setting, as bars; the limit is √2.

    The text has how many of them are above it.
    """
    truth = _simulate_truth(n_words=100, alpha0=0.1)
    population = Population(truth.topics, truth.alpha)
    spectrum = from_population(population)
    bound_values = []
    for name in BOUNDED:
        plan = Plan(name, EPSILON, DELTA, calibration=Calibration.PUBLISHED)
        bound = at_budget(plan, spectrum, n_documents=N_DOCUMENTS)
        bound_values.append(bound.total)
    n_vacuous = sum(bound > TRIVIAL for bound in bound_values)
    replacements = {
        "vacuous": str(n_vacuous),
        "all": str(len(bound_values)),
        "n": f"{N_DOCUMENTS:,}",
    }
    return GapNumbers([bound_values], limit=TRIVIAL, replacements=replacements)


def _simulate_truth(*, n_words: int, alpha0: float) -> Truth:
    """Three topics and their Dirichlet parameters, drawn with a fixed seed."""
    corpus = simulate(
        n_documents=3, n_words=n_words, n_topics=3, alpha0=alpha0, mean_length=3, seed=0
    )
    truth = corpus.truth
    assert truth is not None
    return truth


@cache
def numbers(name: str) -> GapNumbers:
    """The numbers of one card, by its name; computed once."""
    return NUMBERS[name]()


NUMBERS: Mapping[str, Callable[[], GapNumbers]] = {
    "equations": equation_errors,
    "moments": moment_changes,
    "rotation": partial(tensor_turns, counterexamples.rotation),
    "exchange": partial(tensor_turns, counterexamples.exchange),
    "scaling": scaled_sigmas,
    "spending": spent_epsilons,
    "twice": pair_charges,
    "entries": entry_noise,
    "search": best_run_epsilons,
    "below": rare_topic_changes,
    "order": frame_turns,
    "bases": basis_errors,
    "vacuous": published_bounds,
}
