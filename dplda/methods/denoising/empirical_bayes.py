r"""Noisy cells shrunk by their known noise: empirical Bayes, with one prior for all of them.

A cell is read as a ratio ``r`` to what an unremarkable cell would hold, so that 1 says "as
everywhere". Its noisy value is ``z = r + N(0, τ²)`` with ``τ`` known, and the ratios come from a
distribution that is learned from all cells together, a mixture of normals:

.. math:: r \sim \sum_j g_j N(ρ_j, h_j^2),

a grid of narrow components, wide enough to overlap, and a point mass at 0. EM finds the weights
``g_j``; then every cell has a posterior, whose mean has the least squared error that any estimate
can have under that distribution. All of it is post-processing of released values.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from dplda.core.engine import row_blocks
from dplda.core.types import Single, Vector

Cells: TypeAlias = NDArray[np.float64]
"""One number for every cell, of any shape."""

MIN_RATIO = 0.03  # ratios that topics of text show; values beyond are near enough a component
MAX_RATIO = 60.0
N_COMPONENTS = 32
COMPONENT_OVERLAP = 0.6
"""Standard deviation of a component per distance to its neighbor: narrower ones show as steps."""
CENTRES: Vector = np.concatenate([[0.0], np.geomspace(MIN_RATIO, MAX_RATIO, N_COMPONENTS)])
WIDTHS: Vector = COMPONENT_OVERLAP * np.log(MAX_RATIO / MIN_RATIO) / (N_COMPONENTS - 1) * CENTRES
_CENTRE_COLUMN = CENTRES[:, None].astype(np.float32)
_VARIANCE_COLUMN = WIDTHS[:, None].astype(np.float32) ** 2
N_FIRST_ROUNDS = 100  # of EM from even weights; 30 cost up to 1.2 %
N_LATER_ROUNDS = 6  # of EM from weights near by
EVEN_WEIGHTS: Vector = np.full(len(CENTRES), 1 / len(CENTRES))
MIN_RATIO_VARIANCE = 1e-18  # variance of a ratio, where there is no noise at all
MAX_ABS_RATIO = 1e15
"""Ratio or noise beyond which none is told from a larger one; its square is a number in float32."""
SMALLEST_POSITIVE = float(np.finfo(np.float64).tiny)
SMALLEST_SINGLE = np.array(np.finfo(np.float32).tiny)
BLOCK = 2048  # cells whose components stay in the processor's cache


@dataclass(frozen=True, eq=False)
class Posterior:
    """Posterior distributions of cells, given their noisy values.

    Attributes:
        noisy_values: as released, any shape.
        noise_std: standard deviation of each, same shape, at least 0.
        expected_values: what each would hold at ratio 1, same shape, above 0.
        mixture_weights: ``g``, weights of the components that ratios come from, on the simplex.
        mean: posterior means, in the unit of the values; a cell without noise is what it is, at
            least 0.
    """

    noisy_values: Cells
    noise_std: Cells
    expected_values: Cells
    mixture_weights: Vector
    mean: Cells

    @cached_property
    def variance(self) -> Cells:
        """Posterior variances, in the squared unit of the values; 0 for a cell without noise."""
        responsibilities, component_means, component_stds = self._components
        ratio_means = np.einsum("jn,jn->n", responsibilities, component_means)
        squared_deviations = (component_means - ratio_means) ** 2 + component_stds**2
        ratio_variances = np.einsum("jn,jn->n", responsibilities, squared_deviations)
        cell_variances: Cells = (
            ratio_variances.reshape(self.expected_values.shape)
            * self.expected_values
            * self.expected_values
        )
        return np.where(self.noise_std > 0, cell_variances, 0.0)

    def draw(self, n_draws: int, generator: np.random.Generator) -> Cells:
        """Draw values that the noisy ones leave possible, at least 0, shape (n_draws, n).

        Cells are in the order of ``ravel``.

        Args:
            n_draws: how many.
            generator: of the draws; the noisy values are released, so it may be public.
        """
        responsibilities, component_means, component_stds = self._components
        cumulated_responsibilities = np.cumsum(responsibilities, axis=0)
        last_component = len(responsibilities) - 1
        cells = np.arange(cumulated_responsibilities.shape[1])
        draws = np.empty((n_draws, len(cells)))
        for draw in draws:
            uniforms = generator.random(len(cells))
            components = np.minimum(
                np.sum(cumulated_responsibilities < uniforms, axis=0), last_component
            )
            normals = generator.standard_normal(len(cells))
            draw[:] = component_means[components, cells]
            draw += component_stds[components, cells] * normals
        return np.asarray(np.maximum(draws, 0.0) * np.ravel(self.expected_values))

    @property
    def _components(self) -> tuple[Cells, Single, Single]:
        """Weight, mean and standard deviation of each cell's components, (components, n) each.

        In ratios.
        """
        ratios, noise_stds = _to_ratios(self.noisy_values, self.noise_std, self.expected_values)
        responsibilities = self.mixture_weights[:, None] * _likelihoods(ratios, noise_stds)
        responsibilities /= np.maximum(np.sum(responsibilities, axis=0), SMALLEST_POSITIVE)
        shrinkage_factors = _gains(noise_stds)
        component_means = _CENTRE_COLUMN + (ratios - _CENTRE_COLUMN) * shrinkage_factors
        component_stds = noise_stds * np.sqrt(shrinkage_factors)
        return responsibilities, component_means, component_stds


def fit_empirical_bayes(
    noisy_values: Cells,
    noise_std: Cells,
    expected_values: Cells,
    *,
    initial_weights: Vector = EVEN_WEIGHTS,
    n_rounds: int = N_FIRST_ROUNDS,
) -> Posterior:
    """Learn the distribution of the ratios by EM, and every cell's posterior under it.

    Ratios of noisy to expected values are cut off at ±``MAX_ABS_RATIO``, for cells with noise.

    Args:
        noisy_values: as released, any shape.
        noise_std: standard deviation of each, same shape, at least 0.
        expected_values: what each would hold at ratio 1, same shape, above 0.
        initial_weights: weights of the components that EM starts from, shape (33,), on the simplex.
        n_rounds: rounds of EM; 0 keeps the initial weights.

    Returns:
        Means are at least 0; a cell without noise keeps its value.
    """
    ratios, noise_stds = _to_ratios(noisy_values, noise_std, expected_values)
    likelihoods = _likelihoods(ratios, noise_stds)
    mixture_weights = initial_weights

    def sum_over_components(component_numbers: Vector) -> Single:
        return component_numbers.astype(np.float32) @ likelihoods

    for _ in range(n_rounds):
        densities = sum_over_components(mixture_weights) + SMALLEST_SINGLE
        mixture_weights = mixture_weights * (likelihoods @ (1 / densities))
        mixture_weights /= mixture_weights.sum()
    densities = sum_over_components(mixture_weights)
    weighted_centres = sum_over_components(mixture_weights * CENTRES)
    for cell_block in row_blocks(ratios.size, BLOCK):
        likelihoods[:, cell_block] *= _gains(noise_stds[cell_block])
    # A component's posterior mean lies between its centre and the ratio, by its gain.
    shrunk_ratios = ratios * sum_over_components(mixture_weights)
    weighted_centres += shrunk_ratios - sum_over_components(mixture_weights * CENTRES)
    ratio_means = weighted_centres / np.maximum(densities, SMALLEST_SINGLE)
    cell_means = ratio_means.reshape(noisy_values.shape) * expected_values
    return Posterior(
        noisy_values=noisy_values,
        noise_std=noise_std,
        expected_values=expected_values,
        mixture_weights=mixture_weights,
        mean=np.maximum(np.where(noise_std > 0, cell_means, noisy_values), 0.0),
    )


def _to_ratios(
    noisy_values: Cells, noise_std: Cells, expected_values: Cells
) -> tuple[Single, Single]:
    """Noisy and noise over expected values of all cells, shape (n,), in float32.

    Both are cut off at ±``MAX_ABS_RATIO``. Expected values must be positive.
    """
    ratios, noise_stds = (
        np.clip(np.ravel(numbers / expected_values), -MAX_ABS_RATIO, MAX_ABS_RATIO)
        for numbers in (noisy_values, noise_std)
    )
    return ratios.astype(np.float32), noise_stds.astype(np.float32)


def _variances(noise_stds: Single) -> Single:
    """Variance of every noisy ratio under every component, shape (components, n)."""
    noise_variances = np.maximum(noise_stds * noise_stds, np.float32(MIN_RATIO_VARIANCE))
    return np.asarray(_VARIANCE_COLUMN + noise_variances)


def _gains(noise_stds: Single) -> Single:
    """Weight of the ratio against the component's centre in its posterior mean, in [0, 1].

    Shape (components, n).
    """
    return np.asarray(_VARIANCE_COLUMN / _variances(noise_stds))


def _likelihoods(ratios: Single, noise_stds: Single) -> Single:
    """Density of every ratio under every component, shape (components, n).

    Each column is right up to a factor of its own: components of one cell can be compared, but not
    cells.
    """
    likelihoods = np.empty((len(CENTRES), ratios.size), np.float32)
    for cell_block in row_blocks(ratios.size, BLOCK):
        variances = _variances(noise_stds[cell_block])
        with np.errstate(over="ignore"):  # infinite: so far off that the density is 0
            exponents = (ratios[cell_block] - _CENTRE_COLUMN) ** 2 / variances
        exponents -= np.min(exponents, axis=0)
        # A division is sooner done than a logarithm in the exponent.
        likelihoods[:, cell_block] = np.exp(exponents * np.float32(-0.5)) / np.sqrt(variances)
    return likelihoods
