r"""Sensitivities as the authors' public code computes them.

Read in ``experiments/helpers/configurations.py`` and ``models.py`` of
``umd-huang-lab/private-topic-model-tensor-methods``: moments are multiplied by
:math:`s_2 = α_0(α_0+1)` and :math:`s_3 = α_0(α_0+1)(α_0+2)/2`, and so are their sensitivities.
Bounds on :math:`σ_k`, :math:`γ_s` and :math:`σ_1` are raised to at least 0.1, whatever they are.

That the published figures come from sensitivities *without* these factors is an inference, not
read anywhere: with them the noise at :math:`α_0 = 1000` is a million times that of the formulas,
and hides everything, where the paper's Figures 2b and 2c show topics.
"""

import math
from dataclasses import dataclass

from dplda.methods.base.problem import ProblemSize

BOUND_FLOOR = 0.1
"""Smallest value of a lower bound in the code: its ``mythreshold``."""
SMALLEST_DELTA = 2.0**-23
"""Smallest δ in a bound: the code's machine precision, that of single precision."""


def lemma_8_multiplier(epsilon: float, delta: float) -> float:
    r"""Noise multiplier :math:`(\sqrt{ε + L} + \sqrt L)/(\sqrt2\,ε)` with :math:`L = \ln(1/δ)`."""
    log_delta = math.log(1 / delta)
    return (math.sqrt(epsilon + log_delta) + math.sqrt(log_delta)) / (math.sqrt(2) * epsilon)


def raise_bound(noisy: float, *, n_documents: int, epsilon: float, delta: float) -> float:
    """Lower bound as the code has it: shifted down, with a decimal logarithm, then raised to 0.1.

    Args:
        noisy: the number with Laplace noise.
        n_documents: ``N``.
        epsilon: ε of the bound.
        delta: δ of the bound.
    """
    margin = 2 / (n_documents * epsilon) * math.log10(1 / (2 * max(delta, SMALLEST_DELTA)))
    return max(noisy - margin, BOUND_FLOOR)


@dataclass(frozen=True, slots=True)
class AuthorsSensitivities:
    """Sensitivities in the code's units, which are those of scaled moments.

    Attributes:
        size: public numbers of the run.
        scales_sensitivities: whether sensitivities are multiplied as the moments are, as read; else
            as inferred from the figures.
    """

    size: ProblemSize
    scales_sensitivities: bool

    @property
    def pair_scale(self) -> float:
        """Factor ``s2`` of the pair moment."""
        return self.size.alpha0 * (self.size.alpha0 + 1)

    @property
    def triple_scale(self) -> float:
        """Factor ``s3`` of the triple moment."""
        return self.pair_scale * (self.size.alpha0 + 2) / 2

    @property
    def tensor_scale(self) -> float:
        """Factor of the whitened tensor, whose whitening is scaled, too."""
        return self.triple_scale / math.pow(self.pair_scale, 1.5)

    @property
    def pairs(self) -> float:
        """Sensitivity of the pair moment, used for ``W`` and ``W†`` as well."""
        share = self.size.alpha0 / (self.size.alpha0 + 1)
        return (2 + 4 * share) / self.size.n_documents * self._factor(self.pair_scale)

    @property
    def triples(self) -> float:
        """Sensitivity of the triple moment."""
        alpha0 = self.size.alpha0
        n = self.size.n_documents
        cross = 4 * alpha0 / (alpha0 + 2) / n
        cube = 12 * alpha0**2 / ((alpha0 + 1) * (alpha0 + 2)) * (n - 1) / (n * (n - 2))
        return (2 / n + cross + cube) * self._factor(self.triple_scale)

    def tensor(self, sigma_bound: float) -> float:
        """Sensitivity of the whitened tensor, with the code's own placement of a bracket.

        The bound less the sensitivity of pairs counts as at least ``BOUND_FLOOR``, so that the
        result is finite.
        """
        alpha0 = self.size.alpha0
        n = self.size.n_documents
        k = self.size.n_topics
        lowered_sigma = max(sigma_bound - self.pairs, BOUND_FLOOR)
        moment_norm = 1 + 6 * alpha0 / (alpha0 + 2) * n / (n - 1)
        moment_norm += 6 * alpha0**2 * n**2 / ((alpha0 + 1) * (alpha0 + 2) * (n - 1) * (n - 2))
        from_whitening = (
            math.pow(2 * k, 1.5) * self.pairs**3 / sigma_bound**3 * math.pow(lowered_sigma, 1.5)
        )
        from_triples = self.triples * math.pow(k, 1.5) / math.pow(lowered_sigma, 1.5)
        return (moment_norm * from_whitening + from_triples) * self._unwhitening_factor

    def factors(self, sigma_bound: float, gamma_bound: float) -> float:
        """Sensitivity of the decomposition's factors.

        Args:
            sigma_bound: private lower bound on ``σk``.
            gamma_bound: private lower bound on ``γs``.
        """
        return 2 * math.sqrt(self.size.n_topics) * self.tensor(sigma_bound) / gamma_bound

    def topics(self, sigma_bound: float, gamma_bound: float, largest_bound: float) -> float:
        """Sensitivity of the topics.

        Args:
            sigma_bound: private lower bound on ``σk``.
            gamma_bound: private lower bound on ``γs``.
            largest_bound: private bound on ``σ1``.
        """
        length = self._unwhitening_factor * math.sqrt(largest_bound + self.pairs)
        return length * self.factors(sigma_bound, gamma_bound) * self._factor(self.triple_scale)

    @property
    def _unwhitening_factor(self) -> float:
        return (self.size.alpha0 + 2) / (2 * math.sqrt(self.pair_scale))

    def _factor(self, scale: float) -> float:
        return scale if self.scales_sensitivities else 1.0
