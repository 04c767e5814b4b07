"""The choice between a table's topics and those of steps: one bounded number a document."""

from functools import partial

import numpy as np
from scipy.sparse import csr_array

from dplda.methods.refined.documents.documents import Documents, bounded_vectors
from dplda.methods.refined.documents.topic_scorer import TopicScorer
from dplda.methods.refined.plan.constants import BACKGROUND_SHARE
from dplda.methods.refined.plan.sum_bounds import prior_test_bound
from dplda.methods.refined.stages.prior_choice import advantages_over_steps
from dplda.privacy.bounded_sum import BoundedSum

N_WORDS = 8
FREQUENCIES = np.full(N_WORDS, 1 / N_WORDS)


def topics_of_pairs(first_word: int) -> np.ndarray:
    """Two topics of two words each, from this word on; all other words are rare in both."""
    topics = np.full((2, N_WORDS), 1e-4)
    topics[0, [first_word, first_word + 1]] = 1
    topics[1, [first_word + 2, first_word + 3]] = 1
    return topics / topics.sum(axis=1, keepdims=True)


def preference(rows: list[list[int]]) -> BoundedSum:
    """Sum over documents of their preference for topics of the first four words over the last."""
    prior_scorer, step_scorer = (
        TopicScorer(topics_of_pairs(first_word), FREQUENCIES, np.ones(2), BACKGROUND_SHARE)
        for first_word in (0, 4)
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
    first_preference = preference([OF_BOTH, OF_THE_PRIOR])
    second_preference = preference([OF_BOTH, OF_THE_STEPS])
    distance = abs(float(first_preference.value[0]) - float(second_preference.value[0]))
    assert 1.999 < distance <= first_preference.sensitivity


def test_choice_of_random_neighbors_stays_within_its_sensitivity() -> None:
    rng = np.random.default_rng(0)
    for _ in range(20):
        common_document, second, third = rng.poisson(3, (3, N_WORDS)).tolist()
        first_preference, second_preference = (
            preference([common_document, second]),
            preference([common_document, third]),
        )
        assert (
            abs(float(first_preference.value[0]) - float(second_preference.value[0]))
            <= first_preference.sensitivity
        )
