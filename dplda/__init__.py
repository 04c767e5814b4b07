"""Differentially private spectral LDA: take a corpus, plan where noise enters, fit, and see what the noise cost."""

from importlib import import_module
from typing import TYPE_CHECKING

from dplda import flow
from dplda.corpus import Corpus, Label, python_docs, simulate
from dplda.corpus.readers import load
from dplda.evaluation import topic_error
from dplda.fitting.noise_table import edge_noise
from dplda.plan import Plan
from dplda.theorems.utility import utility_bound

if TYPE_CHECKING:
    from dplda.baselines.estimator import DPVariationalLDA
    from dplda.estimator import SpectralLDA
    from dplda.refined_lda import RefinedLDA
    from dplda.report import report_html

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
    "simulate",
    "topic_error",
    "utility_bound",
]

_LATER = {
    "DPVariationalLDA": "dplda.baselines.estimator",
    "RefinedLDA": "dplda.refined_lda",
    "SpectralLDA": "dplda.estimator",
    "report_html": "dplda.report",
}


def __getattr__(name: str) -> object:
    """Import an estimator, or what writes of one, when it is asked for: scikit-learn takes longer than all the rest."""
    if name in _LATER:
        return getattr(import_module(_LATER[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
