"""Figures: numbers in, a Plotly figure out, its finding in the title; beside each figure its text alternative."""

from dplda.figures.accounting import accounting, accounting_alt
from dplda.figures.bounds import (
    bounds,
    bounds_finding,
    curves_alt,
    predictions,
    predictions_finding,
    term_shares,
    term_shares_alt,
)
from dplda.figures.corpus import document_lengths, document_lengths_alt, frequent_words, frequent_words_alt
from dplda.figures.flow_graph import flow_graph, flow_graph_alt
from dplda.figures.lanes import Lane, Slot
from dplda.figures.spectrum import spectrum, spectrum_alt
from dplda.figures.words import top_words, top_words_alt

__all__ = [
    "Lane",
    "Slot",
    "accounting",
    "accounting_alt",
    "bounds",
    "bounds_finding",
    "curves_alt",
    "document_lengths",
    "document_lengths_alt",
    "flow_graph",
    "flow_graph_alt",
    "frequent_words",
    "frequent_words_alt",
    "predictions",
    "predictions_finding",
    "spectrum",
    "spectrum_alt",
    "term_shares",
    "term_shares_alt",
    "top_words",
    "top_words_alt",
]
