"""Corpora: drawn from a model, taken from the installed packages, or read from files."""

from dplda.corpus.corpus import Corpus, Label, Truth, VocabularySource
from dplda.corpus.intake import Intake
from dplda.corpus.python_docs import python_docs
from dplda.corpus.readers import Limits, load
from dplda.corpus.selection import Selection
from dplda.corpus.simulate import LengthLaw, simulate
from dplda.corpus.simulation import MOST_TOKENS, Simulation
from dplda.corpus.tokenisation import Tokenisation

__all__ = [
    "MOST_TOKENS",
    "Corpus",
    "Intake",
    "Label",
    "LengthLaw",
    "Limits",
    "Selection",
    "Simulation",
    "Tokenisation",
    "Truth",
    "VocabularySource",
    "load",
    "python_docs",
    "simulate",
]
