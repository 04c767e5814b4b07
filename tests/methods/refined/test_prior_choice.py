"""The choice between a table's topics and those of steps: one bounded number a document."""

from functools import partial

import numpy as np
from scipy.sparse import csr_array

from dplda.methods.refined.constants import BACKGROUND_SHARE
from dplda.methods.refined.documents import Documents, bounded_vectors
from dplda.methods.refined.stages.prior_choice import advantages_over_steps
from dplda.methods.refined.stages.prior_test import prior_test_bound
from dplda.methods.refined.stages.topic_scorer import TopicScorer
from dplda.privacy.bounded_sum import BoundedSum

N_WORDS = 8
FREQUENCIES = np.full(N_WORDS, 1 / N_WORDS)


def topics_of_pairs(first: int) -> np.ndarray:
    """Two topics of two words each, from this word on; all other words are rare in both."""
    topics = np.full((2, N_WORDS), 1e-4)
    topics[0, [first, first + 1]] = 1
    topics[1, [first + 2, first + 3]] = 1
    return topics / topics.sum(axis=1, keepdims=True)


def preference(rows: list[list[int]]) -> BoundedSum:
    """Sum over documents of their preference for topics of the first four words over the last."""
    prior_scorer, step_scorer = (
        TopicScorer(topics_of_pairs(first), FREQUENCIES, np.ones(2), BACKGROUND_SHARE)
        for first in (0, 4)
    )
    counts = csr_array(np.array(rows, dtype=float))
    return bounded_vectors(
        Documents(counts, 2),
        partial(advantages_over_steps, prior_scorer, step_scorer, 1.0),
        1,
        prior_test_bound(n_documents=len(rows), n_words=N_WORDS),
        is_exact=False,
    )


OF_THE_PRIOR = [20, 20, 0, 0, 0, 0, 0, 0]
OF_THE_STEPS = [0, 0, 0, 0, 20, 20, 0, 0]
OF_BOTH = [5, 5, 0, 0, 5, 5, 0, 0]


def test_choice_of_worst_neighbors_reaches_its_sensitivity() -> None:
    one = preference([OF_BOTH, OF_THE_PRIOR])
    other = preference([OF_BOTH, OF_THE_STEPS])
    distance = abs(float(one.value[0]) - float(other.value[0]))
    assert 1.999 < distance <= one.sensitivity


def test_choice_of_random_neighbors_stays_within_its_sensitivity() -> None:
    rng = np.random.default_rng(0)
    for _ in range(20):
        first, second, third = rng.poisson(3, (3, N_WORDS)).tolist()
        one, other = preference([first, second]), preference([first, third])
        assert abs(float(one.value[0]) - float(other.value[0])) <= one.sensitivity
