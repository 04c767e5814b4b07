"""Where noise enters: the flow graph with its numbers, and all that follows from a plan, or a method's own picture."""

import streamlit as st

from dplda.core.errors import DpldaError, NoTopics
from dplda.figures.flows import edge_numbers
from dplda.figures.flows.edge_numbers import EdgeNumbers
from dplda.methods.chain.noise_table import EdgeNoise, edge_noise
from dplda.methods.method import Method
from dplda.methods.plan import Plan
from dplda.ui.explore.noise import flow_view, noise_tables, split_view
from dplda.ui.literal import literal
from dplda.ui.shell.frame import Experiment, Header, of_method
from dplda.ui.state import cache

NUMBERS = "Numbers of every edge"


def header(experiment: Experiment) -> Header:
    """What the view shows: a plan, or the edges chosen instead; elsewhere the method."""
    plan = experiment.settings.plan
    return of_method(experiment) if plan is None else flow_view.header(experiment, plan)


def draw(experiment: Experiment) -> None:
    """Draw where the chosen method puts its noise."""
    plan = experiment.settings.plan
    if plan is None:
        _own(experiment, experiment.settings.method)
    else:
        _planned(experiment, plan)


def _planned(experiment: Experiment, plan: Plan) -> None:
    """The graph beside its edges, and folded the split and every number."""
    left, right = st.columns([3, 2], gap="medium")
    rows: tuple[EdgeNoise, ...] = ()
    why = ""
    with left:
        picture, below = st.container(), st.container()
        with below:  # a first fit shows its progress
            try:
                rows = _rows(experiment, plan)
            except NoTopics as error:
                why = f"Noise is compared with the topics without noise, and there are none. {error}"
                st.info(literal(why))
            except DpldaError as error:
                why = str(error)
                st.error(literal(why))
    with picture:
        edges = flow_view.verdict(plan).edges
        numbers = edge_numbers.refused(edges, why) if why else edge_numbers.of_table(rows)
        flow_view.draw(plan, numbers, watermark=experiment.watermark)
    with right:
        flow_view.choose(plan)
        with st.expander("Divide the budget", icon=":material/tune:"):
            split_view.controls(plan, rows)
    if rows:
        with st.expander(NUMBERS, icon=":material/tag:"):
            noise_tables.edges(rows, plan.variant.status, experiment.corpus.unit)


def _rows(experiment: Experiment, plan: Plan) -> tuple[EdgeNoise, ...]:
    """What is known of the noise without running the plan; nothing where the un-noised fit was cancelled."""
    corpus, problem = experiment.corpus, experiment.settings.problem
    noiseless = cache.noiseless(corpus, experiment.settings)
    if noiseless is None:
        return ()
    return edge_noise(
        plan,
        n_documents=corpus.n_documents,
        n_words=corpus.n_words,
        n_topics=problem.n_topics,
        alpha0=problem.alpha0,
        spectrum=noiseless.spectrum,
        mean_length=noiseless.mean_length,
    )


def _own(experiment: Experiment, method: Method) -> None:
    """The picture of a method whose edges are not to choose, and what is known of its noise before a run."""
    corpus, settings = experiment.corpus, experiment.settings
    if method.flow is None:
        st.markdown(method.summary)
        st.info(f"There is no picture of where **{method.title}** puts its noise. Topics lists what it releases.")
        return
    numbers: tuple[EdgeNumbers, ...] = ()
    planned = noise = None
    if method.planned is not None:
        planned = method.planned(settings.problem, settings.budget, corpus.n_documents, corpus.n_words)
        numbers = edge_numbers.of_planned(planned)
    if method.minibatches is not None:
        noise = method.minibatches(settings.budget, corpus.n_documents, corpus.n_words)
        numbers = edge_numbers.of_minibatches(method.flow.noised[0], noise)
    flow_view.own(method.flow, method.status, numbers, method.summary)
    with st.expander(NUMBERS, icon=":material/tag:"):
        if planned is not None:
            noise_tables.releases(planned, corpus.unit)
        if noise is not None:
            noise_tables.minibatches(noise, corpus.unit)
