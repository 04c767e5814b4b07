"""The public bound of a plan: the paper's formula once more, and refusals of plans that the paper says nothing of."""

import math

import numpy as np
import pytest

import dplda
from dplda import Plan
from dplda.core.errors import InputError, NoFiniteNoise
from dplda.methods.configurations import REGISTRY, Calibration
from dplda.theory.prediction.curves import bound_curve
from dplda.theory.theorems.at_budget import BOUNDED
from dplda.theory.theorems.readings import PaperReading
from dplda.theory.theorems.utility import UtilityBound, utility_bound
from tests.theory.theorems.spectra import spectrum

EXACT = spectrum()
SPLIT = (("σk", 0.2), ("e6", 0.5), ("e8", 0.3))


def published(name: str, epsilon: float = 1.0, **others) -> Plan:
    return Plan(name, epsilon, calibration=Calibration.PUBLISHED, **others)


def test_it_is_part_of_the_public_interface() -> None:
    assert dplda.utility_bound is utility_bound
    assert "utility_bound" in dplda.__all__


def test_theorem_11_written_out() -> None:
    """First, second and third term at d = 100, k = 3, N = 10⁶, ε = 2, δ = 1e-6, of which e6 gets one half."""
    N, epsilon, delta = 10**6, 2.0, 1e-6
    found = utility_bound(published("config-2", epsilon, delta=delta, split=SPLIT), n_documents=N, spectrum=EXACT)
    sigma_1, sigma_k, gap = 0.035, 0.024, 0.127
    tau_6, tau_8 = (math.sqrt(2 * math.log(1.25 / (part * delta))) / (part * epsilon) for part in (0.5, 0.3))
    lower = sigma_k - 2 / (N * 0.2 * epsilon) * math.log(1 / (2 * 0.2 * delta))
    noise = tau_6 / (gap / 4 * N * lower**1.5)
    direction = math.sqrt(sigma_1) * 3**2.5 * noise
    back = math.sqrt(sigma_1 * 100) * tau_8 / (sigma_k * N)
    size = math.sqrt(sigma_1 + math.sqrt(100) * tau_8 / N) * 3**2.5 * noise
    assert [term.value for term in found.terms] == pytest.approx([direction, back, size], rel=1e-9)
    assert [term.edges for term in found.terms] == [("e6",), ("e8",), ("e6", "e8")]
    assert found.total == pytest.approx(direction + back + size)
    assert found.vacuous == (direction + back + size >= math.sqrt(2))
    assert found.source == "Theorem 11"


@pytest.mark.parametrize("name", BOUNDED)
@pytest.mark.parametrize("reading", [*PaperReading, None])
def test_it_is_the_curve_of_the_privacy_page_at_one_epsilon(name, reading) -> None:
    curve = bound_curve(published(name, 1.0), EXACT, n_documents=10**7, reading=reading, epsilons=(0.5, 3.0, 7.0))
    found = utility_bound(published(name, 3.0), n_documents=10**7, spectrum=EXACT, reading=reading)
    assert isinstance(found, UtilityBound)
    assert found.total == curve.at(3.0)
    assert [(term.name, term.value) for term in found.terms] == [(words, values[1]) for words, values in curve.terms]


@pytest.mark.parametrize("name", BOUNDED)
@pytest.mark.parametrize("reading", [PaperReading.RECOMMENDED, PaperReading.TABLE_1, None])
def test_enough_documents_are_enough_and_one_fewer_is_not(name, reading) -> None:
    plan = published(name)
    here = utility_bound(plan, n_documents=10**6, spectrum=EXACT, reading=reading)
    enough = here.enough_documents
    assert here.vacuous == (enough > 10**6)
    assert not utility_bound(plan, n_documents=enough, spectrum=EXACT, reading=reading).vacuous
    assert utility_bound(plan, n_documents=enough - 1, spectrum=EXACT, reading=reading).vacuous


@pytest.mark.parametrize(
    ("name", "calibration"),
    [(name, how) for name, known in REGISTRY.items() for how in known.variants if how is not Calibration.PUBLISHED],
)
def test_a_plan_that_the_paper_has_no_theorem_of_is_not_predicted(name, calibration) -> None:
    with pytest.raises(InputError, match="no theorem for it: its error is not predicted here") as refusal:
        utility_bound(Plan(name, 1.0, calibration=calibration), n_documents=10**6, spectrum=EXACT)
    assert refusal.value.got == f"{name}, {calibration}"


def test_no_finite_noise_is_said_and_no_number_made_up() -> None:
    with pytest.raises(NoFiniteNoise, match="σk"):
        utility_bound(published("config-4", 0.1), n_documents=1000, spectrum=EXACT)
    with pytest.raises(NoFiniteNoise, match="γs"):
        utility_bound(published("config-1"), n_documents=10**9, spectrum=spectrum(gap=0.0))


def test_what_makes_no_sense_is_refused() -> None:
    plan = published("config-1")
    with pytest.raises(InputError, match="n_documents"):
        utility_bound(plan, n_documents=2, spectrum=EXACT)
    with pytest.raises(InputError, match="reading"):
        utility_bound(plan, n_documents=10**6, spectrum=EXACT, reading="as I like it")
    with pytest.raises(InputError, match="delta"):
        utility_bound(published("config-1", delta=0.6), n_documents=10**6, spectrum=EXACT)


def test_an_exact_fit_gives_the_spectrum_that_it_needs() -> None:
    """From documents to a bound by public names and one spectrum, as the docstring has it."""
    from dplda.theory.theorems.spectrum import from_fit

    corpus = dplda.simulate(n_documents=3000, n_words=20, n_topics=2, alpha0=0.1, mean_length=30, seed=1)
    exact = from_fit(dplda.SpectralLDA(2, alpha0=0.1).fit(corpus).fit_)
    bound = utility_bound(published("config-1", 5.0), n_documents=3000, spectrum=exact)
    assert np.isfinite(bound.total)
    assert bound.vacuous == (bound.enough_documents > 3000)
