"""Which configuration loses least: the order that an independent prototype found, on one corpus."""

from functools import cache

import numpy as np
import pytest

from dplda import Corpus, Plan, simulate, topic_error
from dplda.core.errors import NoFiniteNoise
from dplda.methods.chain.pipeline import Sums, fit
from dplda.methods.configurations.variant import Calibration
from dplda.methods.problem import Problem
from dplda.methods.resources import Resources

WORST = 2.0  # a run that refuses tells nothing


@cache
def corpus() -> Corpus:
    return simulate(n_documents=20_000, n_words=100, n_topics=3, alpha0=0.1, mean_length=100, seed=0)


@cache
def sums() -> Sums:
    return Sums(corpus().counts)


@cache
def error(name: str, calibration: Calibration) -> float:
    """Median L1 error of five runs at ε = 3."""
    errors = []
    for seed in range(5):
        plan = Plan(name, 3.0, calibration=calibration)
        try:
            found = fit(corpus(), plan, Problem(3, 0.1), Resources(seed, sums=sums()))
            errors.append(topic_error(corpus().truth.topics, found.topics.words).l1_mean)
        except NoFiniteNoise:
            errors.append(WORST)
    return float(np.median(errors))


ORDER = [
    ("adaptive", Calibration.CORRECTED),
    ("shared-moment", Calibration.CORRECTED),
    ("config-1", Calibration.CORRECTED),
    ("config-1", Calibration.PUBLISHED),
]


def test_adaptive_before_the_shared_moment_before_configuration_1_before_the_published_one() -> None:
    errors = [error(*entry) for entry in ORDER]
    assert errors == sorted(errors)
    assert errors[0] < 0.5 * errors[1]


@pytest.mark.parametrize("name", ["config-3", "config-4"])
def test_configurations_3_and_4_are_the_worst(name: str) -> None:
    others = [
        error(*entry) for entry in (*ORDER, ("config-2", Calibration.CORRECTED), ("config-2", Calibration.PUBLISHED))
    ]
    assert error(name, Calibration.PUBLISHED) >= max(others)
