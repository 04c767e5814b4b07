"""Where noise enters: the flow graph with edges to choose, or a method's own graph."""

from dataclasses import dataclass, replace

import streamlit as st

from dplda import figures
from dplda.core.errors import DpldaError, NoTopics
from dplda.figures.flows import edge_numbers
from dplda.figures.flows.edge_numbers import EdgeNumbers
from dplda.flow import Flow, leak_sentences
from dplda.methods.base.method import Method
from dplda.methods.base.noise_forecast import ForecastRelease
from dplda.methods.configurations.chain.noise_table import EdgeNoise, edge_noise
from dplda.methods.configurations.plan import Plan
from dplda.methods.configurations.verdict import EdgeVerdict, judge_without_edge
from dplda.methods.dpvi.minibatch_run import MinibatchNoise
from dplda.methods.dpvi.variational_methods import forecast_minibatches
from dplda.theory.theorems.spectrum import Spectrum
from dplda.ui.explore import budget_split, edge_choice, noise_tables
from dplda.ui.explore.bounds import symbol_numbers
from dplda.ui.literal import literal
from dplda.ui.shell import figure_view
from dplda.ui.shell.frame import Header, LoadedExperiment, describe_method
from dplda.ui.state import cache, session
from dplda.ui.state.keys import Key
from dplda.ui.state.link import EDGES_KEY

GRAPH_HEIGHT = 585  # pixels: with less, three lines of a label would touch the boxes
NUMBERS = "Numbers of every edge"
WITHOUT_HELP = "Shows how data would leak. Every run keeps its noise."


def header(loaded: LoadedExperiment) -> Header:
    """Make the header: the method and its guarantee, or the verdict on the chosen edges.

    Edges in a new address are chosen first. The verdict is shown only if the edges match no
    configuration; such edges are kept in the address, others are removed from it.
    """
    method_header = describe_method(loaded)
    plan = loaded.experiment.plan
    if plan is None:
        session.write({EDGES_KEY: None})
        return method_header
    edge_choice.read_address(plan)
    edge_verdict = edge_choice.judge(plan)
    if edge_verdict.configuration:
        session.write({EDGES_KEY: None})
        return method_header
    session.write({EDGES_KEY: "_".join(edge_verdict.edges)})
    return replace(method_header, claim=edge_verdict)


def draw(loaded: LoadedExperiment) -> None:
    """Draw where the chosen method puts its noise.

    A configuration has a graph with a choice of edges, another method its own fixed flow. A method
    without a flow gets its summary and a message.
    """
    plan = loaded.experiment.plan
    method = loaded.experiment.registered_method
    if plan is not None:
        _draw_configuration(loaded, plan)
    elif method.flow is not None:
        _draw_own_flow(loaded, method, method.flow)
    else:
        st.markdown(method.summary)
        st.info(
            f"There is no picture of where **{method.title}** puts its noise. Topics lists what it"
            " releases."
        )


def _draw_configuration(loaded: LoadedExperiment, plan: Plan) -> None:
    """Draw the graph of a configuration, the choice of edges, the budget split and tables.

    A click on an edge of the graph chooses it. The graph has no numbers if the chosen edges match
    no configuration, and the reason in their place if the noise cannot be worked out. If they match
    one, a figure of each edge's share stands beside it.
    """
    edge_verdict = edge_choice.judge(plan)
    left_column, right_column = st.columns([3, 2], gap="medium")
    with left_column:
        graph_place, below_graph = st.container(), st.container()
        with below_graph:  # a first fit shows its progress
            forecast = _forecast_noise(loaded, plan)
    edge_texts = edge_numbers.of_table(forecast.rows)
    if forecast.refusal:
        edge_texts = edge_numbers.refused(edge_verdict.edges, forecast.refusal)
    caption_place = right_column.container()
    with graph_place:
        figure_view.draw_flow_graph(
            edge_verdict,
            edge_texts if edge_verdict.configuration else (),
            key=Key.GRAPH,
            watermark=loaded.watermark,
            on_select=edge_choice.toggle_clicked_edges,
            max_height=GRAPH_HEIGHT,
            caption_place=caption_place,
        )
    with right_column:
        edge_choice.draw(edge_verdict, plan.configuration)
        if edge_verdict.configuration:
            _draw_shares(edge_verdict.flow, edge_texts, watermark=loaded.watermark)
        with st.expander("Divide the budget", icon=":material/tune:"):
            budget_split.draw(plan, forecast.rows)
    _draw_configuration_tables(loaded, plan, forecast)


