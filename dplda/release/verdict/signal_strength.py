r"""Strength of topics against the noise of a release, from public numbers alone.

A run of ``refined`` sums a statistic of k topics over d words. A row is a document or a person. One
with m distinct words, clipped to length C, adds about :math:`C\sqrt m` words, so a topic with its
share N/k of the rows has a part of length :math:`(N/k)\, C\sqrt m\, v` that tells it from word
frequencies, where v says how unlike topics are. All k parts together have the squared length
:math:`N^2 C^2 m v^2/k`. The noise of the whole budget has the standard deviation
:math:`σ = \sqrt2\, C/μ` in every one of the kd cells. Its own squared length is known,
:math:`kdσ^2`, and taken off; what hides topics is how much that varies, by
:math:`σ^2\sqrt{2kd}`. The root of the ratio of both is proportional to
:math:`Nμ\sqrt m\, v / (k^{3/4} d^{1/4})`.

Words repeat, so a row of L words has fewer distinct ones, about :math:`m \propto L^{2/3}`. A row
that mixes themes is less unlike others. Shares of k themes drawn with mixing α0 differ from equal
shares by a mean square of :math:`(1 - 1/k)/(1 + α0)`; in the average of j documents, each with
shares of its own, by a j-th of that. A person has J documents on average, but many have one and a
few have many. Of all distributions with that mean the geometric one has the largest entropy; its
mean of 1/j is :math:`1/M = \ln J / (J - 1)`. So a person is a row of JL words that is M times
less unlike others than one document is:

.. math:: S = \frac{N μ\, (JL)^{1/3}}{k^{3/4}\, d^{1/4}\, M\, (1 + α_0)^{1/3}} .

Topics within the span of all are separated by third moments, of which an average of j documents
keeps a j²-th. A power of M that counts this, the argued power of 1 + α0, and a share of the signal
that is lost where a row has few words for its mixing were each tried on half of the cases: none
made the verdict on persons better in both halves.

Powers of N, μ, k, d and M are argued. That of length is fitted, and so is that of 1 + α0: owners
choose α0, so it tells less of documents than the argued power 1 says. The borders in ``verdict``
are fitted too. ``python -m benchmarks verdict`` measures how often verdicts are right, also on
documents that borders were not fitted to.
"""

import math
from dataclasses import dataclass

from dplda.core import checks
from dplda.privacy.accounting import gaussian

TYPICAL_LENGTH = 50.0
"""Listed words of a document, assumed where nobody says."""

LISTED_SHARE = 1 / 3
"""Share of a text's words that a list of English words has: .32 of invented messages, .32 of
Wikipedia's leads, .31 of 20 Newsgroups."""

TYPICAL_DOCUMENTS = 3.0
"""Documents of a person, assumed where nobody says."""

MAX_LENGTH = 200.0
"""Words of a row from which on more do not help: a run counts longer ones as this long."""

LENGTH_POWER = 1 / 3
ALPHA0_POWER = 1 / 3
"""Powers of a row's length and of 1 + α0, fitted to twins with real words and to corpora."""


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


def estimate_signal(numbers: PublicNumbers) -> float:
    """Strength ``S`` of topics against the noise of a release, in a scale of its own."""
    mixing = count_mixed_documents(numbers.documents_per_row)
    mixing *= math.pow(1 + numbers.alpha0, ALPHA0_POWER)
    return _estimate_signal_without_mixing(numbers) / mixing


def count_mixed_documents(documents_per_row: float) -> float:
    r"""Harmonic mean M of the numbers of persons' documents, which have a geometric distribution.

    Args:
        documents_per_row: mean number of a person's documents, J, at least 1.

    Returns:
        :math:`(J - 1)/\ln J`, from 1 to J; 1 for a J of 1.
    """
    excess = documents_per_row - 1
    return excess / math.log1p(excess) if excess else 1.0


def estimate_signal_beside_table(numbers: PublicNumbers) -> float:
    """Strength that decides whether a release beside a public table has topics of its own.

    A run makes steps where rows are long for their number, whether they mix or not, as it does not
    know. Where rows mix, these steps find less; the table makes up for half of that, in powers.
    It is the strength without mixing over the root of ``documents_per_row``; α0 plays no part.
    """
    return _estimate_signal_without_mixing(numbers) / math.sqrt(numbers.documents_per_row)


def _estimate_signal_without_mixing(numbers: PublicNumbers) -> float:
    """Strength of topics if every row had a single one."""
    length = min(numbers.mean_length * numbers.documents_per_row, MAX_LENGTH)
    noise = math.pow(numbers.n_topics, 0.75) * math.pow(numbers.n_words, 0.25)
    return numbers.n_rows * numbers.mu * math.pow(length, LENGTH_POWER) / noise
