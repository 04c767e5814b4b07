"""Regimes: which method has the smallest error where, and how much data or ε a target error needs."""

import streamlit as st

from dplda.ui.compare.regimes import axes_choice, check_view, inverse_view, map_view
from dplda.ui.shell.frame import Experiment, Header, of_documents, of_model
from dplda.ui.state.link import delta_text, epsilon_text


def header(experiment: Experiment) -> Header:
    """The experiment's public numbers: all methods are compared at them, and no document is looked at."""
    settings = experiment.settings
    budget = (f"ε {epsilon_text(settings.budget.epsilon)}", f"δ {delta_text(settings.budget.delta)}")
    line = (*of_documents(experiment), *of_model(experiment), *budget, f"noise seed {settings.seed}")
    return Header(line, on_documents=False)


def draw(experiment: Experiment) -> None:
    """The map, its controls, and the questions that follow."""
    picture = st.container()
    chosen = axes_choice.choose(experiment)
    if chosen is None:
        return
    grid, methods = chosen
    with picture:
        map_view.draw(experiment, grid, methods)
    inverse_view.ask(experiment)
    check_view.check(experiment, methods)
