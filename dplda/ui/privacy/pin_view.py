"""Two plans side by side: the one pinned, frozen as it was, and the one in force."""

import math
from dataclasses import dataclass

import pandas as pd
import streamlit as st

from dplda.core.formatting import digits
from dplda.figures.flows.edge_numbers import standing
from dplda.methods.chain.noise_table import EdgeNoise
from dplda.theory.prediction.curves import ErrorCurve
from dplda.theory.theorems.at_budget import BOUNDED
from dplda.ui.literal import literal
from dplda.ui.shell import link, session
from dplda.ui.shell.frame import Experiment
from dplda.ui.shell.keys import Key
from dplda.ui.shell.preview import Preview, at, bounded, predicted
from dplda.ui.shell.sidebar import method_title

PREDICTED = "Mean L1 distance from the truth to expect; lower is better. Only proven Gaussian plans have a predictor."
BOUND = "The paper's expression for noise as published, constant 1; above √2 it says nothing."


@dataclass(frozen=True, slots=True)
class Pinned:
    """A plan and what was known of it when it was pinned."""

    title: str
    corpus: str
    rows: tuple[EdgeNoise, ...]
    predicted: float
    bound: float
    sensitive: bool


def plans(experiment: Experiment, found: Preview) -> None:
    """Draw the button, and both plans once one is pinned."""
    now = _frozen(experiment, found)
    with st.container(horizontal=True):
        st.button(
            "Pin this plan",
            icon=":material/keep:",
            key=Key.PIN,
            on_click=session.put,
            args=(Key.PINNED, now),
            help="Keeps a frozen copy of the plan in force, to compare with whatever comes next.",
        )
        kept = _kept(experiment)
        if kept is not None:
            st.button(
                "Unpin",
                icon=":material/keep_off:",
                key=Key.UNPIN,
                on_click=session.put,
                args=(Key.PINNED, None),
                help="Forgets the pinned plan.",
            )
    if kept is None:
        st.caption("Pin the plan in force, then change ε, split or configuration: both stay in view.")
        return
    left, right = st.columns(2, gap="medium")
    with left:
        _column("Pinned", kept, None)
    with right:
        _column("In force", now, kept)


def _kept(experiment: Experiment) -> Pinned | None:
    """The pinned plan; one from a sensitive corpus is forgotten where no banner stands above it."""
    kept: Pinned | None = st.session_state.get(Key.PINNED)
    if kept is not None and kept.sensitive and not experiment.sensitive:
        session.put(Key.PINNED, None)
        return None
    return kept


def _column(heading: str, shown: Pinned, other: Pinned | None) -> None:
    st.markdown(f"**{heading}**: {shown.title}")
    st.caption(shown.corpus)
    with st.container(horizontal=True):
        _metric("Predicted L1 error", shown.predicted, other.predicted if other else math.nan, PREDICTED)
        _metric("Theorem's bound", shown.bound, other.bound if other else math.nan, BOUND)
    rows = [
        {
            "quantity": row.symbol,
            "edge": row.edge.value,
            "share": f"{row.share:.1%}",
            "noise scale": digits(row.scale),
            "signal to noise": digits(row.signal_to_noise),
            "in words": str(standing(row)),
        }
        for row in shown.rows
    ]
    st.table(pd.DataFrame(rows).set_index("quantity"))


def _metric(label: str, value: float, before: float, help_text: str) -> None:
    change = value - before
    delta = f"{change:+.3g}" if math.isfinite(change) and change else None
    shown = digits(value) if math.isfinite(value) else "none"
    st.metric(label, shown, delta, delta_color="inverse", border=True, help=help_text)


def _frozen(experiment: Experiment, found: Preview) -> Pinned:
    plan, corpus, shape = found.plan, experiment.corpus, found.shape
    title = method_title(experiment.settings)
    return Pinned(
        title=f"{title}, ε {link.epsilon_text(plan.epsilon)}, δ {link.delta_text(plan.delta)}",
        corpus=(
            f"{literal(corpus.name)}, N {shape.n_documents:,}, d {shape.n_words:,}, k {shape.n_topics},"
            f" α₀ {shape.alpha0:g}"
        ),
        rows=found.rows,
        predicted=at(predicted(experiment, found.noiseless, plan), plan.epsilon),
        bound=at(_bound(experiment, found), plan.epsilon),
        sensitive=experiment.sensitive,
    )


def _bound(experiment: Experiment, found: Preview) -> ErrorCurve | None:
    name = found.plan.configuration
    return bounded(experiment, found.noiseless, found.plan, name) if name in BOUNDED else None
