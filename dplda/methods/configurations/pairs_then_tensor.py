"""Noise on the pair averages once, then on the clipped whitened tensor: ``adaptive`` without its first words.

The whitening comes from the *noisy* pair moment, so it is a public map and its tensor is again a plain average over
documents, of sensitivity twice a clip level: no eigengap, local sensitivity or failure probability. Clip levels are
released too.
"""

import math
from dataclasses import replace

import numpy as np
from scipy.optimize import brentq

from dplda.core import checks
from dplda.core.types import Tensor3, Vector
from dplda.flow import Edge
from dplda.methods.configurations import sizes
from dplda.methods.configurations.averages import (
    APART,
    COUNTS,
    PAIRS_IN_WORDS,
    WORDS_IN_WORDS,
    AveragesRoute,
    average_quantities,
)
from dplda.methods.configurations.sizes import Quantity
from dplda.methods.denoising.empirical_bayes import SMALLEST_POSITIVE
from dplda.privacy import sensitivity
from dplda.privacy.noise.layouts import SymmetricTensor
from dplda.spectral.corpus_statistics import CorpusStatistics
from dplda.spectral.documents import LARGEST_PAIR_NORM
from dplda.spectral.statistics import Averages, complete, shifted
from dplda.spectral.whitening import Whitening

SMALLEST_PAIR_NORM = 1e-3
HALF_CLIPPED_AT = 0.0045
DRAWS, DRAWN, ROUNDS = 0x77656967, 4000, 6  # of shares, to know what clipping does to them

PAIR_CLIP = Quantity(
    "pair clip", "C₂", "clip level of pair frequencies", Edge.E2, COUNTS, sizes.count, is_level=True
)
AVERAGES = average_quantities(
    Edge.E2,
    why_words=APART.format("weighted " + WORDS_IN_WORDS, "√(√2 C₂)"),
    why_pairs=APART.format("weighted " + PAIRS_IN_WORDS, "√2 C₂"),
    rests_on=(PAIR_CLIP.name,),
)
TRIPLE_CLIP = Quantity(
    "triple clip",
    "C₃",
    "clip level of whitened triples",
    Edge.E6,
    COUNTS,
    sizes.count,
    is_level=True,
)
TRIPLES = Quantity(
    "triples",
    "T",
    "whitened triple average",
    Edge.E6,
    "Every document's tensor is scaled down to length C₃; two of them are at most 2 C₃ apart.",
    sizes.tensor,
    (TRIPLE_CLIP.name,),
)


def pair_clip_quantile(*, n_documents: int, n_words: int, mu: float, search_mu: float) -> float:
    r"""Fraction of documents to leave unclipped, from public numbers alone.

    :math:`ρ = 2\sqrt d/(Nμ)` is the noise edge of the pair average in units of the clip level. Where it is small the
    bias of clipping dominates and few documents should be clipped; where it is large noise dominates and falls with the
    level. Counts of the search are wrong by about ``3/search_mu``, so a quantile below twice as many documents cannot
    be met. The form and its constant were chosen on simulated corpora; the guarantee holds for any value.
    """
    rho = 2 * math.sqrt(n_words) / (n_documents * mu)
    aimable = min(0.95, 6 / (n_documents * search_mu))
    return max(
        0.02, aimable, min(1 / (1 + (rho / HALF_CLIPPED_AT) ** 3), 1 - 50 / (n_documents * mu))
    )


