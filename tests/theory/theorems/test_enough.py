"""How many documents a bound needs: the least N, found by search, against evaluations, scans and closed forms."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dplda.core.errors import NoFiniteNoise
from dplda.methods.configurations import Calibration
from dplda.methods.plan import Plan
from dplda.theory.theorems.at_budget import BOUNDED, at_budget, documents_needed
from dplda.theory.theorems.readings import TRIVIAL, PaperReading
from dplda.theory.theorems.spectrum import Spectrum
from tests.theory.theorems.spectra import PAPER, spectrum

READINGS = (*PaperReading, None)


def published(configuration: str, epsilon: float, *, delta: float = 1e-7) -> Plan:
    return Plan(configuration, epsilon, delta, calibration=Calibration.PUBLISHED)


def needed(configuration: str, s: Spectrum, reading: PaperReading | None, *, epsilon: float = 1.0) -> int:
    return documents_needed(published(configuration, epsilon), s, reading=reading)


def total(configuration: str, s: Spectrum, n: int, reading: PaperReading | None, *, epsilon: float = 1.0) -> float:
    """The bound at N; infinite where there is none."""
    try:
        return at_budget(published(configuration, epsilon), s, n_documents=n, reading=reading).total
    except NoFiniteNoise:
        return math.inf


@pytest.mark.parametrize("configuration", BOUNDED)
@pytest.mark.parametrize("reading", READINGS)
def test_there_it_says_something_and_one_document_fewer_it_does_not(configuration, reading) -> None:
    for s in (PAPER, spectrum(), spectrum(d=5000, alpha0=10.0, gap=1e-4)):
        n = needed(configuration, s, reading)
        assert total(configuration, s, n, reading) < TRIVIAL <= total(configuration, s, n - 1, reading)


@given(
    configuration=st.sampled_from(BOUNDED),
    reading=st.sampled_from(READINGS),
    epsilon=st.floats(0.05, 20),
    gap=st.floats(1e-6, 1.0),
    sigma=st.floats(1e-5, 0.024),
    factor=st.floats(1.0, 1e12),
)
def test_from_there_on_it_says_something(configuration, reading, epsilon, gap, sigma, factor) -> None:
    """No term stays, however many documents there are: an allowance for rounding, say, would grow."""
    s = spectrum(sigma=(0.035, 0.03, sigma, sigma / 3), gap=gap)
    n = needed(configuration, s, reading, epsilon=epsilon)
    more = total(configuration, s, int(n * factor), reading, epsilon=epsilon)
    assert more <= total(configuration, s, n, reading, epsilon=epsilon) < TRIVIAL
    assert total(configuration, s, max(3, int(n / factor)), reading, epsilon=epsilon) >= TRIVIAL or factor < 1.5


@pytest.mark.parametrize("configuration", BOUNDED)
@pytest.mark.parametrize("reading", [PaperReading.RECOMMENDED, None])
def test_equal_topics_need_more_than_there_can_be(configuration, reading) -> None:
    equal = spectrum(gap=0.0)
    with pytest.raises(NoFiniteNoise, match="γs"):
        needed(configuration, equal, reading)
    assert math.isinf(total(configuration, equal, 10**30, reading))
