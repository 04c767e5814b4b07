"""Fits in the process pool, which imports no Streamlit and remembers sums over documents."""

import numpy as np
from numpy.typing import NDArray

from dplda.core.bounded_cache import BoundedCache
from dplda.core.engine import workers
from dplda.core.types import Matrix, Report
from dplda.corpus import Corpus
from dplda.evaluation.evidence import EvidenceCheck
from dplda.experiments.experiment import Experiment, fit
from dplda.methods.base.comparable_evidence import ComparableEvidence
from dplda.methods.base.method import FitResult
from dplda.methods.base.runtime import Runtime
from dplda.methods.shares.document_topics import infer_document_topics
from dplda.methods.shares.share_table import GroupedDocuments, sum_shares
from dplda.privacy.bounded_sum import BoundedSum
from dplda.privacy.noise.keys import Secret
from dplda.privacy.noise.sources import NoNoise
from dplda.spectral.corpus_statistics import StatisticsCache
from dplda.spectral.topics import Topics

STATISTICS_BYTES = 768_000_000  # of all processes together
_STATISTICS: BoundedCache[StatisticsCache] = BoundedCache(STATISTICS_BYTES // workers())


def fit_in_process(
    corpus: Corpus,
    experiment: Experiment,
    noise: NoNoise | None,
    secret: bytes | None,
    report: Report,
) -> FitResult:
    """Fit an experiment in a process of the pool, without intervals.

    Sums of the documents are kept in that process for its next fit.

    Args:
        corpus: the documents.
        experiment: method, problem, budget and seed.
        noise: a source in place of simulated noise; None for that.
        secret: key of all draws on a sensitive corpus; None for any other corpus.
        report: progress callback.
    """
    statistics = _STATISTICS.made(
        corpus,
        lambda: StatisticsCache(corpus.counts),
        lambda _: 32 * corpus.n_words**2 + 8 * corpus.counts.nnz,
    )
    runtime = Runtime(
        noise=noise,
        secret=None if secret is None else Secret(secret),
        statistics=statistics,
        report=report,
    )
    return fit(experiment, corpus, runtime)


def judged(evidence: ComparableEvidence, report: Report) -> EvidenceCheck:
    """Evidence compared with whole runs on simulated documents."""
    return evidence.compare(report)


def sum_shares_in_process(
    corpus: Corpus, topics: Topics, rows: NDArray[np.intp], n_rows: int, report: Report
) -> BoundedSum[Matrix]:
    """Sum the topic shares of documents by group, without noise, in a process of the pool.

    Args:
        corpus: the documents.
        topics: whose shares.
        rows: the table's row of every document, (N,).
        n_rows: of the table.
        report: progress callback.
    """
    report(0.1, "Finding the topics of every document")
    document_topics = infer_document_topics(corpus.counts, topics.words, topics.alpha)
    return sum_shares(GroupedDocuments(document_topics, rows, n_rows), is_exact=False)
