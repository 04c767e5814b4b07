"""Error curves: the experiment's own settings and the papers' figures, in one list."""

from functools import partial

import pandas as pd
import streamlit as st

from dplda.core.errors import DpldaError
from dplda.corpus import Label, Simulation
from dplda.experiments.papers.claims import judge_claims, n_paired_runs, outcome
from dplda.experiments.papers.precomputed import Precomputed, stored_results
from dplda.experiments.papers.presets import PRESETS, Preset
from dplda.experiments.storage.identity import code_version
from dplda.experiments.sweeps import Sweep, script_for, to_csv
from dplda.experiments.sweeps.frame import unmeasured
from dplda.figures import Measure
from dplda.ui.compare import answer, chart, own_sweep
from dplda.ui.literal import literal
from dplda.ui.shell import downloads, foreseen, glossary, views
from dplda.ui.shell.frame import Header, LoadedExperiment
from dplda.ui.state import link, runs
from dplda.ui.state.keys import Key

OWN = "My settings"


def shown() -> Preset | None:
    """The chosen figure of a paper, kept in the address; None for the user's own settings."""
    return PRESETS.get(views.opened("compare", [OWN, *PRESETS], link.SHOWN_KEY))


def header(experiment: LoadedExperiment) -> Header:
    """A header for the choice: its documents and numbers, without a status, since each method drawn has its own."""
    preset = shown()
    if preset is None:
        return answer.header(experiment)
    documents, *numbers = preset.described()
    return Header((f"**{documents[:1].upper()}{documents[1:]}**", *numbers), on_documents=False)


def draw(experiment: LoadedExperiment) -> None:
    """Draw the answer, the chart, the choice and its run, and details in expanders."""
    preset, said, place = shown(), st.container(key=answer.PLACE), st.container()
    left, right = st.columns([3, 2], vertical_alignment="bottom", gap="medium")
    left.selectbox(
        "What to compare",
        [OWN, *PRESETS],
        format_func=lambda name: PRESETS[name].title if name in PRESETS else name,
        key=Key.CURVES_SHOWN,
        persist_state="session",
        help=glossary.beside(
            "*My settings* are those of the sidebar. A paper's figure has its own.", "as_published"
        ),
    )
    if preset is not None and preset.sweep is None:
        with place:
            frame = chart.shipped(preset)
        _paper(preset, None, "")
        _files(None, preset.name, frame)
        return
    with right:
        sweep, stored, frame = _results(preset, experiment)
    name, first = (preset.name, chart.PAPER) if preset else ("own", chart.OWN)
    real = sweep is not None and not isinstance(sweep.settings[0].source, Simulation)
    measure = Measure.PERPLEXITY
    if not real:
        measure = chart.choose(name, first) if len(frame) else chart.MEASURES[first]
    epsilon = float(experiment.settings.budget.epsilon)
    with said:
        if preset is None:
            answer.draw(experiment)
        else:
            st.markdown(outcome(frame, str(measure), epsilon))

    def picture(frame: pd.DataFrame) -> None:
        if preset is None:
            _own_picture(experiment, sweep, frame, measure)
            return
        if sweep is None:  # said beside the choice
            return
        shown = frame if stored is None or _has_private_numbers(frame) else stored.frame
        chart.draw(shown, sweep, measure, log=preset.log_epsilon, key=name, current=epsilon)

    with place:
        if sweep is not None and runs.is_running(sweep):
            runs.live(sweep, name, picture)
        else:
            picture(frame)
    if preset is None:
        if experiment.corpus.label is Label.SIMULATED:
            foreseen.fails(foreseen.own_point(experiment))
        own_sweep.choices(experiment)
    else:
        _paper(preset, stored, _verdicts(preset.name, frame, str(measure)))
    if len(frame) and (silent := unmeasured(frame)):
        with st.expander("Why some numbers are missing", icon=":material/rule:"):
            st.markdown("\n".join(f"- {literal(sentence)}" for sentence in silent))
    if sweep is not None:
        _files(sweep, name, frame)


