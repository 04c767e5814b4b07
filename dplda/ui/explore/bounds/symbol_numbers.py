"""The numbers that noise and bounds depend on, each beside its symbol."""

import math
from collections.abc import Iterable, Iterator

import streamlit as st

from dplda.methods.base.calibration import Calibration
from dplda.methods.configurations.plan import Plan
from dplda.theory.theorems.at_budget import BOUNDED, numbers_of
from dplda.theory.theorems.formula_text import latex_number
from dplda.theory.theorems.readings import BoundInputs
from dplda.theory.theorems.spectrum import Spectrum
from dplda.theory.theorems.table_1 import printed_sensitivities

MOST_EIGENVALUES = 6
"""Eigenvalues of T that are all written; of more, only the first and the last ones."""
MEANING = (
    "σ: eigenvalues of the pair moment M₂ without noise. λ: those of the whitened tensor T. γs: a"
    " quarter of the smallest gap between them."
)
NOISE = (
    " With a tilde: private lower bounds at their median noise. τ: noise per unit of sensitivity,"
    " at each edge's share of ε and δ."
)
SENSITIVITIES = " Δ: sensitivities as printed, with hidden constant 1."


def draw(
    spectrum: Spectrum,
    plan: Plan | None,
    *,
    n_documents: int,
    are_sensitivities_printed: bool = True,
) -> None:
    """Draw each number of the spectrum, and of a published plan, with its symbol.

    The help of a caption says what they mean.

    Args:
        spectrum: of the documents, without noise.
        plan: its τ and Δ are added if it is one of the paper's as published; None for none.
        n_documents: ``N``.
        are_sensitivities_printed: whether Δ means the printed ones; else it is left out, since a
            formula beside it has others under these symbols.
    """
    symbols_and_numbers = list(spectrum_numbers(spectrum))
    help_text = MEANING
    if plan is not None and is_published(plan):
        plan_numbers = numbers_of(plan, spectrum, n_documents=n_documents)
        symbols_and_numbers += noise_numbers(plan_numbers)
        help_text += NOISE
        if are_sensitivities_printed:
            symbols_and_numbers += sensitivity_numbers(plan_numbers)
            help_text += SENSITIVITIES
    st.markdown(join_pairs(symbols_and_numbers))
    st.caption("What the symbols mean", help=help_text)


def join_pairs(symbols_and_numbers: Iterable[tuple[str, str]]) -> str:
    """Symbols with their numbers, from pairs of LaTeX, as Markdown that breaks between them."""
    items = (rf"${{\small {symbol}={_bare(number)}}}$" for symbol, number in symbols_and_numbers)
    return " &ensp; ".join(items)


def _bare(number: str) -> str:
    """A number without the parentheses that a power would need."""
    return number.removeprefix("(").removesuffix(")")


def is_published(plan: Plan) -> bool:
    """Whether a plan is one of the paper's configurations with noise as published."""
    return plan.configuration in BOUNDED and plan.calibration is Calibration.PUBLISHED


def spectrum_numbers(spectrum: Spectrum) -> Iterator[tuple[str, str]]:
    """Yield symbols of the spectrum with their numbers, as LaTeX.

    They are singular values, their gap, γ_s, and the tensor's eigenvalues, which share one pair.
    Of more than ``MOST_EIGENVALUES`` eigenvalues the first three and the last two come.
    """
    yield r"\sigma_1", latex_number(spectrum.sigma_1)
    yield r"\sigma_k", latex_number(spectrum.sigma_k)
    yield r"\sigma_{k+1}", latex_number(spectrum.sigma_next)
    yield r"\sigma_k-\sigma_{k+1}", latex_number(spectrum.gap)
    yield r"\gamma_s", latex_number(spectrum.gamma_s)
    eigenvalue_texts = [latex_number(float(value)) for value in spectrum.tensor_eigenvalues]
    if len(eigenvalue_texts) > MOST_EIGENVALUES:
        eigenvalue_texts = [*eigenvalue_texts[:3], r"\ldots", *eigenvalue_texts[-2:]]
    yield r"\lambda_i(T)", r",\ ".join(eigenvalue_texts)


def noise_numbers(inputs: BoundInputs) -> Iterator[tuple[str, str]]:
    """Yield symbols of the published noise with their numbers, as LaTeX: lower bounds and τ.

    Lower bounds are of σ_k and γ_s; unknown ones (NaN) are left out.
    τ is of each edge whose sensitivity is printed.
    """
    for latex_symbol, lower_bound in (
        (r"\tilde\sigma_k", inputs.sigma_lower),
        (r"\tilde\gamma_s", inputs.gamma_lower),
    ):
        if not math.isnan(lower_bound):
            yield latex_symbol, latex_number(lower_bound)
    for edge in printed_sensitivities(inputs):
        yield rf"\tau_{edge.removeprefix('e')}", latex_number(inputs.tau[edge])


def sensitivity_numbers(inputs: BoundInputs) -> Iterator[tuple[str, str]]:
    """Symbols and numbers of the sensitivities as printed, as LaTeX."""
    printed = printed_sensitivities(inputs).values()
    values = {sensitivity.symbol: sensitivity.value for sensitivity in printed}
    for symbol, value in values.items():
        yield symbol, latex_number(value) if math.isfinite(value) else r"\infty"
