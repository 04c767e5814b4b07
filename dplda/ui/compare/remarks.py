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
    "Predicted, in {n:,} settings spread over {ranges}. A setting counts if a configuration of the"
    " statement finds readable topics there (error {readable:g} or less). A statement *holds* if"
    " {share} of them agree, and *does not hold* if {share} disagree."
)


def draw(regimes: RegimeMap, competition: Competition) -> None:
    """Draw each statement of the paper with its verdicts, and which configuration is best.

    Verdicts are over spread settings, as published and corrected, which a caption describes.

    Args:
        regimes: the map, whose own cells are counted too.
        competition: whether the configurations compete as published or corrected on the map.
    """
    methods_by_calibration = _predicted_fours()
    check_by_calibration = {
        calibration: paper_remarks.check_everywhere(tuple(methods.items()))
        for calibration, methods in methods_by_calibration.items()
    }
    calibration_on_map = _map_calibration(competition, methods_by_calibration)
    map_points = [point for _, _, point in regimes.grid.points()]
    map_check = paper_remarks.check_statements(
        map_points, methods_by_calibration[calibration_on_map]
    )
    st.markdown(_describe_dominance(methods_by_calibration, check_by_calibration))
    figure_view.draw_table(_rows(check_by_calibration, map_check), "The paper says")
    st.caption(
        CAPTION.format(
            n=len(paper_remarks.spread_settings()),
            ranges=_describe_ranges(),
            readable=READABLE,
            share=f"{paper_remarks.CLEAR_SHARE:.0%}",
        )
        + f" On this map: {TITLES[calibration_on_map].lower()}."
    )


def _predicted_fours() -> dict[Calibration, Mapping[str, str]]:
    """The paper's four in each calibration in which all of them are predicted.

    Returns:
        By calibration, each configuration's name and the text of its method.
    """
    fours = {calibration: papers_four(calibration) for calibration in TITLES}
    return {
        calibration: methods
        for calibration, methods in fours.items()
        if set(methods.values()) <= set(known())
    }


def _map_calibration(
    competition: Competition, methods_by_calibration: Mapping[Calibration, Mapping[str, str]]
) -> Calibration:
    """The calibration in which the four compete on the map.

    The last one, if they compete in several; the first predicted one, if in none.
    """
    competing_calibrations = [
        calibration
        for calibration, methods in methods_by_calibration.items()
        if set(methods.values()) <= set(competition.rivals)
    ]
    if not competing_calibrations:
        return next(iter(methods_by_calibration))
    return competing_calibrations[-1]


def _rows(
    check_by_calibration: Mapping[Calibration, PaperCheck], map_check: PaperCheck
) -> list[dict[str, str]]:
    """Make a table row for each statement: verdict and counts by calibration, and on the map."""
    table_rows = []
    for statement_index, (statement, map_tally) in enumerate(map_check.tallies):
        table_row = {"The paper says": f"{statement.words} ({statement.source})"}
        for calibration, paper_check in check_by_calibration.items():
            _, tally = paper_check.tallies[statement_index]
            table_row[TITLES[calibration]] = f"**{tally.verdict}**: {_counted(tally)}"
        table_row["On this map"] = _counted(map_tally)
        table_rows.append(table_row)
    return table_rows


def _counted(tally: Tally) -> str:
    if tally.n_decided == 0:
        return "none readable" if tally.n_unreadable else "not on it"
    return f"{tally.n_better:,} of {tally.n_decided:,}"


def _describe_dominance(
    methods_by_calibration: Mapping[Calibration, Mapping[str, str]],
    check_by_calibration: Mapping[Calibration, PaperCheck],
) -> str:
    """Say how often the configuration that is best most often is so, for each calibration in order.

    Only settings count in which one of them finds readable topics. The sentence opposes it to the
    paper's conclusion that no configuration dominates.
    """
    count_texts = []
    for calibration, paper_check in check_by_calibration.items():
        best_configuration = max(paper_check.n_best, key=lambda name: paper_check.n_best[name])
        best_title = parse_method(methods_by_calibration[calibration][best_configuration]).title
        n_decided = sum(paper_check.n_best.values())
        count_texts.append(
            f"**{best_title}** in {paper_check.n_best[best_configuration]:,} of {n_decided:,}"
        )
    return (
        "The paper concludes that no configuration dominates. Best of the four, where any of them"
        f" finds readable topics: {', '.join(count_texts)} settings."
    )


def _describe_ranges() -> str:
    return ", ".join(
        f"{axis.symbol} {axis.text(low)} to {axis.text(high)}"
        for axis, (low, high) in RANGES.items()
    )
