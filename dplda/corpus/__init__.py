"""Corpora: drawn from a model, taken from the installed packages, or read from files."""

from dplda.corpus.corpus import Corpus, Label, Selection, Truth, VocabularySource
from dplda.corpus.on_disk import AnyCorpus, CorpusWriter, StoredCorpus, store
from dplda.corpus.python_docs import python_docs
from dplda.corpus.read_summary import Intake
from dplda.corpus.readers import Limits, load, load_to
from dplda.corpus.simulation.simulate import MOST_TOKENS, LengthLaw, Simulation, simulate
from dplda.corpus.words.tokenisation import Tokenisation

__all__ = [
    "MOST_TOKENS",
    "AnyCorpus",
    "Corpus",
    "CorpusWriter",
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
    "load",
    "load_to",
    "python_docs",
    "simulate",
    "store",
]
