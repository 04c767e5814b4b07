"""What a refinement found, and apart from it what only the curator may see."""

from dataclasses import dataclass

from dplda.core.types import Matrix, Vector
from dplda.methods.full_batch_vi.budget import Shares
from dplda.methods.full_batch_vi.uncertainty import Uncertainty
from dplda.privacy.release import Guarantee, Release


@dataclass(frozen=True, slots=True, eq=False)
class Refined:
    """Topics found by refinement. All that is here is a function of releases and public numbers.

    Attributes:
        topics: shape (k, d), rows on the simplex.
        alpha: shape (k,), Dirichlet parameters: ``α0``, which is given, times each topic's part of all words where a
            spectral start was bought, in equal parts elsewhere.
        mean_words: ``p``, shape (d,), on the simplex.
        from_unigram: ``h``, shape (k,): how far each topic's released cells are from those of the mean word
            distribution, in standard deviations of what noise alone would show: about N(0, 1) for a topic that is
            nothing but the mean, where steps feed no noise back; ``uncertainty`` counts what they do. Infinite without
            noise.
        moments_weight: shape (k,), weight of the spectral reading in each topic; 0 without a spectral start.
        releases: every noisy value that was drawn, in order.
        uncertainty: of every word's probability; None without noise.
    """

    topics: Matrix
    alpha: Vector
    mean_words: Vector
    from_unigram: Vector
    moments_weight: Vector
    shares: Shares
    releases: tuple[Release, ...]
    guarantee: Guarantee
    uncertainty: Uncertainty | None


@dataclass(frozen=True, slots=True, eq=False)
class RefinedRun:
    """Topics, and apart from them what only the curator may see.

    Attributes:
        clipped: fraction of documents whose contribution was scaled down, step by step; exact, in no file.
    """

    refined: Refined
    clipped: tuple[float, ...]
