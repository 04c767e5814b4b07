"""The public bound of a plan, and how many documents it needs: the least N against evaluations and closed forms."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dplda import Plan
from dplda.core.errors import InputError, NoFiniteNoise
from dplda.methods.base.calibration import Calibration
from dplda.methods.configurations import REGISTRY
from dplda.theory.theorems.at_budget import BOUNDED, at_budget, documents_needed
from dplda.theory.theorems.readings import TRIVIAL, PaperReading
from dplda.theory.theorems.spectrum import Spectrum
from dplda.theory.theorems.utility import utility_bound
from tests.theory.theorems.spectra import PAPER, spectrum

READINGS = (*PaperReading, None)


def published(configuration: str, epsilon: float, *, delta: float = 1e-7) -> Plan:
    return Plan(configuration, epsilon, delta, calibration=Calibration.PUBLISHED)


def needed(
    configuration: str, s: Spectrum, reading: PaperReading | None, *, epsilon: float = 1.0
) -> int:
    return documents_needed(published(configuration, epsilon), s, reading=reading)


def total(
    configuration: str, s: Spectrum, n: int, reading: PaperReading | None, *, epsilon: float = 1.0
) -> float:
    """The bound at N; infinite where there is none."""
    try:
        return at_budget(published(configuration, epsilon), s, n_documents=n, reading=reading).total
    except NoFiniteNoise:
        return math.inf


@pytest.mark.parametrize("configuration", BOUNDED)
@pytest.mark.parametrize("reading", READINGS)
def test_documents_needed_are_the_fewest_with_a_bound_below_trivial(configuration, reading) -> None:
    for s in (PAPER, spectrum(), spectrum(d=5000, alpha0=10.0, gap=1e-4)):
        n = needed(configuration, s, reading)
        assert (
            total(configuration, s, n, reading) < TRIVIAL <= total(configuration, s, n - 1, reading)
        )


@given(
    configuration=st.sampled_from(BOUNDED),
    reading=st.sampled_from(READINGS),
    epsilon=st.floats(0.05, 20),
    gap=st.floats(1e-6, 1.0),
    sigma=st.floats(1e-5, 0.024),
    factor=st.floats(1.0, 1e12),
)
def test_bound_from_enough_documents_on_says_something(
    configuration, reading, epsilon, gap, sigma, factor
) -> None:
    """No term stays, however many documents there are: an allowance for rounding, say, would grow."""
    s = spectrum(sigma=(0.035, 0.03, sigma, sigma / 3), gap=gap)
    n = needed(configuration, s, reading, epsilon=epsilon)
    later_total = total(configuration, s, int(n * factor), reading, epsilon=epsilon)
    assert later_total <= total(configuration, s, n, reading, epsilon=epsilon) < TRIVIAL
    assert (
        total(configuration, s, max(3, int(n / factor)), reading, epsilon=epsilon) >= TRIVIAL
        or factor < 1.5
    )


@pytest.mark.parametrize("configuration", BOUNDED)
@pytest.mark.parametrize("reading", [PaperReading.RECOMMENDED, None])
def test_documents_needed_for_equal_topics_are_infinite(configuration, reading) -> None:
    equal = spectrum(gap=0.0)
    with pytest.raises(NoFiniteNoise, match="γs"):
        needed(configuration, equal, reading)
    assert math.isinf(total(configuration, equal, 10**30, reading))


EXACT = spectrum()


@pytest.mark.parametrize(
    ("name", "calibration"),
    [
        (name, form)
        for name, configuration in REGISTRY.items()
        for form in configuration.variants
        if form is not Calibration.PUBLISHED
    ],
)
def test_plan_that_the_paper_has_no_theorem_of_is_not_predicted(name, calibration) -> None:
    with pytest.raises(
        InputError, match="no theorem for it: its error is not predicted here"
    ) as refusal:
        utility_bound(Plan(name, 1.0, calibration=calibration), n_documents=10**6, spectrum=EXACT)
    assert refusal.value.got == f"{name}, {calibration}"


def test_arguments_that_make_no_sense_are_refused() -> None:
    plan = published("config-1", 1.0)
    with pytest.raises(InputError, match="n_documents"):
        utility_bound(plan, n_documents=2, spectrum=EXACT)
    with pytest.raises(InputError, match="reading"):
        utility_bound(plan, n_documents=10**6, spectrum=EXACT, reading="as I like it")
    with pytest.raises(InputError, match="delta"):
        utility_bound(published("config-1", 1.0, delta=0.6), n_documents=10**6, spectrum=EXACT)
