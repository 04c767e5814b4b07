import math
from fractions import Fraction

import numpy as np
import pytest

from dplda.core.errors import DpldaError, InputError
from dplda.corpus import Label, LengthLaw, Simulation, VocabularySource, simulate

SMALL = dict(n_documents=2000, n_words=60, n_topics=4, alpha0=1.0, mean_length=30, seed=3)


def test_simulation_of_one_seed_draws_one_corpus():
    assert simulate(**SMALL).digest == simulate(**SMALL).digest
    assert simulate(**SMALL).digest != simulate(**SMALL | {"seed": 4}).digest


def test_simulated_corpus_has_its_label_with_its_truth():
    corpus = simulate(**SMALL)
    assert corpus.label is Label.SIMULATED
    assert corpus.vocabulary_source is VocabularySource.FIXED
    assert corpus.counts.shape == (2000, 60)
    assert corpus.vocabulary[7] == "w0007"
    topics, alpha = corpus.truth.topics, corpus.truth.alpha
    assert topics.shape == (4, 60)
    assert np.allclose(topics.sum(axis=1), 1)
    assert (topics >= 0).all()
    assert alpha.sum() == pytest.approx(1.0)
    assert (np.diff(alpha) <= 0).all()
    assert 1 < alpha[0] / alpha[-1] <= 3


@pytest.mark.parametrize("lengths", LengthLaw)
@pytest.mark.parametrize("mean_length", [2, 40])
def test_lengths_keep_their_mean(lengths, mean_length):
    corpus = simulate(
        **SMALL | {"n_documents": 20_000, "mean_length": mean_length}, lengths=lengths
    )
    n = corpus.n_documents
    # log-normal of spread 0.8: variance L² (e^0.64 - 1), and 1/4 at most for rounding
    deviation = {
        LengthLaw.FIXED: 0.0,
        LengthLaw.POISSON: np.sqrt(mean_length),
        LengthLaw.LOG_NORMAL: np.sqrt(mean_length**2 * np.expm1(0.64) + 0.25),
    }[lengths]
    assert abs(corpus.lengths.mean() - mean_length) <= 5 * deviation / np.sqrt(n)
    assert (
        lengths is LengthLaw.FIXED or mean_length > 2 or {0, 1, 2} <= set(corpus.lengths.tolist())
    ), "all are kept"
    if lengths is not LengthLaw.FIXED:
        assert corpus.lengths.std() == pytest.approx(deviation, rel=0.1)


def test_pairs_of_words_follow_the_model():
    corpus = simulate(
        **SMALL | {"n_documents": 50_000, "n_words": 5, "n_topics": 2}, lengths=LengthLaw.FIXED
    )
    counts = corpus.counts.toarray().astype(float)
    length = 30
    pairs = (counts.T @ counts - np.diag(counts.sum(axis=0))) / (50_000 * length * (length - 1))
    alpha, topics = corpus.truth.alpha, corpus.truth.topics
    alpha0 = alpha.sum()
    weights = (np.diag(alpha) + np.outer(alpha, alpha)) / (alpha0 * (alpha0 + 1))
    expected = topics.T @ weights @ topics
    assert np.abs(pairs - expected).max() <= 5 * 0.5 / np.sqrt(50_000)


@pytest.mark.parametrize(
    ("changes", "argument"),
    [
        ({"n_documents": 2}, "n_documents"),
        ({"n_words": 1}, "n_words"),
        ({"n_topics": 1}, "n_topics"),
        ({"n_topics": 61}, "n_topics"),
        ({"alpha0": 0}, "alpha0"),
        ({"alpha0": float("nan")}, "alpha0"),
        ({"mean_length": -1}, "mean_length"),
        ({"seed": -1}, "seed"),
        ({"seed": 1.0}, "seed"),
        ({"topic_concentration": 0}, "topic_concentration"),
        ({"mean_length": 2.5, "lengths": LengthLaw.FIXED}, "mean_length"),
    ],
)
def test_arguments_out_of_range_are_refused(changes, argument):
    with pytest.raises(InputError) as caught:
        simulate(**SMALL | changes)
    assert caught.value.what == argument
    with pytest.raises(InputError):
        Simulation(**SMALL | changes)


@pytest.mark.parametrize(
    "large", [{"n_documents": 1_000_000, "mean_length": 100}, {"n_words": 100_000}]
)
def test_simulations_have_limits(large):
    with pytest.raises(InputError):
        Simulation(**large)


USUAL = {
    "n_documents": 10,
    "n_words": 6,
    "n_topics": 2,
    "alpha0": 0.5,
    "mean_length": 9,
    "seed": 0,
}
ABSURD = {
    "n_documents": [10**11, 10**30, 3.0, np.array(3), None, "10"],
    "n_words": [10**11, 10**30, np.array(3), "6"],
    "n_topics": [10**11, np.array(2), None],
    "mean_length": [1e11, 1e300, math.nan, None],
    "alpha0": [1e300, None, "1"],
    "seed": [-1, np.array(3), 0.5],
    "lengths": ["bogus", None, [], np.array([1, 2])],
    "topic_concentration": [0, None, math.inf],
    "equal_alpha": ["yes", None, np.array([1, 2])],
    "newspaper": [None, ["english"], np.array([1, 2]), "nowhere"],
}


@pytest.mark.parametrize(
    ("name", "value"), [(name, value) for name, values in ABSURD.items() for value in values]
)
def test_simulate_refuses_absurd_arguments_in_a_sentence(name: str, value: object) -> None:
    with pytest.raises(DpldaError):
        simulate(**(USUAL | {name: value}))


def test_simulate_takes_fractions() -> None:
    simulate(**(USUAL | {"alpha0": Fraction(1, 3), "topic_concentration": Fraction(1, 7)}))
