"""Flows from corpus to topics as data: nodes, edges, paths and leaks.

A leak is a path without noise; it is possible when only some edges carry noise.

Example:
    >>> from dplda import flow
    >>> flow.is_cut({"e2", "e6"}), flow.is_cut({"e2"})
    (True, False)
    >>> print(*flow.leak_sentences({"e2"}))
    Data reaches the output through e1 → e3 → e6 → e7 → e9, by way of the triple moment, without
    meeting noise.
"""

from dplda.flow.cuts import crossing_sentence as crossing_sentence
from dplda.flow.cuts import is_cut, leak_sentences, leaks, minimal_cuts, paths
from dplda.flow.cuts import is_protected as is_protected
from dplda.flow.cuts import spare as spare
from dplda.flow.graph import SINK, SOURCE, Flow
from dplda.flow.graph import Arrow as Arrow
from dplda.flow.graph import Side as Side
from dplda.flow.graph import read as read
from dplda.flow.spectral import SPECTRAL, Edge

__all__ = [
    "SINK",
    "SOURCE",
    "SPECTRAL",
    "Edge",
    "Flow",
    "is_cut",
    "leak_sentences",
    "leaks",
    "minimal_cuts",
    "paths",
]
