"""Statistics of a run with what one document can move them by: the only place that pairs the two.

Sums of whole numbers carry their own distance; those in floating point get the sensitivity that is
proven for them in ``privacy.sensitivity``, roundings included.
"""

from dplda.core.types import Matrix, Tensor3, Vector
from dplda.methods.base.problem import ProblemSize
from dplda.privacy import sensitivity
from dplda.privacy.bounded_sum import BoundedSum
from dplda.spectral.statistics import Averages


def bound_word_counts(total: Vector, size: ProblemSize, *, clip_norm: float) -> BoundedSum[Vector]:
    """Bound a sum of word counts, shape (d,), of documents scaled down to ``clip_norm``."""
    return BoundedSum.of(
        total,
        floating_point_sensitivity=sensitivity.word_counts(
            n_documents=size.n_documents, n_words=size.n_words, clip_norm=clip_norm
        ),
    )


def bound_word_average(averages: Averages, size: ProblemSize) -> BoundedSum[Vector]:
    """Bound the average ``E1`` of clipped documents, shape (d,)."""
    return BoundedSum.of(
        averages.words,
        floating_point_sensitivity=sensitivity.word_average(
            n_documents=size.n_documents, clip=averages.clip
        ),
    )


def bound_pair_average(averages: Averages, size: ProblemSize) -> BoundedSum[Matrix]:
    """Bound the average ``E2`` of clipped documents, shape (d, d), as a histogram over pairs."""
    return BoundedSum.of(
        averages.pairs,
        floating_point_sensitivity=sensitivity.pair_average(
            n_documents=size.n_documents, clip=averages.clip
        ),
    )


def bound_mean_weight(averages: Averages, size: ProblemSize) -> BoundedSum[float]:
    """Bound the mean weight of documents, each in [0, 1]."""
    return BoundedSum.of(
        averages.mass,
        floating_point_sensitivity=sensitivity.mass(n_documents=size.n_documents),
    )


def bound_triple_average(average: Tensor3, size: ProblemSize) -> BoundedSum[Tensor3]:
    """Bound the average ``E3`` of unclipped documents, seen whitened, as a histogram."""
    return BoundedSum.of(
        average,
        floating_point_sensitivity=sensitivity.triple_histogram(
            n_documents=size.n_documents, n_words=size.n_words
        ),
    )


def bound_clipped_tensors(
    average: Tensor3, size: ProblemSize, *, clip: float, largest_norm: float
) -> BoundedSum[Tensor3]:
    """Bound an average of documents' whitened tensors.

    Args:
        average: shape (m, m, m).
        size: public numbers of the run.
        clip: Frobenius norm that every tensor was scaled down to.
        largest_norm: largest norm that a document's tensor can have before that.
    """
    return BoundedSum.of(
        average,
        floating_point_sensitivity=sensitivity.tensor_average(
            n_documents=size.n_documents, n_words=size.n_words, clip=clip, ceiling=largest_norm
        ),
    )


def bound_pair_moment(moment: Matrix, size: ProblemSize) -> BoundedSum[Matrix]:
    """Bound the U-statistic ``M2``, shape (d, d), in the Frobenius norm."""
    return BoundedSum.of(
        moment,
        floating_point_sensitivity=sensitivity.direct_pair_moment(
            n_documents=size.n_documents, a=size.coefficients.a
        ),
    )
