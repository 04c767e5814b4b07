"""``edge_noise``: one row for every noised quantity of a plan, from public numbers and a spectrum."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from dplda.core import checks
from dplda.core.errors import InputError
from dplda.flow import Edge
from dplda.methods.base.problem import ProblemSize
from dplda.methods.configurations.chain.dry_run import DryRun, dry_run
from dplda.methods.configurations.plan import Plan
from dplda.methods.configurations.sizes import Quantity, Size, SpectrumLike, Where
from dplda.methods.configurations.variant import BudgetUnit
from dplda.privacy.release import Release, Status

SPECTRUM_NUMBERS = ("pair_eigenvalues", "tensor_eigenvalues", "largest_word", "largest_pair")
MOST_WORDS = 10_000_000  # a table of noise holds a few numbers for each of them


@dataclass(frozen=True, slots=True)
class EdgeNoise:
    """One noised quantity.

    Attributes:
        sensitivity: largest change by one document, in its unit (L2; L1 for Laplace noise on tables); may be infinite.
        scale: standard deviation of one coordinate's noise, or the Laplace scale.
        mu, epsilon: budget spent, in μ (squares add up) or in ε (which adds up); the other one is 0.
        noise: size of the noise where it matters, in the same unit; infinite where none protects the quantity.
        trouble, assumes: why noise is infinite, and values assumed in place of released ones; sentences, or empty.
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
    """The noise of a plan on every edge, without a corpus; a few milliseconds at any size.

    Sensitivities and scales are those of a fit, except for rounding in whitened triples. Numbers that a fit would
    release are taken from ``known``, by symbol (``C₂``, ``σk``, …); else clip levels are those of a typical document of
    ``mean_length`` words and private bounds have zero noise. With the exact ``spectrum`` of a sensitive corpus the
    table is for its curator only.

    Example:
        >>> import dplda
        >>> from dplda.theory.theorems.spectrum import from_fit
        >>> corpus = dplda.simulate(n_documents=2000, n_words=20, n_topics=2, alpha0=0.5, mean_length=30, seed=0)
        >>> spectrum = from_fit(dplda.SpectralLDA(2, alpha0=0.5).fit(corpus).fit_)
        >>> plan = dplda.Plan("adaptive", epsilon=3.0)
        >>> rows = dplda.edge_noise(plan, n_documents=2000, n_words=20, n_topics=2, alpha0=0.5, spectrum=spectrum)
        >>> [f"{row.edge} {row.symbol}: {row.share:.0%}" for row in rows]
        ['e2 z₁: 0%', 'e2 C₂: 1%', 'e2 E₂: 65%', 'e2 E₁: 6%', 'e2 w̄: 1%', 'e6 C₃: 2%', 'e6 T: 25%']
    """
    checks.instance("plan", plan, Plan)
    checks.integer_at_least("n_documents", n_documents, 3)
    checks.integer_between("n_words", n_words, 2, MOST_WORDS)
    checks.integer_between("n_topics", n_topics, 2, n_words)
    checks.alpha0(alpha0)
    shape = ProblemSize(n_documents, n_words, n_topics, float(alpha0))
    _check_spectrum(spectrum, shape)
    checks.at_least("mean_length", mean_length, 1)
    if known is not None:
        checks.instance("known", known, Mapping)
    given = {} if known is None else dict(known)
    for symbol, value in given.items():
        checks.finite(f"known value of {symbol}", np.asarray(value))
    found = dry_run(plan, shape, spectrum, mean_length, given)
    symbols = {release.symbol for release in found.releases}
    for symbol in given.keys() - symbols:
        raise InputError("known", "of symbols among " + ", ".join(sorted(symbols)), symbol)
    where = Where(shape, spectrum, found.mass, mean_length)
    return tuple(_row(release, plan, where, found, given) for release in found.releases)


def _row(
    release: Release, plan: Plan, where: Where, found: DryRun, given: Mapping[str, float]
) -> EdgeNoise:
    variant = plan.variant
    own = variant.budget_fractions
    share = (
        dict(plan.split or variant.default_split) if own is None else own(plan.divided, where.shape)
    )[release.name]
    quantity = variant.quantity(release.name)
    bound = found.infeasible(release)
    deviation = (math.sqrt(2) if release.pure_epsilon else 1.0) * release.scale
    measured = (
        Size(math.nan, math.nan, "") if quantity.size is None else quantity.size(deviation, where)
    )
    divided = share * plan.epsilon if variant.unit is BudgetUnit.EPSILON else 0.0
    return EdgeNoise(
        edge=Edge(release.edge),
        name=release.name,
        quantity=release.quantity,
        symbol=release.symbol,
        sensitivity=math.inf if bound else release.sensitivity,
        why=quantity.why,
        law=release.mechanism,
        scale=math.inf if bound else release.scale,
        noise_multiplier=release.noise_multiplier,
        share=share,
        mu=release.mu,
        epsilon=release.pure_epsilon or divided,
        signal=measured.signal,
        noise=math.inf if bound else measured.noise,
        compares=measured.words,
        status=variant.status,
        trouble=bound
        and f"The private lower bound of {bound} comes out at 0 or below: no finite noise protects this.",
        assumes="" if bound else _assumed(quantity, plan, found, given),
    )


def _assumed(quantity: Quantity, plan: Plan, found: DryRun, given: Mapping[str, float]) -> str:
    needed = [plan.variant.quantity(name) for name in quantity.rests_on]
    missing = [other for other in needed if other.symbol not in given]
    levels = [
        f"{other.symbol} = {found.values[other.symbol]:.2g}" for other in missing if other.is_level
    ]
    if levels:
        return f"Takes the clip level {levels[0]}, an estimate from the spectrum and the documents' length."
    if missing:
        names = ", ".join(other.symbol for other in missing)
        return f"Takes the private bounds of {names} as if their noise came out at zero."
    return ""


def _check_spectrum(spectrum: SpectrumLike, shape: ProblemSize) -> None:
    if not all(hasattr(spectrum, number) for number in SPECTRUM_NUMBERS):
        raise InputError(
            "spectrum",
            "the eigenvalues of a corpus, such as a Spectrum",
            f"a value of type {type(spectrum).__name__}",
            "Take dplda.theory.theorems.spectrum.from_fit of a fit without noise.",
        )
    pair, tensor = np.asarray(spectrum.pair_eigenvalues), np.asarray(spectrum.tensor_eigenvalues)
    checks.finite("spectrum.pair_eigenvalues", pair)
    checks.finite("spectrum.tensor_eigenvalues", tensor)
    needed = min(shape.n_topics + 1, shape.n_words)
    if pair.ndim != 1 or len(pair) < needed:
        raise InputError(
            "spectrum.pair_eigenvalues", f"of shape ({needed},) or longer", f"shape {pair.shape}"
        )
    if tensor.ndim != 1 or not len(tensor):
        raise InputError(
            "spectrum.tensor_eigenvalues", f"of shape ({shape.n_topics},)", f"shape {tensor.shape}"
        )
