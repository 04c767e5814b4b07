"""The form that simulates documents with known topics."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dplda.core.errors import DpldaError
from dplda.corpus import MOST_TOKENS, LengthLaw, Simulation
from dplda.corpus.simulation.newspaper import newspapers
from dplda.ui.literal import literal
from dplda.ui.state import cache, session
from dplda.ui.state.keys import Key
from dplda.ui.state.link import ALPHAS, TOPICS
from dplda.ui.state.progress import allow

DEFAULT = Simulation()
CONCENTRATION = "topic_concentration"
N_COLUMNS = 3
NEWSPAPER_HELP = (
    "The topics of a newspaper are its sections, in real words. Other topics are drawn at random."
)
LENGTHS_HELP = "Log-normal: a few documents are very long, as in real collections."


@dataclass(frozen=True, slots=True)
class _NumberField:
    """A number of the form.

    Attributes:
        field: the field of a simulation that it sets.
        label: written above it.
        low: the smallest value.
        high: the largest value.
        step: between two values that its buttons reach.
        help_text: what the number does.
    """

    field: str
    label: str
    low: float
    high: float
    step: float
    help_text: str


_NUMBERS = (
    _NumberField("n_documents", "Documents N", 3, 1_000_000, 1000, "Noise falls as 1/N."),
    _NumberField("n_words", "Vocabulary d", 2, 3000, 100, "Noise goes on every pair of words."),
    _NumberField("n_topics", "True topics k", *TOPICS, 1, "The sidebar's k follows it."),
    _NumberField("alpha0", "True mixing α₀", *ALPHAS, 0.1, "Small: a document keeps to one topic."),
    _NumberField("mean_length", "Mean length L", 1, 10_000, 10, "Words in a document, on average."),
)
_NUMBERS_BELOW = (
    _NumberField(
        CONCENTRATION,
        "Topic concentration",
        0.001,
        100.0,
        0.05,
        "Small: each topic has a few words of its own.",
    ),
    _NumberField(
        "seed",
        "Seed of the documents",
        0,
        2**31 - 1,
        1,
        "The same seed draws the same documents.",
    ),
)


def draw() -> None:
    """Draw the form of a simulation; once its button is pressed, simulate documents for use.

    Pressing it also allows a simulation that was canceled before. After a simulation the form is
    closed, and the page runs again. A refusal is drawn as an error.
    """
    st.markdown(
        "The true topics are known here, so the error can be measured."
        f" At most {MOST_TOKENS:,} words in all."
    )
    with st.form(Key.SIMULATE):
        newspaper = _choose_newspaper()
        form_columns = st.columns(N_COLUMNS)
        number_by_field = _draw_numbers(form_columns, _NUMBERS)
        length_law = form_columns[len(_NUMBERS) % N_COLUMNS].selectbox(
            "Spread of lengths",
            list(LengthLaw),
            format_func=str.capitalize,
            key=f"{Key.SIMULATE}.lengths",
            persist_state="session",
            help=LENGTHS_HELP,
        )
        number_by_field |= _draw_numbers(form_columns, _NUMBERS_BELOW)
        is_submitted = st.form_submit_button(
            "Simulate", type="primary", key=Key.SIMULATE_NOW, on_click=allow
        )
    if is_submitted:
        _simulate(number_by_field, LengthLaw(length_law or LengthLaw.POISSON), newspaper)


def _choose_newspaper() -> str:
    """Draw the choice of an invented newspaper, and return its name; empty for random topics."""

    def title(newspaper: str) -> str:
        if not newspaper:
            return "Made-up words: w0000, w0001, …"
        return f"An invented newspaper, in {newspaper.capitalize()}"

    newspaper = st.selectbox(
        "Words",
        ["", *newspapers()],
        format_func=title,
        key=f"{Key.SIMULATE}.newspaper",
        persist_state="session",
        help=NEWSPAPER_HELP,
    )
    return newspaper or ""


def _draw_numbers(
    columns: list[DeltaGenerator], fields: tuple[_NumberField, ...]
) -> dict[str, float]:
    """Draw number fields into the columns in turn; returns the values by field."""
    return {
        field.field: _draw_number(columns[place % N_COLUMNS], field)
        for place, field in enumerate(fields)
    }


def _draw_number(column: DeltaGenerator, field: _NumberField) -> float:
    """Draw the field of a number, and return what was entered, of the type of its default."""
    default: float = getattr(DEFAULT, field.field)
    entered_number = column.number_input(
        field.label,
        field.low,
        field.high,
        default,
        field.step,
        "%.3f" if field.field == CONCENTRATION else None,
        key=f"{Key.SIMULATE}.{field.field}",
        persist_state="session",
        help=f"{field.help_text} From {field.low:,} to {field.high:,}.",
    )
    return type(default)(entered_number)


def _simulate(number_by_field: Mapping[str, float], length_law: LengthLaw, newspaper: str) -> None:
    """Simulate documents, use them, close the form, and run the page again.

    Nothing changes if the numbers are refused, which is drawn, or if the simulation was canceled.
    """
    make_simulation: Callable[..., Simulation] = Simulation
    try:
        simulation = make_simulation(**number_by_field, lengths=length_law, newspaper=newspaper)
        corpus = cache.simulated(simulation)
    except DpldaError as error:
        st.error(literal(str(error)))
        return
    if corpus is not None:
        session.simulate(simulation)
        st.session_state[Key.SOURCE_DONE] = True
        st.rerun()
