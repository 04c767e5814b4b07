"""Differentially private spectral LDA: take a corpus, plan where noise enters, fit, and see what the noise cost.

Each name is imported when it is asked for: some take longer than all the rest, and whoever shows a released file must
not import what reads documents.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dplda import flow
    from dplda.baselines.estimator import DPVariationalLDA
    from dplda.corpus import Corpus, Label
    from dplda.corpus.python_docs import python_docs
    from dplda.corpus.readers.load import load
    from dplda.corpus.simulate import simulate
    from dplda.estimator import SpectralLDA
    from dplda.evaluation import topic_error
    from dplda.fitting.noise_table import edge_noise
    from dplda.plan import Plan
    from dplda.privacy.selected import select_words
    from dplda.refined_lda import RefinedLDA
    from dplda.report import report_html
    from dplda.theorems.utility import utility_bound

__version__ = "0.1.0"

__all__ = [
    "Corpus",
    "DPVariationalLDA",
    "Label",
    "Plan",
    "RefinedLDA",
    "SpectralLDA",
    "edge_noise",
    "flow",
    "load",
    "python_docs",
    "report_html",
    "select_words",
    "simulate",
    "topic_error",
    "utility_bound",
]

_PLACES = {
    "Corpus": "dplda.corpus",
    "DPVariationalLDA": "dplda.baselines.estimator",
    "Label": "dplda.corpus",
    "Plan": "dplda.plan",
    "RefinedLDA": "dplda.refined_lda",
    "SpectralLDA": "dplda.estimator",
    "edge_noise": "dplda.fitting.noise_table",
    "load": "dplda.corpus.readers",
    "python_docs": "dplda.corpus",
    "report_html": "dplda.report",
    "select_words": "dplda.privacy.selected",
    "simulate": "dplda.corpus",
    "topic_error": "dplda.evaluation",
    "utility_bound": "dplda.theorems.utility",
}


def __getattr__(name: str) -> object:
    """Import what is asked for."""
    if name in _PLACES:
        return getattr(import_module(_PLACES[name]), name)
    if name == "flow":
        return import_module("dplda.flow")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
