import math

import mpmath as mp
import numpy as np
import pytest

from dplda.core.errors import NoFiniteNoise
from dplda.methods.base.calibration import Calibration
from dplda.methods.configurations.plan import Plan
from dplda.theory.theorems import bounds
from dplda.theory.theorems.at_budget import at_budget
from dplda.theory.theorems.readings import BoundInputs, PaperReading
from dplda.theory.theorems.spectrum import Spectrum
from tests.theory.theorems.spectra import spectrum


def points() -> list[tuple[Spectrum, int, dict[str, float], float, float]]:
    rng = np.random.default_rng(5)
    all_points = []
    for _ in range(20):
        k = int(rng.integers(2, 12))
        sigma = np.sort(rng.uniform(1e-3, 0.3, size=k + 1))[::-1]
        lam = np.sort(rng.uniform(0.3, 5.0, size=k))[::-1]
        d = int(rng.integers(20, 5000))
        s = Spectrum(d, float(rng.uniform(0.05, 20)), sigma, lam, 0.1, 0.05)
        taus = {edge: float(rng.uniform(0.5, 60)) for edge in "346789"}
        tilde = float(rng.uniform(0.3, 1.0))
        all_points.append(
            (s, int(rng.integers(1000, 10**7)), taus, s.sigma_k * tilde, s.gamma_s * tilde)
        )
    return all_points


def independent(
    reading: PaperReading, s: Spectrum, n: int, tau: dict[str, float], low: float, gamma_low: float
) -> list[mp.mpf]:
    """The four totals written down again from the paper, in 40 digits."""
    mp.mp.dps = 40
    d, k, N = mp.mpf(s.n_words), mp.mpf(s.n_topics), mp.mpf(n)
    s1, sk = mp.mpf(s.sigma_1), mp.mpf(s.sigma_k)
    lam = [mp.mpf(float(x)) for x in s.tensor_eigenvalues]
    gs = min(x - y for x, y in zip(lam, [*lam[1:], mp.mpf(0)], strict=True)) / 4
    t = {edge: mp.mpf(value) for edge, value in tau.items()}
    low, gamma_low = mp.mpf(low), mp.mpf(gamma_low)
    table = reading is PaperReading.TABLE_1
    printed = reading is PaperReading.PRINTED or table
    if table:
        low, gamma_low = sk, gs
    cubic = lambda power: (mp.sqrt(d) / (N * sk**power) * t["4"]) ** 3  # noqa: E731
    linear = mp.sqrt(d) / (N * sk ** mp.mpf("1.5")) * t["3"]
    outer, inner = cubic(mp.mpf("1.5")), cubic(1 if printed else mp.mpf("1.5"))
    root = mp.sqrt(s1 + mp.sqrt(d) / N * t["8"])
    way = mp.sqrt(s1 * d) / (sk * N) * t["8"]
    over_k = mp.sqrt(k ** mp.mpf("2.5")) if printed else k ** mp.mpf("2.5")
    below = s1 if table else low
    noise = low ** mp.mpf("1.5") * N
    back = root / (N * below ** mp.mpf("1.5"))
    six = mp.sqrt(s1) * over_k / (gs * noise) * t["6"]
    seven = mp.sqrt(s1) * over_k / (gamma_low * noise) * t["7"]
    return [
        mp.sqrt(s1 * k) / gs * (outer + linear) + way + root * mp.sqrt(k) / gs * (inner + linear),
        six + way + back * k ** mp.mpf("2.5") * t["6"] / gs,
        seven + way + back * k**2 * t["7"] / gamma_low,
        mp.sqrt(s1 * d) * k**2 / (gamma_low * noise) * t["9"],
    ]


@pytest.mark.parametrize("reading", list(PaperReading))
def test_totals_equal_an_independent_evaluation(reading: PaperReading) -> None:
    for s, n, tau, low, gamma_low in points():
        bound_inputs = BoundInputs(
            s, n, {f"e{edge}": value for edge, value in tau.items()}, low, gamma_low
        )
        found_bounds = [
            theorem(bound_inputs, reading) for theorem in bounds.BY_CONFIGURATION.values()
        ]
        for found_bound, other_bound in zip(
            found_bounds, independent(reading, s, n, tau, low, gamma_low), strict=True
        ):
            assert found_bound.total == pytest.approx(float(other_bound), rel=1e-10)
            assert found_bound.total == pytest.approx(
                math.fsum(term.value for term in found_bound.terms), rel=1e-15
            )
            assert found_bound.reading == reading.value


@pytest.mark.parametrize("configuration", ["config-2", "config-3", "config-4"])
def test_bound_without_a_lower_bound_on_sigma_is_refused(configuration: str) -> None:
    plan = Plan(configuration, 0.1, 1e-7, calibration=Calibration.PUBLISHED)
    with pytest.raises(NoFiniteNoise, match="σk"):
        at_budget(plan, spectrum(), n_documents=500)


@pytest.mark.parametrize("configuration", ["config-2", "config-3", "config-4"])
def test_table_1_as_printed_is_finite_where_a_private_lower_bound_is_not(configuration) -> None:
    """Table 1 prints σk and γs themselves, so a private lower bound of 0 does not enter it."""
    plan = Plan(configuration, 0.1, 1e-7, calibration=Calibration.PUBLISHED)
    table_1 = at_budget(plan, spectrum(), n_documents=500, reading=PaperReading.TABLE_1)
    assert math.isfinite(table_1.total)
    assert table_1.total > 0


def test_table_1_as_printed_has_no_number_where_two_topics_are_equally_large() -> None:
    plan = Plan("config-2", 0.1, 1e-7, calibration=Calibration.PUBLISHED)
    with pytest.raises(NoFiniteNoise, match="γs"):
        at_budget(plan, spectrum(gap=0.0), n_documents=500, reading=PaperReading.TABLE_1)
