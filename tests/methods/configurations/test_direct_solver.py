"""Where a proven configuration reads exact eigenvalues, they come from a direct solver and move as Weyl allows."""

import contextlib
from unittest.mock import Mock

import numpy as np
import pytest

from dplda import Corpus, Label, Plan
from dplda.core.errors import NoFiniteNoise
from dplda.methods.base.problem import Problem
from dplda.methods.base.runtime import Runtime
from dplda.methods.configurations.chain.spectral_methods import fit_spectral
from dplda.privacy import sensitivity
from dplda.spectral.corpus_statistics import CorpusStatistics, StatisticsCache
from dplda.spectral.cumulants import Coefficients

D, COPIES = 450, 12


def clustered(*, emptied: bool) -> Corpus:
    """Disjoint triples of words, each in as many documents as the next: eigenvalues of high multiplicity."""
    counts = np.zeros((10 * COPIES, D), dtype=np.int32)
    for row in range(len(counts)):
        group = row % COPIES
        counts[row, 3 * group : 3 * group + 3] = 1
    if emptied:
        counts[0] = 0
    return Corpus.from_counts(counts, label=Label.PUBLIC, name="clustered")


def exact_and_read(corpus: Corpus, count: int) -> tuple[np.ndarray, np.ndarray]:
    view = CorpusStatistics(StatisticsCache(corpus.counts), Coefficients(1.0), keep_short=True)
    matrix = view.pair_moment().matrix()
    return np.linalg.eigvalsh(matrix)[::-1][:count], view.leading_eigenvalues(count)


@pytest.mark.parametrize("emptied", [False, True])
def test_eigenvalues_that_are_released_are_the_exact_ones_copies_included(emptied) -> None:
    exact, eigenvalues = exact_and_read(clustered(emptied=emptied), COPIES)
    np.testing.assert_allclose(eigenvalues, exact, atol=1e-14)


def test_eigenvalues_of_neighbors_differ_by_at_most_the_sensitivity() -> None:
    values_before = exact_and_read(clustered(emptied=False), COPIES)[1]
    values_after = exact_and_read(clustered(emptied=True), COPIES)[1]
    bound = sensitivity.pair_moment_eigenvalue(n_documents=10 * COPIES, n_words=D, a=0.5)
    assert np.max(np.abs(values_before - values_after)) <= bound


def test_plan_with_an_exact_moment_uses_the_direct_solver(monkeypatch) -> None:
    """An iteration may miss copies of an eigenvalue; which ones it misses is no function with a sensitivity."""
    corpus, iterate = (
        clustered(emptied=True),
        Mock(side_effect=AssertionError("an un-noised moment is iterated on")),
    )
    monkeypatch.setattr("dplda.spectral.eigenpairs._by_vectors", iterate)
    monkeypatch.setattr("dplda.spectral.eigenpairs._by_blocks", iterate)
    for entry in (
        ("config-2", None),
        ("config-2", "as published"),
        ("config-3", None),
        ("config-4", None),
    ):
        name, calibration = entry
        with contextlib.suppress(NoFiniteNoise):
            fit_spectral(corpus, Plan(name, 1.0, calibration=calibration), Problem(4, 1.0))
    with pytest.raises(AssertionError):
        fit_spectral(corpus, None, Problem(4, 1.0))


def test_refusals_of_configuration_2_are_alike_on_neighbors() -> None:
    """Both corpora run, or both are refused by a private bound; never one for certain and the other not."""
    outcomes = []
    for is_neighbor in (0, 1):
        counts = np.zeros((50, 3), dtype=np.int32)
        counts[:, 0] = 3
        counts[0] = [0, 3, 0] if is_neighbor else [3, 0, 0]
        corpus = Corpus.from_counts(counts, label=Label.PUBLIC, name="pair")
        n_refused = 0
        for seed in range(20):
            try:
                fit_spectral(corpus, Plan("config-2", 0.1), Problem(2, 1.0), Runtime(seed))
            except NoFiniteNoise:
                n_refused += 1
        outcomes.append(n_refused)
    assert abs(outcomes[0] - outcomes[1]) <= 3
