"""Statistics of a run with what one document can move them by: the only place that pairs the two.

Sums of whole numbers carry their own distance; those in floating point get the sensitivity that is
proven for them in ``privacy.sensitivity``, roundings included.
"""

from dplda.core.types import Matrix, Tensor3, Vector
from dplda.methods.base.problem import ProblemSize
from dplda.privacy import sensitivity
from dplda.privacy.bounded_sum import ArrayValue, BoundedL1Sum, BoundedSum
from dplda.spectral.statistics import Averages


def bound_word_counts(total: Vector, size: ProblemSize, *, clip_norm: float) -> BoundedSum[Vector]:
    """Bound a sum of clipped word counts.

    Args:
        total: shape (d,).
        size: public numbers of the run.
        clip_norm: length that every document's counts were scaled down to.
    """
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


def bound_eigenvalue(eigenvalue: float, size: ProblemSize) -> BoundedSum[float]:
    """Bound one eigenvalue of ``M2``."""
    return BoundedSum.of(eigenvalue, floating_point_sensitivity=eigenvalue_sensitivity(size))


def bound_gap(gap: float, size: ProblemSize) -> BoundedSum[float]:
    """Bound the difference of two eigenvalues of ``M2``."""
    return BoundedSum.of(gap, floating_point_sensitivity=2 * eigenvalue_sensitivity(size))


def eigenvalue_sensitivity(size: ProblemSize) -> float:
    """Most by which one document moves an eigenvalue of ``M2``, roundings included."""
    return sensitivity.pair_moment_eigenvalue(
        n_documents=size.n_documents, n_words=size.n_words, a=size.coefficients.a
    )


def bound_largest_frequency(frequency: float, size: ProblemSize) -> BoundedSum[float]:
    """Bound the largest entry of ``E1`` or of ``E2``."""
    return BoundedSum.of(
        frequency,
        floating_point_sensitivity=sensitivity.largest_frequency(n_documents=size.n_documents),
    )


def bound_l1_histogram(histogram: ArrayValue, size: ProblemSize) -> BoundedL1Sum[ArrayValue]:
    """Bound an average of documents' word or pair frequencies in the L1 norm of its cells."""
    return BoundedL1Sum(histogram, sensitivity.histogram_l1(n_documents=size.n_documents))


def bound_l1_mean_weight(averages: Averages, size: ProblemSize) -> BoundedL1Sum[float]:
    """Bound the mean weight of documents, each in [0, 1], for Laplace noise."""
    return BoundedL1Sum(averages.mass, sensitivity.mass(n_documents=size.n_documents))


def bound_l1_triple_average(
    average: Tensor3, size: ProblemSize, *, row_stretch: float
) -> BoundedL1Sum[Tensor3]:
    """Bound the average ``E3`` of unclipped documents, seen whitened, in the L1 norm of its cells.

    Args:
        average: shape (m, m, m).
        size: public numbers of the run.
        row_stretch: of the whitener that it is seen through.
    """
    return BoundedL1Sum(
        average,
        sensitivity.triple_histogram_l1(
            n_documents=size.n_documents, n_words=size.n_words, spread=row_stretch
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
