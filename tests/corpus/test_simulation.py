"""A corpus to be drawn, as data."""

import pytest

from dplda.core.errors import InputError
from dplda.corpus import Simulation


@pytest.mark.parametrize(
    "arguments",
    [
        {"n_documents": 1_000_000, "mean_length": 100},
        {"n_documents": 2},
        {"n_words": 100_000},
        {"n_topics": 1},
        {"n_words": 5, "n_topics": 6},
        {"alpha0": 0.0},
        {"alpha0": float("nan")},
        {"topic_concentration": -1.0},
        {"seed": -1},
    ],
)
def test_simulations_have_limits(arguments) -> None:
    with pytest.raises(InputError):
        Simulation(**arguments)
