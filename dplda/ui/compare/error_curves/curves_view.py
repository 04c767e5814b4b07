"""Error curves: which figure to look at, where its numbers come from, what the paper says and what came out."""

from functools import partial

import pandas as pd
import streamlit as st

from dplda.core.errors import DpldaError
from dplda.corpus import Simulation
from dplda.experiments.papers.claims import ClaimVerdict, judge_claims, n_paired_runs, outcome
from dplda.experiments.papers.precomputed import Precomputed, stored_results
from dplda.experiments.papers.presets import PRESETS, Preset
from dplda.experiments.storage.identity import code_version
from dplda.experiments.sweeps import Sweep
from dplda.figures import Measure
from dplda.ui.compare.error_curves import chart_view, own_view, studies_view
from dplda.ui.literal import literal
from dplda.ui.shell.choices import one_of
from dplda.ui.shell.frame import Experiment, Header
from dplda.ui.state import link, runs, session, sweep_files
from dplda.ui.state.keys import Key

OWN = "this experiment"  # as the address has it, too
FIRST = "figure-2a"
SHIPPED, COMPUTED = "shipped with dplda", "computed here"
_MARKS = {
    ClaimVerdict.HOLDS: ":green[:material/check:]",
    ClaimVerdict.HOLDS_IN_PART: ":orange[:material/contrast:]",
    ClaimVerdict.FAILS: ":red[:material/close:]",
    ClaimVerdict.UNDECIDED: ":material/balance:",
    ClaimVerdict.OPEN: ":material/question_mark:",
}


def header(experiment: Experiment) -> Header:
    """The numbers of what is chosen to be shown, which the address keeps; every method drawn has its own status."""
    asked = st.query_params.get(link.SHOWN_KEY, FIRST)
    name = str(st.session_state.setdefault(Key.CURVES_SHOWN, asked if asked in (*PRESETS, OWN) else FIRST))
    session.write({link.SHOWN_KEY: None if name == FIRST else name})
    shown = PRESETS.get(name)
    if shown is None:
        return own_view.header(experiment)
    documents, *numbers = shown.described()
    return Header((f"**{documents[:1].upper()}{documents[1:]}**", *numbers), on_documents=False)


def draw(experiment: Experiment) -> None:
    """The choice of a figure, and the figure."""
    shown = _choose()
    with st.container():  # however much stands in it, what is below stays in its place, and open if it was
        if shown is not None:
            _preset(shown, experiment)
        else:
            sweep = own_view.choose(experiment)
            if sweep is not None:
                _own(sweep, experiment)


def _choose() -> Preset | None:
    """Draw the choice of what to show; None is the sidebar's experiment."""
    name = st.selectbox(
        "What to show",
        [*PRESETS, OWN],
        format_func=_title,
        key=Key.CURVES_SHOWN,
        persist_state="session",
        help="Figures of the two papers, with numbers of their own, or what the sidebar holds.",
    )
    return PRESETS.get(str(name))


def _preset(shown: Preset, experiment: Experiment) -> None:
    """A figure of a paper: what it reports, what comes out here, why they differ, and the run itself."""
    try:
        stored = stored_results(shown.name)
    except DpldaError as error:
        st.error(literal(str(error)))
        stored = None
    if shown.sweep is None:
        studies_view.show(shown, stored)
    else:
        _curves(shown.sweep, stored, shown, experiment)
    st.markdown(f"**The paper reports.** {shown.reports}")
    st.markdown(f"**Why they differ.** {shown.differs}")
    st.caption(f"{shown.chosen} A preset has numbers of its own: the sidebar does not change it.")


def _own(sweep: Sweep, experiment: Experiment) -> None:
    """Curves of a sweep made on this page; before its first number, what the theory predicts."""
    if not runs.has_results(sweep) and not runs.is_running(sweep):
        own_view.predictions(experiment)
        runs.panel(sweep, "own")
        return
    _curves(sweep, None, None, experiment)


def _curves(sweep: Sweep, stored: Precomputed | None, shown: Preset | None, experiment: Experiment) -> None:
    name = shown.name if shown is not None else "own"
    picture = st.container()
    real = shown.measure == "perplexity" if shown else not isinstance(sweep.settings[0].source, Simulation)
    measure, bounds = chart_view.measured(name, real=real)
    used = stored if stored is not None and _wants_stored(sweep, name) else None
    current = None if shown is not None else float(experiment.settings.budget.epsilon)
    log = shown.log_epsilon if shown else True
    chart = partial(chart_view.chart, sweep=sweep, measure=measure, bounds=bounds, log=log, key=name, current=current)

    def draw(frame: pd.DataFrame) -> None:
        """Chart, and in words what it shows; drawn again and again while a sweep runs."""
        if frame.empty:
            st.info("No number yet: the first cells of a run will appear here.", icon=":material/timeline:")
            return
        chart(frame)
        for paragraph in _told(frame, measure, sweep.settings[0].n_topics, shown.name if shown is not None else ""):
            st.markdown(paragraph)

    with picture:
        if used is not None:
            draw(used.frame)
            text = used.label(spec=sweep.to_toml(), version=code_version())
            st.caption(f":material/inventory_2: Shipped with dplda. {text}")
        else:
            runs.live(sweep, name, draw)
    runs.panel(sweep, name, start="Run it again" if used else "Run it")
    sweep_files.draw(sweep, name, used.frame if used else None)


@st.cache_data(show_spinner=False, max_entries=64, hash_funcs={pd.DataFrame: chart_view.fingerprint})
def _told(frame: pd.DataFrame, measure: Measure, n_topics: int, name: str) -> tuple[str, ...]:
    """What a frame says in words, and what becomes of a preset's claims; neither changes when a slider moves."""
    end, shown = measure.trivial(n_topics), PRESETS.get(name)
    unit = measure.axis if end is None else f"{measure.axis}, at most {end[1]}"
    said = f"**What comes out here.** {outcome(frame, str(measure), unit=unit)}"
    if shown is None or not shown.claims:
        return (said,)
    return said, "\n".join(_verdicts(shown, frame, str(measure)))


def _verdicts(shown: Preset, frame: pd.DataFrame, column: str) -> list[str]:
    n_runs = n_paired_runs(frame)
    lines = [f"The paper's orderings, put to the test on {n_runs} paired runs at each ε (t tests at 1 %):", ""]
    for one in judge_claims(shown.claims, frame, column):
        missing = f" ({', '.join(one.missing)})" if one.missing else ""
        lines.append(f"- {_MARKS[one.verdict]} “{one.claim.words}”: **{one.verdict}**{missing}")
    return lines


def _wants_stored(sweep: Sweep, name: str) -> bool:
    """Shipped results, unless this machine has some of its own; then as asked for."""
    if not runs.has_results(sweep) and not runs.is_running(sweep):
        return True
    chosen = one_of(
        "Numbers",
        [COMPUTED, SHIPPED],
        key=f"{Key.CURVES_STORED}.{name}",
        help="Those that came with the program, or those of the run below.",
    )
    return chosen == SHIPPED


def _title(name: str) -> str:
    return "This experiment: the sidebar's" if name == OWN else PRESETS[name].title
