"""ε in words, by a mechanism that attains it."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dplda.privacy.accounting.odds import (
    BUDGET_DIGITS,
    best_guess,
    format_chance,
    format_odds,
    format_rounded_down,
    format_rounded_up,
)


@pytest.mark.parametrize("epsilon", [0.0, 0.1, 1.0, 3.0, 10.0, 500.0])
@pytest.mark.parametrize("delta", [0.0, 1e-7, 0.1])
def test_best_guess_is_attained_by_the_worst_mechanism(epsilon, delta) -> None:
    """Four answers: two give the document away with probability δ, two are randomised response."""
    hit_chance = (1 - delta) / (1 + math.exp(-epsilon))
    first_law = np.array([delta, hit_chance, (1 - delta) - hit_chance, 0])
    right = np.sum(np.maximum(first_law, first_law[::-1])) / 2
    assert best_guess(epsilon, delta) == pytest.approx(right, rel=1e-9)
    assert right <= best_guess(epsilon, delta) * (1 + 1e-15)


def test_words_are_rounded_against_us() -> None:
    for epsilon in np.linspace(0.01, 40, 400):
        chance = best_guess(epsilon, 1e-7)
        right, _, _, of = format_chance(chance).replace(",", "").split()
        assert int(of) >= int(right) >= chance * int(of) * (1 - 1e-9)
    assert format_odds(3e-7) == "1 in 3,333,333"
    assert format_odds(5e-324) == format_odds(9e-16) == "less than 1 in 1,000,000,000,000,000"


@given(st.floats(1e-15, 0.5))
@example(1e-15)
@example(1e-14)
def test_format_odds_of_delta_is_never_more_than_one_over_delta(delta: float) -> None:
    """A larger number would promise a smaller δ."""
    _, _, odds_text = format_odds(delta).split()
    number = int(odds_text.replace(",", ""))
    assert number <= 1 / Fraction(repr(delta)) < number + 1


@given(st.floats(0.5, 0.99))
@example(0.5500000000001)
def test_format_chance_is_never_less_than_the_chance(chance: float) -> None:
    assert Fraction(int(format_chance(chance).split()[0]), 100) >= Fraction(repr(chance))


POSITIVE = st.floats(1e-300, 1e300)


@given(POSITIVE)
@example(1.2345649)
@example(1.2345641)
@example(999999.9)
@example(0.30000000000000004)
def test_format_rounded_up_is_never_below_the_number(number: float) -> None:
    """And no larger than a unit of its last digit; in two digits likewise."""
    for digits in (6, 2):
        price_text = format_rounded_up(number, digits)
        assert number <= float(price_text) <= number * (1 + 1.0001 * 10.0 ** (1 - digits))
        assert len(price_text.partition("e")[0].replace(".", "").strip("0")) <= digits


@given(POSITIVE)
@example(0.49999999999999994)
@example(1.9999999)
def test_format_rounded_down_is_never_above_the_number(number: float) -> None:
    """``Balance.left`` is the float below what is left."""
    assert (
        number * (1 - 1.0001e-5)
        <= float(format_rounded_down(number))
        <= math.nextafter(number, math.inf)
    )
    assert float(format_rounded_down(math.nextafter(number, 0))) <= number


@given(st.integers(1, 999_999), st.integers(-18, 6))
@example(1, -1)
@example(3, 0)
@example(1, -7)
def test_short_decimals_are_written_as_they_are(digits: int, power: int) -> None:
    number = float(f"{digits}e{power}")
    assert (
        float(format_rounded_up(number, BUDGET_DIGITS))
        == float(format_rounded_down(math.nextafter(number, 0)))
        == number
    )


def test_powers_of_ten_have_no_zeros_before_them() -> None:
    assert list(map(format_rounded_up, (0.0, 0.1, 3.0, 1e-7, 2.5e-12, 1e6))) == [
        "0",
        "0.1",
        "3",
        "1e-7",
        "2.5e-12",
        "1e6",
    ]
    assert format_rounded_up(math.inf) == "inf"
    assert format_rounded_up(2.21e-5, 2) == "2.3e-5"
    assert (format_rounded_down(0.0), format_rounded_down(2.9999999999999996)) == ("0", "3")
