"""The conditions that a configuration's theorem requires, at the plan's own split, with margins."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

from dplda.methods.configurations.plan import Plan
from dplda.theory.theorems import sensitivities
from dplda.theory.theorems.at_budget import numbers_of, split_budget
from dplda.theory.theorems.readings import BoundInputs
from dplda.theory.theorems.spectrum import Spectrum

LARGEST_CLASSIC_EPSILON = 1.0
"""Largest ε of one release for which the classic Gaussian mechanism is proven."""


@dataclass(frozen=True, slots=True)
class Condition:
    """A value that must not exceed a limit.

    Attributes:
        words: what must hold, a sentence.
        formula: the same in symbols.
        value: left side of the formula; infinite where no finite number is enough.
        limit: right side.
    """

    words: str
    formula: str
    value: float
    limit: float

    @property
    def margin(self) -> float:
        """``limit/value``: below 1 where the condition fails; infinite for a value of 0."""
        return math.inf if self.value == 0 else self.limit / self.value

    @property
    def holds(self) -> bool:
        """Whether the value is within the limit."""
        return self.value <= self.limit


def conditions_of(plan: Plan, spectrum: Spectrum, *, n_documents: int) -> tuple[Condition, ...]:
    """The conditions of a published configuration, with ``τ`` and ``ε`` of its own edges.

    Args:
        plan: of a published configuration; its split sets the noise of every edge.
        spectrum: of the corpus, or of a population.
        n_documents: ``N``, at least 3.

    Raises:
        InputError: the paper has no theorem for the plan.
    """
    inputs = numbers_of(plan, spectrum, n_documents=n_documents)
    return (
        *_conditions_of_sensitivities(plan, inputs),
        *_conditions_of_noise(inputs),
        _printed_number_of_documents(inputs),
        _classic_mechanism(plan),
    )


def _conditions_of_sensitivities(plan: Plan, inputs: BoundInputs) -> Iterator[Condition]:
    """Assumptions of Theorems 5 to 7: none for configuration 1, one for 2, two for the others."""
    spectrum = inputs.spectrum
    if plan.configuration == "config-1":
        return
    yield Condition(  # in the L1 norm; used in Theorem 5's proof and missing from its statement
        "One document must move the pair moment by less than the gap after its k-th eigenvalue.",
        "Δ₂ ≤ σk − σk₊₁",
        sensitivities.pair_moment_l1(n_documents=inputs.n_documents, alpha0=spectrum.alpha0),
        spectrum.gap,
    )
    if plan.configuration != "config-2":
        yield Condition(  # Theorem 5's Δ_T with constant 1; Remark 15 prints Δ3
            "One document must move the whitened tensor little enough for the decomposition to stay"
            " stable.",
            "Δ_T ≤ γs λk(T)/(2√k)",
            _tensor_change(inputs, spectrum.sigma_k),
            _stable_change(spectrum),
        )


def _conditions_of_noise(inputs: BoundInputs) -> Iterator[Condition]:
    """Assumptions of the utility theorems on noise of e4, e8, e6 and e3, one for each with any.

    That of e3 asks for an infinite number of documents where σk or γs is 0.
    """
    spectrum = inputs.spectrum
    for edge, subscript in (("e4", "₄"), ("e8", "₈")):
        if edge in inputs.tau:
            yield Condition(  # appendix I.2
                f"The noise on the pair moment ({edge}) must stay below half the gap after its k-th"
                " eigenvalue.",
                f"√d τ{subscript}/N ≤ (σk − σk₊₁)/2",
                math.sqrt(spectrum.n_words) * inputs.tau[edge] / inputs.n_documents,
                spectrum.gap / 2,
            )
    if "e6" in inputs.tau:
        tensor_change = _tensor_change(inputs, inputs.sigma_lower)
        yield Condition(  # section 6.2 prints its inverse
            "The noise on the whitened tensor (e6) must be small enough for the decomposition to"
            " stay stable.",
            "k² τ₆/(N σ̃k^1.5) ≤ γs λk(T)/(2√k)",
            math.sqrt(spectrum.n_topics) * tensor_change * inputs.tau["e6"],
            _stable_change(spectrum),
        )
    if "e3" in inputs.tau:
        signal = math.pow(spectrum.sigma_k, 1.5) * spectrum.gamma_s
        noise = math.sqrt(spectrum.n_words * spectrum.n_topics) * inputs.tau["e3"]
        yield Condition(
            "There must be enough documents to outweigh the noise on the third moment (e3).",
            "√(dk) τ₃/(σk^1.5 γs) ≤ N",
            noise / signal if signal > 0 else math.inf,
            float(inputs.n_documents),
        )


def _printed_number_of_documents(inputs: BoundInputs) -> Condition:
    """The condition ``√d ≤ N`` of Section 6.6.

    It leaves out how σk and γs shrink with d and k.
    """
    return Condition(
        "As printed, there must be more documents than the square root of the number of words.",
        "√d ≤ N",
        math.sqrt(inputs.spectrum.n_words),
        float(inputs.n_documents),
    )


def _classic_mechanism(plan: Plan) -> Condition:
    """Condition that no edge has an ε above 1, the limit of the classic Gaussian mechanism's proof.

    What the mechanism claims is false for an ε above about 9.
    """
    largest_epsilon = max(epsilon for epsilon, _ in split_budget(plan).values())
    return Condition(
        "The classic Gaussian mechanism is proven for ε of at most 1 on every edge.",
        "max εᵢ ≤ 1",
        largest_epsilon,
        LARGEST_CLASSIC_EPSILON,
    )


def _tensor_change(inputs: BoundInputs, sigma: float) -> float:
    """Theorem 5 with constant 1 at a singular value; infinite where that is 0."""
    if sigma <= 0:
        return math.inf
    return sensitivities.whitened_tensor(
        n_documents=inputs.n_documents, n_topics=inputs.spectrum.n_topics, sigma_k=sigma
    )


def _stable_change(spectrum: Spectrum) -> float:
    r""":math:`γ_s λ_k(T)/(2\sqrt k)`, a change of T up to which its decomposition is stable."""
    lambda_k = float(spectrum.tensor_eigenvalues[-1])
    return spectrum.gamma_s * lambda_k / (2 * math.sqrt(spectrum.n_topics))
