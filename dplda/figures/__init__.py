"""Figures: numbers in, a Plotly figure out, its finding in the title; beside each figure its text alternative."""

from dplda.figures.corpus import document_lengths, document_lengths_alt, frequent_words, frequent_words_alt
from dplda.figures.lanes import Lane, Slot
from dplda.figures.spectrum import spectrum, spectrum_alt
from dplda.figures.words import top_words, top_words_alt

__all__ = [
    "Lane",
    "Slot",
    "document_lengths",
    "document_lengths_alt",
    "frequent_words",
    "frequent_words_alt",
    "spectrum",
    "spectrum_alt",
    "top_words",
    "top_words_alt",
]
