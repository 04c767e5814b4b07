"""Closed forms: against golden numbers, and the direct moments against all that neighbours can do."""

import math

import numpy as np
import pytest

from dplda.core.errors import InputError
from dplda.privacy import sensitivity
from dplda.spectral.cumulants import Coefficients
from dplda.spectral.statistics import ExactMoments
from tests.tiny_corpora import counts_of, crafted_neighbours

N, D = 6, 8
NEIGHBOURS = crafted_neighbours(N, D)["uuu to vvv, others www"]

# N times the sensitivity at α0 = 0.1, 1, 10, 1000, from an independent derivation.
ALPHA0 = (0.1, 1.0, 10.0, 1000.0)
PAIR_EXACT = (1.4259, 1.7321, 2.3034, 2.4479)
TRIPLE_PROVEN = (1.7845, 4.5689, 11.6373, 14.3317)
TRIPLE_ATTAINED = (1.4222, 1.6330, 2.9926, 3.7321)


def bounds(c: Coefficients, n: int = N) -> tuple[float, float]:
    pair = sensitivity.direct_pair_moment(n_documents=n, a=c.a)
    return n * pair, n * sensitivity.direct_triple_moment(n_documents=n, n_words=D, b=c.b, c=c.c)


@pytest.mark.parametrize(
    ("alpha0", "pair", "triple"), [*zip(ALPHA0, PAIR_EXACT, TRIPLE_PROVEN, strict=True)]
)
def test_direct_sensitivities_are_the_golden_ones(
    alpha0: float, pair: float, triple: float
) -> None:
    assert bounds(Coefficients(alpha0)) == pytest.approx((pair, triple), abs=6e-5)


@pytest.mark.parametrize(
    ("alpha0", "pair", "triple"), [*zip(ALPHA0, PAIR_EXACT, TRIPLE_ATTAINED, strict=True)]
)
def test_direct_sensitivities_are_attained_by_the_worst_known_neighbours(
    alpha0: float, pair: float, triple: float
) -> None:
    A, B = (ExactMoments(counts_of(rows), Coefficients(alpha0)) for rows in NEIGHBOURS)
    moved_distance = N * np.linalg.norm((A.pair_moment() - B.pair_moment()) @ np.eye(D))
    assert moved_distance == pytest.approx(pair, abs=6e-5)
    assert moved_distance > 0.999 * bounds(Coefficients(alpha0))[0]
    assert N * np.linalg.norm(
        A.third_moment(np.eye(D)) - B.third_moment(np.eye(D))
    ) == pytest.approx(triple, abs=6e-5)


@pytest.mark.parametrize("n", [1, 10, 12_345, 10**6])
@pytest.mark.parametrize("clip", [1e-3, 0.2, math.sqrt(0.5)])
def test_averages_move_by_their_clip_level_over_n(n: int, clip: float) -> None:
    """Never less than the formula; more only by what covers rounding in a sum of N terms."""
    formulas = [
        (sensitivity.mass(n_documents=n), 1 / n),
        (
            sensitivity.word_average(n_documents=n, clip=clip),
            math.sqrt(2 * math.sqrt(2) * clip) / n,
        ),
        (sensitivity.pair_average(n_documents=n, clip=clip), 2 * clip / n),
        (
            sensitivity.tensor_average(n_documents=n, n_words=D, clip=clip, ceiling=10 * clip),
            2 * clip / n,
        ),
    ]
    for computed, formula in formulas:
        assert formula < computed <= formula * (1 + 1e-3)


GIVEN = {
    "mass": {},
    "word_average": {"clip": 0.5},
    "pair_average": {"clip": 0.5},
    "tensor_average": {"clip": 0.5, "n_words": D, "ceiling": 1.0},
    "direct_pair_moment": {"a": 0.5},
    "direct_triple_moment": {"n_words": D, "b": -0.5, "c": 0.5},
}


@pytest.mark.parametrize("name", GIVEN)
def test_numbers_that_are_none_are_refused(name: str) -> None:
    known_arguments = {"n_documents": 10, **GIVEN[name]}
    for key, values in {
        "n_documents": (0, -1, 2.0, math.nan),
        "clip": (0, -1, math.nan, math.inf),
    }.items():
        for bad in values if key in known_arguments else ():
            with pytest.raises(InputError, match=f"{key} must be a "):
                getattr(sensitivity, name)(**known_arguments | {key: bad})
