"""Compute one cell: fit topics, measure their errors, and fill a row."""

import math
import time
from dataclasses import replace

import numpy as np

from dplda.core.errors import DpldaError
from dplda.core.types import Matrix
from dplda.evaluation import completion, npmi, topic_error
from dplda.experiments.specs.row import Row
from dplda.experiments.specs.spec import Cell, noise_seed
from dplda.experiments.storage.identity import code_version
from dplda.experiments.sweeps.prepared import PreparedCorpus
from dplda.methods.base.method import FitResult

LEADING_WORDS = 10  # of each topic, for coherence


def measure(cell: Cell, prepared: PreparedCorpus) -> Row:
    """The row of one cell, with the reason if the method refuses.

    If the program fails, the row holds only the exception's name, since its text might quote a document.
    """
    started = time.perf_counter()
    row = _blank(cell, prepared)
    try:
        row = _measured(row, cell, prepared)
    except DpldaError as refusal:
        row = replace(row, refused=str(refusal))
    except Exception as error:
        row = replace(row, failed=type(error).__name__)
    return replace(row, seconds=time.perf_counter() - started)


def _measured(row: Row, cell: Cell, prepared: PreparedCorpus) -> Row:
    found = prepared.found(cell.method, cell.epsilon, cell.repeat)
    known = found.evidence
    unreadable = math.nan if known is None else 1 - sum(known.above_noise) / len(found.topics.words)
    row = replace(row, resolved=float(found.topics.resolved), unreadable=unreadable)
    if prepared.train.truth is not None:
        return _against_truth(row, cell, prepared, prepared.train.truth.topics, found)
    return _on_held_out(row, prepared, found)


def _against_truth(
    row: Row, cell: Cell, prepared: PreparedCorpus, truth: Matrix, found: FitResult
) -> Row:
    error = topic_error(truth, found.topics.words)
    row = replace(row, l1_sum=error.l1_sum, l1_mean=error.l1_mean, l2_mean=error.l2_mean)
    noiseless = (
        prepared.noiseless(cell.method, cell.epsilon) if cell.method.needs_epsilon else found
    )
    if noiseless is None:
        return row
    exact = noiseless.topics.words
    parts = topic_error(truth, exact), topic_error(exact, found.topics.words)
    return replace(row, sampling_l1=parts[0].l1_sum, privacy_l1=parts[1].l1_sum)


def _on_held_out(row: Row, prepared: PreparedCorpus, found: FitResult) -> Row:
    assert prepared.test is not None
    topics, n_words = found.topics, min(LEADING_WORDS, prepared.train.n_words)
    perplexity = completion(
        topics.words, topics.alpha, cut=prepared.cut, mean_words=topics.mean_words
    )
    coherent = npmi(topics.words, prepared.test, n_words=n_words).mean
    return replace(row, perplexity=perplexity, npmi=coherent)


def _blank(cell: Cell, prepared: PreparedCorpus) -> Row:
    noisy = cell.method.needs_epsilon
    return Row(
        setting=cell.setting.name,
        method=cell.method.key,
        configuration=cell.method.name,
        calibration=cell.method.scaling or "",
        status=cell.method.status,
        epsilon=math.nan if cell.epsilon is None else cell.epsilon,
        delta=prepared.sweep.delta_of(cell.setting) if noisy else math.nan,
        corpus=cell.corpus,
        repeat=cell.repeat,
        n_documents=prepared.train.n_documents,
        n_words=prepared.train.n_words,
        n_topics=cell.setting.n_topics,
        alpha0=cell.setting.alpha0,
        mean_length=float(np.mean(prepared.train.lengths)),
        noise_seed=noise_seed(prepared.sweep, corpus=cell.corpus, repeat=cell.repeat),
        version=code_version(),
    )
