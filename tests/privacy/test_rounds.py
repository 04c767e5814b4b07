"""What released values say of signal and noise, and which releases stand together."""

import math

import numpy as np
import pytest

from dplda.methods.configurations.sizes import Quantity
from dplda.privacy.mechanisms import Mechanisms
from dplda.privacy.rounds import rounds, signal_to_noise
from tests.privacy.contract import CASES, Case
from tests.privacy.sources import seeded

KNOWN = ("number", "vector", "matrix", "pair_histogram", "symmetric_tensor", "isotropic_matrix")
NAMED = Quantity("a quantity", "Q", "a quantity", "e2")


@pytest.mark.parametrize("case", [case for case in CASES if case.method in KNOWN], ids=lambda case: case.method)
@pytest.mark.parametrize("ratio", [0.3, 3.0])
def test_signal_over_noise_is_told_from_released_values(case: Case, ratio: float) -> None:
    """Of its square, averaged over draws: five standard deviations of a chance deviation, one in a million."""
    shown = np.ravel(case.coordinates(np.atleast_1d(case.value)))
    true = np.sqrt(np.mean(shown**2))
    draws, p = 400, len(shown)
    squares = []
    for seed in range(draws):
        _, release = case.run(seeded(seed), sensitivity=1.0, spent=ratio / true)
        mean = np.mean(np.square(case.coordinates(np.atleast_1d(release.value))))
        assert signal_to_noise(release) == pytest.approx(math.sqrt(max(0, mean / release.scale**2 - 1)), rel=1e-9)
        squares.append(mean / release.scale**2 - 1)
    spread = math.sqrt((2 + 4 * ratio**2) / p / draws)
    assert abs(np.mean(squares) - ratio**2) < 5 * spread


@pytest.mark.parametrize("case", [case for case in CASES if case.method not in KNOWN], ids=lambda case: case.method)
def test_where_noise_is_of_another_kind_nothing_is_said(case: Case) -> None:
    assert math.isnan(signal_to_noise(case.run(seeded(0))[1]))


def test_releases_of_one_quantity_in_a_row_stand_together() -> None:
    """Whatever the noise of each, which is the latest one's."""
    mechanisms = Mechanisms(seeded(0))
    for sensitivity, mu in ((1.0, 1.0), (1.0, 0.5), (2.0, 0.5), (1.0, 1.0)):
        mechanisms.vector(NAMED, np.ones(1), sensitivity=sensitivity, mu=mu)
        assert mechanisms.noise_in(NAMED) == mechanisms.releases[-1].scale
    found = rounds(mechanisms.releases)
    assert [len(part.releases) for part in found] == [2, 1, 1]
    assert [release for part in found for release in part.releases] == list(mechanisms.releases)
    assert [len(part.signal_to_noise) for part in found] == [2, 1, 1]
