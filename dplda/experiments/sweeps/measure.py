"""Compute one cell: fit topics, measure their errors, and fill a row."""

import math
import time
from dataclasses import replace

import numpy as np

from dplda.core.errors import DpldaError
from dplda.evaluation import completion, npmi, topic_error
from dplda.experiments.specs.row import Row
from dplda.experiments.specs.spec import Cell, noise_seed
from dplda.experiments.storage.identity import code_version
from dplda.experiments.sweeps.prepared import PreparedCorpus
from dplda.methods.base.method import FitResult

LEADING_WORDS = 10  # of each topic, for coherence


def measure(cell: Cell, documents: PreparedCorpus) -> Row:
    """Measure one cell: its row of numbers, with the reason if the method refuses.

    If the program fails, the row holds only the exception's name, since its text might quote a
    document.
    """
    started_at = time.perf_counter()
    row = _empty_row(cell, documents)
    try:
        row = _measured(row, cell, documents)
    except DpldaError as refusal:
        row = replace(row, refused=str(refusal))
    except Exception as error:
        row = replace(row, failed=type(error).__name__)
    return replace(row, seconds=time.perf_counter() - started_at)


def _measured(row: Row, cell: Cell, documents: PreparedCorpus) -> Row:
    result = documents.fit(cell)
    row = replace(row, resolved=float(result.topics.resolved), unreadable=_unreadable(result))
    if documents.train.truth is not None:
        return _against_truth(row, cell, documents, result)
    return _on_held_out(row, documents, result)


def _unreadable(result: FitResult) -> float:
    """Share of topics whose part in the evidence noise alone could give; NaN without evidence."""
    if result.evidence is None:
        return math.nan
    return 1 - sum(result.evidence.is_above_noise) / len(result.topics.words)


def _against_truth(row: Row, cell: Cell, documents: PreparedCorpus, result: FitResult) -> Row:
    """Fill in a row's errors against the truth, in all and by the part of noise in them.

    The training documents must have a truth. A method without noise is its own noiseless result.
    Where the method refuses even without noise, the parts stay as they are.
    """
    assert documents.train.truth is not None
    true_topics = documents.train.truth.topics
    topics = result.topics.words
    error = topic_error(true_topics, topics)
    row = replace(
        row,
        l1_sum=error.l1_sum,
        l1_mean=error.l1_mean,
        l2_mean=error.l2_mean,
    )
    noiseless_result = documents.fit_noiseless(cell) if cell.method.needs_epsilon else result
    if noiseless_result is None:
        return row
    return replace(
        row,
        sampling_l1=topic_error(true_topics, noiseless_result.topics.words).l1_sum,
        privacy_l1=topic_error(noiseless_result.topics.words, topics).l1_sum,
    )


def _on_held_out(row: Row, documents: PreparedCorpus, result: FitResult) -> Row:
    """Fill in a row's perplexity and coherence on the held-out documents, which must exist.

    Coherence is the mean NPMI of the topics' leading words.
    """
    assert documents.test is not None
    topics = result.topics
    n_leading_words = min(LEADING_WORDS, documents.train.n_words)
    perplexity = completion(
        topics.words, topics.alpha, cut=documents.cut, mean_words=topics.mean_words
    )
    coherence = npmi(topics.words, documents.test, n_words=n_leading_words).mean
    return replace(row, perplexity=perplexity, npmi=coherence)


def _empty_row(cell: Cell, documents: PreparedCorpus) -> Row:
    """Make the row of a cell with its settings, before anything is measured.

    ε and δ are NaN for a method without noise.
    """
    has_noise = cell.method.needs_epsilon
    return Row(
        setting=cell.setting.name,
        method=cell.method.key,
        configuration=cell.method.name,
        calibration=cell.method.scaling or "",
        status=cell.method.status,
        epsilon=math.nan if cell.epsilon is None else cell.epsilon,
        delta=documents.sweep.delta_of(cell.setting) if has_noise else math.nan,
        corpus=cell.corpus,
        repeat=cell.repeat,
        n_documents=documents.train.n_documents,
        n_words=documents.train.n_words,
        n_topics=cell.setting.n_topics,
        alpha0=cell.setting.alpha0,
        mean_length=float(np.mean(documents.train.lengths)),
        noise_seed=noise_seed(documents.sweep, corpus=cell.corpus, repeat=cell.repeat),
        version=code_version(),
    )
