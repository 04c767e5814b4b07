r"""Theorems 10 to 13 as formulas: a template in LaTeX for every term, in every reading.

A template has ``@name`` where a number goes, and ``*`` for a product that needs a dot between
numbers; ``formula_text`` writes it. What a reading prints otherwise than the recommended one is
underlined and colored.
"""

from collections.abc import Callable
from dataclasses import dataclass

from dplda.theory.theorems.bounds import (
    PRINTED_POWER,
    PROVEN_POWER,
    THEOREMS,
    noisy_root,
    whitened_noise,
)
from dplda.theory.theorems.readings import BoundInputs, PaperReading

DIFFERENT = r"\underline{\textcolor{#D55E00}{%s}}"
"""A part that a reading prints otherwise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Definition:
    """An expression with a name of its own, because it stands in several terms.

    Attributes:
        name: in templates, a key of ``formula_text.SYMBOLS``.
        template: the expression; empty for a number that is given without one.
        value_of: computes it from the numbers of a theorem; raises ``NoFiniteNoise`` where a bound
            that uses it is infinite.
    """

    name: str
    template: str
    value_of: Callable[[BoundInputs], float]


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
        configuration: ``config-1`` to ``config-4``; any other name gives the last one's.
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


def numbers_in(formula: BoundFormula, inputs: BoundInputs) -> dict[str, float]:
    """The numbers of a formula by name in its templates, its definitions included.

    Args:
        formula: of one theorem in one reading.
        inputs: the numbers that the theorem depends on.

    Returns:
        Every number that is known. Private lower bounds are 0 where no finite noise is enough, and
        NaN without a share of the budget.

    Raises:
        NoFiniteNoise: a definition has no finite value.
    """
    spectrum = inputs.spectrum
    numbers = {
        "N": float(inputs.n_documents),
        "d": float(spectrum.n_words),
        "k": float(spectrum.n_topics),
        "s1": spectrum.sigma_1,
        "sk": spectrum.sigma_k,
        "sk_low": inputs.sigma_lower,
        "gs": spectrum.gamma_s,
        "gs_low": inputs.gamma_lower,
        "l1": spectrum.lambda_1,
        "A": spectrum.coefficients.eigenvalue_to_topic(),
        **{f"t{edge.removeprefix('e')}": tau for edge, tau in inputs.tau.items()},
    }
    for definition in formula.definitions:
        numbers[definition.name] = definition.value_of(inputs)
    return numbers


def _config_1(reading: PaperReading) -> BoundFormula:
    """Formula of Theorem 10, of three terms with the noise on pairs and triples by name.

    In readings but the recommended one the noise on pairs in the last term is over another power of
    σk; that is marked there and said in a departure.
    """
    last_pairs = "@x4"
    definitions = [
        _NOISY_ROOT,
        Definition(
            name="x4",
            template=r"\frac{\sqrt{@d}*@t4}{@N*@sk^{3/2}}",
            value_of=lambda inputs: whitened_noise(inputs, "e4", PROVEN_POWER),
        ),
        Definition(
            name="x3",
            template=r"\frac{\sqrt{@d}*@t3}{@N*@sk^{3/2}}",
            value_of=lambda inputs: whitened_noise(inputs, "e3", PROVEN_POWER),
        ),
    ]
    departures: tuple[str, ...] = ()
    if reading is not PaperReading.RECOMMENDED:
        last_pairs = DIFFERENT % "@y4"
        printed_pairs = Definition(
            name="y4",
            template=r"\frac{\sqrt{@d}*@t4}{@N*%s}" % (DIFFERENT % "@sk"),
            value_of=lambda inputs: whitened_noise(inputs, "e4", PRINTED_POWER),
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
    """The bound of Theorem 11 or 12, which differ in the last power of k and in their γs.

    The recommended reading follows the proofs, and departs from them nowhere.
    The theorem as printed departs in its first term.
    Table 1 departs there too, and has σk for the private one and γs for a private one.
    Below its last term it has σ1.

    Args:
        configuration: ``config-2`` or ``config-3``.
        reading: which print of the paper.
        tau: template of the noise multiplier.
        last_power: power of k in the last term, as LaTeX.
        gamma: template of γs, exact or private.
    """
    first_factor = r"\sqrt{@s1}*@k^{5/2}"
    gamma_in_reading = gamma
    sigma = last_sigma = "@sk_low^{3/2}"
    departures = []
    if reading is not PaperReading.RECOMMENDED:
        first_factor = DIFFERENT % r"\sqrt{@s1*@k^{5/2}}"
        departures.append(
            r"In the first term the root covers $k^{5/2}$;"
            r" the proof has $\sqrt{\sigma_1}\,k^{5/2}$."
        )
    if reading is PaperReading.TABLE_1:
        sigma = DIFFERENT % "@sk^{3/2}"
        last_sigma = DIFFERENT % "@s1^{3/2}"
        departures.append(
            r"Table 1 has $\sigma_k$ for the private $\tilde\sigma_k$, and below the last term"
            r" $\sigma_1$."
        )
        if gamma == "@gs_low":
            gamma_in_reading = DIFFERENT % "@gs"
            departures.append(r"It has $\gamma_s$ for the private $\tilde\gamma_s$.")
    return BoundFormula(
        source=THEOREMS[configuration],
        terms=(
            rf"\frac{{{first_factor}*{tau}}}{{{gamma_in_reading}*@N*{sigma}}}",
            _UNWHITENING,
            rf"@R*\frac{{@k^{{{last_power}}}*{tau}}}{{{gamma_in_reading}*@N*{last_sigma}}}",
        ),
        definitions=(_NOISY_ROOT,),
        departures=tuple(departures),
    )


def _config_4(reading: PaperReading) -> BoundFormula:
    """Formula of Theorem 13, of one term; Table 1 departs in σk and γs, the theorem does not."""
    gamma = "@gs_low"
    sigma = "@sk_low^{3/2}"
    departures: tuple[str, ...] = ()
    if reading is PaperReading.TABLE_1:
        gamma = DIFFERENT % "@gs"
        sigma = DIFFERENT % "@sk^{3/2}"
        departures = (
            r"Table 1 has $\sigma_k$ and $\gamma_s$ for the private $\tilde\sigma_k$ and"
            r" $\tilde\gamma_s$.",
        )
    return BoundFormula(
        source=THEOREMS["config-4"],
        terms=(rf"\frac{{\sqrt{{@s1*@d}}*@k^{{2}}*@t9}}{{{gamma}*@N*{sigma}}}",),
        departures=departures,
    )
