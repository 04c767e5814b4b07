"""Noise on each released quantity reaches the output: make one draw larger and the topics move."""

import numpy as np
import pytest

from dplda import Plan
from dplda.errors import NoTopics
from dplda.pipeline import Fit, Sums, fit
from tests.configurations.test_adaptive import QUANTITIES
from tests.privacy.sources import TamperedNoise
from tests.tiny_corpora import topical_corpus

CORPUS = topical_corpus(1, n_documents=1000)
SUMS = Sums(CORPUS.counts)
PLAN = Plan("adaptive", 300.0)


def with_factors(factors: dict[int, float]) -> tuple[Fit, TamperedNoise]:
    source = TamperedNoise(2, factors)
    return fit(CORPUS, PLAN, n_topics=3, alpha0=1.0, seed=2, sums=SUMS, noise=source), source


def test_each_release_takes_its_own_draw() -> None:
    found, source = with_factors({})
    d = CORPUS.n_words
    assert source.sizes == [9, d * (d + 1) // 2, d, 1, 9, 10]
    assert tuple(release.quantity for release in found.releases) == QUANTITIES


@pytest.mark.parametrize("draw", range(6), ids=QUANTITIES)
def test_larger_noise_on_one_quantity_moves_the_topics(draw: int) -> None:
    honest, _ = with_factors({})
    louder, _ = with_factors({draw: 30.0})
    assert honest.topics.resolved == 3
    assert np.max(np.abs(louder.topics.words - honest.topics.words)) > 1e-6


@pytest.mark.parametrize("draw", [1, 2, 5], ids=[QUANTITIES[i] for i in (1, 2, 5)])
def test_huge_noise_on_one_quantity_destroys_the_topics(draw: int) -> None:
    honest, _ = with_factors({})
    try:
        drowned, _ = with_factors({draw: 1e4})
    except NoTopics:
        return
    assert np.mean(np.sum(np.abs(drowned.topics.words - honest.topics.words), axis=1)) > 0.25


def test_huge_noise_on_the_mass_leaves_no_topics_or_says_so() -> None:
    """The mean weight of a document is a share; noise of ten times its size makes everything divided by it useless."""
    scale = with_factors({})[0].releases[3].scale
    for sign in (1, -1):
        try:
            drowned, _ = with_factors({3: sign * 10 / scale})
        except NoTopics:
            continue
        assert np.abs(drowned.topics.words - with_factors({})[0].topics.words).sum() > 0.1


def test_every_release_before_the_tampered_one_stays_as_it_was() -> None:
    honest, _ = with_factors({})
    for draw in range(6):
        louder, _ = with_factors({draw: 30.0})
        for before, after in zip(honest.releases[:draw], louder.releases[:draw], strict=True):
            np.testing.assert_array_equal(before.value, after.value)
