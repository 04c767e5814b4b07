"""A method's task, and the budget it may spend."""

import math
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Protocol

from dplda.core import checks
from dplda.privacy.accounting import gaussian
from dplda.spectral.cumulants import Coefficients


class Origin(StrEnum):
    """Where a choice comes from; a choice made on protected documents reveals something of them."""

    BEFOREHAND = "chosen beforehand"
    REFERENCE = "chosen on simulated documents"
    DOCUMENTS = "chosen on the documents"


@dataclass(frozen=True, slots=True)
class Problem:
    """The topics to find.

    Attributes:
        n_topics: number ``k`` of topics.
        alpha0: sum ``α0`` of the Dirichlet's parameters, above 0.
    """

    n_topics: int
    alpha0: float

    def __post_init__(self) -> None:
        checks.plain(self)
        checks.alpha0(self.alpha0)


def alpha0_of_person(alpha0: float, documents_per_person: float) -> float:
    r"""Mixing of topics in all documents of a person together, to six decimals.

    A topic of mean share :math:`a` has in a document a share of variance :math:`a(1-a)/(1+α_0)`,
    and in :math:`J` documents together a :math:`J`-th of that. So a person's shares vary as those
    of a document with mixing :math:`J(1+α_0)-1`. Each document is taken to be about topics of its
    own; where a person has one interest, their documents mix less than this says.

    Args:
        alpha0: ``α0`` of one document, above 0.
        documents_per_person: ``J``, documents that you expect of a person, at least 1: a guess made
            without looking, as a number measured on protected documents reveals something of them.

    Returns:
        ``α0`` for a method whose rows are persons; that of one document if ``J`` is 1.

    Raises:
        InputError: a number is out of range.

    Source:
        Ours: the second moments of shares agree, others do not.

    Example:
        >>> import dplda
        >>> dplda.alpha0_of_person(0.1, documents_per_person=3)
        2.3
    """
    checks.alpha0(alpha0)
    checks.at_least("documents_per_person", documents_per_person, 1)
    return round(documents_per_person * (1 + alpha0) - 1, 6)


@dataclass(frozen=True, slots=True)
class ProblemSize:
    """Public numbers of a run, on which its noise depends.

    Attributes:
        n_documents: number ``N`` of documents, short ones included.
        n_words: number ``d`` of words in the vocabulary.
        n_topics: number ``k`` of topics.
        alpha0: sum ``α0`` of the Dirichlet's parameters, above 0.
    """

    n_documents: int
    n_words: int
    n_topics: int
    alpha0: float

    @property
    def coefficients(self) -> Coefficients:
        """Coefficients of the moments under this Dirichlet."""
        return Coefficients(self.alpha0)


@dataclass(frozen=True, slots=True)
class Budget:
    """The budget of a whole run.

    The default is that of a method without noise, which promises nothing.

    Attributes:
        epsilon: ε of the whole run; infinite without noise.
        delta: δ of the whole run.
        split: pairs (quantity, fraction); empty for the method's own.
        first_words: fraction for word counts before all else; None chooses it from public numbers.
        clip_quantile: fraction of documents left unclipped; None chooses it from public numbers.
        chosen: where the split comes from.
    """

    epsilon: float = math.inf
    delta: float = 1.0
    split: tuple[tuple[str, float], ...] = ()
    first_words: float | None = None
    clip_quantile: float | None = None
    chosen: Origin = Origin.BEFOREHAND

    def __post_init__(self) -> None:
        checks.plain(self)

    @property
    def portions(self) -> dict[str, float]:
        """Fraction for each quantity by name, summing to at most 1."""
        return portions_of(self.split)

    def with_equal_noise(self, n_documents: int, *, n_fitted: int) -> "Budget":
        """The budget at which averages of some documents have the noise of all of them.

        That noise weighs as 1/(Nμ) for Gaussian noise, so μ grows as N falls, until ε reaches the
        largest that is allowed.

        Args:
            n_documents: all documents, N.
            n_fitted: those that are fitted, at most N.
        """
        if n_fitted == n_documents:
            return self
        mu = gaussian.mu_for(self.epsilon, self.delta) * n_documents / n_fitted
        return replace(self, epsilon=min(checks.LARGEST, gaussian.epsilon_for(mu, self.delta)))


class DividedBudget(Protocol):
    """A budget with its fractions, as a run reads it: a ``Budget``, or the noise plan made of one.

    Attributes are described at ``Budget``.
    """

    @property
    def epsilon(self) -> float:
        """ε of the whole run."""

    @property
    def delta(self) -> float:
        """δ of the whole run."""

    @property
    def first_words(self) -> float | None:
        """Fraction for word counts before all else; None chooses it from public numbers."""

    @property
    def clip_quantile(self) -> float | None:
        """Fraction of documents left unclipped; None chooses it from public numbers."""

    @property
    def portions(self) -> dict[str, float]:
        """Fraction for each quantity by name, summing to at most 1."""


def portions_of(split: tuple[tuple[str, float], ...]) -> dict[str, float]:
    """Fractions of a split by name; scaled down to a sum of 1 where rounding brought them above.

    Args:
        split: pairs (quantity, fraction).
    """
    total = max(1.0, math.fsum(fraction for _, fraction in split))
    return {name: fraction / total for name, fraction in split}
