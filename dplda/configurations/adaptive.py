r"""``adaptive``: noise on the pair averages once, then on the clipped whitened tensor; everything else follows.

The whitening is computed from the *noisy* pair moment, so it is a public map and the tensor it produces is a plain
average over documents again, whose sensitivity is twice a clip level. No eigengap, no local sensitivity and no failure
probability enters. Clip levels are themselves released.
"""

import math

import numpy as np

from dplda._types import Tensor3
from dplda.configurations.averages import (
    LARGEST_PAIR_NORM,
    MASS,
    PAIRS,
    PROVEN_RESTS_ON,
    TRIPLES,
    WORDS,
    gaussian_budget,
    noisy_averages,
)
from dplda.configurations.route import (
    Budget,
    Calibration,
    Configuration,
    Route,
    Shape,
    Statistics,
    Variant,
)
from dplda.flow import Edge
from dplda.privacy import sensitivity
from dplda.privacy.mechanisms import Mechanisms, ReleaseName
from dplda.privacy.release import Status
from dplda.spectral.statistics import Averages, PairMoment, complete, shifted
from dplda.spectral.whitening import Whitening

PAIR_CLIP, TRIPLE_CLIP = "pair clip", "triple clip"
SMALLEST_PAIR_NORM = 1e-3
HALF_CLIPPED_AT = 0.0045


def pair_clip_quantile(*, n_documents: int, n_words: int, mu: float, search_mu: float) -> float:
    r"""How many documents to leave unclipped, from public numbers alone.

    :math:`ρ = 2\sqrt d/(Nμ)` is the noise edge of the pair average in units of the clip level. Where it is small the
    bias of clipping dominates and hardly any document should be clipped; where it is large the noise dominates, and
    with a low clip level every document counts by its length and noise falls with the level.

    Args:
        n_documents: ``N``.
        n_words: ``d``.
        mu: budget of the pair average.
        search_mu: budget of the search for the level; its counts are wrong by about ``3/search_mu``, and a quantile
            of fewer than twice as many documents cannot be aimed at.

    Returns:
        :math:`\min\{1/(1 + (ρ/0.0045)^3),\ 1 - 50/(Nμ)\}`, at least 0.02 and
        ``6/(N search_mu)``, the latter up to 0.95. The form and its one constant were chosen
        on simulated corpora; the guarantee holds for any value.
    """
    rho = 2 * math.sqrt(n_words) / (n_documents * mu)
    aimable = min(0.95, 6 / (n_documents * search_mu))
    return max(0.02, aimable, min(1 / (1 + (rho / HALF_CLIPPED_AT) ** 3), 1 - 50 / (n_documents * mu)))


class AdaptiveRoute(Route):
    """One run: six adaptively composed Gaussian releases.

    Guarantee:
        With ``μ_j`` the budgets, the run is exactly as private as one Gaussian mechanism of ``μ² = Σ μ_j²``.
    """

    def __init__(self, shape: Shape, budget: Budget, mechanisms: Mechanisms) -> None:
        super().__init__(shape, budget, mechanisms)
        self._mus = gaussian_budget(budget)
        self._clip = LARGEST_PAIR_NORM

    def pairs(self, source: Statistics) -> Averages:
        """Averages under a private clip level."""
        quantile = self.budget.clip_quantile or pair_clip_quantile(
            n_documents=self.shape.n_documents,
            n_words=self.shape.n_words,
            mu=self._mus[PAIRS],
            search_mu=self._mus[PAIR_CLIP],
        )
        self._clip = self.mechanisms.clip_level(
            ReleaseName(Edge.E2, "clip level of pair frequencies", "C₂"),
            source.pair_norms(),
            low=SMALLEST_PAIR_NORM,
            high=LARGEST_PAIR_NORM,
            quantile=quantile,
            mu=self._mus[PAIR_CLIP],
        )
        return source.averages(self._clip)

    def e2(self, pairs: Averages | PairMoment) -> Averages:
        """Noise on the averages of pairs and words and on the documents' mean weight."""
        assert isinstance(pairs, Averages)
        return noisy_averages(pairs, self._clip, self.shape.n_documents, self.mechanisms, Edge.E2, self._mus)

    def triples(self, source: Statistics, whitening: Whitening, pairs: Averages | PairMoment) -> Tensor3:
        """Clipped triple average along shifted directions, with noise (e6), completed to the third moment.

        The directions are functions of released values, so the average is a plain sum over documents and its
        sensitivity is twice the clip level, itself released.
        """
        assert isinstance(pairs, Averages)
        n = self.shape.n_documents
        mean = whitening.whitener.T @ pairs.mean_words(self.coefficients)
        directions = shifted(whitening.whitener, mean, self.coefficients)
        ceiling = float(np.max(np.linalg.norm(directions, axis=1))) ** 3
        clip = self.mechanisms.clip_level(
            ReleaseName(Edge.E6, "clip level of whitened triples", "C₃"),
            source.triple_norms(self._clip, directions),
            low=1e-3 * ceiling,
            high=ceiling,
            quantile=min(1.0, max(0.5, 1 - 50 / (n * self._mus[TRIPLES]))),
            mu=self._mus[TRIPLE_CLIP],
        )
        noisy = self.mechanisms.symmetric_tensor(
            ReleaseName(Edge.E6, "whitened triple average", "T"),
            source.triple_average(self._clip, directions, clip),
            sensitivity=sensitivity.tensor_average(n_documents=n, clip=clip),
            mu=self._mus[TRIPLES],
        )
        return complete(noisy / pairs.mass, mean, self.coefficients)


ADAPTIVE = Configuration(
    name="adaptive",
    title="Adaptive",
    edges=(Edge.E2, Edge.E6),
    summary=(
        "Noise enters the pair moment once, and the whitened tensor once. Everything between them is computed from the"
        " noisy pair moment, so nothing has to be protected twice."
    ),
    variants={
        Calibration.CORRECTED: Variant(
            default_split=(
                (PAIR_CLIP, 0.01),
                (MASS, 0.01),
                (WORDS, 0.06),
                (PAIRS, 0.65),
                (TRIPLE_CLIP, 0.02),
                (TRIPLES, 0.25),
            ),
            status=Status.PROVEN,
            rests_on=PROVEN_RESTS_ON,
            route=AdaptiveRoute,
        )
    },
)
