"""The flow from corpus to topics as data: nodes, edges, paths, and what leaks when only some edges carry noise."""

from dplda.flow.cuts import Cut, is_cut, is_protected, leak_sentences, leaks, minimal_cuts, paths, spare
from dplda.flow.graph import ARROW, ARROWS, SINK, SOURCE, STEPS, Arrow, Edge, Step

__all__ = [
    "ARROW",
    "ARROWS",
    "SINK",
    "SOURCE",
    "STEPS",
    "Arrow",
    "Cut",
    "Edge",
    "Step",
    "is_cut",
    "is_protected",
    "leak_sentences",
    "leaks",
    "minimal_cuts",
    "paths",
    "spare",
]
