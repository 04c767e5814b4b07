"""Refinement without a part is another method, and what switches a part off leaves nothing behind."""

import numpy as np
import pytest

from benchmarks.utility import variants
from dplda.corpus import Simulation
from dplda.methods.base.method import Method
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.base.runtime import Runtime

CORPUS = Simulation(n_documents=400, n_words=12, n_topics=6, mean_length=20, alpha0=0.1).draw()
PROBLEM = Problem(3, 2.5)
UNSURE, SURE = (Budget(epsilon, 1e-3) for epsilon in (0.1, 1000.0))


def topics(method: Method, budget: Budget) -> np.ndarray:
    return method.fit(CORPUS, PROBLEM, budget, Runtime()).topics.words


@pytest.mark.parametrize("part", variants.without_one_part(), ids=lambda part: part.name)
def test_every_part_that_is_switched_off_was_at_work(part) -> None:
    budget = UNSURE if part.title == "no cooled prior" else SURE
    whole = topics(variants.REFINED, budget)
    assert np.max(np.abs(topics(part, budget) - whole)) > 1e-6
    np.testing.assert_array_equal(topics(variants.REFINED, budget), whole)
