"""The public numbers of a run."""

from dataclasses import dataclass

from dplda.spectral.cumulants import Coefficients


@dataclass(frozen=True, slots=True)
class Shape:
    """The public numbers of a run.

    Attributes:
        n_documents: ``N``, short documents included.
    """

    n_documents: int
    n_words: int
    n_topics: int
    alpha0: float

    @property
    def coefficients(self) -> Coefficients:
        """Of the Dirichlet."""
        return Coefficients(self.alpha0)
