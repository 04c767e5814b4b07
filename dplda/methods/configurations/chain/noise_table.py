"""``edge_noise``: a row for every noised quantity of a plan, from public numbers and a spectrum."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from dplda.core import checks
from dplda.core.errors import InputError
from dplda.flow import Edge
from dplda.methods.base.calibration import NoiseLaw
from dplda.methods.base.problem import ProblemSize
from dplda.methods.configurations.chain.dry_run import DryRun, dry_run
from dplda.methods.configurations.plan import Plan
from dplda.methods.configurations.sizes import Quantity, SignalNoise, SignalSource, SpectrumLike
from dplda.methods.configurations.variant import BudgetUnit
from dplda.privacy.release import Release, Status

SPECTRUM_NUMBERS = ("pair_eigenvalues", "tensor_eigenvalues", "largest_word", "largest_pair")
MOST_WORDS = 10_000_000  # a table of noise holds a few numbers for each of them


@dataclass(frozen=True, slots=True)
class EdgeNoise:
    """One noised quantity.

    Attributes:
        edge: edge of the flow that carries its noise.
        name: name in a plan's split.
        quantity: name in words.
        symbol: symbol in formulas.
        sensitivity: largest change by one document, in its unit (L2; L1 for Laplace noise on
            tables); may be infinite.
        why: why it is no larger, a sentence.
        law: distribution of the noise and where it is added, a phrase.
        scale: standard deviation of one coordinate's noise, or the Laplace scale.
        noise_multiplier: ``scale`` per unit of sensitivity.
        share: fraction of the budget.
        mu: budget spent in μ, whose squares add up; 0 if it is counted in ε.
        epsilon: budget spent in ε, which adds up; 0 if it is counted in μ.
        delta: δ spent beside it, which adds up: of the noise, or of a private bound that may fail;
            0 where the whole run's δ is not divided.
        signal: size without noise where it matters; not a number without a comparison.
        noise: size of the noise in the same unit; infinite where none protects the quantity.
        compares: names of ``signal`` and ``noise``, a phrase.
        status: what may be claimed of the plan.
        trouble: why noise is infinite, a sentence; empty if it is finite.
        assumes: values assumed in place of released ones, a sentence, or empty.
    """

    edge: Edge
    name: str
    quantity: str
    symbol: str
    sensitivity: float
    why: str
    law: str
    scale: float
    noise_multiplier: float
    share: float
    mu: float
    epsilon: float
    delta: float
    signal: float
    noise: float
    compares: str
    status: Status
    trouble: str
    assumes: str

    @property
    def signal_to_noise(self) -> float:
        """``signal/noise``, 0 for infinite noise."""
        return self.signal / self.noise


def edge_noise(
    plan: Plan,
    *,
    n_documents: int,
    n_words: int,
    n_topics: int,
    alpha0: float,
    spectrum: SpectrumLike,
    known: Mapping[str, float] | None = None,
    mean_length: float = 100.0,
) -> tuple[EdgeNoise, ...]:
    """List the noise of a plan on every edge, without a corpus; a few milliseconds at any size.

    Sensitivities and scales are those of a fit, except for rounding in whitened triples. With the
    exact ``spectrum`` of a sensitive corpus the table is for its curator only.

    Args:
        plan: whose noise is listed.
        n_documents: ``N``, at least 3.
        n_words: ``d``, at least 2.
        n_topics: ``k``, from 2 to d.
        alpha0: ``α0`` > 0.
        spectrum: known eigenvalues of the corpus.
        known: numbers that a fit would release, by symbol (``C₂``, ``σk``, …); else clip levels
            are those of a typical document and private bounds have zero noise.
        mean_length: words of a typical document, at least 1.

    Returns:
        One row a release, in the order of a run.

    Raises:
        InputError: an argument is out of range, or a known symbol is none of the plan's.

    Example:
        >>> import dplda
        >>> from dplda.theory.theorems.spectrum import from_fit
        >>> corpus = dplda.simulate(
        ...     n_documents=2000, n_words=20, n_topics=2, alpha0=0.5, mean_length=30, seed=0
        ... )
        >>> spectrum = from_fit(dplda.SpectralLDA(2, alpha0=0.5).fit(corpus).fit_)
        >>> plan = dplda.Plan("adaptive", epsilon=3.0)
        >>> rows = dplda.edge_noise(
        ...     plan, n_documents=2000, n_words=20, n_topics=2, alpha0=0.5, spectrum=spectrum
        ... )
        >>> [f"{row.edge} {row.symbol}: {row.share:.0%}" for row in rows]
        ['e2 z₁: 0%', 'e2 C₂: 1%', 'e2 E₂: 65%', 'e2 E₁: 6%', 'e2 w̄: 1%', 'e6 C₃: 2%', 'e6 T: 25%']
    """
    checks.instance("plan", plan, Plan)
    n_documents = checks.integer_at_least("n_documents", n_documents, 3)
    n_words = checks.integer_between("n_words", n_words, 2, MOST_WORDS)
    n_topics = checks.integer_between("n_topics", n_topics, 2, n_words)
    checks.alpha0(alpha0)
    size = ProblemSize(n_documents, n_words, n_topics, float(alpha0))
    _check_spectrum(spectrum, size)
    checks.at_least("mean_length", mean_length, 1)
    mean_length = float(mean_length)
    if known is not None:
        checks.instance("known", known, Mapping)
    known_numbers = {} if known is None else dict(known)
    for symbol, known_number in known_numbers.items():
        checks.finite(f"known value of {symbol}", np.asarray(known_number))
    recorded_run = dry_run(plan, size, spectrum, mean_length, known_numbers)
    released_symbols = {release.symbol for release in recorded_run.releases}
    for symbol in known_numbers.keys() - released_symbols:
        raise InputError("known", "of symbols among " + ", ".join(sorted(released_symbols)), symbol)
    signal_source = SignalSource(size, spectrum, recorded_run.mass, mean_length)
    share_of_release = _budget_shares(plan, size)
    return tuple(
        _describe_release(
            release,
            plan,
            share_of_release[release.name],
            signal_source,
            recorded_run,
            known_numbers,
        )
        for release in recorded_run.releases
    )


def _budget_shares(plan: Plan, size: ProblemSize) -> dict[str, float]:
    """Fractions of the budget by quantity."""
    budget_fractions = plan.variant.budget_fractions
    if budget_fractions is None:
        return plan.portions
    return budget_fractions(plan, size)


def _describe_release(
    release: Release,
    plan: Plan,
    share: float,
    source: SignalSource,
    run: DryRun,
    known_numbers: Mapping[str, float],
) -> EdgeNoise:
    """Make the row of one release of a dry run.

    Its ε is its own for Laplace noise, else its share of the plan's where ε is divided, else 0.
    After a private bound that failed, sensitivity, scale and noise are infinite, and a sentence
    says so in place of the one on assumptions.
    """
    quantity = plan.variant.quantity(release.name)
    failed_bound = run.failed_bound_before(release)
    signal_and_noise = _measure(quantity, release, source)
    epsilon = release.pure_epsilon
    if plan.variant.unit is BudgetUnit.EPSILON:
        epsilon = epsilon or share * plan.epsilon
    if failed_bound:
        sensitivity = scale = noise = math.inf
        failure_sentence = (
            f"The private lower bound of {failed_bound} comes out at 0 or below: no finite noise"
            " protects this."
        )
        assumption_sentence = ""
    else:
        sensitivity = release.sensitivity
        scale = release.scale
        noise = signal_and_noise.noise
        failure_sentence = ""
        assumption_sentence = _describe_assumption(quantity, plan, run, known_numbers)
    return EdgeNoise(
        edge=Edge(release.edge),
        name=release.name,
        quantity=release.quantity,
        symbol=release.symbol,
        sensitivity=sensitivity,
        why=quantity.reason,
        law=release.mechanism,
        scale=scale,
        noise_multiplier=release.noise_multiplier,
        share=share,
        mu=release.mu,
        epsilon=epsilon,
        delta=_delta_spent(plan, share),
        signal=signal_and_noise.signal,
        noise=noise,
        compares=signal_and_noise.description,
        status=plan.variant.status,
        trouble=failure_sentence,
        assumes=assumption_sentence,
    )


def _delta_spent(plan: Plan, share: float) -> float:
    """δ of a quantity: the same fraction as of ε as published, none of Laplace noise alone."""
    adds_up = plan.variant.unit is BudgetUnit.EPSILON and plan.variant.law is not NoiseLaw.LAPLACE
    return share * plan.delta if adds_up else 0.0


def _measure(quantity: Quantity, release: Release, source: SignalSource) -> SignalNoise:
    """Signal and noise of a release; NaN where the quantity has no comparison.

    Laplace noise counts by its standard deviation, √2 times its scale.
    """
    if quantity.measure is None:
        return SignalNoise(math.nan, math.nan, "")
    noise_std = release.scale
    if release.pure_epsilon:  # Laplace noise
        noise_std *= math.sqrt(2)
    return quantity.measure(noise_std, source)


def _describe_assumption(
    quantity: Quantity, plan: Plan, run: DryRun, known_numbers: Mapping[str, float]
) -> str:
    """Write a sentence on what is assumed for numbers that scale this noise and are not known.

    A clip level goes before private bounds and is told with its value. Empty if all are known.
    """
    scaling_quantities = [plan.variant.quantity(name) for name in quantity.rests_on]
    unknown_quantities = [
        earlier_quantity
        for earlier_quantity in scaling_quantities
        if earlier_quantity.symbol not in known_numbers
    ]
    for earlier_quantity in unknown_quantities:
        if earlier_quantity.is_level:
            clip_level = run.numbers[earlier_quantity.symbol]
            return (
                f"Takes the clip level {earlier_quantity.symbol} = {clip_level:.2g}, an estimate"
                " from the spectrum and the documents' length."
            )
    if unknown_quantities:
        symbols_text = ", ".join(earlier_quantity.symbol for earlier_quantity in unknown_quantities)
        return f"Takes the private bounds of {symbols_text} as if their noise came out at zero."
    return ""


def _check_spectrum(spectrum: SpectrumLike, size: ProblemSize) -> None:
    """Refuse what is no spectrum, has numbers that are not finite, or has too few eigenvalues.

    The pair moment needs ``min(k + 1, d)`` of them, the tensor only one.
    """
    if not all(hasattr(spectrum, number_name) for number_name in SPECTRUM_NUMBERS):
        raise InputError(
            "spectrum",
            "the eigenvalues of a corpus, such as a Spectrum",
            f"a value of type {type(spectrum).__name__}",
            "Take dplda.theory.theorems.spectrum.from_fit of a fit without noise.",
        )
    pair_eigenvalues = np.asarray(spectrum.pair_eigenvalues)
    tensor_eigenvalues = np.asarray(spectrum.tensor_eigenvalues)
    checks.finite("spectrum.pair_eigenvalues", pair_eigenvalues)
    checks.finite("spectrum.tensor_eigenvalues", tensor_eigenvalues)
    n_needed = min(size.n_topics + 1, size.n_words)
    if pair_eigenvalues.ndim != 1 or len(pair_eigenvalues) < n_needed:
        raise InputError(
            "spectrum.pair_eigenvalues",
            f"of shape ({n_needed},) or longer",
            f"shape {pair_eigenvalues.shape}",
        )
    if tensor_eigenvalues.ndim != 1 or not len(tensor_eigenvalues):
        raise InputError(
            "spectrum.tensor_eigenvalues",
            f"of shape ({size.n_topics},)",
            f"shape {tensor_eigenvalues.shape}",
        )
