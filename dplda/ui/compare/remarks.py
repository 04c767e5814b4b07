"""The paper's remarks and conclusion beside what is predicted, everywhere and on the map."""

from collections.abc import Mapping

import streamlit as st

from dplda.methods.base.calibration import Calibration
from dplda.methods.registry import parse_method
from dplda.theory.prediction import paper_remarks
from dplda.theory.prediction.advice import READABLE
from dplda.theory.prediction.expected import RANGES, known
from dplda.theory.prediction.paper_remarks import PaperCheck, Tally
from dplda.theory.prediction.regimes import RegimeMap
from dplda.ui.compare.regime_methods import Competition, papers_four
from dplda.ui.shell import figure_view

TITLES = {Calibration.PUBLISHED: "As published", Calibration.CORRECTED: "1 and 2 corrected"}
CAPTION = (
    "Predicted, in {n:,} settings spread over {ranges}. Counted are those in which a configuration"
    " of the statement finds readable topics (error {readable:g} or less). A statement *holds* if"
    " {share} of them agree, and *does not hold* if {share} disagree."
)


def draw(regimes: RegimeMap, competition: Competition) -> None:
    """Draw each statement of the paper with its verdicts, and which configuration is best.

    Args:
        regimes: the map, whose own cells are counted too.
        competition: whether the configurations compete as published or corrected on the map.
    """
    four = _predicted_fours()
    checks = {
        calibration: paper_remarks.check_everywhere(tuple(methods.items()))
        for calibration, methods in four.items()
    }
    on_map = _map_calibration(competition, four)
    points = [point for _, _, point in regimes.grid.points()]
    map_check = paper_remarks.check_statements(points, four[on_map])
    st.markdown(_describe_dominance(four, checks))
    figure_view.draw_table(_rows(checks, map_check), "The paper says")
    st.caption(
        CAPTION.format(
            n=len(paper_remarks.spread_settings()),
            ranges=_describe_ranges(),
            readable=READABLE,
            share=f"{paper_remarks.CLEAR_SHARE:.0%}",
        )
        + f" On this map: {TITLES[on_map].lower()}."
    )


def _predicted_fours() -> dict[Calibration, Mapping[str, str]]:
    """The paper's four in each calibration in which all of them are predicted."""
    fours = {calibration: papers_four(calibration) for calibration in TITLES}
    return {
        calibration: methods
        for calibration, methods in fours.items()
        if set(methods.values()) <= set(known())
    }


def _map_calibration(
    competition: Competition, four: Mapping[Calibration, Mapping[str, str]]
) -> Calibration:
    """The calibration in which the four compete on the map; else the first predicted one."""
    competing = [
        calibration
        for calibration, methods in four.items()
        if set(methods.values()) <= set(competition.rivals)
    ]
    return competing[-1] if competing else next(iter(four))


def _rows(checks: Mapping[Calibration, PaperCheck], map_check: PaperCheck) -> list[dict[str, str]]:
    rows = []
    for number, (statement, on_map) in enumerate(map_check.tallies):
        row = {"The paper says": f"{statement.words} ({statement.source})"}
        for calibration, check in checks.items():
            _, tally = check.tallies[number]
            row[TITLES[calibration]] = f"**{tally.verdict}**: {_counted(tally)}"
        row["On this map"] = _counted(on_map)
        rows.append(row)
    return rows


def _counted(tally: Tally) -> str:
    if tally.n_decided == 0:
        return "none readable" if tally.n_unreadable else "not on it"
    return f"{tally.n_better:,} of {tally.n_decided:,}"


def _describe_dominance(
    four: Mapping[Calibration, Mapping[str, str]], checks: Mapping[Calibration, PaperCheck]
) -> str:
    """Say how often the best configuration is the best, beside the paper's conclusion."""
    counts = []
    for calibration, check in checks.items():
        best = max(check.n_best, key=lambda name: check.n_best[name])
        title = parse_method(four[calibration][best]).title
        n_decided = sum(check.n_best.values())
        counts.append(f"**{title}** in {check.n_best[best]:,} of {n_decided:,}")
    return (
        "The paper concludes that no configuration dominates. Best of the four, where any of them"
        f" finds readable topics: {', '.join(counts)} settings."
    )


def _describe_ranges() -> str:
    return ", ".join(
        f"{axis.symbol} {axis.text(low)} to {axis.text(high)}"
        for axis, (low, high) in RANGES.items()
    )