@dataclass(frozen=True, slots=True)
class _Forecast:
    """Noise of a plan before it runs.

    Attributes:
        rows: one for each quantity; empty where it was refused or canceled.
        refusal: why there is none; empty if there is, or it was canceled.
        spectrum: of the documents, on which the noise rests; None without rows.
    """

    rows: tuple[EdgeNoise, ...] = ()
    refusal: str = ""
    spectrum: Spectrum | None = None


def _draw_configuration_tables(loaded: LoadedExperiment, plan: Plan, forecast: _Forecast) -> None:
    """Draw an expander with a table of the noise, and the numbers of the paper's symbols.

    Draws nothing if nothing is known of the noise; the symbols need the spectrum, too.
    """
    if not forecast.rows:
        return
    with st.expander(NUMBERS, icon=":material/tag:"):
        noise_tables.draw_edges(forecast.rows, plan.variant.status, loaded.corpus.unit)
        if forecast.spectrum is not None:
            symbol_numbers.draw(forecast.spectrum, plan, n_documents=loaded.corpus.n_documents)


def _forecast_noise(loaded: LoadedExperiment, plan: Plan) -> _Forecast:
    """Forecast the noise of a configuration, without a run.

    The forecast is empty if the fit for its spectrum was canceled. If it is refused, it holds only
    the reason, which is drawn, too.
    """
    corpus = loaded.corpus
    problem = loaded.experiment.problem
    try:
        spectrum = cache.spectrum(corpus, loaded.experiment)
        if spectrum is None:
            return _Forecast()
        noise_rows = edge_noise(
            plan,
            n_documents=corpus.n_documents,
            n_words=corpus.n_words,
            n_topics=problem.n_topics,
            alpha0=problem.alpha0,
            spectrum=spectrum,
            mean_length=cache.mean_length(corpus),
        )
    except NoTopics as error:
        reason = str(error)
        refusal = (
            "Noise is compared with the topics without noise, and there are none."
            f" {reason[:1].upper()}{reason[1:]}"
        )
        st.info(literal(refusal))
        return _Forecast(refusal=refusal)
    except DpldaError as error:
        st.error(literal(str(error)))
        return _Forecast(refusal=str(error))
    return _Forecast(noise_rows, spectrum=spectrum)


def _draw_own_flow(loaded: LoadedExperiment, method: Method, flow: Flow) -> None:
    """Draw the flow of a method with fixed edges, the question what would leak, and costs.

    The question and a figure of each edge's share stand beside the flow. Costs are forecast by
    release or by minibatch, for methods that can.
    """
    forecast_releases = _forecast_releases(loaded, method)
    minibatch_noise = _forecast_minibatches(loaded, method)
    edge_texts: tuple[EdgeNumbers, ...] = ()
    if forecast_releases is not None:
        edge_texts = edge_numbers.of_planned(forecast_releases)
    if minibatch_noise is not None:
        edge_texts = edge_numbers.of_minibatches(flow.noised[0], minibatch_noise)
    left_column, right_column = st.columns([3, 2], gap="medium")
    with right_column:
        caption_place = st.container()
        edge_verdict = _draw_edge_question(method, flow)
        _draw_shares(flow, edge_texts)
    with left_column:
        figure_view.draw_flow_graph(
            edge_verdict,
            edge_texts,
            key="privacy.flow",
            max_height=GRAPH_HEIGHT,
            caption_place=caption_place,
        )
    _draw_costs(method, forecast_releases, minibatch_noise, loaded.corpus.unit)


