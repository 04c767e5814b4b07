"""Gaussian mechanisms: a value and its sensitivity in, a Release out. The only makers of releases."""

from dataclasses import dataclass

import numpy as np

from dplda import _check
from dplda._types import Matrix, Tensor3, Vector
from dplda.privacy import noise, sensitivity
from dplda.privacy.adjacency import Adjacency
from dplda.privacy.release import _MINT, Release


@dataclass(frozen=True, slots=True)
class Label:
    """What a release is called.

    Attributes:
        edge: of the flow.
        quantity: in words.
        symbol: in the formulas.
    """

    edge: str
    quantity: str
    symbol: str


class GaussianMechanisms:
    """Adds Gaussian noise of standard deviation ``sensitivity/μ`` and keeps every release it makes.

    Guarantee:
        All releases together are exactly as private as one Gaussian mechanism with ``μ² = Σ μ_j²``, each sensitivity
        holding for whatever the earlier releases were.
    """

    def __init__(self, source: noise.NoiseSource) -> None:
        self._source = source
        self._releases: list[Release] = []

    @property
    def releases(self) -> tuple[Release, ...]:
        """All releases so far, in order."""
        return tuple(self._releases)

    def number(self, label: Label, value: float, *, sensitivity: float, mu: float) -> float:
        """One noisy number."""
        scale = _scale(sensitivity, mu)
        noisy = value + float(noise.vector(self._source, 1, scale)[0])
        self._keep(label, noisy, (), "Gaussian", sensitivity, scale, mu)
        return noisy

    def vector(self, label: Label, value: Vector, *, sensitivity: float, mu: float) -> Vector:
        """A noisy vector, independent noise on each coordinate."""
        scale = _scale(sensitivity, mu)
        noisy: Vector = value + noise.vector(self._source, len(value), scale)
        self._keep(label, noisy, noisy.shape, "Gaussian on every coordinate", sensitivity, scale, mu)
        return noisy

    def pair_histogram(self, label: Label, value: Matrix, *, sensitivity: float, mu: float) -> Matrix:
        """A noisy symmetric matrix; ``sensitivity`` is that of its histogram over unordered pairs."""
        scale = _scale(sensitivity, mu)
        noisy: Matrix = value + noise.unordered_pairs(self._source, len(value), scale)
        law = "Gaussian on every unordered pair (half of it on off-diagonal entries)"
        self._keep(label, noisy, noisy.shape, law, sensitivity, scale, mu)
        return noisy

    def symmetric_tensor(self, label: Label, value: Tensor3, *, sensitivity: float, mu: float) -> Tensor3:
        """A noisy symmetric tensor; ``sensitivity`` is in the Frobenius norm."""
        scale = _scale(sensitivity, mu)
        noisy: Tensor3 = value + noise.symmetric_tensor(self._source, len(value), scale)
        self._keep(label, noisy, noisy.shape, "isotropic Gaussian on symmetric tensors", sensitivity, scale, mu)
        return noisy

    def clip_level(
        self,
        label: Label,
        norms: Vector,
        *,
        low: float,
        high: float,
        quantile: float,
        mu: float,
        steps: int = 8,
    ) -> float:
        """A level below which about this fraction of the non-zero norms lies, found by noisy binary search.

        First the documents with a norm above zero are counted, then ``steps`` times those above the middle of what is
        left of a geometric grid of ``2**steps`` levels.

        Args:
            label: of the release.
            norms: shape (N,), non-negative; zero for documents that contribute nothing.
            low: > 0, lower end of the grid, chosen without the data or from earlier releases.
            high: at least ``low``, upper end, chosen likewise.
            quantile: target, in (0, 1].
            mu: budget of the whole search.
            steps: halvings.

        Returns:
            A grid level, in [low, high].

        Guarantee:
            ``steps + 1`` adaptively chosen counts of sensitivity 1 each, one Gaussian mechanism of sensitivity
            ``√(steps + 1)``. The grid does not depend on the data, so any answer is safe; only utility depends on it.
        """
        _check.positive("low", low)
        _check.at_least("high", high, low)
        _check.between("quantile", quantile, 0, 1, open_ends=False)
        whole = sensitivity.count(n_queries=steps + 1)
        scale = _scale(whole, mu)
        errors = noise.vector(self._source, steps + 1, scale)
        contributing = float(np.count_nonzero(norms > 0)) + errors[0]
        allowed_above = (1 - quantile) * contributing
        grid = np.geomspace(low, high, 2**steps)
        first, last = 0, len(grid) - 1  # the answer lies in grid[first..last]
        for error in errors[1:]:
            if first == last:
                break
            middle = (first + last) // 2
            above = float(np.count_nonzero(norms > grid[middle])) + error
            if above > allowed_above:
                first = middle + 1
            else:
                last = middle
        level = float(grid[last])
        self._keep(label, level, (), f"binary search by {steps + 1} Gaussian counts", whole, scale, mu)
        return level

    def _keep(
        self,
        label: Label,
        value: Vector | Matrix | Tensor3 | float,
        shape: tuple[int, ...],
        law: str,
        sensitivity_: float,
        scale: float,
        mu: float,
    ) -> None:
        self._releases.append(
            Release(
                edge=label.edge,
                quantity=label.quantity,
                symbol=label.symbol,
                shape=shape,
                mechanism=law,
                sensitivity=sensitivity_,
                scale=scale,
                mu=mu,
                adjacency=Adjacency.REPLACE_ONE,
                noise=self._source.kind,
                value=value,
                _mint=_MINT,
            )
        )


def _scale(sensitivity_: float, mu: float) -> float:
    """Standard deviation ``Δ/μ``, rounded up."""
    _check.positive("sensitivity", sensitivity_)
    _check.positive("mu", mu)
    return sensitivity_ / mu * (1 + 1e-15)
