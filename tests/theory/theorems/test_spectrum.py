import numpy as np
import pytest

from dplda import SpectralLDA, simulate
from dplda.core.errors import InputError, NoTopics
from dplda.methods.base.problem import Problem
from dplda.methods.configurations.chain.spectral_methods import fit_spectral
from dplda.methods.configurations.plan import Plan
from dplda.spectral.population import Population
from dplda.spectral.whitening import whiten
from dplda.theory.theorems.spectrum import Spectrum, from_fit, from_population
from tests.theory.theorems.spectra import PAPER


def population(k: int = 4, d: int = 30) -> Population:
    rng = np.random.default_rng(k)
    return Population(rng.dirichlet(np.full(d, 0.3), size=k), rng.uniform(0.2, 1.0, size=k))


def test_numbers_of_a_population_are_those_of_its_moments() -> None:
    p = population()
    M2, spectrum_found = p.pair_moment(), from_population(p)
    whitening = whiten(M2, 4)
    np.testing.assert_allclose(
        spectrum_found.pair_eigenvalues[:4], np.linalg.eigvalsh(M2)[::-1][:4], rtol=1e-10
    )
    assert spectrum_found.pair_eigenvalues[4] == 0
    # ‖T‖_F² is the sum of the squares of its eigenvalues.
    T = p.third_moment(whitening.whitener)
    assert np.sum(spectrum_found.tensor_eigenvalues**2) == pytest.approx(
        float(np.sum(T**2)), rel=1e-9
    )
    a = p.alpha0 / (p.alpha0 + 1)
    E2 = M2 + a * np.outer(p.mean_words(), p.mean_words())
    assert spectrum_found.largest_pair == pytest.approx(float(np.max(E2)))


def test_gamma_counts_the_last_eigenvalue_against_zero() -> None:
    assert PAPER.gamma_s == pytest.approx(0.0318, rel=2e-3)
    lonely = Spectrum(10, 1.0, np.array([0.2, 0.1, 0.0]), np.array([9.0, 0.4]), 0.1, 0.1)
    assert lonely.gamma_s == pytest.approx(0.1)


def test_spectrum_from_a_fit_without_noise_is_near_the_population() -> None:
    corpus = simulate(
        n_documents=20_000, n_words=60, n_topics=3, alpha0=0.5, mean_length=80, seed=1
    )
    assert corpus.truth is not None
    exact = from_population(Population(corpus.truth.topics, corpus.truth.alpha))
    spectrum_found = from_fit(fit_spectral(corpus, None, Problem(3, 0.5)))
    np.testing.assert_allclose(
        spectrum_found.pair_eigenvalues[:3], exact.pair_eigenvalues[:3], rtol=0.05
    )
    np.testing.assert_allclose(
        spectrum_found.tensor_eigenvalues, exact.tensor_eigenvalues, rtol=0.1
    )
    assert spectrum_found.largest_pair == pytest.approx(exact.largest_pair, rel=0.05)
    for other_arguments in (
        fit_spectral(corpus, Plan("adaptive", 1.0), Problem(3, 0.5)),
        SpectralLDA(3, refine=1).fit(corpus).fit_,
    ):
        with pytest.raises(InputError, match="un-noised, without passes"):
            from_fit(other_arguments)


def test_dependent_topics_are_refused() -> None:
    p = population()
    with pytest.raises(NoTopics, match="dependent"):
        from_population(
            Population(np.vstack([p.topics[:2], p.topics[:2].mean(axis=0)]), np.ones(3))
        )
    with pytest.raises(NoTopics, match="weight"):
        from_population(Population(p.topics, np.array([1.0, 1.0, 1.0, 0.0])))


@pytest.mark.parametrize(
    "sigma", [[0.1, 0.2, 0.0], [0.2, 0.0, 0.0], [0.2, np.nan, 0.0], [0.2, 0.1]]
)
def test_numbers_that_are_no_spectrum_are_refused(sigma: list[float]) -> None:
    with pytest.raises(InputError):
        Spectrum(10, 1.0, np.array(sigma), np.array([2.0, 1.0]), 0.1, 0.1)
