"""Corpora: drawn from a model, taken from the installed packages, or read from files."""

from dplda.corpus.corpus import Corpus, Label, Truth, VocabularySource
from dplda.corpus.intake import Intake
from dplda.corpus.python_docs import python_docs
from dplda.corpus.readers import Limits, load, load_to
from dplda.corpus.selection import Selection
from dplda.corpus.simulate import LengthLaw, simulate
from dplda.corpus.simulation import MOST_TOKENS, Simulation
from dplda.corpus.stored import AnyCorpus, StoredCorpus, Writer, store
from dplda.corpus.tokenisation import Tokenisation

__all__ = [
    "MOST_TOKENS",
    "AnyCorpus",
    "Corpus",
    "Intake",
    "Label",
    "LengthLaw",
    "Limits",
    "Selection",
    "Simulation",
    "StoredCorpus",
    "Tokenisation",
    "Truth",
    "VocabularySource",
    "Writer",
    "load",
    "load_to",
    "python_docs",
    "simulate",
    "store",
]
