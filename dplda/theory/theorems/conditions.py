"""The conditions that the theorems require, each with its margin."""

import math
from dataclasses import dataclass

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


def conditions_at(
    spectrum: Spectrum, *, n_documents: int, tau: float, epsilon: float
) -> tuple[Condition, ...]:
    """All conditions at N documents, with noise of ``τ`` times the sensitivity and this ε on every edge."""
    s, n, k = spectrum, n_documents, spectrum.n_topics
    tensor = sensitivities.whitened_tensor(n_documents=n, n_topics=k, sigma_k=s.sigma_k)
    room, weakest = (
        s.gamma_s * s.tensor_eigenvalues[-1] / (2 * math.sqrt(k)),
        math.pow(s.sigma_k, 1.5) * s.gamma_s,
    )
    return (
        Condition(  # in the L1 norm; used in Theorem 5's proof and missing from its statement
            "One document must move the pair moment by less than the gap after its k-th eigenvalue.",
            "Δ₂ ≤ σk − σk₊₁",
            sensitivities.pair_moment_l1(n_documents=n, alpha0=s.alpha0),
            s.gap,
        ),
        Condition(  # Theorem 5's Δ_T with constant 1; Remark 15 prints Δ3
            "One document must move the whitened tensor little enough for the decomposition to stay stable.",
            "Δ_T ≤ γs σk(T)/(2√k)",
            tensor,
            room,
        ),
        Condition(  # appendix I.2, for e4 and e8
            "The noise on the pair moment (e8) must stay below half the gap after its k-th eigenvalue.",
            "√d τ/N ≤ (σk − σk₊₁)/2",
            math.sqrt(s.n_words) * tau / n,
            s.gap / 2,
        ),
        Condition(  # section 6.2 prints its inverse
            "The noise on the whitened tensor must be small enough for the decomposition to stay stable.",
            "k² τ₆/(N σ̃k^1.5) ≤ γs σk(T)/(2√k)",
            math.sqrt(k) * tensor * tau,
            room,
        ),
        Condition(  # infinite where γs is 0
            "There must be enough documents to outweigh the noise on the third moment.",
            "√(dk) τ/(σk^1.5 γs) ≤ N",
            math.sqrt(s.n_words * k) * tau / weakest if weakest > 0 else math.inf,
            float(n),
        ),
        Condition(  # section 6.6 in its place; it leaves out how σk and γs shrink with d and k
            "As printed, there must be more documents than the square root of the number of words.",
            "√d ≤ N",
            math.sqrt(s.n_words),
            float(n),
        ),
        Condition(  # which the proof needs; it fails above about 9
            "The classic Gaussian mechanism is proven for ε of at most 1 on every edge.",
            "ε ≤ 1",
            epsilon,
            1.0,
        ),
    )
