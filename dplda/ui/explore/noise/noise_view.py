"""Where noise enters: the flow graph with its numbers, and all that follows from a plan, or a method's own picture."""

from collections.abc import Callable

import streamlit as st

from dplda.core.errors import DpldaError, NoTopics
from dplda.figures.flows import edge_numbers
from dplda.figures.flows.edge_numbers import EdgeNumbers
from dplda.methods.method import Method
from dplda.methods.plan import Plan
from dplda.ui.explore.noise import flow_view, noise_tables, split_view
from dplda.ui.explore.preview import preview
from dplda.ui.literal import literal
from dplda.ui.shell import findings
from dplda.ui.shell.frame import Experiment, Header, of_method
from dplda.ui.state import cache
from dplda.ui.state.keys import Key


def header(experiment: Experiment) -> Header:
    """What the page shows: a plan, or the edges chosen instead; elsewhere the method."""
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
    """The graph beside its edges and the split, and below what is asked for."""
    left, right = st.columns([3, 2], gap="medium")
    found, why = None, ""
    with left:
        picture, below = st.container(), st.container()
        with below:  # a first fit shows its progress
            try:
                found = preview(experiment, plan)
            except NoTopics as error:
                why = f"Noise is compared with an un-noised spectrum, and there is none: {error}"
                st.info(literal(why))
            except DpldaError as error:
                why = str(error)
                st.error(literal(why))
    rows = () if found is None else found.rows
    with picture:
        edges = flow_view.verdict(plan).edges
        numbers = edge_numbers.refused(edges, why) if why else edge_numbers.of_table(rows)
        flow_view.draw(plan, numbers, watermark=experiment.watermark)
    with right:
        flow_view.choose(plan)
        split_view.controls(plan, rows)
    if found is not None:
        _closer(
            "plan",
            {
                "Every number": lambda: noise_tables.edges(rows, plan.variant.status, experiment.corpus.unit),
            },
            first="Every number",
        )


def _own(experiment: Experiment, method: Method) -> None:
    """The picture of a method whose edges are not to choose, and what is known of its noise before a run."""
    corpus, settings = experiment.corpus, experiment.settings
    if method.flow is None:
        st.markdown(
            f"{method.summary} Edges to choose, a budget to divide, theorems on the error and its prediction belong to"
            f" the spectral configurations: **{method.title}** has none of them."
        )
        st.info("There is no picture of where this method's noise enters: Topics lists what it releases.")
        return
    numbers: tuple[EdgeNumbers, ...] = ()
    views: dict[str, Callable[[], None]] = {}
    if method.planned is not None:
        planned = method.planned(settings.problem, settings.budget, corpus.n_documents, corpus.n_words)
        numbers = edge_numbers.of_planned(planned)
        views["Every number"] = lambda: noise_tables.releases(planned, corpus.unit)
        if len(planned) > 1:  # with one release there are no topics
            views["What a run showed"] = lambda: _topic_count(experiment)
    if method.minibatches is not None:
        noise = method.minibatches(settings.budget, corpus.n_documents, corpus.n_words)
        numbers = edge_numbers.of_minibatches(method.flow.noised[0], noise)
        views["Every number"] = lambda: noise_tables.minibatches(noise, corpus.unit)
    flow_view.own(method.flow, method.status, numbers, method.summary)
    _closer(method.name, views)


def _closer(name: str, views: dict[str, Callable[[], None]], first: str | None = None) -> None:
    """One of several views, of which only that one is worked out, or none."""
    chosen = st.segmented_control(
        "Look closer",
        list(views),
        default=first,
        key=f"{Key.PRIVACY_VIEW}.{name}",
        persist_state="session",
    )
    if chosen is not None:
        with st.container():
            views[chosen]()


def _topic_count(experiment: Experiment) -> None:
    """How topics of the run on the Topics page differ, and how mixed documents are, where one was made."""
    found = cache.kept(experiment.corpus, experiment.settings)
    if found is None:
        st.caption("This is known after a run. Open Topics to make one.")
    elif found.uncertainty is not None:
        findings.topic_count(found.uncertainty)
        findings.mixing(found.uncertainty)
        findings.offer_mixing(found.uncertainty, place="privacy")
