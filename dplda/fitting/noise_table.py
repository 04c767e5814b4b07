"""``edge_noise``: one row for every noised quantity of a plan, from public numbers and a spectrum."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from dplda import _check
from dplda.configurations.averages import MASS, PAIRS, TRIPLES, WORDS
from dplda.configurations.route import Shape
from dplda.errors import InputError
from dplda.fitting.dry_run import DryRun, SpectrumLike, dry_run_of
from dplda.fitting.sizes import size
from dplda.fitting.words import refusal, why
from dplda.flow import Edge
from dplda.plan import Plan
from dplda.privacy.release import Release, Status

# What a split calls a quantity, where that is neither its symbol nor its edge; the first one that the split has.
NAMED = {
    "w̄": (MASS,),
    "E₁": (WORDS,),
    "E₂": (PAIRS,),
    "E₃": (TRIPLES,),
    "T": (TRIPLES,),
    "C₂": ("pair clip",),
    "C₃": ("triple clip",),
}
NAMED_BACK = {"E₂": ("pairs for W†",)}
RESTS_ON = {
    "E₁": ("C₂",),
    "E₂": ("C₂",),
    "T": ("C₃", "σk", "gap", "largest word", "largest pair"),
    "v, λ": ("σk", "γs"),
    "μ, α": ("σk", "γs"),
}


@dataclass(frozen=True, slots=True)
class EdgeNoise:
    """One noised quantity.

    Attributes:
        edge: of the flow.
        name: of the quantity in the plan's split.
        quantity: what it is, in words.
        symbol: its letter in the formulas.
        sensitivity: how far one document can move it, in its own unit (L2; L1 for Laplace noise on tables); infinite
            where no finite noise protects it.
        why: why it can move no further, a sentence.
        law: of the noise, in words.
        scale: of the noise as a release states it: standard deviation of one coordinate, or Laplace's scale.
        noise_multiplier: scale per unit of sensitivity.
        share: fraction of the budget, as in the plan's split.
        mu: μ spent, squares of which add up; 0 for Laplace noise.
        epsilon: ε spent, where ε is what is divided and adds up; 0 where the budget is counted in μ.
        signal: size of the quantity where it matters.
        noise: size of the noise there, in the same unit; infinite where no finite noise protects the quantity.
        compares: what signal and noise are, in words.
        status: the most that may be claimed of the plan.
        trouble: why there is no finite noise, a sentence, or empty.
        assumes: which values known only after a run were assumed, a sentence, or empty.
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
        """``signal/noise``; 0 where no finite noise protects the quantity."""
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
    """The noise that a plan puts on every edge, without a corpus; a few milliseconds at any size.

    Sensitivities and scales are those of a fit, exactly, as far as they follow from public numbers. Where they depend
    on numbers that a fit releases on its way, those are taken from ``known``; else clip levels from an estimate (see
    ``Estimates``) and private bounds as if their noise came out at zero.

    Args:
        plan: any; the noise is the same whatever the corpus.
        n_documents: ``N``, at least 3.
        n_words: ``d``, at least 2.
        n_topics: ``k``, 2 ≤ k ≤ d.
        alpha0: ``α0`` > 0.
        spectrum: eigenvalues of M2 and T. A table made from the exact spectrum of a sensitive corpus is for its
            curator's eyes only.
        known: values of numbers released by a run, by symbol: ``C₂``, ``C₃``, ``w̄``, ``σk``, ``γs``, …
        mean_length: ``L`` ≥ 1, a public guess at the words in a document; enters the estimate of ``C₂`` alone.

    Returns:
        A row for every quantity of the plan's split, in the order in which a fit releases them.

    Raises:
        InputError: a parameter out of range, a spectrum too short, an unknown symbol, or a plan that no corpus of this
            size can have.
    """
    _check.integer_at_least("n_documents", n_documents, 3)
    _check.integer_at_least("n_words", n_words, 2)
    _check.integer_at_least("n_topics", n_topics, 2)
    _check.between("n_topics", n_topics, 2, n_words, open_ends=False)
    shape = Shape(n_documents, n_words, n_topics, alpha0)
    _check_spectrum(spectrum, shape)
    _check.at_least("mean_length", mean_length, 1)
    given = dict(known or {})
    for symbol, value in given.items():
        _check.finite(f"known value of {symbol}", np.asarray(value))
    dry_run = dry_run_of(plan, shape, spectrum, given, mean_length)
    symbols = {release.symbol for release in dry_run.releases}
    for symbol in given.keys() - symbols:
        raise InputError("known", "of symbols among " + ", ".join(sorted(symbols)), symbol)
    return tuple(_row(release, plan, shape, spectrum, dry_run, given) for release in dry_run.releases)


def _row(
    release: Release, plan: Plan, shape: Shape, spectrum: SpectrumLike, dry_run: DryRun, given: Mapping[str, float]
) -> EdgeNoise:
    split = dict(plan.split or plan.variant.default_split)
    name = _name(release, split)
    status = plan.variant.status
    bound = dry_run.infeasible(release)
    measured = size(release, shape, spectrum, dry_run)
    divided = split[name] * plan.epsilon if status is Status.AS_PUBLISHED else 0.0
    return EdgeNoise(
        edge=Edge(release.edge),
        name=name,
        quantity=release.quantity,
        symbol=release.symbol,
        sensitivity=math.inf if bound else release.sensitivity,
        why=why(release, status),
        law=release.mechanism,
        scale=math.inf if bound else release.scale,
        noise_multiplier=release.noise_multiplier,
        share=split[name],
        mu=release.mu,
        epsilon=release.pure_epsilon or divided,
        signal=measured.signal,
        noise=math.inf if bound else measured.noise,
        compares=measured.words,
        status=status,
        trouble=refusal(bound) if bound else "",
        assumes="" if bound else _assumed(release, dry_run, given),
    )


def _name(release: Release, split: Mapping[str, float]) -> str:
    """The split's name of a released quantity: its symbol, its edge, or as listed above."""
    listed = (NAMED_BACK if release.edge == Edge.E8 else NAMED).get(release.symbol, ())
    candidates: tuple[str, ...] = (release.symbol, Edge(release.edge).value, *listed)
    return next(name for name in candidates if name in split)


def _assumed(release: Release, dry_run: DryRun, given: Mapping[str, float]) -> str:
    made = {other.symbol for other in dry_run.releases}
    missing = [symbol for symbol in RESTS_ON.get(release.symbol, ()) if symbol in made and symbol not in given]
    levels = [f"{symbol} = {dry_run.values[symbol]:.2g}" for symbol in missing if symbol in ("C₂", "C₃")]
    if levels:
        return f"Takes the clip level {levels[0]}, an estimate from the spectrum and the documents' length."
    if missing:
        return f"Takes the private bounds of {', '.join(missing)} as if their noise came out at zero."
    return ""


def _check_spectrum(spectrum: SpectrumLike, shape: Shape) -> None:
    pair, tensor = np.asarray(spectrum.pair_eigenvalues), np.asarray(spectrum.tensor_eigenvalues)
    _check.finite("spectrum.pair_eigenvalues", pair)
    _check.finite("spectrum.tensor_eigenvalues", tensor)
    needed = min(shape.n_topics + 1, shape.n_words)
    if pair.ndim != 1 or len(pair) < needed:
        raise InputError("spectrum.pair_eigenvalues", f"of shape ({needed},) or longer", f"shape {pair.shape}")
    if tensor.ndim != 1 or not len(tensor):
        raise InputError("spectrum.tensor_eigenvalues", f"of shape ({shape.n_topics},)", f"shape {tensor.shape}")
