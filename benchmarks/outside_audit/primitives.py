"""Re:cord-play-sample: sources of noise, drawn from by themselves and compared with the laws that they declare."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy import stats

from dplda.attacks.audit.evidence import bound_loss, gaussian_mu, pure_epsilon
from dplda.core.types import Vector
from dplda.privacy.noise.exact import ExactNoise, _discrete
from dplda.privacy.noise.exact_normals import draw_rounded_normals
from dplda.privacy.noise.keys import SeedKey
from dplda.privacy.noise.layouts import PlainVector
from dplda.privacy.noise.sources import NoiseSource, SimulatedNoise

N_DRAWS = 20_000
SCALE = 2.0**30  # steps, as wide as noise of a release is at least
ERROR = 1e-4  # of each test


@dataclass(frozen=True, slots=True, kw_only=True)
class Primitive:
    """Draws of one source of noise.

    Attributes:
        name: of the source.
        law: that it declares.
        draws: in units of the declared scale, shape (n,).
    """

    name: str
    law: str
    draws: Vector

    @property
    def p_value(self) -> float:
        """Of Kolmogorov and Smirnov's test against the declared law."""
        law = stats.laplace if self.law == "Laplace" else stats.norm
        return float(stats.kstest(self.draws, law.cdf).pvalue)

    def least_loss(self, distance: float) -> float:
        """Lower bound on the loss between two inputs so many scales apart: μ, or ε of Laplace noise.

        Noise of the declared law allows the distance itself.

        Args:
            distance: of the inputs, in units of the scale.
        """
        half = len(self.draws) // 2
        measure = pure_epsilon if self.law == "Laplace" else gaussian_mu
        bound = bound_loss(self.draws[:half] + distance, self.draws[half:], measure, error=ERROR)
        return bound.lower


def draw_primitives(n_draws: int = N_DRAWS) -> Iterator[Primitive]:
    """Every source of noise that a run can have, but for no noise."""
    simulated = SimulatedNoise(SeedKey(7))
    zeros = np.zeros(n_draws)
    layout = PlainVector()
    normals = simulated.perturb(zeros, 3.0, layout, "audit normals") / 3.0
    laplaces = simulated.perturb_laplace(zeros, 3.0, layout, "audit laplaces") / 3.0
    exact: NoiseSource = ExactNoise(epsilon=1.0, delta=1e-6)
    whole_zeros = np.zeros(n_draws, dtype=np.int64)
    of_release = exact.perturb(whole_zeros, SCALE, layout, "audit") / SCALE
    yield Primitive(name="simulated normals", law="Gaussian", draws=normals)
    yield Primitive(name="simulated Laplace numbers", law="Laplace", draws=laplaces)
    yield Primitive(name="exact noise of a release", law="Gaussian", draws=of_release)
    yield Primitive(
        name="discrete Gaussian (OpenDP's sampler)",
        law="Gaussian",
        draws=np.asarray(_discrete(n_draws, SCALE) / SCALE),
    )
    yield Primitive(
        name="rounded normals, beyond a million numbers",
        law="Gaussian",
        draws=np.asarray(draw_rounded_normals(n_draws, SCALE) / SCALE),
    )
