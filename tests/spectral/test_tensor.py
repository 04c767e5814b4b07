"""The decomposition finds what is there, and says when it did not."""

import numpy as np
import pytest

from dplda.core.errors import InputError
from dplda.spectral import tensor
from dplda.spectral.cumulants import symmetrize
from dplda.spectral.tensor import decompose


def orthogonal_tensor(eigenvalues: np.ndarray, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """A tensor with these eigenvalues along a random orthonormal frame, and the frame."""
    k = len(eigenvalues)
    V = np.linalg.qr(np.random.default_rng(seed).standard_normal((k, k)))[0]
    return np.einsum("a,ia,ja,ma->ijm", eigenvalues, V, V, V), V


def found_in(tensor: np.ndarray):
    return decompose(tensor, rng=np.random.default_rng(0))


@pytest.mark.parametrize("k", [2, 3, 7, 20, 50])
def test_orthogonal_tensor_gives_back_its_eigenpairs(k: int) -> None:
    eigenvalues = np.linspace(3.0, 1.0, k)
    tensor, V = orthogonal_tensor(eigenvalues, seed=k)
    decomposition = found_in(tensor)
    np.testing.assert_allclose(decomposition.eigenvalues, eigenvalues, rtol=1e-10)
    np.testing.assert_allclose(decomposition.vectors, V, atol=1e-9)
    assert decomposition.converged
    assert decomposition.residual < 1e-9


def test_zero_tensor_has_zero_eigenvalues_in_an_orthonormal_frame() -> None:
    decomposition = found_in(np.zeros((3, 3, 3)))
    np.testing.assert_array_equal(decomposition.eigenvalues, 0)
    np.testing.assert_allclose(decomposition.vectors.T @ decomposition.vectors, np.eye(3))
    assert decomposition.residual == 0


def test_decomposition_of_fewer_parts_than_dimensions_is_exact() -> None:
    tensor, _ = orthogonal_tensor(np.array([3.0, 2.0, 1.0, 0.0, 0.0, 0.0]), seed=3)
    decomposition = found_in(tensor)
    np.testing.assert_allclose(decomposition.eigenvalues, [3, 2, 1, 0, 0, 0], atol=1e-9)
    assert decomposition.residual < 1e-9
    np.testing.assert_allclose(
        decomposition.vectors.T @ decomposition.vectors, np.eye(6), atol=1e-12
    )


@pytest.mark.parametrize("k", [3, 6, 12])
def test_tensor_without_such_parts_is_reported_by_its_residual(k: int) -> None:
    """A random symmetric tensor is far from orthogonally decomposable; the residual says how far, by definition."""
    tensor = symmetrize(np.random.default_rng(k).standard_normal((k, k, k)))
    decomposition = found_in(tensor)
    explained = np.einsum(
        "a,ia,ja,ma->ijm",
        decomposition.eigenvalues,
        decomposition.vectors,
        decomposition.vectors,
        decomposition.vectors,
    )
    distance = np.linalg.norm(tensor - explained) / np.linalg.norm(tensor)
    assert decomposition.residual == pytest.approx(distance, rel=1e-9)
    assert decomposition.residual == pytest.approx(
        np.sqrt(1 - np.sum(decomposition.eigenvalues**2) / np.sum(tensor**2)), rel=1e-6
    )
    assert decomposition.residual > 0.2
    np.testing.assert_allclose(
        decomposition.vectors.T @ decomposition.vectors, np.eye(k), atol=1e-12
    )


@pytest.mark.parametrize(("size", "n_starts"), [(0.9, 1), (1.5, 12)])
def test_starts_end_where_no_other_frame_explains_as_much(
    size: float, n_starts: int, monkeypatch
) -> None:
    """At nine tenths of the smallest eigenvalue over 8, all starts would have led there; above it all are tried."""
    noisy_tensor, V = orthogonal_tensor(np.linspace(2, 1, 6), seed=4)
    noise = symmetrize(np.random.default_rng(5).standard_normal((6, 6, 6)))
    noisy_tensor += size / tensor.FINAL_RATIO * noise / np.linalg.norm(noise)
    decomposition = found_in(noisy_tensor)
    assert decomposition.n_starts == n_starts
    monkeypatch.setattr(tensor, "FINAL_RATIO", np.inf)
    with_all_starts = found_in(noisy_tensor)
    assert with_all_starts.n_starts == 12
    assert with_all_starts.residual == pytest.approx(decomposition.residual, rel=0.01)
    np.testing.assert_allclose(with_all_starts.vectors, decomposition.vectors, atol=1e-9)
    assert np.all(np.sum(decomposition.vectors * V, axis=0) > np.sqrt(8 / 9))


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_tensor_that_is_not_finite_is_refused(bad: float) -> None:
    tensor = np.ones((2, 2, 2))
    tensor[0, 1, 0] = bad
    with pytest.raises(InputError, match="finite"):
        found_in(tensor)


def test_large_tensor_is_worked_on_in_slabs(monkeypatch: pytest.MonkeyPatch) -> None:
    noise = np.random.default_rng(0).standard_normal((7, 7, 7))
    decompositions = []
    for block_entries in (tensor.BLOCK_ENTRIES, 2 * 7**2):
        monkeypatch.setattr(tensor, "BLOCK_ENTRIES", block_entries)
        decompositions.append(decompose(symmetrize(noise), rng=np.random.default_rng(1)))
    without_slabs, with_slabs = decompositions
    np.testing.assert_allclose(with_slabs.vectors, without_slabs.vectors, atol=1e-8)
    assert with_slabs.residual == pytest.approx(without_slabs.residual, rel=1e-9)


def test_tensor_search_has_a_largest_cost(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three sweeps are all that is allowed, and the first start uses them up; it is reported as it is."""
    noise = symmetrize(np.random.default_rng(0).standard_normal((7, 7, 7)))
    monkeypatch.setattr(tensor, "MOST_OPERATIONS", 3 * 2 * 7.0**4)
    decomposition = decompose(noise, rng=np.random.default_rng(1))
    assert (decomposition.n_starts, decomposition.converged) == (1, False)
    np.testing.assert_allclose(
        decomposition.vectors.T @ decomposition.vectors, np.eye(7), atol=1e-12
    )