def weighed_alpha0(averages: Averages, alpha0: float, n_topics: int) -> float:
    r"""``α0`` of the Dirichlet whose shares are as uneven as those of clipped documents, by weight: at least ``α0``.

    Pair frequencies of a document with shares ``θ`` have length :math:`g s + h` with :math:`s = \sum θ_i^2`: clipping
    takes most from documents of few topics, and moments at the given ``α0`` draw topics toward the mean. The trace of
    ``E2`` gives ``g`` and the mean weight gives ``h``; all of it is released.
    """
    even, mass, clip = 1 / n_topics, averages.mass, averages.clip
    apart = float(np.trace(averages.pairs)) / mass - float(np.sum(averages.words**2)) / mass**2
    if apart <= 0:
        return alpha0
    squares = np.sum(
        np.random.default_rng(DRAWS).dirichlet(np.full(n_topics, alpha0 / n_topics), DRAWN) ** 2,
        axis=1,
    )
    alike = [float(np.mean(squares))]
    for _ in range(ROUNDS):
        lengths = apart / max(alike[-1] - even, SMALLEST_POSITIVE) * squares
        known = (lengths, clip, mass)
        rest = brentq(_too_much, 0.0, 2 * clip / mass, known) if _too_much(0.0, *known) > 0 else 0.0
        weights = clip / np.maximum(lengths + rest, clip)
        alike.append(float(weights @ squares / np.sum(weights)))
    before, after = (
        (1 - each) / max(each - even, SMALLEST_POSITIVE) for each in (alike[0], alike[-1])
    )
    return max(alpha0, min(alpha0 * after / before, checks.LARGEST)) if before else alpha0


def _too_much(rest: float, lengths: Vector, clip: float, mass: float) -> float:
    """By how much the mean weight of documents that are longer by ``rest`` passes ``mass``."""
    return float(np.mean(clip / np.maximum(lengths + rest, clip))) - mass


class PairsThenTensor(AveragesRoute):
    """One run, or a part of one: six adaptively composed Gaussian releases.

    Guarantee:
        With budgets ``μ_j``, the run is exactly as private as one Gaussian mechanism of ``μ² = Σ μ_j²``.
    """

    @property
    def pair_quantile(self) -> float:
        """Fraction of documents that the pairs' clip level leaves unchanged; from public numbers."""
        return self.budget.clip_quantile or pair_clip_quantile(
            n_documents=self.shape.n_documents,
            n_words=self.shape.n_words,
            mu=self._mus[AVERAGES.pairs.name],
            search_mu=self._mus[PAIR_CLIP.name],
        )

    def pairs(self, statistics: CorpusStatistics) -> Averages:
        """Averages under a private clip level of pairs, which bounds a document's words too."""
        level = self.mechanisms.clip_level(
            PAIR_CLIP,
            statistics.pair_norms(),
            low=SMALLEST_PAIR_NORM,
            high=LARGEST_PAIR_NORM,
            quantile=self.pair_quantile,
            mu=self._mus[PAIR_CLIP.name],
        )
        return statistics.averages(level)

    def e2(self, pairs: Averages) -> Averages:
        """Noise on the averages of pairs and words and on the documents' mean weight, which tell what clipping did."""
        found = self.released(pairs, AVERAGES)
        alpha0 = (
            weighed_alpha0(found, self.shape.alpha0, self.shape.n_topics)
            if found.mass > 0
            else None
        )
        return replace(found, alpha0=alpha0)

    def triples(
        self, statistics: CorpusStatistics, whitening: Whitening, pairs: Averages
    ) -> Tensor3:
        """Clipped triple average along shifted directions, with noise (e6), completed to the third moment."""
        n, mu = self.shape.n_documents, self._mus[TRIPLES.name]
        coefficients = pairs.weighed(self.coefficients)
        mean = whitening.whitener.T @ pairs.mean_words(coefficients)
        directions = shifted(whitening.whitener, mean, coefficients)
        ceiling = float(np.max(np.linalg.norm(directions, axis=1))) ** 3
        clip = self.mechanisms.clip_level(
            TRIPLE_CLIP,
            statistics.triple_norms(pairs.clip, directions),
            low=1e-3 * ceiling,
            high=ceiling,
            quantile=min(1.0, max(0.5, 1 - 50 / (n * mu))),
            mu=self._mus[TRIPLE_CLIP.name],
        )
        noisy = self.mechanisms.gaussian(
            TRIPLES,
            statistics.triple_average(pairs.clip, directions, clip),
            SymmetricTensor(directions.shape[1]),
            sensitivity=sensitivity.tensor_average(
                n_documents=n, n_words=self.shape.n_words, clip=clip, ceiling=ceiling
            ),
            mu=mu,
        )
        return complete(noisy / pairs.mass, mean, coefficients)
