"""Keys of noise: what shares its numbers, what must not, and where a secret may not go.

The file fails by chance once in 1,000,000,000,000: when two of some forty numbers of 53 bits are equal.
"""

import copy
import pickle

import pytest

from dplda.privacy.noise.keys import NoiseKey, Secret, SecretKey, SeedKey

pytestmark = pytest.mark.fresh_noise


def first(key: NoiseKey, purpose: str = "e2 pair average") -> float:
    return float(key.generator(purpose).standard_normal())


def test_noise_key_of_each_purpose_has_a_stream_of_its_own() -> None:
    """Also where words could be put together to the same text."""
    keys = [
        SeedKey(0),
        SeedKey(1),
        SeedKey(0, ("a",)),
        SeedKey(0, ("a", "b")),
        SeedKey(0, ("ab",)),
        SeedKey(0, ("b", "a")),
        SecretKey(()),
        SecretKey(()),
    ]
    first_numbers = [first(key, purpose) for key in keys for purpose in ("a", "b", "ab", "")]
    assert len(set(first_numbers)) == len(first_numbers)


def test_noise_key_asked_again_gives_the_same_draw() -> None:
    secret = Secret()
    assert first(SeedKey(3, ("adaptive",))) == first(SeedKey(3, ("adaptive",)))
    assert first(SecretKey(("x",), secret)) == first(SecretKey(("x",), secret))
    assert first(SecretKey(("x",), secret)) != first(SecretKey(("y",), secret))
    assert first(SecretKey(("x",), secret)) != first(SecretKey(("x",), Secret()))


@pytest.mark.parametrize("keeping", [pickle.dumps, copy.deepcopy])
@pytest.mark.parametrize("kept", [Secret(), SecretKey(("x",))])
def test_secret_that_is_pickled_or_copied_is_refused(keeping, kept) -> None:
    with pytest.raises(TypeError, match="kept in memory alone"):
        keeping(kept)


def test_secret_has_a_repr_without_its_bytes() -> None:
    """None of its 32 bytes, and nothing that differs between two secrets."""
    assert repr(SecretKey(("x",))) == repr(SecretKey(("x",)))
    assert repr(Secret()) == str(Secret()) == "Secret()"
