"""Figures: numbers in, a Plotly figure out, its finding in the title; beside each figure its text alternative."""

from dplda.figures.errors.bounds import (
    bounds,
    bounds_finding,
    curves_alt,
    predictions,
    predictions_finding,
    term_shares,
    term_shares_alt,
)
from dplda.figures.errors.error_curves import error_curves, error_curves_alt
from dplda.figures.errors.error_parts import Parts, error_parts, parts_alt
from dplda.figures.errors.gaps import GapLine, gap_alt, gap_bars, gap_lines
from dplda.figures.errors.method_lines import Measure, MethodLine, lines_of
from dplda.figures.errors.regime_errors import regime_errors, regime_errors_alt
from dplda.figures.errors.regimes import regimes, regimes_alt
from dplda.figures.flows.flow_graph import flow_graph, flow_graph_alt
from dplda.figures.lines import lines, lines_alt
from dplda.figures.privacy.accountants import NAMES as ACCOUNTANT_NAMES
from dplda.figures.privacy.accountants import accountants, accountants_alt
from dplda.figures.privacy.accounting import accounting, accounting_alt
from dplda.figures.privacy.audit_bounds import BoundLine, audit_bounds, audit_bounds_alt
from dplda.figures.privacy.audit_curve import audit_curve, audit_curve_alt
from dplda.figures.privacy.guesses import guesses, guesses_alt
from dplda.figures.privacy.ledger import spending, spending_alt
from dplda.figures.standalone import figure_html
from dplda.figures.topics.corpus import document_lengths, document_lengths_alt, frequent_words, frequent_words_alt
from dplda.figures.topics.lanes import Lane, Slot
from dplda.figures.topics.likeness import distances, distances_alt, distances_finding
from dplda.figures.topics.spectrum import spectrum, spectrum_alt
from dplda.figures.topics.topic_map import topic_map, topic_map_alt, topic_map_finding, topic_map_shown
from dplda.figures.topics.words import top_words, top_words_alt

__all__ = [
    "ACCOUNTANT_NAMES",
    "BoundLine",
    "GapLine",
    "Lane",
    "Measure",
    "MethodLine",
    "Parts",
    "Slot",
    "accountants",
    "accountants_alt",
    "accounting",
    "accounting_alt",
    "audit_bounds",
    "audit_bounds_alt",
    "audit_curve",
    "audit_curve_alt",
    "bounds",
    "bounds_finding",
    "curves_alt",
    "distances",
    "distances_alt",
    "distances_finding",
    "document_lengths",
    "document_lengths_alt",
    "error_curves",
    "error_curves_alt",
    "error_parts",
    "figure_html",
    "flow_graph",
    "flow_graph_alt",
    "frequent_words",
    "frequent_words_alt",
    "gap_alt",
    "gap_bars",
    "gap_lines",
    "guesses",
    "guesses_alt",
    "lines",
    "lines_alt",
    "lines_of",
    "parts_alt",
    "predictions",
    "predictions_finding",
    "regime_errors",
    "regime_errors_alt",
    "regimes",
    "regimes_alt",
    "spectrum",
    "spectrum_alt",
    "spending",
    "spending_alt",
    "term_shares",
    "term_shares_alt",
    "top_words",
    "top_words_alt",
    "topic_map",
    "topic_map_alt",
    "topic_map_finding",
    "topic_map_shown",
]
