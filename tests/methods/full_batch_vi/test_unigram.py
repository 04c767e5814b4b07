"""The private unigram: one release with the whole budget, of clipped counts, and its noiseless end."""

import numpy as np
import pytest

from dplda.methods.full_batch_vi.documents import Documents
from dplda.methods.full_batch_vi.recipe import Recipe
from dplda.methods.full_batch_vi.unigram import private_unigram
from dplda.methods.problem import Budget
from dplda.methods.resources import Resources
from dplda.privacy import gaussian
from dplda.privacy.noise.sources import NoNoise
from dplda.privacy.release import Status
from tests.tiny_corpora import topical_corpus

CORPUS = topical_corpus(2, n_documents=2500, n_words=30)
BOUND = Recipe().bound


def test_one_release_spends_the_whole_budget_at_the_sensitivity_of_clipped_counts() -> None:
    found = private_unigram(CORPUS, Budget(1.0, 1e-6))
    (release,) = found.releases
    assert release.mu <= gaussian.mu_for(1.0, 1e-6) * (1 + 1e-12)
    assert release.mu == pytest.approx(gaussian.mu_for(1.0, 1e-6))
    assert release.sensitivity >= np.sqrt(2) * BOUND
    assert release.scale >= release.sensitivity / gaussian.mu_for(1.0, 1e-6)
    assert found.guarantee.status is Status.PROVEN
    assert found.guarantee.epsilon == 1.0


def test_without_noise_it_is_the_mean_of_clipped_documents_and_with_much_says_nothing() -> None:
    counts = Documents(CORPUS.counts, 1).word_counts(bound=BOUND)
    found = private_unigram(CORPUS, Budget(1.0, 1e-7), Resources(noise=NoNoise()))
    np.testing.assert_allclose(found.mean_words, counts / np.sum(counts), atol=1e-9)
    assert found.guarantee.status is Status.NOT_PRIVATE
    errors = [
        np.sum(
            np.abs(private_unigram(CORPUS, Budget(epsilon, 1e-7), Resources(1)).mean_words - counts / np.sum(counts))
        )
        for epsilon in (0.001, 0.03, 1.0)
    ]
    assert errors == sorted(errors, reverse=True)
    assert errors[-1] < 0.05
