import math

import numpy as np
import pytest
from scipy.optimize import brentq

from dplda.core.errors import InputError
from dplda.methods.plan import Plan
from dplda.methods.registry import predictors
from dplda.theory.prediction.inverse import smallest
from dplda.theory.prediction.predictor import predict
from dplda.theory.prediction.regime_axes import Axis, Point
from dplda.theory.prediction.regimes import reference_of

HERE = Point(n_documents=20_000, n_topics=3, n_words=80, alpha0=0.5, mean_length=60, epsilon=2.0)
REFERENCES = tuple(reference_of(HERE, seed=seed) for seed in range(3))
ONE = REFERENCES[:1]
PREDICTORS = {one.configuration: one for one in predictors().values()}


def error(configuration: str, *, n: int = HERE.n_documents, epsilon: float = HERE.epsilon, reference: int = 0) -> float:
    return predict(Plan(configuration, epsilon, HERE.delta), REFERENCES[reference], n_documents=n).l1


@pytest.mark.parametrize("configuration", ["adaptive", "shared-moment", "config-1"])
@pytest.mark.parametrize("epsilon", [0.7, 9.0])
def test_epsilon_there_and_back(configuration, epsilon) -> None:
    target = error(configuration, epsilon=epsilon)
    answer = smallest(Axis.EPSILON, target, HERE, PREDICTORS[configuration], ONE)
    assert answer.middle == pytest.approx(epsilon, rel=2e-3)
    assert answer.low < answer.middle < answer.high


def test_by_another_route() -> None:
    """Root finding on the forward prediction, at the target and at the target times either ratio."""
    target, ratio = 0.05, PREDICTORS["adaptive"].ratio(HERE.alpha0)
    answer = smallest(Axis.EPSILON, target, HERE, PREDICTORS["adaptive"], REFERENCES)

    def root(goal: float, reference: int) -> float:
        return brentq(lambda e: error("adaptive", epsilon=e, reference=reference) - goal, 0.1, 90.0, rtol=1e-6)

    assert answer.middle == pytest.approx(np.median([root(target, reference) for reference in range(3)]), rel=3e-3)
    assert answer.low == pytest.approx(min(root(target * ratio.high, reference) for reference in range(3)), rel=3e-3)
    assert answer.high == pytest.approx(max(root(target * ratio.low, reference) for reference in range(3)), rel=3e-3)
    assert answer.n_references == 3


def test_the_floor_of_sampling_is_said() -> None:
    floor = predict(None, REFERENCES[0], n_documents=HERE.n_documents).l1
    with pytest.raises(InputError, match="left at ε = 100") as refusal:
        smallest(Axis.EPSILON, floor / 2, HERE, PREDICTORS["adaptive"], ONE)
    assert f"{floor:.3g} would be left at N = 20,000" in str(refusal.value)
    assert "more documents" in str(refusal.value)
    assert math.isfinite(smallest(Axis.DOCUMENTS, floor / 2, HERE, PREDICTORS["adaptive"], ONE).middle)


def test_what_the_unigram_model_reaches_is_no_target() -> None:
    unigram = float(np.mean(REFERENCES[0].unigram))
    with pytest.raises(InputError, match="unigram model") as refusal:
        smallest(Axis.EPSILON, unigram * 1.01, HERE, PREDICTORS["adaptive"], ONE)
    assert f"{unigram:.3g}" in str(refusal.value)


def test_a_configuration_that_never_resolves_a_topic_is_said() -> None:
    few = HERE.moved(Axis.DOCUMENTS, 200)
    with pytest.raises(InputError, match="no better than the unigram model"):
        smallest(Axis.EPSILON, 0.3, few, PREDICTORS["config-2"], ONE)


def test_an_upper_end_that_is_not_reached_is_infinite() -> None:
    reached = error("adaptive", epsilon=Axis.EPSILON.limits[1])
    answer = smallest(Axis.EPSILON, reached * 1.02, HERE, PREDICTORS["adaptive"], ONE)
    assert math.isinf(answer.high)
    assert math.isfinite(answer.middle)


def test_a_lost_topic_never_counts_as_reached() -> None:
    """Just below the unigram error the ratio would allow any ε: the answer still resolves a topic."""
    unigram = float(np.mean(REFERENCES[0].unigram))
    answer = smallest(Axis.EPSILON, unigram * 0.99, HERE, PREDICTORS["adaptive"], ONE)
    assert error("adaptive", epsilon=answer.low * 1.001) < unigram
    assert answer.low > Axis.EPSILON.limits[0]


@pytest.mark.parametrize(
    ("axis", "target", "configuration"),
    [
        (Axis.WORDS, 0.1, "adaptive"),
        (Axis.EPSILON, 0.0, "adaptive"),
        (Axis.EPSILON, math.nan, "adaptive"),
    ],
)
def test_other_questions_are_refused(axis, target, configuration) -> None:
    with pytest.raises(InputError):
        smallest(axis, target, HERE, PREDICTORS[configuration], ONE)
