r"""Sums over documents that carry their sensitivity, so no caller pairs the two by hand.

A ``SumBound`` says, from public numbers alone, how far one document can move a sum. The sum that is
computed under it becomes a ``BoundedSum``, which is all that a mechanism needs beside its budget.
The same bound tells a forecast the sensitivity before any document is read.
"""

from dataclasses import dataclass
from typing import Generic, TypeVar

from dplda.core.types import Matrix, Tensor3, Vector
from dplda.privacy import sensitivity
from dplda.privacy.noise.fixed_point import NON_NEGATIVE_DISTANCE, FixedPointSum, grid_resolution

Value = TypeVar("Value", float, Vector, Matrix, Tensor3)
ArrayValue = TypeVar("ArrayValue", Vector, Matrix)


@dataclass(frozen=True, slots=True, eq=False)
class BoundedSum(Generic[Value]):
    """A sum over documents, without noise, and how far one document moves it.

    Attributes:
        value: the sum; whole numbers where the noise is exact.
        sensitivity: L2 distance of two neighbors' sums at most, roundings included, in the unit of
            the value.
    """

    value: Value | FixedPointSum
    sensitivity: float

    @classmethod
    def of(
        cls, value: Value | FixedPointSum, *, floating_point_sensitivity: float
    ) -> "BoundedSum[Value]":
        """A sum with its sensitivity: its own if it is of whole numbers, else the one given."""
        if isinstance(value, FixedPointSum):
            return cls(value, value.sensitivity)
        return cls(value, floating_point_sensitivity)


@dataclass(frozen=True, slots=True, eq=False)
class BoundedL1Sum(Generic[Value]):
    """A sum over documents, without noise, in the norm that Laplace noise is scaled to.

    Attributes:
        value: the sum.
        sensitivity: L1 distance of two neighbors' sums at most, roundings included, in the unit of
            the value.
    """

    value: Value
    sensitivity: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SumBound:
    """Bound on what documents add to a sum, from public numbers alone.

    Attributes:
        n_documents: documents that are added up.
        n_words: bound on how many numbers of a document decide the length of its part.
        part_norm: unit in which parts are measured: their largest length, or 1.
        part_distance: L2 distance of two documents' parts at most, in units of ``part_norm``.
        floating_point_sensitivity: L2 distance of two neighbors' sums in floating point at most.
    """

    n_documents: int
    n_words: int
    part_norm: float
    part_distance: float
    floating_point_sensitivity: float

    @classmethod
    def of_clipped_counts(
        cls, *, n_documents: int, n_words: int, n_topics: int, clip_norm: float
    ) -> "SumBound":
        """Bound of non-negative parts of length ``clip_norm`` at most, as word counts are.

        The sum may be divided over ``n_topics``, which only adds roundings.

        Guarantee:
            Two such parts are at most √2 ``clip_norm`` apart (``privacy.sensitivity.word_counts``).
        """
        return cls(
            n_documents=n_documents,
            n_words=n_words,
            part_norm=clip_norm,
            part_distance=NON_NEGATIVE_DISTANCE,
            floating_point_sensitivity=sensitivity.word_counts(
                n_documents=n_documents, n_words=n_words, n_topics=n_topics, clip_norm=clip_norm
            ),
        )

    @classmethod
    def of_vectors(
        cls,
        *,
        n_documents: int,
        n_words: int,
        vector_norm: float,
        vector_distance: float,
        more_roundings: int = 0,
    ) -> "SumBound":
        """Make the bound of a sum of one vector a document.

        Parts are measured in the vectors' own unit: ``part_norm`` is 1.

        Args:
            vector_norm: largest length of a document's vector, which bounds roundings.
            vector_distance: largest L2 distance of two documents' vectors.
            more_roundings: roundings of a number before documents are added up.
        """
        return cls(
            n_documents=n_documents,
            n_words=n_words,
            part_norm=1.0,
            part_distance=vector_distance,
            floating_point_sensitivity=sensitivity.bounded_numbers(
                n_documents=n_documents,
                vector_norm=vector_norm,
                vector_distance=vector_distance,
                more_roundings=more_roundings,
            ),
        )

    @property
    def grid_step(self) -> float:
        """Step of the whole numbers that parts are cut to where the noise is exact."""
        return self.part_norm / grid_resolution(self.n_documents, self.n_words)

    @property
    def exact_sensitivity(self) -> float:
        """L2 distance of two neighbors' sums of whole numbers at most, rounded up."""
        return self.part_distance * self.part_norm * (1 + 2**-51)

    def sensitivity(self, *, is_exact: bool) -> float:
        """L2 distance of two neighbors' sums at most, with exact noise or in floating point."""
        if is_exact:
            return self.exact_sensitivity
        return self.floating_point_sensitivity

    def attach(self, total: ArrayValue, *, is_exact: bool) -> BoundedSum[ArrayValue]:
        """A sum with its sensitivity, as mechanisms take it.

        Args:
            total: the sum of all documents' parts; in steps of ``grid_step`` if the noise is exact.
            is_exact: whether the noise is exact.

        Raises:
            ArithmeticError: the noise is exact, and a number of steps is not whole or too large.
        """
        if not is_exact:
            return BoundedSum(total, self.floating_point_sensitivity)
        grid_step = self.grid_step
        whole_sum = FixedPointSum.from_whole_floats(
            total,
            grid_step,
            total.shape,
            neighbor_distance=self.part_distance * (self.part_norm / grid_step),
        )
        return BoundedSum(whole_sum, whole_sum.sensitivity)
