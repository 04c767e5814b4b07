"""Figures: numbers in, a ``Figure`` out, which carries its finding as its title and itself in words."""

from dplda.figures.errors.bounds import bounds, predictions
from dplda.figures.errors.error_curves import error_curves
from dplda.figures.errors.error_parts import error_parts
from dplda.figures.errors.gaps import GapLine, gap_bars, gap_lines
from dplda.figures.errors.method_lines import Measure, MethodLine, lines_of
from dplda.figures.errors.regimes import regimes
from dplda.figures.figure import Figure
from dplda.figures.flows.flow_graph import flow_graph
from dplda.figures.lines import lines
from dplda.figures.privacy.accounting import accountants, accounting
from dplda.figures.privacy.audit import BoundLine, audit_bounds, audit_curve
from dplda.figures.privacy.guesses import guesses
from dplda.figures.privacy.ledger import spending
from dplda.figures.topics.corpus import document_lengths, frequent_words
from dplda.figures.topics.lanes import Lane, Slot
from dplda.figures.topics.likeness import distances
from dplda.figures.topics.spectrum import spectrum
from dplda.figures.topics.topic_map import topic_map, topic_map_shown
from dplda.figures.topics.words import top_words

__all__ = [
    "BoundLine",
    "Figure",
    "GapLine",
    "Lane",
    "Measure",
    "MethodLine",
    "Slot",
    "accountants",
    "accounting",
    "audit_bounds",
    "audit_curve",
    "bounds",
    "distances",
    "document_lengths",
    "error_curves",
    "error_parts",
    "flow_graph",
    "frequent_words",
    "gap_bars",
    "gap_lines",
    "guesses",
    "lines",
    "lines_of",
    "predictions",
    "regimes",
    "spectrum",
    "spending",
    "top_words",
    "topic_map",
    "topic_map_shown",
]
