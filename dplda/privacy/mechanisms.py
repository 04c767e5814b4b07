"""Mechanisms turn a value and its sensitivity into a ``Release``; nothing else can make one."""

from collections.abc import Callable
from typing import TypeAlias, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from dplda.core import checks
from dplda.core.types import Matrix, Tensor3, Vector
from dplda.privacy import sensitivity
from dplda.privacy.adjacency import Adjacency
from dplda.privacy.bounded_sum import BoundedL1Sum, BoundedSum
from dplda.privacy.level_search import geometric_grid, search_level
from dplda.privacy.named_quantity import NamedQuantity, stream_name
from dplda.privacy.noise import layouts
from dplda.privacy.noise.fixed_point import FixedPointSum
from dplda.privacy.noise.keys import NoiseKind
from dplda.privacy.noise.layouts import Layout
from dplda.privacy.noise.sources import NoiseSource
from dplda.privacy.release import _MINT, Release

Value = TypeVar("Value", float, Vector, Matrix, Tensor3)
Members: TypeAlias = NDArray[np.bool_]
"""Which documents are in a minibatch, shape (N,)."""


class Mechanisms:
    """Mechanisms of Gaussian or Laplace noise scaled to a sensitivity, which keep every release.

    A value is split into coordinates, one per degree of freedom, and rebuilt from the noisy ones,
    so a release depends on nothing else, down to its last bits (``layouts``). Exact noise takes
    values as sums of whole numbers (``fixed_point``) in the same coordinates. These carry a
    sensitivity of their own, without rounding, which takes the place of the one that is given for
    floating-point sums.

    Guarantee:
        All Gaussian releases together are exactly as private as one Gaussian mechanism with
        ``μ² = Σ μ_j²``, if each sensitivity holds for every outcome of the earlier releases;
        Laplace releases add their ε.
    """

    def __init__(self, source: NoiseSource) -> None:
        self._source = source
        self._releases: list[Release] = []

    @property
    def is_exact(self) -> bool:
        """Whether noise is exact.

        Then results may be released, and values must be sums of whole numbers.
        """
        return self._source.kind is NoiseKind.EXACT

    @property
    def is_noiseless(self) -> bool:
        """Whether noise is switched off."""
        return self._source.kind is NoiseKind.NONE

    @property
    def releases(self) -> tuple[Release, ...]:
        """All releases so far, in order."""
        return tuple(self._releases)

    def release_of(self, quantity: NamedQuantity) -> Release:
        """The latest release of a quantity; there must be one."""
        latest_first = reversed(self._releases)
        return next(release for release in latest_first if release.name == quantity.name)

    def noise_std_of(self, quantity: NamedQuantity) -> float:
        """The declared noise scale of the latest release of a quantity.

        It is 0 where noise is switched off.
        """
        if self.is_noiseless:
            return 0.0
        return self.release_of(quantity).scale

    def number(
        self,
        quantity: NamedQuantity,
        value: float | FixedPointSum,
        *,
        sensitivity: float,
        mu: float,
    ) -> float:
        """Release one number; arguments as in ``gaussian``."""
        return self.gaussian(quantity, value, layouts.Number(), sensitivity=sensitivity, mu=mu)

    def vector(
        self,
        quantity: NamedQuantity,
        value: Vector | FixedPointSum,
        *,
        sensitivity: float,
        mu: float,
    ) -> Vector:
        """Release a vector with independent noise on each coordinate.

        Arguments are as in ``gaussian``.
        """
        return self.gaussian(quantity, value, layouts.PlainVector(), sensitivity=sensitivity, mu=mu)

    def matrix(
        self,
        quantity: NamedQuantity,
        value: Matrix | FixedPointSum,
        *,
        sensitivity: float,
        mu: float,
    ) -> Matrix:
        """Release a matrix without symmetry, with independent noise on each entry.

        Arguments are as in ``gaussian``.
        """
        layout = layouts.Rectangle(value.shape[1])
        return self.gaussian(quantity, value, layout, sensitivity=sensitivity, mu=mu)

    def release_sum(
        self,
        quantity: NamedQuantity,
        bounded_sum: BoundedSum[Value],
        *,
        mu: float,
        layout: Layout[Value] | None = None,
    ) -> Value:
        """A sum over documents with noise that is scaled to the sensitivity that the sum carries.

        It is kept, and refused, as by ``gaussian``.

        Args:
            quantity: names of what is released.
            bounded_sum: a number or an array; of shape (), (p,) or (p, q) without a layout.
            mu: Gaussian budget of this release.
            layout: coordinates that get the noise, and in which the sensitivity holds; None for
                every entry of the array.
        """
        return self.gaussian(
            quantity,
            bounded_sum.value,
            layout or _layout_of_entries(np.shape(bounded_sum.value)),
            sensitivity=bounded_sum.sensitivity,
            mu=mu,
        )

    def release_laplace_sum(
        self,
        quantity: NamedQuantity,
        bounded_sum: BoundedL1Sum[Value],
        *,
        epsilon: float,
        layout: Layout[Value] | None = None,
    ) -> Value:
        """A sum over documents with Laplace noise, scaled to the sensitivity that the sum carries.

        It is kept, and refused, as by ``laplacian``.

        Args:
            quantity: names of what is released.
            bounded_sum: a number or an array; of shape (), (p,) or (p, q) without a layout.
            epsilon: ε of this release, which is pure ε-DP.
            layout: coordinates that get the noise, and in which the sensitivity holds; None for
                every entry of the array.
        """
        return self.laplacian(
            quantity,
            bounded_sum.value,
            layout or _layout_of_entries(np.shape(bounded_sum.value)),
            sensitivity=bounded_sum.sensitivity,
            epsilon=epsilon,
        )

    def laplace_number(
        self, quantity: NamedQuantity, value: float, *, sensitivity: float, epsilon: float
    ) -> float:
        """Release one number with Laplace noise, which is pure ε-DP.

        Arguments are as in ``laplacian``.
        """
        return self.laplacian(
            quantity, value, layouts.Number(), sensitivity=sensitivity, epsilon=epsilon
        )

    def minibatch(
        self, members: Callable[[], Members], total: Callable[[Members], Matrix]
    ) -> Matrix:
        """The unreleased, noiseless sum over a randomly drawn minibatch.

        Args:
            members: draws which documents are in the minibatch, shape (N,).
            total: sums the parts of these documents.
        """
        return total(members())

    def minibatch_matrix(
        self,
        quantity: NamedQuantity,
        bounded_sum: BoundedSum[Matrix],
        *,
        noise_multiplier: float,
        sampling_rate: float,
    ) -> Matrix:
        """Release a sum over a random minibatch, with independent noise on every entry.

        Consecutive steps with the same label and noise are recorded as one release, which holds the
        last value and their number, for one document more or less. It has no ``mu``: random
        minibatches do not compose by sums of squares, so a guarantee needs an accountant of sampled
        mechanisms.

        Args:
            quantity: its names and edge.
            bounded_sum: the noiseless sum, shape (p, q), in floating point, with the Frobenius norm
                that one document's part in it has at most.
            noise_multiplier: standard deviation of the noise per unit of sensitivity.
            sampling_rate: chance of each document to be in the minibatch.

        Raises:
            InputError: the noise multiplier or the sampling rate is out of its range.
        """
        checks.positive("noise_multiplier", noise_multiplier)
        checks.share("sampling_rate", sampling_rate)
        sensitivity = bounded_sum.sensitivity
        scale = _scale(sensitivity, 1 / noise_multiplier)
        layout = layouts.Rectangle(bounded_sum.value.shape[1])
        noisy_sum = self._noisy(quantity, bounded_sum.value, layout, scale)
        n_earlier_steps = self._take_back_steps_like(quantity, sensitivity, scale, sampling_rate)
        self._keep(
            quantity,
            noisy_sum,
            "Gaussian on every entry, of each of several random minibatches",
            sensitivity=sensitivity,
            scale=scale,
            adjacency=Adjacency.ADD_OR_REMOVE_ONE,
            sampling_rate=sampling_rate,
            steps=n_earlier_steps + 1,
        )
        return noisy_sum

    def _take_back_steps_like(
        self, quantity: NamedQuantity, sensitivity: float, scale: float, sampling_rate: float
    ) -> int:
        """Take the last release off the record if it is of this label and noise; return its steps.

        Returns:
            0, and the record stays, if there is no such release.
        """
        if not self._releases:
            return 0
        last_release = self._releases[-1]
        is_same_noise = (
            last_release.quantity == quantity.words
            and last_release.sensitivity == sensitivity
            and last_release.scale == scale
            and last_release.sampling_rate == sampling_rate
        )
        if not is_same_noise:
            return 0
        return self._releases.pop().steps

    def clip_level(
        self,
        quantity: NamedQuantity,
        norms: Vector,
        *,
        low: float,
        high: float,
        quantile: float,
        mu: float,
        steps: int = 8,
    ) -> float:
        """Release a level with about this fraction of the non-zero norms below it.

        A noisy binary search counts the documents with a norm above zero, then, ``steps`` times,
        those above the middle of the remaining part of a geometric grid of ``2**steps`` levels.
        So the level is one of the grid: its highest where too many norms are above all others.

        Args:
            quantity: its names and edge.
            norms: norm of each document, shape (N,), in any unit.
            low: lowest level of the grid, a public number or a function of releases, in the unit of
                norms.
            high: highest level, likewise.
            quantile: fraction of the non-zero norms that should be below the level, in [0, 1].
            mu: budget of all counts together.
            steps: counts after the first.

        Raises:
            InputError: a level or the quantile is out of its range.

        Guarantee:
            ``steps + 1`` adaptively chosen counts of sensitivity 1 each: one Gaussian mechanism of
            sensitivity ``√(steps + 1)``. The grid does not depend on the data, so any level is
            safe; only utility depends on it.
        """
        checks.positive("low", low)
        checks.at_least("high", high, low)
        checks.between("quantile", quantile, 0, 1, open_ends=False)
        counts_sensitivity = sensitivity.count(n_queries=steps + 1)
        scale = _scale(counts_sensitivity, mu)
        n_nonzero = self._count(quantity, norms > 0, scale)
        n_allowed_above = (1 - quantile) * n_nonzero
        grid = geometric_grid(float(low), float(high), 2**steps)

        def count_above(level: float) -> float:
            return self._count(quantity, norms > level, scale)

        level = search_level(count_above, grid, n_allowed_above)
        mechanism_text = f"binary search by {steps + 1} Gaussian counts"
        self._keep(
            quantity,
            level,
            mechanism_text,
            sensitivity=counts_sensitivity,
            scale=scale,
            mu=mu,
        )
        return level

    def gaussian(
        self,
        quantity: NamedQuantity,
        value: Value | FixedPointSum,
        layout: Layout[Value],
        *,
        sensitivity: float,
        mu: float,
    ) -> Value:
        """Release an array with Gaussian noise on the coordinates of a layout.

        Args:
            quantity: its names and edge.
            value: without noise; a ``FixedPointSum`` where noise is exact, which carries its own
                sensitivity.
            layout: coordinates that get noise.
            sensitivity: bound on the L2 distance of two neighbors' coordinates, in the unit of the
                value.
            mu: budget of the release; the noise has standard deviation ``sensitivity/μ``.

        Raises:
            InputError: the sensitivity or μ is not above 0.
            NotReleasable: noise is exact, and this value cannot have it (``noise.exact``).
        """
        if isinstance(value, FixedPointSum):
            sensitivity = value.sensitivity
        scale = _scale(sensitivity, mu)
        noisy = self._noisy(quantity, value, layout, scale)
        mechanism_text = f"Gaussian {layout.place}".strip()
        self._keep(
            quantity,
            noisy,
            mechanism_text,
            sensitivity=sensitivity,
            scale=scale,
            mu=mu,
        )
        return noisy

    def laplacian(
        self,
        quantity: NamedQuantity,
        value: Value,
        layout: Layout[Value],
        *,
        sensitivity: float,
        epsilon: float,
    ) -> Value:
        """Release an array with Laplace noise of scale ``sensitivity/ε`` on a layout's coordinates.

        Args:
            quantity: its names and edge.
            value: without noise.
            layout: coordinates that get noise.
            sensitivity: bound on the L1 distance of two neighbors' coordinates, in the unit of the
                value.
            epsilon: ε of the release.

        Raises:
            InputError: the sensitivity or ε is not above 0.
            NotReleasable: noise is exact.
        """
        scale = _scale(sensitivity, epsilon, "epsilon")
        coordinates = layout.coordinates(value)
        stream = stream_name(quantity)
        noisy_coordinates = self._source.perturb_laplace(coordinates, scale, layout, stream)
        noisy_value = layout.array(noisy_coordinates)
        mechanism_text = f"Laplace {layout.place}".strip()
        self._keep(
            quantity,
            noisy_value,
            mechanism_text,
            sensitivity=sensitivity,
            scale=scale,
            pure_epsilon=epsilon,
        )
        return noisy_value

    def _noisy(
        self,
        quantity: NamedQuantity,
        value: Value | FixedPointSum,
        layout: Layout[Value],
        scale: float,
    ) -> Value:
        """Add Gaussian noise to a value, in the coordinates of its layout.

        Whole numbers get noise in their own unit, at least as wide.
        """
        stream = stream_name(quantity)
        if isinstance(value, FixedPointSum):
            scale_in_steps = scale / value.unit * (1 + 1e-15)
            whole_numbers = value.numbers
            noisy_numbers = self._source.perturb(
                whole_numbers,  # type: ignore[arg-type]
                scale_in_steps,
                layout,
                stream,
            )
            noisy_numbers *= value.unit
            return layout.array(noisy_numbers)
        coordinates = layout.coordinates(value)
        noisy_coordinates = self._source.perturb(coordinates, scale, layout, stream)
        return layout.array(noisy_coordinates)

    def _count(self, quantity: NamedQuantity, is_counted: NDArray[np.bool_], scale: float) -> float:
        """Number of documents that are marked, with Gaussian noise; nothing is recorded."""
        n_documents = len(is_counted)
        number = int(np.count_nonzero(is_counted))
        value: float | FixedPointSum = float(number)
        if self.is_exact:
            value = FixedPointSum.from_count(number, n_documents)
        return self._noisy(quantity, value, layouts.Number(), scale)

    def _keep(
        self,
        quantity: NamedQuantity,
        value: Vector | Matrix | Tensor3 | float,
        law: str,
        *,
        sensitivity: float,
        scale: float,
        mu: float = 0.0,
        pure_epsilon: float = 0.0,
        adjacency: Adjacency = Adjacency.REPLACE_ONE,
        sampling_rate: float = 1.0,
        steps: int = 1,
    ) -> None:
        """Add a release to the record of this run, with its value, which must be noisy already."""
        self._releases.append(
            Release(
                name=quantity.name,
                edge=quantity.edge,
                quantity=quantity.words,
                symbol=quantity.symbol,
                shape=np.shape(value),
                mechanism=law,
                sensitivity=sensitivity,
                scale=scale,
                mu=mu,
                adjacency=adjacency,
                noise=self._source.kind,
                value=value,
                pure_epsilon=pure_epsilon,
                sampling_rate=sampling_rate,
                steps=steps,
                _mint=_MINT,
            )
        )


def _layout_of_entries(shape: tuple[int, ...]) -> Layout[Value]:
    """Layout of a number, a vector or a matrix in which each entry gets its own noise.

    ``shape`` is empty for a number.
    """
    entry_layout: object
    if not shape:
        entry_layout = layouts.Number()
    elif len(shape) == 1:
        entry_layout = layouts.PlainVector()
    else:
        entry_layout = layouts.Rectangle(shape[1])
    return cast(Layout[Value], entry_layout)


def _scale(sensitivity_: float, budget: float, name: str = "mu") -> float:
    """Standard deviation ``Δ/μ``, or Laplace scale ``Δ/ε``, rounded up."""
    checks.positive("sensitivity", sensitivity_)
    checks.positive(name, budget)
    return sensitivity_ / budget * (1 + 1e-15)
