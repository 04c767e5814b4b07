"""Look, then add: two releases that together cost what one does, and find as much."""

import numpy as np
import pytest

from dplda.core.errors import InputError
from dplda.corpus import simulate
from dplda.evaluation import topic_error
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.base.runtime import Runtime
from dplda.methods.look_then_add import LOOK_THEN_ADD
from dplda.methods.registry import parse_method
from dplda.privacy.accounting import gaussian
from dplda.privacy.noise.sources import NoNoise


def test_look_then_add_finds_as_much_as_one_release_of_the_total() -> None:
    corpus = simulate(n_documents=2500, n_words=200, n_topics=4, alpha0=1.0, mean_length=60, seed=1)
    budget, errors = Budget(1.0, 1e-7), {}
    for text in ("refined", LOOK_THEN_ADD):
        runs = [
            parse_method(text).fit(corpus, Problem(4, 1.0), budget, Runtime(seed))
            for seed in range(3)
        ]
        spent_mu = gaussian.compose([release.mu for release in runs[0].releases])
        assert 0.98 < spent_mu / gaussian.mu_for(1.0, 1e-7) <= 1
        errors[text] = np.mean(
            [topic_error(corpus.truth.topics, release.topics.words).l1_mean for release in runs]
        )
    bare = parse_method(LOOK_THEN_ADD).fit(corpus, Problem(4, 1.0), budget, Runtime(0, NoNoise()))
    assert topic_error(corpus.truth.topics, bare.topics.words).l1_mean < errors["refined"]
    assert errors[LOOK_THEN_ADD] < 1.15 * errors["refined"]


def test_look_then_add_text_parses_to_one_method() -> None:
    assert parse_method(LOOK_THEN_ADD) is parse_method(LOOK_THEN_ADD)


def test_look_then_add_is_not_releasable() -> None:
    assert not parse_method(LOOK_THEN_ADD).is_releasable


def test_look_then_add_text_that_is_unknown_is_refused() -> None:
    for text in ("adaptive/corrected@0.3", "refined@1", "refined@", "refined@0.3@0.3"):
        with pytest.raises(InputError):
            parse_method(text)
