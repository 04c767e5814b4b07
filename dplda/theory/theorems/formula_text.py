"""Formulas as LaTeX: with the paper's symbols, or with numbers in their places."""

import math
import re
from collections.abc import Mapping, Sequence

from dplda.theory.theorems.formulas import BoundFormula, Definition

SYMBOLS: dict[str, str] = {
    "N": "N",
    "d": "d",
    "k": "k",
    "s1": r"\sigma_1",
    "sk": r"\sigma_k",
    "sk_low": r"\tilde\sigma_k",
    "gs": r"\gamma_s",
    "gs_low": r"\tilde\gamma_s",
    "l1": r"\lambda_1",
    "A": "A",
    "R": "R",
    "x3": "x_3",
    "x4": "x_4",
    "y4": "y_4",
    "f": "f",
    "P": r"\Phi_W",
    "Q": r"\Phi_3",
    "p": "p_d",
    "c": "c_d",
    "ck": "c_k",
    "v": "v_d",
    "vk": "v_k",
    "E3": r"\lVert E_3\rVert",
    "E4": r"\lVert E_4\rVert",
    "E8": r"\lVert E_8\rVert",
    "F": r"\lVert\Phi\rVert",
    "D1": r"\Delta_{2,1}",
    "D2": r"\Delta_2",
    "D3": r"\Delta_3",
    "DT": r"\Delta_T",
    "Dm": r"\Delta_\mu",
    "g": "g",
    "V": r"\lVert n_v\rVert",
    "L": r"|n_\lambda|",
    **{f"t{edge}": rf"\tau_{edge}" for edge in (3, 4, 6, 7, 8, 9)},
}
"""LaTeX of every number that a bound depends on, by its name in templates."""


def with_symbols(template: str) -> str:
    """A template as LaTeX, with the paper's symbols."""
    return re.sub(r"@(\w+)", lambda match: SYMBOLS[match[1]], template).replace("*", r"\,")


def with_numbers(template: str, numbers: Mapping[str, float]) -> str:
    """A template as LaTeX, with numbers of five significant digits in their places.

    Args:
        template: the expression.
        numbers: by name in templates; every name of the template must be there.
    """
    filled_template = re.sub(r"@(\w+)", lambda match: latex_number(numbers[match[1]]), template)
    return filled_template.replace("*", r"\cdot ")


def latex_number(value: float, n_digits: int = 5) -> str:
    """A finite number as LaTeX that may stand below a power: grouped, or in parentheses.

    Numbers from 1e-4 to a million, and up to 1e12 where rounding leaves a whole number, are written
    out, whole ones in full; others are rounded, with a power of ten.

    Args:
        value: finite, at least 0.
        n_digits: significant digits.
    """
    rounded = float(f"{value:.{n_digits}g}")
    is_short_whole_number = rounded.is_integer() and rounded < 1e12
    if rounded == 0 or 1e-4 <= rounded < 1e6 or is_short_whole_number:
        shown_value = int(value) if float(value).is_integer() else rounded
        return f"{shown_value:,.15g}".replace(",", "{,}")
    mantissa, exponent = f"{rounded:.{n_digits - 1}e}".split("e")
    return rf"({float(mantissa):.15g}\cdot 10^{{{int(exponent)}}})"


ERROR = r"\lVert\mu_i-\mu_i^{\mathsf{DP}}\rVert_2"
"""LaTeX of what every theorem bounds."""
SMALL = r"\footnotesize "
"""Size of formulas with numbers, and of others that would not fit a phone."""
WIDE = 40
"""Characters of a template after which its value would not fit beside it in a narrow column."""


def bound_with_symbols(formula: BoundFormula) -> str:
    """The bound as LaTeX, a term a line, and below it the expressions that its terms name.

    A definition without a template is left out. All is set small if a definition is wide.
    """
    first_term, *other_terms = formula.terms
    lines = [rf"{ERROR}\le{{}}& {with_symbols(first_term)}"]
    lines += [f"{{}}+{{}}& {with_symbols(term)}" for term in other_terms]
    lines += [
        f"{SYMBOLS[definition.name]}={{}}& {with_symbols(definition.template)}"
        for definition in formula.definitions
        if definition.template
    ]
    is_wide = any(len(definition.template) > WIDE for definition in formula.definitions)
    equations = _aligned(lines)
    return SMALL + equations if is_wide else equations


def bound_with_numbers(
    formula: BoundFormula, numbers: Mapping[str, float], values: Sequence[float]
) -> str:
    """The bound as LaTeX with numbers in the places of symbols, and what each line comes to.

    Definitions stand first, then a line for each term with its value below it, then the sum. All is
    set small. A definition without a template is left out.

    Args:
        formula: of one theorem in one reading.
        numbers: by name in templates, from ``numbers_in``.
        values: of the terms, one each.
    """
    definition_lines = [
        _definition_with_numbers(definition, numbers)
        for definition in formula.definitions
        if definition.template
    ]
    first_term, *other_terms = (
        rf"\underbrace{{{with_numbers(template, numbers)}}}_{{{latex_number(value, 3)}}}"
        for template, value in zip(formula.terms, values, strict=True)
    )
    lines = [
        *definition_lines,
        rf"{{}}\le{{}}& {first_term}",
        *(f"{{}}+{{}}& {term}" for term in other_terms),
        f"{{}}={{}}& {latex_number(math.fsum(values), 3)}",
    ]
    return SMALL + _aligned(lines)


def _definition_with_numbers(definition: Definition, numbers: Mapping[str, float]) -> str:
    """A named expression with numbers, and its value: on a line of its own if it is wide."""
    line_end = r"\\ {}={}& " if len(definition.template) > WIDE else "="
    expression = with_numbers(definition.template, numbers)
    value = latex_number(numbers[definition.name])
    return f"{SYMBOLS[definition.name]}={{}}& {expression}{line_end}{value}"


def _aligned(lines: Sequence[str]) -> str:
    """Equations below one another, aligned at their signs."""
    return r"\begin{aligned}" + r" \\[4pt] ".join(lines) + r"\end{aligned}"
