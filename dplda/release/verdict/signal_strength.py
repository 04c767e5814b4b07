r"""Strength of topics against the noise of a release, from public numbers alone.

A run of ``refined`` sums a statistic of k topics over d words. A row with L words, clipped to C,
adds about :math:`C\sqrt L` words, so a topic with its share N/k of the rows has a part of length
:math:`(N/k)\, C\sqrt L\, v` that tells it from word frequencies, where v says how unlike topics
are. All k parts together have the squared length :math:`N^2 C^2 L v^2/k`. The noise of the whole
budget has the standard deviation :math:`σ = \sqrt2\, C/μ` in every one of the kd cells. Its own
squared length is known, :math:`kdσ^2`, and taken off; what hides topics is how much that varies, by
:math:`σ^2\sqrt{2kd}`. The root of the ratio of both is

.. math:: S \propto \frac{N μ \sqrt L}{k^{3/4} d^{1/4}} .

Documents that mix themes are harder. So are persons with J documents: if every document has a theme
of its own, shares of themes differ less between rows, and each is a smaller part of what is
clipped; together S falls as 1/J. If a person keeps to few themes it falls less, at best as
:math:`1/\sqrt J` or not at all. Nobody knows which before a release, so S is a range.

Fitted, not argued: the power of μ, which stands for what a run spends on word frequencies where
noise is large; the power of α0, a guess rather than a fact of real documents; and the thresholds.
``python -m benchmarks verdict`` measures how often verdicts are right.
"""

import math
from dataclasses import dataclass

from dplda.core import checks
from dplda.privacy.accounting import gaussian

TYPICAL_LENGTH = 50.0
"""Listed words of a document, assumed where nobody says."""

TYPICAL_DOCUMENTS = 3.0
"""Documents of a person, assumed where nobody says."""

MAX_LENGTH = 200.0
"""Words of a document from which on more do not help: a run counts longer ones as this long."""

MU_POWER = 1.1
MIXING_POWER = 1 / 3
"""Powers of μ and of 1 + α0, fitted to twins with real words and to corpora."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicNumbers:
    """Numbers of a release that are known before it and say nothing about its documents.

    Attributes:
        n_rows: number of documents or persons, N, whichever is protected.
        n_words: number of words on the list, d.
        n_topics: number of topics, k.
        alpha0: mixing of topics in a document, α0.
        epsilon: budget of the topics, ε.
        delta: likewise, δ.
        mean_length: listed words that the owner expects in a document, at least 1.
        documents_per_row: documents that the owner expects of a person; 1 where a document is
            protected.
        has_table: whether public knowledge is used if the documents accept it, or its owner trusts
            it.
    """

    n_rows: int
    n_words: int
    n_topics: int
    alpha0: float
    epsilon: float
    delta: float
    mean_length: float = TYPICAL_LENGTH
    documents_per_row: float = 1.0
    has_table: bool = False

    def __post_init__(self) -> None:
        """Refuse numbers out of range, with an ``InputError``."""
        checks.integer_at_least("n_rows", self.n_rows, 1)
        checks.integer_at_least("n_words", self.n_words, 1)
        checks.integer_at_least("n_topics", self.n_topics, 1)
        checks.alpha0(self.alpha0)
        checks.epsilon(self.epsilon)
        checks.between("delta", self.delta, 0, 1, open_ends=True)
        checks.at_least("mean_length", self.mean_length, 1)
        checks.at_least("documents_per_row", self.documents_per_row, 1)

    @property
    def mu(self) -> float:
        """Gaussian budget of the topics."""
        return gaussian.mu_for(self.epsilon, self.delta)


@dataclass(frozen=True, slots=True)
class SignalRange:
    """Strength ``S`` of topics against the noise, in a scale of its own.

    Attributes:
        low: if every document of a person has a theme of its own.
        high: if a person's documents share themes; equal to ``low`` where documents are protected.
    """

    low: float
    high: float


def signal_range(numbers: PublicNumbers) -> SignalRange:
    """Strength of topics against the noise, of a release with these public numbers."""
    length = min(numbers.mean_length, MAX_LENGTH)
    signal = numbers.n_rows * numbers.mu**MU_POWER * math.sqrt(length)
    mixing = (1 + numbers.alpha0) ** MIXING_POWER
    noise = numbers.n_topics**0.75 * numbers.n_words**0.25
    strength = signal / (mixing * noise)
    n_documents = numbers.documents_per_row
    return SignalRange(low=strength / n_documents, high=strength / math.sqrt(n_documents))
