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
    "simulate",
    "topic_error",
    "utility_bound",
]

_ESTIMATORS = {
    "DPVariationalLDA": "dplda.baselines.estimator",
    "RefinedLDA": "dplda.refined_lda",
    "SpectralLDA": "dplda.estimator",
}


def __getattr__(name: str) -> object:
    """Import an estimator when it is asked for: scikit-learn takes longer to import than all the rest."""
    if name in _ESTIMATORS:
        return getattr(import_module(_ESTIMATORS[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
