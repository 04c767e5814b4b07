"""How the un-noised fit's time grows with N, d and k, and how far it is from what the machine can do."""

import time
from collections.abc import Iterator
from statistics import median

import numpy as np

import dplda
from dplda.core.engine import map_threads, workers
from dplda.core.threads import one_thread
from dplda.methods.base.problem import Problem
from dplda.methods.configurations.chain.spectral_methods import fit_spectral
from dplda.spectral.eigenpairs import block_width

Row = dict[str, float | int | str]
BASE = {"n_documents": 40_000, "n_words": 2_000, "n_topics": 20}
AXES = {
    "n_documents": (10_000, 40_000, 160_000, 640_000),
    "n_words": (500, 1_000, 2_000, 4_000, 8_000),
    "n_topics": (10, 20, 40, 80),
}
REPEATS = 3
PRODUCTS = 4  # of the pair moment with a block of directions, usually
SIDE = 1500  # of the matrices whose product shows what the machine can do
MOVED = 20_000_000  # numbers copied to show how fast memory is


def run() -> Iterator[Row]:
    """A row a point, then the exponent of each axis, then the machine's limits."""
    for axis, values in AXES.items():
        seconds = []
        for value in values:
            shape = {**BASE, axis: value}
            corpus = dplda.simulate(**shape, alpha0=1.0, mean_length=50, seed=0)
            seconds.append(_seconds(corpus, shape["n_topics"]))
            yield {"section": "scaling", "axis": axis, **shape, "seconds": round(seconds[-1], 3)}
        exponent = float(np.polyfit(np.log(values), np.log(seconds), 1)[0])
        last = float(np.log(seconds[-1] / seconds[-2]) / np.log(values[-1] / values[-2]))
        yield {
            "section": "scaling",
            "axis": axis,
            "exponent": round(exponent, 2),
            "last_step": round(last, 2),
        }
    yield limit()


def limit() -> Row:
    """Operations of the fit at ``BASE`` over the machine's rate of dense ones, and the rates themselves."""
    corpus = dplda.simulate(**BASE, alpha0=1.0, mean_length=50, seed=0)
    n, d, k = BASE["n_documents"], BASE["n_words"], BASE["n_topics"]
    sparse = 4.0 * corpus.counts.nnz * (PRODUCTS * block_width(k + 1, d) + k)
    dense = 2 / 3 * n * float(k) ** 3 + 8 / 3 * d * float(k) ** 3
    seconds, rate = _seconds(corpus, k), _gemm_rate()
    return {
        "section": "scaling",
        "axis": "limit",
        **BASE,
        "seconds": round(seconds, 3),
        "sparse_gigaflops": round(sparse / 1e9, 2),
        "dense_gigaflops": round(dense / 1e9, 2),
        "machine_gigaflops_per_second": round(rate / 1e9, 1),
        "machine_gigabytes_per_second": round(_bandwidth() / 1e9, 1),
        "share_of_the_machine": round((sparse + dense) / rate / seconds, 3),
    }


def _seconds(corpus: dplda.Corpus, n_topics: int) -> float:
    found = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        fit_spectral(corpus, None, Problem(n_topics, 1.0))
        found.append(time.perf_counter() - start)
    return median(found)


@one_thread
def _gemm_rate() -> float:
    """Operations a second of a dense product on each of our threads at once, float64."""
    a = np.random.default_rng(0).standard_normal((SIDE, SIDE))
    return _rate(lambda _: a @ a, 2.0 * SIDE**3)


@one_thread
def _bandwidth() -> float:
    """Bytes a second read and written by a copy on each of our threads at once."""
    source = np.ones(MOVED)
    targets = [np.empty_like(source) for _ in range(workers())]
    return _rate(lambda i: np.copyto(targets[i], source), 16.0 * MOVED)


def _rate(work, size: float) -> float:
    map_threads(work, range(workers()))
    found = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        map_threads(work, range(workers()))
        found.append(workers() * size / (time.perf_counter() - start))
    return max(found)
