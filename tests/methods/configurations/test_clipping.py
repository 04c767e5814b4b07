"""What clipping does to the law of topics' shares, and the concentration that moments of clipped documents have."""

import math

import numpy as np
import pytest

from dplda.corpus import Corpus
from dplda.methods.chain.sums import Sums
from dplda.methods.configurations.pairs_then_tensor import weighed_alpha0
from dplda.spectral.cumulants import Coefficients
from dplda.spectral.documents import LARGEST_PAIR_NORM
from dplda.spectral.statistics import Averages

K, D = 3, 24
TOPICS = np.kron(np.eye(K), np.full((1, D // K), K / D))


def clipped(alpha0: float, left: float) -> tuple[Averages, float]:
    """Averages of documents of which a fraction is left unclipped, and ``α0`` by their shares as they are weighed."""
    rng = np.random.default_rng(5)
    shares = rng.dirichlet(np.full(K, alpha0 / K), 20_000)
    counts = rng.multinomial(rng.integers(40, 80, len(shares)), shares @ TOPICS)
    sums = Sums(Corpus.from_counts(counts, label="simulated", name="blocks").counts)
    level = float(np.quantile(sums.pair_norms, left)) if left < 1 else LARGEST_PAIR_NORM
    weights = sums.weights(level)
    alike = float(weights @ np.sum(shares**2, axis=1) / np.sum(weights))
    return sums.averages(level), (1 - alike) / (alike - 1 / K)


@pytest.mark.parametrize("alpha0", [0.3, 1.0, 5.0])
@pytest.mark.parametrize("left", [0.02, 0.3, 0.8])
def test_shares_are_as_uneven_as_those_of_clipped_documents(alpha0: float, left: float) -> None:
    averages, seen = clipped(alpha0, left)
    assert math.isclose(weighed_alpha0(averages, alpha0, K), seen, rel_tol=0.06)
    if left < 0.1:
        assert seen > 1.1 * alpha0


def test_without_clipping_it_is_the_one_given() -> None:
    averages, _ = clipped(1.0, 1.0)
    assert math.isclose(weighed_alpha0(averages, 1.0, K), 1.0)


def test_with_it_the_pair_moment_of_clipped_documents_has_topics_apart() -> None:
    averages, _ = clipped(1.0, 0.05)

    def together(alpha0: float) -> float:
        """How far topics lean on each other in the pair moment, in units of what each has alone; 0 in the model."""
        moment = TOPICS @ averages.pair_moment(Coefficients(alpha0)) @ TOPICS.T
        return float(np.mean(moment[~np.eye(K, dtype=bool)]) / np.mean(np.diag(moment)))

    assert together(1.0) > 0.04
    assert abs(together(weighed_alpha0(averages, 1.0, K))) < 0.25 * together(1.0)


@pytest.mark.parametrize("alpha0", [1e-12, 0.01, 100.0, 1e12])
@pytest.mark.parametrize("noise", [-1.0, 0.0, 100.0])
def test_any_noise_gives_a_number(alpha0: float, noise: float) -> None:
    words = np.full(D, 1 / D)
    found = weighed_alpha0(Averages(words, noise * np.diag(words), 1.1, clip=0.01), alpha0, K)
    assert alpha0 * (1 - 0.01) <= found < np.inf
