import pickle

import numpy as np
import pytest

from dplda import Label
from dplda.core import checks
from dplda.core.errors import CorpusError, DpldaError, InputError, NoTopics, ReadError

NAN, INF = float("nan"), float("inf")


@pytest.mark.parametrize(
    "value", [0, -1, -0.0, NAN, INF, -INF, True, "1", None, 1j, 10**400, np.float64("nan")]
)
def test_positive_check_refuses_other_numbers(value):
    with pytest.raises(InputError, match="epsilon must be a finite number greater than 0"):
        checks.positive("epsilon", value)


@pytest.mark.parametrize("value", [0, 1, -1e-9, 1 + 1e-9, NAN, INF, "half", False])
def test_between_accepts_its_ends_only_when_they_are_closed(value):
    checks.between("share", 0.5, 0, 1, open_ends=True)
    if value in (0, 1) and value is not False:
        checks.between("share", value, 0, 1, open_ends=False)
    else:
        with pytest.raises(
            InputError, match="share must be a number between 0 and 1, ends included"
        ):
            checks.between("share", value, 0, 1, open_ends=False)
    with pytest.raises(InputError, match="between 0 and 1, ends excluded"):
        checks.between("share", value, 0, 1, open_ends=True)


@pytest.mark.parametrize(
    ("value", "limit"), [(1, "at least 2"), (2.0, "at least 2"), (6, "between 2 and 5, ends")]
)
def test_integer_between_refuses_only_what_is_beyond_its_ends(value, limit):
    for end in (2, 5):
        checks.integer_between("n_topics", end, 2, 5)
    with pytest.raises(InputError, match=f"n_topics must be a .*{limit}"):
        checks.integer_between("n_topics", value, 2, 5)


@pytest.mark.parametrize("value", [None, "text", Label])
def test_instance_of_another_class_is_refused_by_its_type(value):
    checks.instance("label", Label.PUBLIC, Label)
    with pytest.raises(
        InputError, match=rf"label must be a Label, got .* type {type(value).__name__}"
    ):
        checks.instance("label", value, Label)


@pytest.mark.parametrize("values", ["words", 3, None, np.array("words"), iter(["words"])])
def test_texts_that_are_no_list_are_refused(values):
    with pytest.raises(InputError, match="names must be a list of texts, got a value of type"):
        checks.texts("names", values)


def test_texts_with_another_entry_are_refused_by_its_place():
    checks.texts("names", np.array(["tea", "milk"]))
    checks.texts("names", ["tea", None], may_hold_none=True)
    with pytest.raises(InputError, match=r"names, entry 2, must be text, got .* NoneType"):
        checks.texts("names", ["tea", None])


@pytest.mark.parametrize("value", ["print", 3, int])
def test_function_that_is_none_is_refused(value):
    checks.function("report", print)
    with pytest.raises(InputError, match="report must be a function, got a value of type"):
        checks.function("report", value)


@pytest.mark.parametrize("value", [1e-13, 1e13, 0, NAN])
def test_moderate_number_beyond_either_limit_is_refused(value):
    checks.moderate("bound", 1e-12)
    checks.moderate("bound", 1e12)
    with pytest.raises(InputError, match="bound must be a"):
        checks.moderate("bound", value)


def test_finite_refusal_counts_entries_without_showing_a_value():
    array = np.array([[1234.5, NAN], [INF, -INF]])
    with pytest.raises(
        InputError, match=r"shape \(2, 2\) with 3 entries NaN or infinite"
    ) as caught:
        checks.finite("moments", array)
    assert "1234" not in str(caught.value)


def test_finite_refuses_an_array_of_words_without_showing_them():
    with pytest.raises(InputError, match="moments must be an array of finite numbers"):
        checks.finite("moments", np.array(["canary"]))


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
    unpickled = pickle.loads(pickle.dumps(error))
    assert isinstance(unpickled, DpldaError)
    assert vars(unpickled) == vars(error)
    assert str(unpickled) == str(error)


@pytest.mark.parametrize("check", [checks.epsilon, checks.alpha0])
def test_epsilon_or_alpha0_with_an_uncomputable_cube_is_refused(check):
    for value in (1e-12, 1, 1e12):
        check(value)
    for value in (0, NAN, "1", 1e300, 1e-300, 1.01e12):
        with pytest.raises(InputError, match=check.__name__):
            check(value)


def test_choice_is_accepted_or_refused_without_being_quoted():
    assert (
        checks.one_of("label", "public", Label)
        is checks.one_of("label", Label.PUBLIC, Label)
        is Label.PUBLIC
    )
    for value in ("bogus", 3, None, []):
        with pytest.raises(
            InputError,
            match="label must be one of simulated, public, sensitive, got something else",
        ):
            checks.one_of("label", value, Label)
