"""How the cost of every method grows with N, d and k: processor seconds of whole fits, and exponents.

One number grows at a time, the others stay at ``BASE``. A cost is a power of a number only where it is large, so an
exponent is that of the last step, from the second largest value to the largest. ε is so large that noise, which is
drawn as ever, hides nothing: each method does all of its work. What is refused all the same has no exponent.
"""

import math
import time
from collections.abc import Iterator

import dplda
from dplda.core.errors import DpldaError
from dplda.methods.base.method import Method
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.base.runtime import Runtime
from dplda.methods.registry import METHODS

Row = dict[str, float | int | str]
BASE = {"N": 20_000, "d": 1_000, "k": 10}
AXES = {"N": (10_000, 40_000, 160_000), "d": (1_000, 2_000, 4_000), "k": (10, 20, 40)}
MEAN_LENGTH, ALPHA0 = 60, 0.1
BUDGET = Budget(1e6, 1e-7)
ENOUGH = 0.5  # processor seconds from which on one run is as good as three


def run() -> Iterator[Row]:
    """A row a method and axis."""
    methods = [method for method in METHODS.values() if method.is_recommended]
    _fitted(methods, (2_000, 100, 3))  # what is imported and started once
    shapes = {
        tuple((BASE | {axis: value}).values()): None
        for axis, values in AXES.items()
        for value in values
    }
    seconds = {shape: _fitted(methods, shape) for shape in shapes}
    for method in methods:
        for axis, values in AXES.items():
            spent = [
                seconds[tuple((BASE | {axis: value}).values())][method.key] for value in values
            ]
            exponent = math.log(spent[-1] / spent[-2]) / math.log(values[-1] / values[-2])
            each = {f"at_{value}": round(one, 4) for value, one in zip(values, spent, strict=True)}
            most = {"exponent": round(exponent, 2), "most": round(spent[-1], 4)}
            if math.isfinite(exponent):
                yield {"method": method.key, "axis": axis, **most, **each}


def _fitted(methods: list[Method], shape: tuple[int, ...]) -> dict[str, float]:
    """The least processor time of some fits by each method, on documents of this N, d and k; NaN where it refuses."""
    n, d, k = shape
    corpus = dplda.simulate(
        n_documents=n, n_words=d, n_topics=k, alpha0=ALPHA0, mean_length=MEAN_LENGTH, seed=0
    )
    least = {}
    for method in methods:
        found: list[float] = []
        try:
            while len(found) < 3 and sum(found) < ENOUGH:
                started = time.process_time()
                method.fit(corpus, Problem(k, ALPHA0), BUDGET, Runtime(memory_bytes=math.inf))
                found.append(time.process_time() - started)
        except DpldaError:
            found.append(math.nan)
        least[method.key] = min(found)
    return least
