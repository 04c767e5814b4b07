"""Where noise enters: the flow graph with its numbers and edges to choose, or a method's own picture."""

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from dplda.core.errors import DpldaError, NoTopics
from dplda.figures.flows import edge_numbers
from dplda.figures.flows.edge_numbers import EdgeNumbers
from dplda.flow import Flow, leak_sentences
from dplda.methods.base.method import Method
from dplda.methods.configurations import REGISTRY
from dplda.methods.configurations import split as splits
from dplda.methods.configurations.chain.noise_table import EdgeNoise, edge_noise
from dplda.methods.configurations.plan import Plan
from dplda.methods.configurations.verdict import EdgeVerdict, judge_edges, judge_without_edge
from dplda.ui.explore import noise_tables
from dplda.ui.literal import literal
from dplda.ui.shell import figure_view, method_choice
from dplda.ui.shell.frame import Header, LoadedExperiment, describe_method
from dplda.ui.state import cache, session
from dplda.ui.state.keys import Key
from dplda.ui.state.link import EDGES, EDGES_KEY, read_edges

NUMBERS = "Numbers of every edge"


def header(experiment: LoadedExperiment) -> Header:
    """A header with the method and its guarantee, or the verdict on chosen edges that match no configuration."""
    known, plan = describe_method(experiment), experiment.settings.plan
    asked = st.query_params.get(EDGES_KEY) if session.address_changed() else None
    if plan is not None and asked is not None and (edges := read_edges(asked)) is not None:
        session.put(Key.EDGES_OF, plan.configuration)
        session.put(Key.EDGES, edges)
    found = None if plan is None else _verdict(plan)
    if found is None or found.configuration:
        session.write({EDGES_KEY: None})
        return known
    session.write({EDGES_KEY: "_".join(found.edges)})
    return replace(known, claim=found)


def draw(experiment: LoadedExperiment) -> None:
    """Draw where the chosen method puts its noise."""
    plan, method = experiment.settings.plan, experiment.settings.registered_method
    if plan is not None:
        _planned(experiment, plan)
    elif method.flow is not None:
        _own(experiment, method, method.flow)
    else:
        st.markdown(method.summary)
        st.info(
            f"There is no picture of where **{method.title}** puts its noise. Topics lists what it releases."
        )


def _planned(experiment: LoadedExperiment, plan: Plan) -> None:
    left, right = st.columns([3, 2], gap="medium")
    rows: tuple[EdgeNoise, ...] = ()
    why, found = "", _verdict(plan)
    with left:
        picture, below = st.container(), st.container()
        with below:  # a first fit shows its progress
            try:
                rows = _rows(experiment, plan)
            except NoTopics as error:
                why = (
                    f"Noise is compared with the topics without noise, and there are none. {error}"
                )
                st.info(literal(why))
            except DpldaError as error:
                why = str(error)
                st.error(literal(why))
    with picture:
        numbers = edge_numbers.refused(found.edges, why) if why else edge_numbers.of_table(rows)
        known = numbers if found.configuration else ()
        figure_view.draw_flow_graph(
            found, known, key=Key.GRAPH, watermark=experiment.watermark, on_select=_clicked
        )
    with right:
        _choose(found, plan.configuration)
        with st.expander("Divide the budget", icon=":material/tune:"):
            _split(plan, rows)
    if rows:
        with st.expander(NUMBERS, icon=":material/tag:"):
            noise_tables.edges(rows, plan.variant.status, experiment.corpus.unit)


def _rows(experiment: LoadedExperiment, plan: Plan) -> tuple[EdgeNoise, ...]:
    """The noise as far as it is known without running the plan; empty if the un-noised fit was canceled."""
    corpus, problem = experiment.corpus, experiment.settings.problem
    spectrum = cache.spectrum(corpus, experiment.settings)
    if spectrum is None:
        return ()
    return edge_noise(
        plan,
        n_documents=corpus.n_documents,
        n_words=corpus.n_words,
        n_topics=problem.n_topics,
        alpha0=problem.alpha0,
        spectrum=spectrum,
        mean_length=max(1.0, float(corpus.lengths.mean())),
    )


PERCENT = 100 / splits.N_STEPS


def _split(plan: Plan, rows: Sequence[EdgeNoise]) -> None:
    """Draw sliders, locks and ready-made divisions. Moving a share takes from the others, but not from locked ones."""
    split = method_choice.current_split(plan.configuration)
    names = {row.name: f"{row.symbol} · {row.quantity}" for row in rows}
    with st.container(gap="xxsmall"):
        for quantity in split.quantities:
            _slider(plan, split, quantity, names.get(quantity, quantity))
    besides = {beside.name for beside in plan.variant.extra_releases}
    for row in rows:
        if (
            row.name in besides and row.share >= 0.0005
        ):  # what goes on words before, from public numbers
            st.caption(
                f"{row.symbol} · {row.quantity} take {row.share:.1%} of the budget. These divide the rest."
            )
    ready_made = {
        "Default split": splits.default_split(plan.variant),
        "Equal shares": splits.equal_split(plan.variant.names),
    }
    with st.container(horizontal=True):
        for label, chosen in ready_made.items():
            args = (plan.configuration, chosen)
            st.button(
                label, key=f"{Key.SHARE}.{label}", on_click=method_choice.set_split, args=args
            )


