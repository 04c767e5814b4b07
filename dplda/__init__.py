"""Differentially private spectral LDA: take a corpus, plan its noise, fit, and see what that cost.

Each name is imported on first use: some imports are slow, and a program that shows a released file
must not import what reads documents.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from dplda.core.versions import VERSION

if TYPE_CHECKING:
    from dplda import flow as flow
    from dplda.attacks.topic_tables.audit import audit_topics as audit_topics
    from dplda.corpus import Corpus as Corpus
    from dplda.corpus import Label as Label
    from dplda.corpus.python_docs import python_docs as python_docs
    from dplda.corpus.readers.load import load as load
    from dplda.corpus.simulation.simulate import simulate as simulate
    from dplda.evaluation import topic_error as topic_error
    from dplda.methods.base.problem import alpha0_of_person as alpha0_of_person
    from dplda.methods.configurations.chain.noise_table import edge_noise as edge_noise
    from dplda.methods.configurations.plan import Plan as Plan
    from dplda.methods.estimators import DPVariationalLDA as DPVariationalLDA
    from dplda.methods.estimators import RefinedLDA as RefinedLDA
    from dplda.methods.estimators import SpectralLDA as SpectralLDA
    from dplda.methods.shares.topic_shares import topic_shares as topic_shares
    from dplda.privacy.word_selection.selection import select_words as select_words
    from dplda.release.report.estimator import report_html as report_html
    from dplda.release.reuse.released_model import open_release as open_release
    from dplda.theory.theorems.utility import utility_bound as utility_bound

__version__ = VERSION

_MODULES = {
    "Corpus": "dplda.corpus",
    "DPVariationalLDA": "dplda.methods.estimators",
    "Label": "dplda.corpus",
    "Plan": "dplda.methods.configurations.plan",
    "RefinedLDA": "dplda.methods.estimators",
    "SpectralLDA": "dplda.methods.estimators",
    "alpha0_of_person": "dplda.methods.base.problem",
    "audit_topics": "dplda.attacks.topic_tables.audit",
    "edge_noise": "dplda.methods.configurations.chain.noise_table",
    "load": "dplda.corpus.readers",
    "open_release": "dplda.release.reuse.released_model",
    "python_docs": "dplda.corpus",
    "report_html": "dplda.release.report.estimator",
    "select_words": "dplda.privacy.word_selection.selection",
    "simulate": "dplda.corpus",
    "topic_error": "dplda.evaluation",
    "topic_shares": "dplda.methods.shares.topic_shares",
    "utility_bound": "dplda.theory.theorems.utility",
}
__all__ = sorted([*_MODULES, "flow"])


def __getattr__(name: str) -> object:
    """Import a public name on its first use."""
    if name in _MODULES:
        return getattr(import_module(_MODULES[name]), name)
    if name == "flow":
        return import_module("dplda.flow")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
