import json
import math
from functools import cache
from pathlib import Path

import pytest

from dplda.core.errors import InputError, NoFiniteNoise
from dplda.methods.plan import Plan
from dplda.methods.prediction_accuracy import GUESS
from dplda.methods.registry import parse_method, predictors
from dplda.theory.prediction.geometry import Geometry
from dplda.theory.prediction.predictor import predict
from dplda.theory.prediction.reference import simulated_reference

RESULTS = Path(__file__).resolve().parents[3] / "benchmarks" / "results" / "configurations.json"
N = 100_000


@cache
def reference(alpha0: float, seed: int) -> Geometry:
    return simulated_reference(n_words=100, n_topics=3, alpha0=alpha0, mean_length=100, seed=seed)


@cache
def ratios(configuration: str, *, most_alpha0: float) -> tuple[float, ...]:
    """Predicted over observed error of every benchmark run that was neither refused nor predicted to be."""
    found = []
    for row in json.loads(RESULTS.read_text())["rows"]:
        if (row["configuration"], row["calibration"]) == (configuration, "corrected") and row["alpha0"] <= most_alpha0:
            for seed, observed in enumerate(row["l1_mean"]):
                try:
                    plan = Plan(configuration, row["epsilon"])
                    prediction = predict(plan, reference(row["alpha0"], seed), n_documents=N).l1
                except NoFiniteNoise:
                    continue
                if observed is not None and observed < 2:
                    found.append(prediction / observed)
    return tuple(found)


@pytest.mark.parametrize("predictor", predictors().values(), ids=lambda predictor: predictor.configuration)
@pytest.mark.parametrize("alpha0", [1.0, 10.0])
def test_the_ratios_are_those_of_the_benchmark(predictor, alpha0) -> None:
    """Every run lies within, and the widest ones nearly fill it."""
    claimed, found = predictor.ratio(alpha0), ratios(predictor.configuration, most_alpha0=alpha0)
    assert len(found) >= 35
    assert claimed.low <= min(found)
    assert max(found) <= claimed.high
    if claimed.measured:
        assert min(found) - claimed.low < 0.03
        assert claimed.high - max(found) < 0.05


def test_beyond_what_was_measured_it_says_so() -> None:
    predictor = parse_method("adaptive").predictor
    assert predictor.ratio(10.1) == GUESS
    assert not GUESS.measured
    for other in predictors().values():
        beyond, known = other.ratio(10.1), other.ratio(10.0)
        assert not beyond.measured
        assert beyond.low <= known.low
        assert beyond.high >= known.high
    assert predictor.ratio(1.0).measured
    assert parse_method("config-3").predictor is None
    with pytest.raises(InputError, match="alpha0"):
        predictor.ratio(math.nan)
