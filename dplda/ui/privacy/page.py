"""Where noise enters: the flow graph and all that follows from a plan, or a method's own picture."""

import streamlit as st

from dplda.plan import Plan
from dplda.ui.privacy import (
    accounting_view,
    edge_view,
    error_view,
    flow_view,
    minibatch_view,
    own_flow_view,
    pin_view,
    planned_view,
    split_view,
)
from dplda.ui.shell import cache, topic_count
from dplda.ui.shell.frame import Experiment, Header, of_method
from dplda.ui.shell.preview import preview


def header(experiment: Experiment) -> Header:
    """What the page shows: a plan, or the edges chosen instead; elsewhere the method."""
    plan = experiment.settings.plan
    return of_method(experiment) if plan is None else flow_view.header(experiment, plan)


def show(experiment: Experiment) -> None:
    """Draw where the chosen method puts its noise."""
    plan = experiment.settings.plan
    if plan is not None:
        flow_view.choose(plan)
        _below(experiment, plan)
        return
    method, corpus = experiment.settings.method, experiment.corpus
    summary = (
        f"{method.summary} Edges to choose, a budget to divide, theorems on the error and its prediction belong to"
        f" the spectral configurations: **{method.title}** has none of them."
    )
    if method.flow is None:
        st.markdown(summary)
        st.info("There is no picture of where this method's noise enters: Topics lists what it releases.")
        return
    own_flow_view.show(method.flow, method.status)
    st.markdown(summary)
    if method.planned is not None:
        planned_view.table(method.planned(experiment.settings, corpus.n_documents, corpus.n_words))
        _topic_count(experiment)
    if method.minibatches is not None:
        minibatch_view.show(method.minibatches(experiment.settings, corpus.n_documents))
    error_view.not_predicted(method.title)


def _below(experiment: Experiment, plan: Plan) -> None:
    """Draw the table of edges, the split, the ways of adding up, the errors, and two plans side by side."""
    found = preview(experiment, plan)
    rows = () if found is None else found.rows
    if rows:
        edge_view.table(rows, plan.variant.status)
    split_view.controls(experiment, plan, rows, found)
    accounting_view.accountings(experiment, plan, {row.name: row.symbol for row in rows})
    if found is not None:
        error_view.errors(experiment, found)
        pin_view.plans(experiment, found)


def _topic_count(experiment: Experiment) -> None:
    """How many topics the run on the Topics page told apart, where one was made."""
    found = cache.kept(experiment.corpus, experiment.settings)
    if found is None:
        st.caption("How many topics these documents carry at this ε is known after a run, which Topics makes.")
    elif found.uncertainty is not None:
        topic_count.headline(found.uncertainty)
        topic_count.offer(found.uncertainty, place="privacy")
