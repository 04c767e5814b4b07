"""The public bound of a plan: the paper's formula once more, and refusals of plans that the paper says nothing of."""

import pytest

from dplda import Plan
from dplda.core.errors import InputError
from dplda.methods.configurations import REGISTRY, Calibration
from dplda.theory.theorems.utility import utility_bound
from tests.theory.theorems.spectra import spectrum

EXACT = spectrum()


def published(name: str, epsilon: float = 1.0, **others) -> Plan:
    return Plan(name, epsilon, calibration=Calibration.PUBLISHED, **others)


@pytest.mark.parametrize(
    ("name", "calibration"),
    [(name, how) for name, known in REGISTRY.items() for how in known.variants if how is not Calibration.PUBLISHED],
)
def test_a_plan_that_the_paper_has_no_theorem_of_is_not_predicted(name, calibration) -> None:
    with pytest.raises(InputError, match="no theorem for it: its error is not predicted here") as refusal:
        utility_bound(Plan(name, 1.0, calibration=calibration), n_documents=10**6, spectrum=EXACT)
    assert refusal.value.got == f"{name}, {calibration}"


def test_what_makes_no_sense_is_refused() -> None:
    plan = published("config-1")
    with pytest.raises(InputError, match="n_documents"):
        utility_bound(plan, n_documents=2, spectrum=EXACT)
    with pytest.raises(InputError, match="reading"):
        utility_bound(plan, n_documents=10**6, spectrum=EXACT, reading="as I like it")
    with pytest.raises(InputError, match="delta"):
        utility_bound(published("config-1", delta=0.6), n_documents=10**6, spectrum=EXACT)
