r"""Theorems 10 to 13 as formulas: each term as LaTeX, with symbols or with numbers in their places.

A template has ``@name`` where a number goes, and ``*`` for a product that needs a dot between
numbers. What a reading prints otherwise than the recommended one is underlined and colored.
"""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from dplda.theory.theorems.bounds import (
    PRINTED_POWER,
    PROVEN_POWER,
    THEOREMS,
    noisy_root,
    whitened_noise,
)
from dplda.theory.theorems.readings import Given, PaperReading

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

DIFFERENT = r"\underline{\textcolor{#D55E00}{%s}}"
"""A part that a reading prints otherwise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Definition:
    """An expression with a name of its own, because it stands in several terms.

    Attributes:
        name: in templates, a key of ``SYMBOLS``.
        template: the expression; empty for a number that is given without one.
        value_of: computes it from the numbers of a theorem; raises ``NoFiniteNoise`` where a bound
            that uses it is infinite.
    """

    name: str
    template: str
    value_of: Callable[[Given], float]


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundFormula:
    """The bound of one theorem in one reading.

    Attributes:
        source: the theorem, for example ``"Theorem 11"``.
        terms: templates that add up to the bound, in the order of ``Bound.terms``.
        definitions: expressions that terms use by name, in an order in which each can be computed.
        departures: sentences on what the paper prints otherwise than the recommended reading.
    """

    source: str
    terms: tuple[str, ...]
    definitions: tuple[Definition, ...] = ()
    departures: tuple[str, ...] = ()


def formula_of(configuration: str, reading: PaperReading) -> BoundFormula:
    """The formula of a configuration's theorem, as ``bounds.BY_CONFIGURATION`` computes it.

    Args:
        configuration: ``config-1`` to ``config-4``.
        reading: which print of the paper.
    """
    match configuration:
        case "config-1":
            return _config_1(reading)
        case "config-2":
            return _through_tensor("config-2", reading, tau="@t6", last_power="5/2", gamma="@gs")
        case "config-3":
            return _through_tensor("config-3", reading, tau="@t7", last_power="2", gamma="@gs_low")
        case _:
            return _config_4(reading)


def numbers_in(formula: BoundFormula, given: Given) -> dict[str, float]:
    """The numbers of a formula by name in its templates, its definitions included.

    Args:
        formula: of one theorem in one reading.
        given: the numbers that the theorem depends on.

    Returns:
        Every number that is known; private lower bounds are 0 where no finite noise is enough.

    Raises:
        NoFiniteNoise: a definition has no finite value.
    """
    spectrum = given.spectrum
    numbers = {
        "N": float(given.n_documents),
        "d": float(spectrum.n_words),
        "k": float(spectrum.n_topics),
        "s1": spectrum.sigma_1,
        "sk": spectrum.sigma_k,
        "sk_low": given.sigma_lower,
        "gs": spectrum.gamma_s,
        "gs_low": given.gamma_lower,
        "l1": spectrum.lambda_1,
        "A": spectrum.coefficients.eigenvalue_to_topic(),
        **{f"t{edge.removeprefix('e')}": tau for edge, tau in given.tau.items()},
    }
    for definition in formula.definitions:
        numbers[definition.name] = definition.value_of(given)
    return numbers


def with_symbols(template: str) -> str:
    """A template as LaTeX, with the paper's symbols."""
    return re.sub(r"@(\w+)", lambda match: SYMBOLS[match[1]], template).replace("*", r"\,")


def with_numbers(template: str, numbers: Mapping[str, float]) -> str:
    """A template as LaTeX, with numbers of five significant digits in their places.

    Args:
        template: the expression.
        numbers: by name in templates; every name of the template must be there.
    """
    digits = re.sub(r"@(\w+)", lambda match: latex_number(numbers[match[1]]), template)
    return digits.replace("*", r"\cdot ")


def latex_number(value: float, n_digits: int = 5) -> str:
    """A finite number as LaTeX that may stand below a power: grouped, or in parentheses.

    Args:
        value: finite, at least 0.
        n_digits: significant digits.
    """
    rounded = float(f"{value:.{n_digits}g}")
    if rounded == 0 or 1e-4 <= rounded < 1e6 or (rounded.is_integer() and rounded < 1e12):
        exact = int(value) if float(value).is_integer() else rounded
        return f"{exact:,.15g}".replace(",", "{,}")
    mantissa, exponent = f"{rounded:.{n_digits - 1}e}".split("e")
    return rf"({float(mantissa):.15g}\cdot 10^{{{int(exponent)}}})"


ERROR = r"\lVert\mu_i-\mu_i^{\mathsf{DP}}\rVert_2"
"""LaTeX of what every theorem bounds."""
SMALL = r"\small "
"""Size of formulas with numbers, which are wider than those with symbols."""


def bound_with_symbols(formula: BoundFormula) -> str:
    """The bound as LaTeX, a term a line, and below it the expressions that its terms name."""
    lines = [
        rf"{ERROR}\le{{}}& {with_symbols(formula.terms[0])}",
        *(f"{{}}+{{}}& {with_symbols(term)}" for term in formula.terms[1:]),
        *(
            f"{SYMBOLS[definition.name]}={{}}& {with_symbols(definition.template)}"
            for definition in formula.definitions
            if definition.template
        ),
    ]
    return _aligned(lines)


