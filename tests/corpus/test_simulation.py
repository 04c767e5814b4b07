"""A corpus to be drawn, as data."""

import pytest

from dplda.core.errors import InputError
from dplda.corpus import Simulation, simulate


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


def test_a_million_short_documents_are_within_the_limits() -> None:
    assert Simulation(n_documents=1_000_000, mean_length=30).n_tokens == 30_000_000


def test_it_draws_what_its_numbers_say() -> None:
    simulation = Simulation(n_documents=50, n_words=20, n_topics=3, alpha0=0.5, mean_length=30, seed=4)
    again = simulate(n_documents=50, n_words=20, n_topics=3, alpha0=0.5, mean_length=30, seed=4)
    assert simulation.draw().digest == again.digest
