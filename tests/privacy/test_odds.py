"""ε in words, by a mechanism that attains it."""

import math

import numpy as np
import pytest

from dplda.privacy.odds import best_guess, in_hundred, odds, one_in


@pytest.mark.parametrize("epsilon", [0.0, 0.1, 1.0, 3.0, 10.0, 500.0])
@pytest.mark.parametrize("delta", [0.0, 1e-7, 0.1])
def test_the_best_guess_is_that_of_the_most_telling_mechanism(epsilon, delta) -> None:
    """Four answers: two give the document away with probability δ, two are randomised response."""
    kept = (1 - delta) / (1 + math.exp(-epsilon))
    one = np.array([delta, kept, (1 - delta) - kept, 0])
    right = np.sum(np.maximum(one, one[::-1])) / 2
    assert best_guess(epsilon, delta) == pytest.approx(right, rel=1e-9)
    assert right <= best_guess(epsilon, delta) * (1 + 1e-15)


def test_words_are_rounded_against_us() -> None:
    for epsilon in np.linspace(0.01, 12, 300):
        chance = best_guess(epsilon, 1e-7)
        said = in_hundred(chance)
        if "times" in said:
            right, _, _, of = said.replace(",", "").split()
            assert int(right) / int(of) >= chance * (1 - 1e-9)
        else:
            assert chance > 0.99999
        assert float(odds(epsilon).split()[0].replace(",", "")) >= math.exp(epsilon) * (1 - 1e-9)
    assert one_in(3e-7) == "1 in 3,333,333"
