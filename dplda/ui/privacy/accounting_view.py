"""One budget, added up in several ways: what each asks for, and what it really gives."""

import pandas as pd
import streamlit as st

from dplda import figures
from dplda.core.formatting import digits
from dplda.figures.privacy.accounting import WAYS
from dplda.methods.configurations.variant import NoiseLaw
from dplda.methods.plan import Plan
from dplda.privacy.composition import Needed, compare
from dplda.privacy.release import Status
from dplda.ui.shell import figure_view, glossary, method_choice
from dplda.ui.shell.frame import Experiment

_compare = st.cache_data(show_spinner=False, max_entries=256)(compare)


def accountings(experiment: Experiment, plan: Plan, names: dict[str, str]) -> None:
    """Bars for the quantity with the largest share, and the table of all."""
    glossary.heading("The same budget, added up in four ways", "composition budget epsilon delta noise_scale")
    if plan.variant.law is NoiseLaw.LAPLACE:
        st.caption("Laplace noise spends pure ε, which simply adds up: there is nothing to choose.")
        return
    split = method_choice.split(plan.configuration)
    shares = [share for _, share in split.shares]
    needed = _compare(plan.epsilon, plan.delta, tuple(shares))
    largest = shares.index(max(shares))
    label = names.get(split.quantities[largest], split.quantities[largest])
    left, right = st.columns(2, gap="medium")
    with left:
        figure = figures.accounting(needed, largest, name=label.split(" · ")[0])
        figure_view.draw(figure, "privacy.accounting", tools=not experiment.sensitive)
    with right:
        st.table(pd.DataFrame([_row(one, largest) for one in needed]).set_index("way of adding up"))
    spent = f"ε = {digits(needed[0].true_epsilon)} where {plan.epsilon:g} is allowed"
    if plan.variant.status is Status.PROVEN:
        said = f"Noise added up the paper's way spends only {spent}: what is left is noise for nothing."
    else:
        said = (
            f"Added up the paper's way, noise would spend {spent} if no"
            f" {experiment.corpus.unit} moved anything further than printed."
            " That is not proven: where one does, more is spent, and Proofs works out how much at least."
        )
    st.caption(f"{said} Exact composition spends all of it. Every quantity of the split is taken as Gaussian here.")


def _row(one: Needed, largest: int) -> dict[str, str]:
    return {
        "way of adding up": WAYS[one.accounting],
        "least and most noise": f"{digits(min(one.multipliers))} to {digits(max(one.multipliers))}",
        "ε spent at these sensitivities": digits(one.true_epsilon),
    }