def _slider(plan: Plan, split: splits.Split, quantity: str, label: str) -> None:
    locked = quantity in split.locked
    key, lock = f"{Key.SHARE}.{quantity}", f"{Key.LOCK}.{quantity}"
    st.session_state[key] = round(100 * split[quantity], 1)
    st.session_state[lock] = locked
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.slider(
            label,
            min_value=100 * splits.MIN_SHARE,
            max_value=100 - PERCENT,
            step=PERCENT,
            format="%.1f %%",
            key=key,
            disabled=locked or len(split.locked) >= len(split.quantities) - 1,
            on_change=_move,
            args=(plan.configuration, quantity),
            help=f"Its share of {plan.variant.unit}. A larger share means less noise here and more on the others.",
        )
        st.toggle(
            f"Lock {label.split(' · ')[0]}",
            key=lock,
            on_change=_lock,
            args=(plan.configuration, quantity),
            width="content",
            help="Keeps this share while you move the others.",
        )


def _move(configuration: str, quantity: str) -> None:
    split = method_choice.current_split(configuration)
    low, high = splits.allowed_range(split, quantity)
    wanted = float(st.session_state[f"{Key.SHARE}.{quantity}"]) / 100
    method_choice.set_split(
        configuration, splits.set_share(split, quantity, min(max(wanted, low), high))
    )


def _lock(configuration: str, quantity: str) -> None:
    held = bool(st.session_state[f"{Key.LOCK}.{quantity}"])
    method_choice.set_split(
        configuration,
        splits.lock_share(method_choice.current_split(configuration), quantity, is_locked=held),
    )


def _choose(found: EdgeVerdict, configuration: str) -> None:
    """Draw the edges to choose and the verdict on them; the edges of another configuration select it."""
    st.pills(
        "Edges that carry noise",
        EDGES,
        selection_mode="multi",
        key=Key.EDGES,
        persist_state="session",
        on_change=_picked,
        wrap=True,
        help="Click an edge here or in the graph to add or remove its noise.",
    )
    figure_view.draw_verdict(found)
    if not found.configuration:
        known = REGISTRY[configuration]
        st.caption(
            f"The numbers are still those of **{known.title}** ({', '.join(known.edges)}), which can run."
        )
        back = f"Back to {known.title}"
        st.button(
            back, icon=":material/undo:", key=Key.EDGES_BACK, on_click=_take, args=(configuration,)
        )


def _own(experiment: LoadedExperiment, method: Method, flow: Flow) -> None:
    """Draw the flow of a method with fixed edges, what leaks without noise on one of them, and what a run costs."""
    corpus, settings = experiment.corpus, experiment.settings
    numbers: tuple[EdgeNumbers, ...] = ()
    planned = noise = None
    if method.forecast_noise is not None:
        planned = method.forecast_noise(
            settings.problem, settings.budget, corpus.n_documents, corpus.n_words
        )
        numbers = edge_numbers.of_planned(planned)
    if method.forecast_minibatch_noise is not None:
        noise = method.forecast_minibatch_noise(settings.budget, corpus.n_documents, corpus.n_words)
        numbers = edge_numbers.of_minibatches(flow.noised[0], noise)
    left, right = st.columns([3, 2], gap="medium")
    with right:
        taken = st.pills(
            "What if one edge had no noise?",
            [str(edge) for edge in flow.noised],
            format_func=lambda edge: (
                f"{flow.arrow(edge).label} · {flow.arrow(edge).carries.removeprefix('the ')}"
            ),
            key=Key.WITHOUT,
            wrap=True,
            help="Shows how data would leak. Every run keeps its noise.",
        )
        found = judge_without_edge(flow, taken, method.status)
        if taken is None:
            figure_view.draw_verdict(found)
        else:
            leaking = leak_sentences(found.edges, flow)
            many = "one path" if len(leaking) == 1 else f"{len(leaking)} paths"
            said = f"**Without noise on {flow.arrow(taken).label}**, {many} would leak. No run does this."
            st.error(
                "\n".join([said, "", *(f"- {path}" for path in leaking)]), icon=figure_view.LEAK
            )
        if any(arrow.optional for arrow in flow.arrows):
            st.caption("Dotted steps may be skipped.")
    with left:
        figure_view.draw_flow_graph(found, numbers, key="privacy.flow")
    with st.expander(NUMBERS, icon=":material/tag:"):
        st.markdown(method.summary)
        if planned is not None:
            noise_tables.releases(planned, corpus.unit)
        if noise is not None:
            noise_tables.minibatches(noise, corpus.unit)


def _verdict(plan: Plan) -> EdgeVerdict:
    """The verdict on the chosen edges, which are reset if the configuration was changed elsewhere."""
    if st.session_state.get(Key.EDGES_OF) != plan.configuration:
        _take(plan.configuration)
    return judge_edges(st.session_state.get(Key.EDGES) or (), REGISTRY, plan.variant.scaling)


def _take(configuration: str) -> None:
    st.session_state[Key.EDGES_OF] = configuration
    st.session_state[Key.EDGES] = [edge.value for edge in REGISTRY[configuration].edges]


def _picked() -> None:
    chosen = judge_edges(st.session_state[Key.EDGES] or (), REGISTRY)
    if chosen.configuration:
        st.session_state[Key.CONFIGURATION] = chosen.configuration
        st.session_state[Key.EDGES_OF] = chosen.configuration


def _clicked() -> None:
    points = st.session_state[Key.GRAPH]["selection"]["points"]
    clicked = {str(point["customdata"][0]) for point in points if point.get("customdata")}
    chosen = set(st.session_state.get(Key.EDGES) or ()) ^ (clicked & set(EDGES))
    st.session_state[Key.EDGES] = [edge for edge in EDGES if edge in chosen]
    _picked()