def bound_with_numbers(
    formula: BoundFormula, numbers: Mapping[str, float], values: Sequence[float]
) -> str:
    """The bound as LaTeX with numbers in the places of symbols, and what each line comes to.

    Args:
        formula: of one theorem in one reading.
        numbers: by name in templates, from ``numbers_in``.
        values: of the terms.
    """
    definitions = [
        f"{SYMBOLS[definition.name]}={{}}& {with_numbers(definition.template, numbers)}"
        f"={latex_number(numbers[definition.name])}"
        for definition in formula.definitions
        if definition.template
    ]
    terms = [
        rf"\underbrace{{{with_numbers(template, numbers)}}}_{{{latex_number(value, 3)}}}"
        for template, value in zip(formula.terms, values, strict=True)
    ]
    lines = [
        *definitions,
        rf"{{}}\le{{}}& {terms[0]}",
        *(f"{{}}+{{}}& {term}" for term in terms[1:]),
        f"{{}}={{}}& {latex_number(math.fsum(values), 3)}",
    ]
    return SMALL + _aligned(lines)


def _aligned(lines: Sequence[str]) -> str:
    """Equations below one another, aligned at their signs."""
    return r"\begin{aligned}" + r" \\[4pt] ".join(lines) + r"\end{aligned}"


def _config_1(reading: PaperReading) -> BoundFormula:
    """Theorem 10; as printed, noise on pairs in the last term is over another power of σk."""
    last_pairs = "@x4"
    definitions = [
        _NOISY_ROOT,
        Definition(
            name="x4",
            template=r"\frac{\sqrt{@d}*@t4}{@N*@sk^{3/2}}",
            value_of=lambda given: whitened_noise(given, "e4", PROVEN_POWER),
        ),
        Definition(
            name="x3",
            template=r"\frac{\sqrt{@d}*@t3}{@N*@sk^{3/2}}",
            value_of=lambda given: whitened_noise(given, "e3", PROVEN_POWER),
        ),
    ]
    departures: tuple[str, ...] = ()
    if reading is not PaperReading.RECOMMENDED:
        last_pairs = DIFFERENT % "@y4"
        printed_pairs = Definition(
            name="y4",
            template=r"\frac{\sqrt{@d}*@t4}{@N*%s}" % (DIFFERENT % "@sk"),
            value_of=lambda given: whitened_noise(given, "e4", PRINTED_POWER),
        )
        definitions.insert(2, printed_pairs)
        departures = (r"In the last term the paper prints $\sigma_k$ for $\sigma_k^{3/2}$.",)
    return BoundFormula(
        source=THEOREMS["config-1"],
        terms=(
            r"\frac{\sqrt{@s1*@k}}{@gs}*\left(@x4^{3}+@x3\right)",
            _UNWHITENING,
            rf"@R*\frac{{\sqrt{{@k}}}}{{@gs}}*\left({last_pairs}^{{3}}+@x3\right)",
        ),
        definitions=tuple(definitions),
        departures=departures,
    )


_UNWHITENING = r"\frac{\sqrt{@s1*@d}*@t8}{@sk*@N}"
_NOISY_ROOT = Definition(
    name="R", template=r"\sqrt{@s1+\frac{\sqrt{@d}*@t8}{@N}}", value_of=noisy_root
)


def _through_tensor(
    configuration: str, reading: PaperReading, *, tau: str, last_power: str, gamma: str
) -> BoundFormula:
    """Theorems 11 and 12, which differ in the last power of k and in their γs."""
    first_factor = r"\sqrt{@s1}*@k^{5/2}"
    gap = gamma
    sigma = last_sigma = "@sk_low^{3/2}"
    departures = []
    if reading is not PaperReading.RECOMMENDED:
        first_factor = DIFFERENT % r"\sqrt{@s1*@k^{5/2}}"
        departures.append(
            r"In the first term the root covers $k^{5/2}$; the proof has $\sqrt{\sigma_1}\,k^{5/2}$."
        )
    if reading is PaperReading.TABLE_1:
        sigma = DIFFERENT % "@sk^{3/2}"
        last_sigma = DIFFERENT % "@s1^{3/2}"
        departures.append(
            r"Table 1 has $\sigma_k$ for the private $\tilde\sigma_k$, and below the last term"
            r" $\sigma_1$."
        )
        if gamma == "@gs_low":
            gap = DIFFERENT % "@gs"
            departures.append(r"It has $\gamma_s$ for the private $\tilde\gamma_s$.")
    last_gap = gap
    return BoundFormula(
        source=THEOREMS[configuration],
        terms=(
            rf"\frac{{{first_factor}*{tau}}}{{{gap}*@N*{sigma}}}",
            _UNWHITENING,
            rf"@R*\frac{{@k^{{{last_power}}}*{tau}}}{{{last_gap}*@N*{last_sigma}}}",
        ),
        definitions=(_NOISY_ROOT,),
        departures=tuple(departures),
    )


def _config_4(reading: PaperReading) -> BoundFormula:
    """Theorem 13."""
    gap = "@gs_low"
    sigma = "@sk_low^{3/2}"
    departures: tuple[str, ...] = ()
    if reading is PaperReading.TABLE_1:
        gap = DIFFERENT % "@gs"
        sigma = DIFFERENT % "@sk^{3/2}"
        departures = (
            r"Table 1 has $\sigma_k$ and $\gamma_s$ for the private $\tilde\sigma_k$ and"
            r" $\tilde\gamma_s$.",
        )
    return BoundFormula(
        source=THEOREMS["config-4"],
        terms=(rf"\frac{{\sqrt{{@s1*@d}}*@k^{{2}}*@t9}}{{{gap}*@N*{sigma}}}",),
        departures=departures,
    )
