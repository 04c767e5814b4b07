"""The ledger: what is left of every dataset, and a form to declare another."""

import math

import pandas as pd
import streamlit as st

from dplda.core.errors import DpldaError
from dplda.privacy.odds import remaining
from dplda.release.folder import Folder
from dplda.release.ledger import DELTA_UNITS, DOCUMENT, EPSILON_UNITS, PERSON, Ledger
from dplda.ui.literal import literal
from dplda.ui.state import session
from dplda.ui.state.keys import Key
from dplda.ui.state.link import delta_text

DELTAS = (1e-9, 1e-8, 1e-7, 1e-6, 1e-5)


def draw(ledger: Ledger | None, cost: float) -> None:
    """Balances and the form, whose cap is enough for a release at this ε."""
    st.header("Ledger", anchor=False)
    first_one = ledger is None or not ledger.datasets()
    if ledger is None or first_one:
        st.markdown(
            "Nothing is declared yet. A dataset is a name and a cap: the most ε and δ that may ever be spent on its"
            " documents. Every release is charged to one before noise is drawn."
        )
    else:
        _standing(ledger)
    with st.expander("Declare a dataset", icon=":material/add:", expanded=first_one):
        name = st.text_input("Name", max_chars=80, key=Key.LEDGER_NAME)
        first, second = st.columns(2)
        enough = min(100.0, max(3.0, math.ceil(10 * cost) / 10))  # a cap is never raised
        epsilon = first.number_input("Cap of ε", 0.1, 100.0, enough, key=f"{Key.LEDGER_EPSILON}.{enough}")
        delta = second.select_slider("Cap of δ", DELTAS, 1e-6, format_func=delta_text, key=Key.LEDGER_DELTA)
        protects = st.radio(
            "Protected",
            [DOCUMENT, PERSON],
            format_func=lambda unit: f"one {unit}",
            horizontal=True,
            key=Key.LEDGER_PROTECTS,
            help="A person is protected with all documents, which are then read as one; documents have to come with a"
            " column that says whose they are.",
        )
        given = (name, float(epsilon), float(delta), str(protects))
        st.button("Declare", key=Key.LEDGER_DECLARE, on_click=_declare, args=given)
        st.caption("A cap can be lowered later (dplda ledger lower), never raised; what is protected stays.")


def _declare(name: str, epsilon: float, delta: float, protects: str) -> None:
    try:
        Ledger(Folder()).declare(name.strip(), epsilon=epsilon, delta=delta, protects=protects)
    except DpldaError as error:
        session.notice(str(error))


def _standing(ledger: Ledger) -> None:
    held = {name: ledger.balance(name) for name in ledger.datasets()}
    rows = pd.DataFrame(
        {
            "Dataset": list(held),
            "Protects": [f"one {ledger.protects(name)}" for name in held],
            "ε left": [remaining(one.left[0]) for one in held.values()],
            "of": [remaining(one.cap[0] / EPSILON_UNITS) for one in held.values()],
            "δ left": [remaining(one.left[1]) for one in held.values()],
            "of ": [remaining(one.cap[1] / DELTA_UNITS) for one in held.values()],
        }
    )
    st.dataframe(rows, hide_index=True)
    faults = ledger.faults()
    if faults:
        st.error("The ledger was tampered with or damaged: " + literal("; ".join(faults)))
    else:
        st.caption("Ledger checked: nothing missing, nothing over budget.")
