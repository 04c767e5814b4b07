import mpmath as mp
import numpy as np
import pytest

from dplda.core.errors import NoFiniteNoise
from dplda.theory.theorems import explicit, sensitivities
from dplda.theory.theorems.readings import TRIVIAL, BoundInputs
from tests.theory.theorems.spectra import PAPER, spectrum

TABLE = (  # α0, N times: M2 in L1, M3 in L1, M3 as H.2 prints it
    (0.1, 2.3636, 2.6234, 2.2424),
    (1.0, 4.0, 8.0, 5.3333),
    (10.0, 5.6364, 21.0909, 14.4242),
    (1000.0, 5.9960, 25.9401, 17.9561),
)


@pytest.mark.parametrize(("alpha0", "pair", "triple", "printed"), TABLE)
def test_moment_sensitivities_equal_the_table_beside_theorem_4(
    alpha0: float, pair: float, triple: float, printed: float
) -> None:
    n = 10**6
    assert n * sensitivities.pair_moment_l1(n_documents=n, alpha0=alpha0) == pytest.approx(
        pair, abs=1e-4
    )
    assert n * sensitivities.triple_moment_l1(n_documents=n, alpha0=alpha0) == pytest.approx(
        triple, abs=1e-4
    )
    assert n * sensitivities.triple_moment_h2(n_documents=n, alpha0=alpha0) == pytest.approx(
        printed, abs=1e-4
    )
    assert 2 / n < min(  # as Theorem 4 has both
        sensitivities.pair_moment_l1(n_documents=n, alpha0=alpha0),
        sensitivities.triple_moment_l1(n_documents=n, alpha0=alpha0),
    )


def test_tensor_sensitivities_equal_an_independent_evaluation() -> None:
    mp.mp.dps = 40
    rng = np.random.default_rng(3)
    for _ in range(20):
        n, k = int(rng.integers(1000, 10**7)), int(rng.integers(1, 40))
        alpha0, sk, gamma, _ = (float(x) for x in rng.uniform(0.01, 1, size=4))
        following = sk * float(rng.uniform(0, 1))
        N, K, a0, x, g, z = (mp.mpf(value) for value in (n, k, alpha0, sk, gamma, following))
        five = K ** mp.mpf("1.5") / (N * x ** mp.mpf("1.5"))
        sensitivity_5 = sensitivities.whitened_tensor(n_documents=n, n_topics=k, sigma_k=sk)
        assert sensitivity_5 == pytest.approx(float(five), rel=1e-10)
        six = sensitivities.factors(tensor=sensitivity_5, n_topics=k, gamma_s=gamma)
        assert six == pytest.approx(float(K**2 / (g * N * x ** mp.mpf("1.5"))), rel=1e-10)
        d2 = 2 / N + a0 / (a0 + 1) * 4 / N
        d3 = (
            2 / N
            + 4 * a0 / (a0 + 2) / N
            + 12 * a0**2 / ((a0 + 1) * (a0 + 2)) * (N - 1) / (N * (N - 2))
        )
        size = 1 + 6 * a0 / (a0 + 2) * N / (N - 1)
        size += 6 * a0**2 / ((a0 + 1) * (a0 + 2)) * N**3 / (N * (N - 1) * (N - 2))
        middle = (x + z) / 2
        full = size * (2 * K) ** mp.mpf("1.5") * d2**3 / (x * mp.sqrt(middle)) ** 3
        full += d3 * K ** mp.mpf("1.5") / middle ** mp.mpf("1.5")
        arguments = {
            "n_documents": n,
            "n_topics": k,
            "alpha0": alpha0,
            "sigma_k": sk,
            "sigma_next": following,
        }
        sensitivity_64 = sensitivities.whitened_tensor_64(**arguments)
        assert sensitivity_64 == pytest.approx(float(full), rel=1e-10)


def test_explicit_constants_say_nothing_in_the_papers_own_setting() -> None:
    for tau, low, high in ((17.72, 190, 1540), (5.906, 13, 500)):
        noise = dict.fromkeys(("e3", "e4", "e6", "e7", "e8", "e9"), tau)
        for theorem in explicit.BY_CONFIGURATION.values():
            bound_of_paper = theorem(
                BoundInputs(PAPER, 100_000, noise, PAPER.sigma_k, PAPER.gamma_s)
            )
            assert bound_of_paper.vacuous
            assert bound_of_paper.total > TRIVIAL
            assert low < bound_of_paper.total < high


def test_noise_that_swallows_the_spectrum_is_refused() -> None:
    with pytest.raises(NoFiniteNoise, match="σk"):
        explicit.config_1(BoundInputs(spectrum(), 1000, {"e3": 5, "e4": 50, "e8": 5}))
