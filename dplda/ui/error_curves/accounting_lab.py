"""Both adjacencies side by side, and the accounting lab: what the same noise is worth under every accountant."""

import math
from collections.abc import Callable

import pandas as pd
import streamlit as st

from dplda import figures
from dplda.baselines.accounting import Accountant, Schedule, conversion_in_words, epsilon_of, noise_multiplier_for
from dplda.baselines.settings import VariationalSettings
from dplda.errors import DpldaError
from dplda.privacy.adjacency import Adjacency
from dplda.shown import digits
from dplda.ui.error_curves.chart_view import PLOTLY
from dplda.ui.shell import glossary
from dplda.ui.shell.keys import Key
from dplda.ui.shell.link import delta_text

SIGMAS = (0.8, 1.0, 1.1, 1.24, 1.5, 2.0, 3.0)
DELTAS = (1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3)
MOST_STEPS = 2000
SHOWN = 1.0  # ε of the conversion's example


@st.cache_data(show_spinner="Adding up privacy losses …", max_entries=200)
def epsilons_of(
    sigma: float, rate: float, steps: int, delta: float, adjacency: Adjacency
) -> tuple[tuple[Accountant, float], ...]:
    """ε of one schedule under every accountant; infinite where one cannot say."""
    found = []
    for accountant in Accountant:
        try:
            schedule = Schedule(sigma, rate, steps)
            value = epsilon_of(schedule, delta=delta, accountant=accountant, adjacency=adjacency)
        except DpldaError:  # outside the range of noise for which the accountant's theorem holds
            value = math.inf
        found.append((accountant, value))
    return tuple(found)


@st.cache_data(show_spinner=False, max_entries=50)
def _curves(rate: float, steps: int, delta: float, adjacency: Adjacency) -> dict[Accountant, list[float]]:
    """ε against every multiplier, an accountant a line."""
    found = [dict(epsilons_of(sigma, rate, steps, delta, adjacency)) for sigma in SIGMAS]
    return {accountant: [row[accountant] for row in found] for accountant in Accountant}


@st.cache_data(show_spinner=False, max_entries=50)
def sigma_for(epsilon: float, delta: float) -> float:
    """Noise that DP variational inference gets in a sweep at this budget."""
    settings = VariationalSettings()
    return noise_multiplier_for(
        epsilon=epsilon, delta=delta, sampling_rate=settings.sampling_rate, steps=settings.steps
    )


ADJACENCIES = (Adjacency.REPLACE_ONE, Adjacency.ADD_OR_REMOVE_ONE)


def folded(delta: float) -> None:
    """Both parts, each worked out once it is opened: accountants take seconds when they are first asked."""
    _folded(
        "What is protected: both methods at one adjacency", "balance", Key.LAB_CONVERSION, lambda: _conversion(delta)
    )
    _folded("Accounting lab: the same noise under five accountants", "calculate", Key.LAB, _lab)


def _folded(label: str, icon: str, key: Key, draw: Callable[[], None]) -> None:
    box = st.expander(label, icon=f":material/{icon}:", key=key, on_change="rerun")
    if box.open:
        with box:
            draw()


def _conversion(delta: float) -> None:
    """What protects a replaced document in the sweeps, beside what add-or-remove accounting would say of it."""
    settings = VariationalSettings()
    sigma = sigma_for(SHOWN, delta)
    replaced = dict(epsilons_of(sigma, settings.sampling_rate, settings.steps, delta, Adjacency.REPLACE_ONE))
    added = dict(epsilons_of(sigma, settings.sampling_rate, settings.steps, delta, Adjacency.ADD_OR_REMOVE_ONE))
    st.markdown(
        "Spectral methods and DP variational inference protect the same thing here: **one document replaced by"
        f" another**. {conversion_in_words(Accountant.PLD, Adjacency.REPLACE_ONE)}"
    )
    rows = [
        {
            "accountant": figures.ACCOUNTANT_NAMES[accountant],
            "ε, one document replaced": _epsilon(replaced[accountant]),
            "ε, one added or removed": _epsilon(added[accountant]),
        }
        for accountant in (Accountant.PLD, Accountant.RDP, Accountant.CLASSIC, Accountant.CAPPED)
    ]
    st.dataframe(pd.DataFrame(rows), hide_index=True, width="stretch")
    st.caption(
        f"DP variational inference at ε = {SHOWN:g}, δ = {delta_text(delta)}: {settings.steps} minibatches of"
        f" {settings.sampling_rate:.0%} of the documents, σ = {sigma:.3f}. The first number of the first row is"
        " what every sweep on this page asks for; the others say what the very same noise is called elsewhere."
    )


def _lab() -> None:
    """The same minibatch noise under five accountants, live."""
    glossary.popover("accountant noise_multiplier minibatch adjacency composition")
    first, second, third = st.columns(3)
    documents = first.number_input(
        "Documents D", 1000, 10_000_000, 400_000, step=1000, key=Key.LAB_DOCUMENTS, help="Of the corpus."
    )
    batch = second.number_input(
        "Minibatch S", 10, 1_000_000, 20_000, step=1000, key=Key.LAB_BATCH, help="Mean size: each document by chance."
    )
    epochs = third.number_input(
        "Epochs", 1, 20, 1, step=1, key=Key.LAB_EPOCHS, help="How often each document is taken on average."
    )
    left, right, last = st.columns(3)
    sigma = left.select_slider(
        "Noise multiplier σ", SIGMAS, value=1.24, key=Key.LAB_SIGMA, help="Per unit of one document's bound."
    )
    delta = right.select_slider(
        "Failure chance δ", DELTAS, value=1e-4, format_func=delta_text, key=Key.LAB_DELTA, help="As for any ε."
    )
    adjacency = last.selectbox(
        "Neighbours",
        ADJACENCIES,
        index=ADJACENCIES.index(Adjacency.ADD_OR_REMOVE_ONE),
        key=Key.LAB_ADJACENCY,
        help="The paper adds or removes a document; everything compared on this page replaces one.",
    )
    rate = float(batch) / float(documents)
    steps = max(1, round(float(epochs) / rate)) if rate > 0 else 1
    if rate > 1 or steps > MOST_STEPS:
        st.info(f"Take minibatches no larger than the corpus, and at most {MOST_STEPS:,} of them.")
        return
    marked, chosen = float(sigma or 1.24), Adjacency(adjacency or Adjacency.ADD_OR_REMOVE_ONE)
    curves = _curves(rate, steps, float(delta or 1e-4), chosen)
    st.plotly_chart(
        figures.accountants(SIGMAS, curves, sigma=marked),
        key="lab.accountants",
        alt=figures.accountants_alt(SIGMAS, curves, sigma=marked),
        config=PLOTLY,
    )
    st.caption(
        f"{steps:,} minibatches, each document in each with chance {digits(rate)}. The noise is the same on every line:"
        " only the bookkeeping improves. The capped one looks at few orders, and at none where its line is missing."
    )


def _epsilon(value: float) -> str:
    return f"{value:.3f}" if math.isfinite(value) else "none"
