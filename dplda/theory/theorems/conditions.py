"""Conditions that a theorem requires, each as a check with its margin."""

import math
from dataclasses import dataclass

from dplda.core import checks
from dplda.core.errors import InputError
from dplda.theory.theorems import sensitivities
from dplda.theory.theorems.spectrum import Spectrum


@dataclass(frozen=True, slots=True)
class Condition:
    """A value that must not exceed a limit."""

    words: str
    formula: str
    value: float
    limit: float

    @property
    def margin(self) -> float:
        """``limit/value``: 1 where the condition just holds, below 1 where it fails; infinite for a value of 0."""
        return math.inf if self.value == 0 else self.limit / self.value

    @property
    def holds(self) -> bool:
        """Whether the value is within the limit."""
        return self.value <= self.limit


def spectral_gap(spectrum: Spectrum, *, n_documents: int) -> Condition:
    """``Δ2 ≤ σk − σk+1`` (L1 norm), used in Theorem 5's proof and missing from its statement."""
    return Condition(
        words="One document must move the pair moment by less than the gap after its k-th eigenvalue.",
        formula="Δ₂ ≤ σk − σk₊₁",
        value=sensitivities.pair_moment_l1(n_documents=n_documents, alpha0=spectrum.alpha0),
        limit=spectrum.gap,
    )


def decomposition(spectrum: Spectrum, *, n_documents: int) -> Condition:
    """``Δ_T ≤ γs σk(T)/(2√k)``, which Remark 15 prints with ``Δ3``; ``Δ_T`` of Theorem 5 with constant 1."""
    k, sigma_k = spectrum.n_topics, spectrum.sigma_k
    return Condition(
        words="One document must move the whitened tensor little enough for the decomposition to stay stable.",
        formula="Δ_T ≤ γs σk(T)/(2√k)",
        value=sensitivities.whitened_tensor(n_documents=n_documents, n_topics=k, sigma_k=sigma_k),
        limit=_tensor_room(spectrum),
    )


def pair_noise(spectrum: Spectrum, *, n_documents: int, tau: float) -> Condition:
    """``√d τ/N ≤ (σk − σk+1)/2``: the noise on ``M2`` must leave the gap open (appendix I.2, for e4 and e8)."""
    checks.at_least("tau", tau, 0)
    return Condition(
        words="The noise on the pair moment (e8) must stay below half the gap after its k-th eigenvalue.",
        formula="√d τ/N ≤ (σk − σk₊₁)/2",
        value=math.sqrt(spectrum.n_words) * tau / n_documents,
        limit=spectrum.gap / 2,
    )


def tensor_noise(spectrum: Spectrum, *, n_documents: int, tau_6: float, sigma_lower: float) -> Condition:
    """``k² τ6/(N σ̃k^{1.5}) ≤ γs σk(T)/(2√k)``; section 6.2 prints its inverse."""
    checks.at_least("tau_6", tau_6, 0)
    delta = sensitivities.whitened_tensor(n_documents=n_documents, n_topics=spectrum.n_topics, sigma_k=sigma_lower)
    return Condition(
        words="The noise on the whitened tensor must be small enough for the decomposition to stay stable.",
        formula="k² τ₆/(N σ̃k^1.5) ≤ γs σk(T)/(2√k)",
        value=math.sqrt(spectrum.n_topics) * delta * tau_6,
        limit=_tensor_room(spectrum),
    )


def enough_documents(spectrum: Spectrum, *, n_documents: int, tau: float) -> Condition:
    """``√(dk) τ/(σk^{1.5} γs) ≤ N``, where section 6.6 prints ``√d ≤ N``; infinite where γs is 0."""
    checks.at_least("tau", tau, 0)
    top = math.sqrt(spectrum.n_words * spectrum.n_topics) * tau
    bottom = math.pow(spectrum.sigma_k, 1.5) * spectrum.gamma_s
    return Condition(
        words="There must be enough documents to outweigh the noise on the third moment.",
        formula="√(dk) τ/(σk^1.5 γs) ≤ N",
        value=top / bottom if bottom > 0 else math.inf,
        limit=float(n_documents),
    )


def enough_documents_printed(spectrum: Spectrum, *, n_documents: int) -> Condition:
    """``√d ≤ N``, section 6.6 as printed; it leaves out how σk and γs shrink with d and k."""
    return Condition(
        words="As printed, there must be more documents than the square root of the number of words.",
        formula="√d ≤ N",
        value=math.sqrt(spectrum.n_words),
        limit=float(n_documents),
    )


def classic_epsilon(epsilons: tuple[float, ...]) -> Condition:
    """``ε_i ≤ 1`` on every edge, which the proof of the classic Gaussian mechanism needs; it fails above about 9."""
    if not epsilons:
        raise InputError("epsilons", "at least one number", "none")
    for epsilon in epsilons:
        checks.positive("epsilon", epsilon)
    return Condition(
        words="The classic Gaussian mechanism is proven for ε of at most 1 on every edge.",
        formula="ε ≤ 1",
        value=max(epsilons),
        limit=1.0,
    )


def _tensor_room(spectrum: Spectrum) -> float:
    return spectrum.gamma_s * spectrum.lambda_k / (2 * math.sqrt(spectrum.n_topics))
