"""What became of a table of public knowledge in a run, and which words the documents moved away from it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dplda.core.types import Matrix, Vector
from dplda.evaluation.relevance import relevance

LEAST_MOVED = 1e-9  # nats; less is rounding
RAISED = 1.1  # times as much as most words


@dataclass(frozen=True, slots=True)
class PriorUse:
    """What became of a table of public knowledge.

    Attributes:
        name, digest: of the table.
        asked: whether the documents were asked; not where noise would have been the answer, nor for a trusted table.
        used: whether topics lean on it.
        stepped: whether steps moved topics away from it; not where their noise would be too large.
        advantage: how much more a document gains by it than by the same table with shuffled words, less what it gains
            by those; in nats and with noise; NaN if not asked, or if unknown.
    """

    name: str
    digest: str
    asked: bool
    used: bool
    stepped: bool
    advantage: float = np.nan

    def in_words(self) -> str:
        """A sentence or two."""
        if not self.used and self.asked:
            return f"The table “{self.name}” is not used: it did not clearly help with these documents."
        if not self.used:
            return f"The table “{self.name}” is not used: with so few documents at this ε, noise would decide that."
        said = f"These topics lean on public knowledge (table “{self.name}”): " + (
            "the documents support it."
            if self.asked
            else "its owner trusts it, so their errors are unknown."
        )
        if self.stepped:
            return said
        fit = "Leading words may fit together less well than without the table."
        return f"{said} The noise is too large for the documents to change them. {fit}"


def prior_word_scores(brought: Matrix, mean_words: Vector) -> Matrix:
    """Scores of the words that a table raises in each topic more than most, shape (k, d); −∞ for all others."""
    ratios = brought / mean_words
    own = ratios > RAISED * np.median(ratios, axis=1, keepdims=True)
    return np.where(own, relevance(brought, mean_words), -np.inf)


def document_word_scores(words: Matrix, brought: Matrix) -> Matrix:
    """Scores of words by how far documents raised them above a table's, both of shape (k, d), in nats a word."""
    tiny = np.finfo(float).tiny
    scores: Matrix = words * np.log(np.maximum(words, tiny) / np.maximum(brought, tiny))
    return np.where(scores > LEAST_MOVED, scores, -np.inf)


def unsupported_words(lower: Vector | None, mean_words: Vector) -> NDArray[np.bool_]:
    """Whether a topic has each word as public knowledge has it, since documents bear out no more than average."""
    return np.full(len(mean_words), True) if lower is None else lower <= mean_words