def _draw_shares(flow: Flow, edge_texts: tuple[EdgeNumbers, ...], *, watermark: str = "") -> None:
    """Draw bars of the budget's shares, where there are several; a phone hides them.

    There the labels of the graph say the same.

    Args:
        edge_texts: whose colors depend on the documents for a configuration, as its noise is
            compared with their topics.
        watermark: written across the bars then; empty for none.
    """
    figure = figures.budget_bars(flow, edge_texts, watermark=watermark)
    if figure is not None:
        with st.container(key=Key.NOISE_SHARES, height="stretch"):
            figure_view.draw(figure, f"{Key.NOISE_SHARES}.bars", has_save_button=False, fills=True)


def _draw_edge_question(method: Method, flow: Flow) -> EdgeVerdict:
    """Draw the choice of an edge without noise, and below it what leaks; return the verdict.

    While no edge is chosen, draws the verdict on the method itself.
    """
    edge_without_noise = _choose_edge_without_noise(flow)
    edge_verdict = judge_without_edge(flow, edge_without_noise, method.status)
    if edge_without_noise is None:
        figure_view.draw_verdict(edge_verdict)
    else:
        _draw_leaks(flow, edge_without_noise, leak_sentences(edge_verdict.edges, flow))
    return edge_verdict


def _draw_costs(
    method: Method,
    releases: tuple[ForecastRelease, ...] | None,
    minibatches: MinibatchNoise | None,
    protected_unit: str,
) -> None:
    """Draw, folded, a method's summary and a table of each forecast that it has."""
    with st.expander(NUMBERS, icon=":material/tag:"):
        st.markdown(method.summary)
        if releases is not None:
            noise_tables.draw_releases(releases, protected_unit)
        if minibatches is not None:
            noise_tables.draw_minibatches(minibatches, protected_unit)


def _forecast_releases(
    loaded: LoadedExperiment, method: Method
) -> tuple[ForecastRelease, ...] | None:
    """Noise of a method's releases, forecast from public numbers alone.

    None for a method that says nothing before it runs.
    """
    if method.forecast_noise is None:
        return None
    corpus, experiment = loaded.corpus, loaded.experiment
    return method.forecast_noise(
        experiment.problem, experiment.budget, corpus.n_documents, corpus.n_words
    )


def _forecast_minibatches(loaded: LoadedExperiment, method: Method) -> MinibatchNoise | None:
    """Noise of a method's minibatches; None for a method without any."""
    if not method.uses_minibatches:
        return None
    corpus, budget = loaded.corpus, loaded.experiment.budget
    return forecast_minibatches(method, budget, corpus.n_documents, corpus.n_words)


def _choose_edge_without_noise(flow: Flow) -> str | None:
    """Draw the question what would leak if one edge had no noise, and return the edge.

    Returns None while none is chosen.
    """

    def describe_edge(edge: str) -> str:
        arrow = flow.arrow(edge)
        return f"{arrow.label} · {arrow.carries.removeprefix('the ')}"

    return st.pills(
        "What if one edge had no noise?",
        [str(edge) for edge in flow.noised],
        format_func=describe_edge,
        key=Key.WITHOUT,
        wrap=True,
        help=WITHOUT_HELP,
    )


def _draw_leaks(flow: Flow, edge: str, leaks: tuple[str, ...]) -> None:
    """Say which paths would leak without noise on an edge."""
    n_paths = "one path" if len(leaks) == 1 else f"{len(leaks)} paths"
    label = flow.arrow(edge).label
    heading = f"**Without noise on {label}**, {n_paths} would leak. No run does this."
    st.error("\n".join([heading, "", *(f"- {path}" for path in leaks)]), icon=figure_view.LEAK)
