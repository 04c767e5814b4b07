"""Differentially private spectral LDA: take a corpus, plan where noise enters, fit, and see what the noise cost."""

from dplda import flow
from dplda.baselines.estimator import DPVariationalLDA
from dplda.corpus import Corpus, Label, python_docs, simulate
from dplda.corpus.readers import load
from dplda.estimator import SpectralLDA
from dplda.evaluation import topic_error
from dplda.fitting.noise_table import edge_noise
from dplda.plan import Plan
from dplda.theorems.utility import utility_bound

__version__ = "0.1.0"

__all__ = [
    "Corpus",
    "DPVariationalLDA",
    "Label",
    "Plan",
    "SpectralLDA",
    "edge_noise",
    "flow",
    "load",
    "python_docs",
    "simulate",
    "topic_error",
    "utility_bound",
]
