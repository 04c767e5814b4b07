r"""Public knowledge: a table of ratios of the topics of public text to its word frequencies.

Cells of noisy topics are shrunk toward word frequencies ``p``. With a table they are shrunk toward
frequencies that it tilts, :math:`p_w ρ_{iw}^π / \sum_v p_v ρ_{iv}^π`. One formula serves tables of
public text, seed words and files. The table is public: nothing of it may come from the protected
documents, nor may it be chosen by looking at them.
"""

import hashlib
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from dplda.core.errors import InputError
from dplda.core.types import Matrix, Vector
from dplda.corpus.vocabulary_checks import numbered_words
from dplda.methods.refined.plan.constants import (
    FULL_LEANING_EXCESS,
    INITIAL_PRIOR_POWER,
    LEANING_DOCUMENT_WORDS,
    MAX_PRIOR_RATIO,
    MIN_PRIOR_ADVANTAGE,
    PRIOR_POWER_MIDPOINT,
)
from dplda.spectral.topics import match


@dataclass(frozen=True, eq=False)
class TopicPrior:
    """A table of public knowledge.

    Attributes:
        name: as a guarantee calls it.
        source: the public text that it was made from, or by whom.
        words: the words that the table knows, each once.
        ratios: ``ρ``, shape (k, number of words), above 0: how much more often a topic has a word
            than all topics have.
        file_sha256: SHA-256 of the file that holds the table, hexadecimal; empty for the table's
            own.
    """

    name: str
    source: str
    words: tuple[str, ...]
    ratios: Matrix
    file_sha256: str = ""

    def __post_init__(self) -> None:
        """Refuse a table with repeated or empty words, or with extreme ratios.

        Raises:
            InputError: a word is empty or stands twice, ratios are not one column per word, or a
                ratio is outside of 1 / ``MAX_PRIOR_RATIO`` to ``MAX_PRIOR_RATIO``.
        """
        if self.ratios.shape[1:] != (len(self.words),) or len({*self.words, ""}) <= len(self.words):
            raise InputError(
                "public knowledge",
                "a table of different words, and their ratios in each topic",
                "another table",
            )
        if not np.all((self.ratios >= 1 / MAX_PRIOR_RATIO) & (self.ratios <= MAX_PRIOR_RATIO)):
            raise InputError(
                "public knowledge",
                f"ratios from {1 / MAX_PRIOR_RATIO:g} to {MAX_PRIOR_RATIO:g}",
                "others",
            )

    @cached_property
    def digest(self) -> str:
        """SHA-256 of words and ratios, or of their file, hexadecimal; part of the noise key."""
        if self.file_sha256:
            return self.file_sha256
        content_hash = hashlib.sha256(json.dumps(self.words, ensure_ascii=True).encode())
        content_hash.update(np.ascontiguousarray(self.ratios, dtype="<f8").tobytes())
        return content_hash.hexdigest()

    def ratios_for(self, vocabulary: Sequence[str]) -> Matrix:
        """The ratios of these words, shape (k, d); 1 for words that the table lacks."""
        columns = {word: column for column, word in enumerate(self.words)}
        ratios: Matrix = np.column_stack([self.ratios, np.ones(len(self.ratios))])
        return np.take(ratios, [columns.get(word, -1) for word in vocabulary], axis=1)

    def with_numbered_words(self, vocabulary: Sequence[str]) -> "TopicPrior":
        """The same over numbered words, as these may come from protected documents."""
        words = numbered_words(len(vocabulary))
        return replace(
            self, words=words, ratios=self.ratios_for(vocabulary), file_sha256=self.digest
        )


@dataclass(frozen=True, eq=False)
class PriorTilt:
    """Map from word frequencies to topics, by a table over the same words.

    Attributes:
        ratios: ``ρ``, shape (k, d), above 0.
        power: ``π``, power of the ratios, in [0, 1].
    """

    ratios: Matrix
    power: float

    def __call__(self, word_frequencies: Vector) -> Matrix:
        """Word frequencies tilted by the table, shape (k, d), rows on the simplex."""
        unnormalized = word_frequencies * self.ratios**self.power
        return np.asarray(unnormalized / np.sum(unnormalized, axis=1, keepdims=True))

    def aligned_to(self, topics: Matrix, word_frequencies: Vector) -> "PriorTilt":
        """The same table with its rows in the order of topics that they are most like.

        Args:
            topics: (m, d) with m ≤ k; rows that match none come last.
            word_frequencies: (d,), on the simplex.
        """
        topic_order: list[int] = []
        if len(topics):
            prior_topics = PriorTilt(self.ratios, INITIAL_PRIOR_POWER)(word_frequencies)
            topic_order = match(topics, prior_topics).tolist()
        topic_order += [topic for topic in range(len(self.ratios)) if topic not in topic_order]
        return replace(self, ratios=self.ratios[topic_order])


def prior_leaning(advantage: float, words_per_document: float) -> float:
    """Weight ``λ`` in [0, 1] of a prior in a run: 0 for one that says next to nothing.

    Every word of a document adds to a prior's advantage, so a short document's nats say as much as
    more nats of a long one. The advantage is therefore scaled to a document of
    ``LEANING_DOCUMENT_WORDS``. The weight grows evenly from the least advantage that a prior needs,
    so that a run beside a prior of next to no advantage does as one without any.

    Args:
        advantage: released advantage, in nats a document; NaN for a prior that was not tested,
            whose weight is 1.
        words_per_document: released word counts of a mean document, above 0.
    """
    if math.isnan(advantage):
        return 1.0
    scaled_advantage = advantage * LEANING_DOCUMENT_WORDS / words_per_document
    excess = scaled_advantage - MIN_PRIOR_ADVANTAGE
    return min(max(excess / FULL_LEANING_EXCESS, 0.0), 1.0)


def prior_power(noise_edge: float, leaning: float = 1.0) -> float:
    """Power ``π`` in [0, 1) of a prior's ratios: near 1 in much noise, near 0 in little.

    Args:
        noise_edge: noise edge ``ρ``, above 0.
        leaning: weight ``λ`` of the prior, in [0, 1], as ``prior_leaning`` gives it.
    """
    weighted_noise = leaning * noise_edge
    return weighted_noise / (weighted_noise + PRIOR_POWER_MIDPOINT)
