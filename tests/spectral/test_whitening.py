"""Leading eigenpairs and whitening: the identity, the eigenvalues that are meant, and what known noise takes away."""

import numpy as np
import pytest
from scipy.sparse.linalg import LinearOperator, aslinearoperator

from dplda.core.errors import InputError
from dplda.privacy.noise.layouts import PairHistogram
from dplda.spectral import eigenpairs
from dplda.spectral.eigenpairs import leading_eigenpairs
from dplda.spectral.whitening import noise_floor, whiten, with_known_noise
from tests.privacy.sources import drawn, seeded


def with_spectrum(eigenvalues: list[float], seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """A symmetric matrix with these eigenvalues, and its eigenvectors in the same order."""
    V = np.linalg.qr(np.random.default_rng(seed).standard_normal((len(eigenvalues),) * 2))[0]
    return (V * eigenvalues) @ V.T, V


def test_whitening_of_a_pair_moment_has_the_pseudo_inverse_as_way_back() -> None:
    M2, _ = with_spectrum([5, 3, 1, 0, 0, 0])
    whitening = whiten(M2, 3)
    W, B = whitening.whitener, whitening.unwhitener
    np.testing.assert_allclose(W.T @ M2 @ W, np.eye(3), atol=1e-13)
    np.testing.assert_allclose(B, np.linalg.pinv(W.T), atol=1e-13)
    np.testing.assert_allclose(W.T @ B, np.eye(3), atol=1e-13)
    np.testing.assert_allclose(B @ B.T, M2, atol=1e-13)  # rank 3, so nothing is lost
    np.testing.assert_allclose(whitening.kept, [5, 3, 1])
    np.testing.assert_allclose(whitening.spectrum, [5, 3, 1, 0], atol=1e-13)
    np.testing.assert_array_equal(whitening.overlap, 1)
    assert (whitening.resolved, whitening.noise_floor) == (3, 0)


def test_whitening_drops_eigenvalues_that_are_not_positive() -> None:
    """Large negative eigenvalues, as short documents of real text give, must not pass for topics."""
    M2, _ = with_spectrum([2, 1, -0.5, -7, -9])
    whitening = whiten(M2, 4)
    assert whitening.resolved == 2
    np.testing.assert_allclose(whitening.spectrum, [2, 1, -0.5, -7, -9])
    assert whiten(-np.eye(3), 2).resolved == 0
    assert whiten(np.zeros((3, 3)), 2).resolved == 0


def test_entry_of_largest_size_in_each_direction_is_positive() -> None:
    M2, _ = with_spectrum([5, 4, 3, 2, 1], seed=3)
    for matrix in (M2, M2.copy(order="F"), aslinearoperator(M2)):
        W = whiten(matrix, 4).whitener
        assert np.all(W[np.argmax(np.abs(W), axis=0), np.arange(4)] > 0)
        np.testing.assert_allclose(W, whiten(M2, 4).whitener, atol=1e-12)


@pytest.mark.parametrize("d", [100, 300])
def test_noisy_eigenpair_deviates_from_its_signal_as_expected(d: int) -> None:
    """One signal of size 2.5 s√d under the noise of an unordered-pair histogram, 40 draws of mean eigenvalue and cos².

    Standard errors of the two means are below 0.01 and 0.006 (relative); 4 % and 0.03 allow four of them and the
    corrections of order 1/√d. Not shrinking would be wrong by 16 %.
    """
    s = 1 / np.sqrt(d)
    signal = np.zeros((d, d))
    u = np.random.default_rng(0).standard_normal(d)
    u /= np.linalg.norm(u)
    signal += 2.5 * np.outer(u, u)
    source = seeded(d)
    eigenvalues, squared_cosines, expected_squared_cosines = [], [], []
    for _ in range(40):
        whitening = whiten(
            signal + drawn(source, PairHistogram(d), signal, 2 * s), 2, entry_noise=s
        )
        direction = whitening.unwhitener[:, 0] / np.sqrt(whitening.kept[0])
        eigenvalues.append(whitening.kept[0])
        squared_cosines.append((direction @ u) ** 2)
        expected_squared_cosines.append(whitening.overlap[0])
    assert np.mean(eigenvalues) == pytest.approx(2.5, rel=0.04)
    assert np.mean(squared_cosines) == pytest.approx(1 - 1 / 2.5**2, abs=0.03)
    assert np.mean(expected_squared_cosines) == pytest.approx(np.mean(squared_cosines), abs=0.03)


@pytest.mark.parametrize("s", [0.0, 0.1, 0.15, 0.3, 1.0])
def test_noise_known_after_whitening_is_judged_like_noise_known_before(
    s: float,
) -> None:
    M2, _ = with_spectrum([*np.linspace(4, 1, 4), *[0.0] * 26])
    without_noise_known, with_noise_known = whiten(M2, 4), whiten(M2, 4, entry_noise=s)
    with_noise_added = with_known_noise(without_noise_known, s)
    assert with_noise_added.noise_floor == with_noise_known.noise_floor
    assert with_noise_added.rising == with_noise_known.rising == with_noise_known.resolved
    np.testing.assert_array_equal(
        with_noise_added.overlap,
        [*with_noise_known.overlap, *[0.0] * (4 - with_noise_known.resolved)],
    )
    assert with_noise_added.resolved == 4
    for name in ("whitener", "unwhitener", "kept", "spectrum"):
        assert getattr(with_noise_added, name) is getattr(without_noise_known, name)


def test_eigenvalue_at_the_floor_is_noise() -> None:
    s = 0.2
    floor = noise_floor(30, s)
    blind = whiten(
        with_spectrum([2 * floor, floor * (1 + 1e-9), floor * (1 - 1e-9), *[0.0] * 27])[0], 3
    )
    overlap = with_known_noise(blind, s).overlap
    assert overlap[0] > overlap[1] > 0.5
    assert overlap[2] == 0


@pytest.mark.parametrize("k", [0, 4, 2.0, True])
def test_number_of_topics_that_cannot_be_is_refused(k: float) -> None:
    with pytest.raises(InputError, match="n_topics"):
        whiten(np.eye(3), k)


D, K = 500, 8
TURNED = eigenpairs.TOLERANCE / eigenpairs.MIN_POWER_GAIN  # a pair at most, before the last step
FALLING = np.linspace(2, 1, K)
BULK = np.linspace(0.1, -0.1, D - K)
SPECTRA = {
    "a gap": [*FALLING, *BULK],
    "large negative ones": [*FALLING, *BULK[: D - K - 5], -3, -5, -6, -8, -9],
    "no gap": 0.9 ** np.arange(D),
    "a thousandth at the end": [1000, *FALLING[:-1], *BULK],
    "few positive ones": [2, 1, *-np.linspace(0.1, 1, D - 2)],
}


class Counted(LinearOperator):
    """A matrix known by its products, in the precision of what they are taken with; counts them."""

    def __init__(self, matrix: np.ndarray) -> None:
        super().__init__(np.float64, matrix.shape)
        self.matrix = matrix
        self.taken: list[np.dtype] = []

    def _matmat(self, x: np.ndarray) -> np.ndarray:
        self.taken.append(x.dtype)
        return self.matrix.astype(x.dtype) @ x


@pytest.mark.parametrize("name", SPECTRA)
def test_blocks_find_what_a_dense_solver_finds(name: str) -> None:
    matrix, _ = with_spectrum(SPECTRA[name])
    operator = Counted(matrix)
    values, vectors = leading_eigenpairs(operator, K + 1)
    exact, expected = leading_eigenpairs(matrix, K + 1, direct=True)
    scale = np.maximum(np.abs(exact), eigenpairs.REFERENCE_SHARE * np.max(np.abs(exact)))[:K]
    assert np.all(np.abs(values - exact)[:K] <= TURNED**2 * scale)
    residual = matrix @ vectors - vectors * values
    assert np.all(np.linalg.norm(residual, axis=0)[:K] <= 1.5 * eigenpairs.TOLERANCE * scale)
    np.testing.assert_allclose(vectors.T @ vectors, np.eye(K + 1), atol=1e-12)
    if name == "a gap":
        np.testing.assert_allclose(vectors[:, :K], expected[:, :K], atol=2 * eigenpairs.TOLERANCE)
        assert exact[K] * 0.9 <= values[K] <= exact[K]


def test_leading_eigenpairs_take_few_products_in_single_precision() -> None:
    operator = Counted(with_spectrum(SPECTRA["a gap"])[0])
    leading_eigenpairs(operator, K + 1)
    assert operator.taken.count(np.float64) == 0
    assert operator.taken.count(np.float32) <= 4


def test_leading_eigenpairs_of_zeros_are_zero_with_a_basis() -> None:
    values, vectors = leading_eigenpairs(Counted(np.zeros((D, D))), K)
    assert not np.any(values)
    np.testing.assert_allclose(vectors.T @ vectors, np.eye(K), atol=1e-12)


def test_eigenproblem_without_convergence_is_written_out(monkeypatch: pytest.MonkeyPatch) -> None:
    matrix, _ = with_spectrum(SPECTRA["no gap"])
    monkeypatch.setattr(eigenpairs, "MAX_RESTARTS", 0)
    values = leading_eigenpairs(Counted(matrix), K)[0]
    np.testing.assert_allclose(values, SPECTRA["no gap"][:K], atol=1e-12)
