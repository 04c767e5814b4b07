"""Bounds against the number of documents, and Table 1's sensitivities against the noise of a run."""

import math

import pytest

from dplda.core.errors import NoFiniteNoise
from dplda.methods.base.calibration import Calibration
from dplda.methods.configurations.chain.noise_table import edge_noise
from dplda.methods.configurations.plan import Plan
from dplda.theory.theorems.at_budget import BOUNDED, at_budget, documents_needed, numbers_of
from dplda.theory.theorems.by_documents import bounds_by_documents
from dplda.theory.theorems.readings import TRIVIAL, PaperReading
from dplda.theory.theorems.table_1 import printed_sensitivities
from tests.theory.theorems.spectra import PAPER, spectrum

READINGS = (*PaperReading, None)
N_DOCUMENTS = 100_000


def published(name: str, epsilon: float = 3.0) -> Plan:
    return Plan(name, epsilon, 1e-7, calibration=Calibration.PUBLISHED)


PLANS = [published(name) for name in BOUNDED]


@pytest.mark.parametrize("reading", READINGS)
def test_bounds_by_documents_are_those_at_each_number_of_documents(reading) -> None:
    for curve, plan in zip(
        bounds_by_documents(PLANS, PAPER, n_documents=N_DOCUMENTS, reading=reading),
        PLANS,
        strict=True,
    ):
        for number, total in zip(curve.documents, curve.totals, strict=True):
            try:
                bound = at_budget(plan, PAPER, n_documents=int(number), reading=reading)
            except NoFiniteNoise:
                assert total == math.inf
            else:
                assert total == bound.total
        assert curve.enough == documents_needed(plan, PAPER, reading=reading)
        assert curve.is_useful is (curve.enough <= N_DOCUMENTS)


@pytest.mark.parametrize("reading", READINGS)
def test_axis_of_documents_shows_the_experiment_with_every_beginning(reading) -> None:
    curves = bounds_by_documents(PLANS, PAPER, n_documents=N_DOCUMENTS, reading=reading)
    axis = curves[0].documents
    assert all(curve.documents == axis for curve in curves)
    assert list(axis) == sorted(set(axis))
    for curve in curves:
        assert axis[0] < min(N_DOCUMENTS, curve.enough)
        assert max(N_DOCUMENTS, curve.enough) < axis[-1]
        assert curve.totals[-1] < TRIVIAL


def test_bounds_by_documents_never_begin_where_two_topics_are_equally_large() -> None:
    curves = bounds_by_documents(
        PLANS, spectrum(gap=0.0), n_documents=N_DOCUMENTS, reading=PaperReading.RECOMMENDED
    )
    for curve in curves:
        assert curve.enough is None
        assert curve.here == math.inf
        assert not curve.is_useful


@pytest.mark.parametrize("plan", PLANS, ids=BOUNDED)
def test_printed_sensitivities_are_those_that_noise_as_published_is_scaled_to(plan) -> None:
    rows = edge_noise(
        plan,
        n_documents=N_DOCUMENTS,
        n_words=PAPER.n_words,
        n_topics=PAPER.n_topics,
        alpha0=PAPER.alpha0,
        spectrum=PAPER,
    )
    numbers_given = numbers_of(plan, PAPER, n_documents=N_DOCUMENTS)
    printed = printed_sensitivities(numbers_given)
    by_edge = {row.name: row for row in rows if row.name.startswith("e")}
    assert set(printed) == set(by_edge)
    for edge, row in by_edge.items():
        assert printed[edge].value == pytest.approx(row.sensitivity, rel=1e-9)
        assert numbers_given.tau[edge] == pytest.approx(row.noise_multiplier, rel=1e-9)