def _own_picture(
    experiment: LoadedExperiment, sweep: Sweep | None, frame: pd.DataFrame, measure: Measure
) -> None:
    """Draw what is measured so far over what is predicted, which stays whether a run goes on, ends or is canceled."""
    if sweep is None or frame.empty:
        foreseen.curves(experiment, "curves.predicted")
        return
    draw_measured = partial(
        chart.draw,
        frame,
        sweep,
        measure,
        log=True,
        key="own",
        current=float(experiment.settings.budget.epsilon),
    )
    if measure.per_mean_l1(sweep.settings[0].n_topics) is not None:
        draw_measured(predictions=foreseen.predicted_curves(experiment))
        return
    left, right = st.columns(2, gap="medium")  # predictions are of L1 errors alone
    with left:
        draw_measured()
    with right:
        foreseen.curves(experiment, "curves.predicted")


def _results(
    preset: Preset | None, experiment: LoadedExperiment
) -> tuple[Sweep | None, Precomputed | None, pd.DataFrame]:
    """Draw the run's controls; return the sweep, if any, and its results.

    These are the shipped ones until all are computed here, or the first private ones while the sweep runs.
    """
    try:
        sweep = (
            own_sweep.sweep(experiment) if preset is None or preset.sweep is None else preset.sweep
        )
        stored = stored_results(preset.name) if preset else None
        frame = runs.results(sweep)
        if len(frame) == sweep.n_cells or (runs.is_running(sweep) and _has_private_numbers(frame)):
            stored = None
        runs.panel(
            sweep, preset.name if preset else "own", start="Run it again" if stored else "Run it"
        )
    except DpldaError as error:
        st.info(literal(str(error)), icon=":material/tune:")
        return None, None, pd.DataFrame()
    return sweep, stored, frame if stored is None else stored.frame


def _has_private_numbers(frame: pd.DataFrame) -> bool:
    return len(frame) > 0 and bool(frame["epsilon"].notna().any())


def _paper(preset: Preset, stored: Precomputed | None, verdicts: str) -> None:
    with st.expander(
        "What the paper reports, and why these numbers differ", icon=":material/menu_book:"
    ):
        st.markdown(f"**The paper reports.** {preset.reports}")
        if verdicts:
            st.markdown(verdicts)
        st.markdown(f"**Why they differ.** {preset.differs}")
        st.markdown(f"**What is run here.** {preset.chosen}")
        if stored is not None and preset.sweep is not None:
            st.caption(stored.label(spec=preset.sweep.to_toml(), version=code_version()))


def _files(sweep: Sweep | None, name: str, frame: pd.DataFrame) -> None:
    """Downloads: the numbers and, if there is a sweep, the spec and the script that compute them again."""
    with st.expander("Download, or repeat elsewhere", icon=":material/download:"):
        with st.container(horizontal=True):
            downloads.save(
                "Numbers (CSV)", lambda: to_csv(frame), f"dplda-{name}.csv", icon="table"
            )
            if sweep is None:
                return
            spec, script = f"dplda-{name}.toml", partial(script_for, sweep, version=code_version())
            downloads.save("Spec (TOML)", sweep.to_toml, spec, icon="tune")
            downloads.save("Script (Python)", script, f"dplda-{name}.py", icon="code")
        st.caption(
            f"`dplda sweep {spec}` or the script gives the same numbers on any machine. Remove methods or values of ε"
            " from the spec to run less: the rest stays the same."
        )


@st.cache_data(show_spinner=False, max_entries=64, hash_funcs={pd.DataFrame: chart.fingerprint})
def _verdicts(name: str, frame: pd.DataFrame, column: str) -> str:
    claims = PRESETS[name].claims
    if not claims or frame.empty:
        return ""
    lines = [
        f"Its orderings, tested on {n_paired_runs(frame)} paired runs at each ε (t tests at 1%):",
        "",
    ]
    for one in judge_claims(claims, frame, column):
        missing = f" ({', '.join(one.missing)})" if one.missing else ""
        lines.append(f"- “{one.claim.words}”: **{one.verdict}**{missing}")
    return "\n".join(lines)
