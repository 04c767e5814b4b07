import pickle

import numpy as np
import pytest

from dplda import Label
from dplda.core import checks
from dplda.core.errors import CorpusError, DpldaError, InputError, NoFiniteNoise, NoTopics, ReadError

NAN, INF = float("nan"), float("inf")


@pytest.mark.parametrize("value", [1e-300, 1, 2.5, np.float64(3), np.int32(1)])
def test_positive_accepts(value):
    checks.positive("epsilon", value)


@pytest.mark.parametrize("value", [0, -1, -0.0, NAN, INF, -INF, True, "1", None, 1j, np.float64("nan")])
def test_positive_refuses(value):
    with pytest.raises(InputError, match="epsilon must be a finite number greater than 0"):
        checks.positive("epsilon", value)


@pytest.mark.parametrize("value", [1.999, NAN, INF, "two", True])
def test_at_least_refuses(value):
    with pytest.raises(InputError, match="length must be a finite number of at least 2"):
        checks.at_least("length", value, 2)


def test_at_least_accepts_its_limit():
    checks.at_least("length", 2, 2)


def test_between_includes_or_excludes_its_ends():
    checks.between("share", 0, 0, 1, open_ends=False)
    checks.between("share", 1, 0, 1, open_ends=False)
    checks.between("share", 0.5, 0, 1, open_ends=True)
    for end in (0, 1):
        with pytest.raises(InputError, match="between 0 and 1, ends excluded"):
            checks.between("share", end, 0, 1, open_ends=True)


@pytest.mark.parametrize("value", [-1e-9, 1 + 1e-9, NAN, INF, "half", False])
def test_between_refuses(value):
    with pytest.raises(InputError, match="share must be a number between 0 and 1, ends included"):
        checks.between("share", value, 0, 1, open_ends=False)


@pytest.mark.parametrize("value", [2, 3, np.int64(5), np.uint8(7)])
def test_integer_at_least_accepts(value):
    checks.integer_at_least("n_topics", value, 2)


@pytest.mark.parametrize("value", [1, 0, -3, 3.0, NAN, True, np.True_, "3", None, np.float64(4)])
def test_integer_at_least_refuses(value):
    with pytest.raises(InputError, match="n_topics must be a whole number of at least 2"):
        checks.integer_at_least("n_topics", value, 2)


@pytest.mark.parametrize(("value", "limit"), [(1, "at least 2"), (2.0, "at least 2"), (6, "between 2 and 5, ends")])
def test_integer_between_refuses_either_side_and_accepts_its_ends(value, limit):
    for end in (2, 5):
        checks.integer_between("n_topics", end, 2, 5)
    with pytest.raises(InputError, match=f"n_topics must be a .*{limit}"):
        checks.integer_between("n_topics", value, 2, 5)


@pytest.mark.parametrize("array", [np.zeros((2, 3)), np.arange(3), np.zeros(0), np.array([True])])
def test_finite_accepts(array):
    checks.finite("moments", array)


def test_finite_counts_what_is_not_and_shows_no_value():
    array = np.array([[1234.5, NAN], [INF, -INF]])
    with pytest.raises(InputError, match=r"shape \(2, 2\) with 3 entries NaN or infinite") as caught:
        checks.finite("moments", array)
    assert "1234" not in str(caught.value)


def test_finite_refuses_what_is_no_number():
    with pytest.raises(InputError, match="moments must be an array of finite numbers"):
        checks.finite("moments", np.array(["canary"]))


def test_text_in_place_of_a_number_is_not_repeated():
    with pytest.raises(InputError) as caught:
        checks.positive("epsilon", "canary")
    assert "canary" not in str(caught.value)
    assert caught.value.got == "a value of type str"


@pytest.mark.parametrize(
    "error",
    [
        InputError("delta", "below 1", "2", "Choose 1e-7."),
        ReadError("mail.csv", "3 fields", "Quote them.", row=1234, offset=None),
        ReadError("mail.csv", "these bytes are not utf-8", "Choose.", offset=5678),
        CorpusError("The corpus has 2 documents", "Give at least 3."),
        NoTopics("No eigenvalue is positive", "Give more documents."),
    ],
)
def test_errors_keep_their_fields_through_pickling(error):
    again = pickle.loads(pickle.dumps(error))
    assert isinstance(again, DpldaError)
    assert vars(again) == vars(error)
    assert str(again) == str(error)


def test_errors_read_as_sentences():
    assert str(InputError("delta", "below 1", "2", "Choose 1e-7.")) == "delta must be below 1, got 2. Choose 1e-7."
    assert str(InputError("delta", "below 1", "2")) == "delta must be below 1, got 2."
    read = ReadError("mail.csv", "3 fields where the header has 2", "Quote them.", row=1234)
    assert str(read) == "mail.csv, row 1,234: 3 fields where the header has 2. Quote them."
    wrong_byte = ReadError("mail.csv", "these bytes are not utf-8", "Choose an encoding.", offset=5678)
    assert str(wrong_byte) == "mail.csv, byte 5,678: these bytes are not utf-8. Choose an encoding."


@pytest.mark.parametrize("check", [checks.epsilon, checks.alpha0])
def test_an_epsilon_and_an_alpha0_are_numbers_whose_cubes_can_be_computed(check):
    for value in (1e-12, 1, 1e12):
        check(value)
    for value in (0, NAN, "1", 1e300, 1e-300, 1.01e12):
        with pytest.raises(InputError, match=check.__name__):
            check(value)


def test_a_member_is_named_or_refused_without_being_quoted():
    assert checks.one_of("label", "public", Label) is checks.one_of("label", Label.PUBLIC, Label) is Label.PUBLIC
    for value in ("bogus", 3, None, []):
        with pytest.raises(InputError, match="label must be one of simulated, public, sensitive, got something else"):
            checks.one_of("label", value, Label)


@pytest.mark.parametrize("kind", [InputError, CorpusError, NoTopics, NoFiniteNoise])
def test_whatever_a_fit_refuses_with_is_a_value_error_too(kind):
    assert issubclass(kind, DpldaError)
    assert issubclass(kind, ValueError)
