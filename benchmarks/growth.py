"""How the cost of every method grows with N, d and k: processor seconds of whole fits, and exponents.

One number grows at a time, the others stay at ``BASE``. A cost is a power of a number only where it is large, so an
exponent is that of the last step, from the second largest value to the largest. ε is so large that noise, which is
drawn as ever, hides nothing: each method does all of its work. What is refused all the same has no exponent.
"""

import math
import time
from collections.abc import Iterator
from itertools import chain

import dplda
from dplda.core.errors import DpldaError
from dplda.methods.base.method import Method
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.base.runtime import Runtime
from dplda.methods.registry import METHODS

Row = dict[str, float | int | str]
BASE = {"N": 20_000, "d": 1_000, "k": 10}
AXES = {"N": (10_000, 40_000, 160_000), "d": (1_000, 2_000, 4_000), "k": (10, 20, 40)}
MEAN_LENGTH = 60
ALPHA0 = 0.1
BUDGET = Budget(1e6, 1e-7)
ENOUGH = 0.5  # processor seconds from which on one run is as good as three


def run() -> Iterator[Row]:
    """A row a method and axis."""
    methods = [method for method in METHODS.values() if method.is_recommended]
    _measure_fits(methods, (2_000, 100, 3))  # what is imported and started once
    sizes = {axis: [_size_with(axis, value) for value in values] for axis, values in AXES.items()}
    all_sizes = dict.fromkeys(chain.from_iterable(sizes.values()))
    seconds = {size: _measure_fits(methods, size) for size in all_sizes}
    for method in methods:
        for axis, values in AXES.items():
            axis_seconds = [seconds[size][method.key] for size in sizes[axis]]
            log_growth = math.log(axis_seconds[-1] / axis_seconds[-2])
            exponent = log_growth / math.log(values[-1] / values[-2])
            if math.isfinite(exponent):
                pairs = zip(values, axis_seconds, strict=True)
                yield {
                    "method": method.key,
                    "axis": axis,
                    "exponent": round(exponent, 2),
                    "most": round(axis_seconds[-1], 4),
                    **{f"at_{value}": round(value_seconds, 4) for value, value_seconds in pairs},
                }


def _size_with(axis: str, value: int) -> tuple[int, ...]:
    """N, d and k of ``BASE``, but for one of them."""
    return tuple((BASE | {axis: value}).values())


def _measure_fits(methods: list[Method], size: tuple[int, ...]) -> dict[str, float]:
    """The least processor time of some fits by each method, on documents of this N, d and k; NaN where it refuses."""
    n_documents, n_words, n_topics = size
    corpus = dplda.simulate(
        n_documents=n_documents,
        n_words=n_words,
        n_topics=n_topics,
        alpha0=ALPHA0,
        mean_length=MEAN_LENGTH,
        seed=0,
    )
    problem = Problem(n_topics, ALPHA0)
    least_seconds = {}
    for method in methods:
        seconds: list[float] = []
        try:
            while len(seconds) < 3 and sum(seconds) < ENOUGH:
                started_at = time.process_time()
                method.fit(corpus, problem, BUDGET, Runtime(memory_bytes=math.inf))
                seconds.append(time.process_time() - started_at)
        except DpldaError:
            seconds.append(math.nan)
        least_seconds[method.key] = min(seconds)
    return least_seconds
