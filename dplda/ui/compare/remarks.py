"""The paper's remarks and conclusion beside what is predicted, on the map and everywhere."""

from collections.abc import Mapping

import streamlit as st

from dplda.methods.base.calibration import Calibration
from dplda.methods.registry import parse_method
from dplda.privacy.release import Status
from dplda.theory.prediction import paper_remarks
from dplda.theory.prediction.expected import RANGES, known
from dplda.theory.prediction.paper_remarks import Statement, Tally
from dplda.theory.prediction.regimes import RegimeMap
from dplda.ui.compare.regime_methods import Competition, papers_four
from dplda.ui.shell import figure_view

CAPTION = (
    "Counts: settings in which the statement is right, of those in which one of its configurations"
    " beats a private list of words. A statement *holds* from {share} on. All settings: {n:,},"
    " spread over {ranges}. Predicted {calibration}."
)


def draw(regimes: RegimeMap, competition: Competition) -> None:
    """Draw each statement of the paper with its verdict, and which configuration is best.

    Args:
        regimes: the map, whose own cells are counted too.
        competition: decides whether the configurations are judged as published or corrected.
    """
    methods = _judged_methods(competition)
    on_map = paper_remarks.check_statements(
        [point for _, _, point in regimes.grid.points()], methods
    )
    everywhere = paper_remarks.check_everywhere(tuple(methods.items()))
    rows = [
        _row(statement, here, tally)
        for (statement, here), (_, tally) in zip(on_map.tallies, everywhere.tallies, strict=True)
    ]
    st.markdown(_describe_dominance(methods, everywhere.n_best))
    figure_view.draw_table(rows, "The paper says")
    st.caption(_caption(methods))


def _judged_methods(competition: Competition) -> Mapping[str, str]:
    """The paper's four: as published if they compete so or are all predicted so, else corrected."""
    published = papers_four(Calibration.PUBLISHED)
    corrected = papers_four(Calibration.CORRECTED)
    if set(corrected.values()) <= set(competition.rivals):
        return corrected
    return published if set(published.values()) <= set(known()) else corrected


def _row(statement: Statement, here: Tally, everywhere: Tally) -> dict[str, str]:
    return {
        "The paper says": f"{statement.words} ({statement.source})",
        "Found": f"**{everywhere.verdict}**",
        "All settings": _counted(everywhere),
        "On this map": _counted(here),
    }


def _counted(tally: Tally) -> str:
    if tally.n_decided == 0:
        return "finds no topics" if tally.n_useless else "not on it"
    return f"{tally.n_better:,} of {tally.n_decided:,}"


def _describe_dominance(methods: Mapping[str, str], n_best: Mapping[str, int]) -> str:
    """Say how often the best configuration is the best, beside the paper's conclusion."""
    n_decided = sum(n_best.values())
    best = max(n_best, key=lambda name: n_best[name])
    title = parse_method(methods[best]).title
    return (
        "The paper concludes that no configuration dominates. Predictions say:"
        f" **{title}** is the best of the four in {n_best[best]:,} of the {n_decided:,} settings in"
        " which any of them finds topics."
    )


def _caption(methods: Mapping[str, str]) -> str:
    is_corrected = any(parse_method(text).status is Status.PROVEN for text in methods.values())
    calibration = "with 1 and 2 corrected" if is_corrected else "as published"
    return CAPTION.format(
        n=len(paper_remarks.spread_settings()),
        ranges=_describe_ranges(),
        calibration=calibration,
        share=f"{paper_remarks.CLEAR_SHARE:.0%}",
    )


def _describe_ranges() -> str:
    return ", ".join(
        f"{axis.symbol} {axis.text(low)} to {axis.text(high)}"
        for axis, (low, high) in RANGES.items()
    )
