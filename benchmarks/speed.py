"""The un-noised fit and private refinement beside scikit-learn's variational LDA: one corpus, one run, two threads."""

import gc
import multiprocessing
import multiprocessing.connection
import resource
import time
from collections.abc import Callable, Iterator
from functools import partial
from statistics import median

import numpy as np
from joblib.externals.loky import get_reusable_executor
from sklearn.decomposition import LatentDirichletAllocation

import dplda
from dplda.corpus import Corpus
from dplda.fitting.pipeline import fit
from dplda.refined.refine import refine

N_DOCUMENTS, N_WORDS, N_TOPICS, ALPHA0, MEAN_LENGTH, JOBS = 20_000, 1000, 10, 1.0, 100, 2
EPSILON = 1.0
Row = dict[str, float | int | str]


def spectral(corpus: Corpus) -> np.ndarray:
    """Our topics."""
    return fit(corpus, None, n_topics=N_TOPICS, alpha0=ALPHA0).topics.words


def refinement(corpus: Corpus) -> np.ndarray:
    """Private topics, moments counted anew."""
    return refine(corpus, n_topics=N_TOPICS, alpha0=ALPHA0, epsilon=EPSILON).topics


def variational(corpus: Corpus, *, method: str, passes: int) -> np.ndarray:
    """Scikit-learn's topics."""
    model = LatentDirichletAllocation(
        N_TOPICS,
        learning_method=method,
        max_iter=passes,
        n_jobs=JOBS,
        random_state=0,
        doc_topic_prior=ALPHA0 / N_TOPICS,
    ).fit(corpus.counts)
    return model.components_ / model.components_.sum(axis=1, keepdims=True)


def measured(method: Callable[[Corpus], np.ndarray], repeats: int, pipe: multiprocessing.connection.Connection) -> None:
    """Draws the corpus, fits, and sends seconds, peak memory in MB and error back."""
    corpus = dplda.simulate(
        n_documents=N_DOCUMENTS, n_words=N_WORDS, n_topics=N_TOPICS, alpha0=ALPHA0, mean_length=MEAN_LENGTH, seed=0
    )
    assert corpus.truth is not None
    gc.collect()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    seconds = []
    for _ in range(repeats):
        start = time.perf_counter()
        topics = method(corpus)
        seconds.append(time.perf_counter() - start)
    get_reusable_executor().shutdown(wait=True)  # scikit-learn's worker processes: ended, so that their memory counts
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    workers = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss  # the largest one; there are JOBS of them
    error = dplda.topic_error(corpus.truth.topics, topics).l1_mean
    pipe.send((seconds, before / 1024, (peak + JOBS * workers) / 1024, error))


def in_child(method: Callable[[Corpus], np.ndarray], repeats: int) -> tuple[list[float], float, float, float]:
    """Runs one measurement in a process of its own, so that peak memory belongs to it."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=measured, args=(method, repeats, theirs))
    process.start()
    result: tuple[list[float], float, float, float] = ours.recv()
    process.join()
    return result


def run() -> Iterator[Row]:
    """Ours before, between and after theirs; ratios to our median over all of those."""
    rivals = {
        f"dplda, refined, ε = {EPSILON:g}": refinement,
        "scikit-learn batch, 20 iterations": partial(variational, method="batch", passes=20),
        "scikit-learn online, 5 epochs": partial(variational, method="online", passes=5),
    }
    own = [in_child(spectral, 5)]
    theirs = {}
    for name, method in rivals.items():
        theirs[name] = in_child(method, 1)
        own.append(in_child(spectral, 5))
    seconds = median(second for result in own for second in result[0])
    first = own[0]
    yield row("dplda, un-noised", seconds, 1.0, first)
    for name, result in theirs.items():
        yield row(name, median(result[0]), median(result[0]) / seconds, result)


def row(name: str, seconds: float, ratio: float, result: tuple[list[float], float, float, float]) -> Row:
    """One line of the table."""
    return {
        "method": name,
        "seconds": round(seconds, 3),
        "times_ours": round(ratio, 1),
        "corpus_only_mb": round(result[1]),
        "peak_mb": round(result[2]),
        "l1_mean": round(result[3], 4),
    }
