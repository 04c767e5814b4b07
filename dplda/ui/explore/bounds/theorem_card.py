"""A theorem: its verdict here, and its formula in symbols and with this experiment's numbers."""

from dataclasses import dataclass

import streamlit as st

from dplda.core.errors import NoFiniteNoise
from dplda.core.formatting import digits
from dplda.methods.configurations import REGISTRY
from dplda.methods.configurations.plan import Plan
from dplda.theory.theorems.at_budget import at_budget, numbers_of
from dplda.theory.theorems.bounds import THEOREMS
from dplda.theory.theorems.explicit_formulas import explicit_formula_of
from dplda.theory.theorems.formula_text import (
    SYMBOLS,
    bound_with_numbers,
    bound_with_symbols,
    latex_number,
)
from dplda.theory.theorems.formulas import BoundFormula, formula_of, numbers_in
from dplda.theory.theorems.readings import TRIVIAL, Bound, PaperReading
from dplda.theory.theorems.spectrum import Spectrum
from dplda.ui.explore.bounds import symbol_numbers

FORMULA_TABS = ("In symbols", "In numbers")
LARGEST_ERROR = "√2 = 1.41"
CONSTANTS_CAPTION = (
    "Each norm holds with probability 0.95. Δ₂ and Δ₃ are proven; Δ_T is the paper's (64). λ₁ is"
    " the largest eigenvalue of T, and A = (α₀ + 2)/2."
)


@dataclass(frozen=True, slots=True, eq=False)
class TheoremAtHand:
    """One theorem at the experiment's numbers.

    Attributes:
        plan: of the configuration, as published.
        spectrum: of the documents.
        n_documents: ``N``.
        reading: which print of the paper; None for explicit constants.
    """

    plan: Plan
    spectrum: Spectrum
    n_documents: int
    reading: PaperReading | None

    @property
    def source(self) -> str:
        """The theorem, for example ``"Theorem 11"``."""
        return THEOREMS[self.plan.configuration]

    @property
    def formula(self) -> BoundFormula:
        """Its formula in this reading."""
        if self.reading is None:
            return explicit_formula_of(self.plan.configuration)
        return formula_of(self.plan.configuration, self.reading)

    def bound(self) -> Bound:
        """Its bound on a topic's error.

        Raises:
            NoFiniteNoise: no finite noise is enough.
        """
        return at_budget(
            self.plan, self.spectrum, n_documents=self.n_documents, reading=self.reading
        )

    def numbers(self) -> dict[str, float]:
        """Inputs and definitions of its formula by name, without the bound itself.

        Raises:
            NoFiniteNoise: one of these numbers is infinite.
        """
        inputs = numbers_of(self.plan, self.spectrum, n_documents=self.n_documents)
        return numbers_in(self.formula, inputs)


def draw_formula(theorem: TheoremAtHand) -> None:
    """Draw a theorem's formula, in symbols or with numbers.

    If the bound is not finite, the formula in symbols stands alone, and the reason below it.
    """
    try:
        bound = theorem.bound()
    except NoFiniteNoise as error:
        _draw_symbols(theorem)
        st.info(_describe_refusal(error.quantity), icon=":material/block:")
        return
    symbols_tab, numbers_tab = st.tabs(FORMULA_TABS)
    with symbols_tab:
        _draw_symbols(theorem)
    with numbers_tab:
        _draw_numbers(theorem, bound)


def _draw_symbols(theorem: TheoremAtHand) -> None:
    """Draw a theorem's formula in symbols, and captions.

    There is one for each departure from the print, which the formula underlines, and one on the
    constants of a theorem that is read with explicit ones.
    """
    formula = theorem.formula
    st.latex(bound_with_symbols(formula))
    for departure in formula.departures:
        st.caption(f"Underlined: {departure}")
    if theorem.reading is None:
        st.caption(CONSTANTS_CAPTION)


def _draw_numbers(theorem: TheoremAtHand, bound: Bound) -> None:
    """Draw a theorem's formula with numbers.

    Above it stand the numbers that no formula of the theorem defines, with their symbols, if there
    are any.
    """
    formula = theorem.formula
    number_by_name = theorem.numbers()
    names_of_given_numbers = [
        definition.name for definition in formula.definitions if not definition.template
    ]
    if names_of_given_numbers:
        symbols_and_numbers = (
            (SYMBOLS[given_name], latex_number(number_by_name[given_name]))
            for given_name in names_of_given_numbers
        )
        st.markdown(symbol_numbers.join_pairs(symbols_and_numbers))
    term_values = [term.value for term in bound.terms]
    st.latex(bound_with_numbers(formula, number_by_name, term_values))


def describe_verdict(theorem: TheoremAtHand) -> str:
    """State the theorem's bound on the L2 error, and whether it says anything, as Markdown.

    Without a bound, says that it is not finite here.
    """
    configuration_title = REGISTRY[theorem.plan.configuration].title
    theorem_name = f"**{theorem.source}**, on {configuration_title} as published"
    try:
        bound = theorem.bound()
    except NoFiniteNoise:
        return f"{theorem_name}, gives no finite bound here."
    bound_sentence = f"{theorem_name}: a topic's L2 error is at most **{digits(bound.total)}**"
    if bound.total >= TRIVIAL:
        return f"{bound_sentence}. No error is above {LARGEST_ERROR}, so this says nothing yet."
    return f"{bound_sentence}, of {LARGEST_ERROR} at most."


def _describe_refusal(symbol: str) -> str:
    """Explain why there is no finite bound, and what would help; γs has a reason of its own."""
    if symbol == "γs":
        return (
            "γs, or its private lower bound, is 0: two topics are nearly equally large. More"
            " documents or a larger ε help only if γs itself is above 0."
        )
    return (
        f"The private lower bound of {symbol} is 0, or noise reaches {symbol}. More documents, a"
        " larger ε, or fewer topics would make it finite."
    )
