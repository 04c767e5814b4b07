"""The same map from simulated corpora: a sweep of the server, filling in while one watches, beside the prediction."""

from dataclasses import replace
from functools import lru_cache, partial

import pandas as pd
import streamlit as st

from dplda import figures
from dplda.errors import DpldaError
from dplda.figures import Measure
from dplda.methods import METHODS, parse_method
from dplda.prediction.regime_axes import Grid
from dplda.prediction.regimes import RegimeMap
from dplda.privacy.release import Status
from dplda.sweeps.regime_sweep import REFERENCE, MapSweep, agreement, map_from, map_sweep
from dplda.ui.literal import literal
from dplda.ui.regimes import map_view
from dplda.ui.regimes.adopt import clicked
from dplda.ui.regimes.map_view import CHART
from dplda.ui.regimes.page import filled
from dplda.ui.shell import glossary, runs, sweep_files
from dplda.ui.shell.choices import one_of
from dplda.ui.shell.frame import Experiment, is_dark
from dplda.ui.shell.keys import Key

SIZES = (3, 4, 5, 7)
DEFAULT_SIZE = 5
PANEL, MEASURE = "regimes", Measure.L1_MEAN


def simulated(experiment: Experiment, grid: Grid, methods: tuple[str, ...]) -> None:
    """Controls, the run, and both maps.

    Args:
        experiment: gives the seed of the noise.
        grid: its ends.
        methods: texts of those compared in the prediction; they are simulated too.
    """
    glossary.heading("Does it hold on simulated documents?", "truth l1 prediction seed")
    st.caption(
        "Every cell is simulated: documents are drawn from the very population that is predicted for, every method is"
        " run on them once, and its topics are compared with the truth. Corners come first, then what lies between."
    )
    left, right = st.columns([1, 2], gap="medium")
    with left:
        said = "Twice as many take four times as long."
        size = one_of("Cells along each axis", SIZES, first=DEFAULT_SIZE, key=Key.REGIME_SIZE, help=said)
    added = right.multiselect(
        "Methods besides those compared above",
        [text for text, method in METHODS.items() if text not in methods and method is not REFERENCE],
        format_func=_labelled,
        key=Key.REGIME_ADDED,
        persist_state="session",
        help="Those as published may win a cell that they have no proof for: their titles say so.",
    )
    compared = (*methods, *(added or ()))
    try:
        plan = _plan(filled(grid, size), compared, experiment.settings.seed)
    except DpldaError as error:
        st.info(literal(str(error)), icon=":material/block:")
        return
    # However much stands in it, the run takes one place on the page: what fills in below then never moves to another.
    with st.container():
        _left_out(plan)
        runs.panel(plan.sweep, PANEL, start="Simulate this map")
        begun = runs.is_running(plan.sweep) or runs.has_results(plan.sweep)
        known = map_view.worked_out(plan.grid, methods) if begun else None
        prediction = None if known is None else replace(known, grid=plan.grid)
    sweep_files.draw(plan.sweep, MEASURE, PANEL, None)
    if begun:
        runs.live(plan.sweep, PANEL, partial(_maps, plan, prediction))
    else:
        st.caption("Nothing is simulated yet for this map.")


@lru_cache(maxsize=32)
def _plan(grid: Grid, methods: tuple[str, ...], seed: int) -> MapSweep:
    """The sweep of a map, which takes longer to lay out than to draw."""
    return map_sweep(grid, [parse_method(text) for text in methods], seed=seed)


def _maps(plan: MapSweep, prediction: RegimeMap | None, frame: pd.DataFrame) -> None:
    """What was predicted and what came out, for what is known so far."""
    found = map_from(frame, plan)
    here, dark = plan.grid.base, is_dark()
    columns = st.columns(2, gap="medium")
    shown = ((found, "Simulated", "simulated"), (prediction, "Predicted", "predicted"))
    for column, (each, subject, name) in zip(columns, shown, strict=True):
        if each is not None:
            column.plotly_chart(
                figures.regimes(each, here=here, dark=dark, subject=subject),
                key=f"regimes.{name}",
                alt=figures.regimes_alt(each, subject=subject),
                config=CHART,
                on_select=partial(clicked, each, here, f"regimes.{name}"),
                selection_mode="points",
            )
    if prediction is not None and found.n_done:
        agreed = agreement(prediction, found)
        st.markdown(f"**Same winner in {agreed.same} of {agreed.compared} cells**, prediction and simulation.")
    st.caption(
        "One draw of documents and noise a cell: where two methods are close, another draw may turn the winner. Cells"
        " that the prediction leaves open are not counted."
    )


def _left_out(plan: MapSweep) -> None:
    rows, columns = plan.grid.shape
    said = f"{rows * columns - len(plan.left_out)} cells, {plan.sweep.n_cells:,} fits."
    if plan.left_out:
        said += (
            f" {len(plan.left_out)} cells are left out: more than 30 million words in all (N · L), more than a million"
            " documents or 3,000 words of vocabulary, or more topics than words."
        )
    st.caption(said)


def _labelled(text: str) -> str:
    method = parse_method(text)
    claim = {Status.PROVEN: "proven", Status.AS_PUBLISHED: "not proven", Status.NOT_PRIVATE: "not private"}
    return f"{method.title} ({claim[method.status]})"
