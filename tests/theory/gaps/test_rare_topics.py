import numpy as np
import pytest

from dplda.spectral.population import Population
from dplda.theory.gaps.rare_topics import RARE_SHARES, gamma_s, gamma_s_change, rare_collection
from dplda.theory.theorems.spectrum import from_population


@pytest.mark.parametrize("numbers", [(100, 110, 9790), (10, 300, 690)])
def test_gamma_s_is_that_of_a_population_of_one_word_documents(numbers) -> None:
    shares = np.array(numbers) / sum(numbers)
    population = Population(np.eye(3), 1e-9 * shares)
    assert gamma_s(numbers) == pytest.approx(from_population(population).gamma_s, rel=1e-6)


@pytest.mark.parametrize("n", [44_000, 440_000, 4_400_000])
def test_gamma_s_change_approaches_its_derivative(n) -> None:
    derivative = sum(share**-1.5 / 8 for share in RARE_SHARES) / n
    assert gamma_s_change(n) == pytest.approx(derivative, rel=0.01)


@pytest.mark.parametrize("n", [4_400, 440_000])
def test_gamma_s_change_of_two_rare_topics_passes_the_claim(n) -> None:
    assert gamma_s_change(n) > 100 * 2 / n


@pytest.mark.parametrize("n", [10_000, 1_000_000])
def test_gamma_s_change_of_one_rare_topic_keeps_the_claim(n) -> None:
    numbers = n // 100, 3 * n // 10, n - n // 100 - 3 * n // 10
    neighbor = numbers[0] - 1, numbers[1] + 1, numbers[2]
    assert abs(gamma_s(neighbor) - gamma_s(numbers)) < 2 / n


def test_rare_collection_has_the_smallest_gap_between_its_rare_topics() -> None:
    first_topic, second, _ = rare_collection(44_000)
    gap = ((first_topic / 44_000) ** -0.5 - (second / 44_000) ** -0.5) / 4
    assert gamma_s(rare_collection(44_000)) == pytest.approx(gap)
