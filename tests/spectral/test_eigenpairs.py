"""Leading eigenpairs of operators by blocks: what a dense solver finds, within the tolerance, in few products."""

import numpy as np
import pytest
from scipy.sparse.linalg import LinearOperator

from dplda.spectral import eigenpairs
from dplda.spectral.eigenpairs import leading_eigenpairs
from tests.spectral.test_whitening import with_spectrum

D, K = 500, 8
TURNED = eigenpairs.TOLERANCE / eigenpairs.LEAST_GAIN  # a pair at most, before the last step
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
    scale = np.maximum(np.abs(exact), eigenpairs.WEAKEST * np.max(np.abs(exact)))[:K]
    assert np.all(np.abs(values - exact)[:K] <= TURNED**2 * scale)
    residual = matrix @ vectors - vectors * values
    assert np.all(np.linalg.norm(residual, axis=0)[:K] <= 1.5 * eigenpairs.TOLERANCE * scale)
    np.testing.assert_allclose(vectors.T @ vectors, np.eye(K + 1), atol=1e-12)
    if name == "a gap":
        np.testing.assert_allclose(vectors[:, :K], expected[:, :K], atol=2 * eigenpairs.TOLERANCE)
        assert exact[K] * 0.9 <= values[K] <= exact[K]


def test_most_products_are_taken_in_single_precision_and_few_altogether() -> None:
    operator = Counted(with_spectrum(SPECTRA["a gap"])[0])
    leading_eigenpairs(operator, K + 1)
    assert operator.taken.count(np.float64) == 0
    assert operator.taken.count(np.float32) <= 4


def test_zeros_have_eigenvalues_of_zero_and_a_basis() -> None:
    values, vectors = leading_eigenpairs(Counted(np.zeros((D, D))), K)
    assert not np.any(values)
    np.testing.assert_allclose(vectors.T @ vectors, np.eye(K), atol=1e-12)


def test_what_does_not_converge_is_written_out(monkeypatch: pytest.MonkeyPatch) -> None:
    matrix, _ = with_spectrum(SPECTRA["no gap"])
    monkeypatch.setattr(eigenpairs, "BASES", 0)
    values = leading_eigenpairs(Counted(matrix), K)[0]
    np.testing.assert_allclose(values, SPECTRA["no gap"][:K], atol=1e-12)
