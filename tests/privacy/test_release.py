"""A release comes from a mechanism and shows no value; a guarantee says what it may, in words."""

import copy
import dataclasses
import pickle

import numpy as np
import pytest

from dplda.methods.configurations.sizes import Quantity
from dplda.privacy.adjacency import Adjacency
from dplda.privacy.mechanisms import Mechanisms
from dplda.privacy.release import Release
from tests.privacy.sources import seeded

FIELDS = {
    "edge": "e2",
    "name": "pairs",
    "quantity": "pair average",
    "symbol": "E₂",
    "shape": (),
    "mechanism": "Gaussian",
    "sensitivity": 1.0,
    "scale": 2.0,
    "mu": 0.5,
    "adjacency": Adjacency.REPLACE_ONE,
    "noise": "simulated",
    "value": 3.0,
}


def a_release() -> Release:
    mechanisms = Mechanisms(seeded(0))
    mechanisms.vector(
        Quantity("words", "E₁", "words", "e2"),
        np.array([123456.0, 654321.0]),
        sensitivity=1e-3,
        mu=0.5,
    )
    return mechanisms.releases[0]


@pytest.mark.parametrize("mint", [{}, {"_mint": None}, {"_mint": object()}, {"_mint": True}])
def test_release_made_outside_a_mechanism_is_refused(mint: dict[str, object]) -> None:
    with pytest.raises(TypeError, match="made by a mechanism"):
        Release(**FIELDS, **mint)


def test_release_that_is_replaced_is_refused() -> None:
    for change in ({"scale": 1e-9}, {"value": 0.0}, {"mu": 0.0}, {}):
        with pytest.raises(TypeError, match="made by a mechanism"):
            dataclasses.replace(a_release(), **change)


def test_release_that_is_copied_or_pickled_stays_equal() -> None:
    release = a_release()
    for copied_release in (
        copy.copy(release),
        copy.deepcopy(release),
        pickle.loads(pickle.dumps(release)),
    ):
        np.testing.assert_array_equal(copied_release.value, release.value)
        assert repr(copied_release) == repr(release)


def test_release_is_frozen() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        a_release().scale = 0.0


def test_repr_of_a_release_shows_its_making_without_its_value() -> None:
    text = repr(a_release()) + str(a_release())
    assert "123456" not in text
    assert "654321" not in text
    assert "value" not in text
    assert "_mint" not in text
    assert "sensitivity=0.001" in text
