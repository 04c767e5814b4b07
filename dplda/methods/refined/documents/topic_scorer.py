"""Scores of topics on documents: gains over word frequencies, in nats.

A document's words are dealt into two halves by a public hash of the word and of the whole document.
Its most likely topic shares are found on one half and the other half is scored, both ways; the mean
of the two is its gain. So topics gain where words of the two halves belong together, as in
perplexity by document completion, and words that merely occur often gain nothing. A half is a
function of its own document alone.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dplda.core.types import Matrix, Single, Vector
from dplda.methods.refined.documents.document_blocks import DocumentBlock, gather_columns
from dplda.methods.refined.documents.documents import over_relaxed_e_step, topic_posteriors
from dplda.methods.refined.plan.constants import MIN_CHANCE

_ALL_BITS = np.uint32(2**32 - 1)
_N_BITS = np.uint32(32)
_HASH_ROUNDS = ((16, 0x7FEB352D), (15, 0x846CA68B), (16, 1))  # shifts and factors, by Wellons


@dataclass(frozen=True, slots=True, eq=False)
class BlockScores:
    """Scores of a block's documents.

    Attributes:
        gains: gain of each document over word frequencies, in nats, shape (n,).
        topic_losses: what of it is lost where one topic is replaced by word frequencies, shape (n,
            k); (n, 0) where they were not asked for.
    """

    gains: Vector
    topic_losses: Matrix


@dataclass(frozen=True, slots=True, eq=False)
class _ScoredHalf:
    """One half of a block's words, and what was found on the other half.

    Attributes:
        counts: the words to score, (n, width).
        shares: topic shares of the documents, by their other half, (n, k).
        chances: probability of each word by these, over that in all topics together, (n, width).
    """

    counts: Single
    shares: Single
    chances: Single


class TopicScorer:
    """Topics to score documents with, mixed with some of the word frequencies.

    Args:
        topics: (k, d), rows on the simplex.
        word_frequencies: (d,), on the simplex and above 0.
        alpha: parameters of the Dirichlet, (k,).
        background_share: share of the word frequencies in every topic.

    Attributes:
        posteriors: the mixed topics over their sum, shape (k, d).
        word_ratios: word frequencies over that sum, shape (d,): a topic that is these.
        alpha: parameters of the Dirichlet, shape (k,).
    """

    def __init__(
        self,
        topics: Matrix,
        word_frequencies: Vector,
        alpha: Vector,
        background_share: float = 0.0,
    ) -> None:
        """Mix the topics with word frequencies."""
        mixed_topics = (1 - background_share) * topics + background_share * word_frequencies
        self.posteriors = topic_posteriors(mixed_topics)
        self.alpha = alpha
        self.word_ratios = (word_frequencies / np.sum(mixed_topics, axis=0)).astype(np.float32)

    def score_block(self, block: DocumentBlock, *, with_losses: bool = False) -> BlockScores:
        """Score a block's documents: each one's gain and, if asked for, its loss by topic.

        Each half of a document's words is scored by shares that the other half suggests; gains and
        losses are means over the two. A topic's loss is what word frequencies in its place lose.
        Without ``with_losses`` losses have no columns.
        """
        local_topics = gather_columns(self.posteriors, block.word_ids)
        log_word_ratios = np.take(np.log(self.word_ratios), block.word_ids, mode="clip")
        doubled_gains = -np.vecdot(log_word_ratios, block.counts)
        halves = [half.astype(np.float32) for half in _split_words(block)]
        scored_halves = [
            self._infer_and_score(local_topics, halves[0], halves[1]),
            self._infer_and_score(local_topics, halves[1], halves[0]),
        ]
        likelihoods = [np.vecdot(np.log(half.chances), half.counts) for half in scored_halves]
        for likelihood in likelihoods:
            doubled_gains += likelihood
        n_losses = len(self.posteriors) if with_losses else 0
        doubled_losses = np.zeros((len(local_topics), n_losses))
        if with_losses:
            local_ratios = np.take(self.word_ratios, block.word_ids, mode="clip")
            ratio_drops = np.subtract(local_ratios[:, None], local_topics, out=local_topics)
            for half, likelihood in zip(scored_halves, likelihoods, strict=True):
                _add_topic_losses(doubled_losses, half, likelihood, ratio_drops)
        return BlockScores(doubled_gains / 2, doubled_losses / 2)

    def _infer_and_score(
        self, local_topics: Single, inferred_counts: Single, scored_counts: Single
    ) -> _ScoredHalf:
        """Most likely topic shares by one half of the words, and the chances of the other half.

        Args:
            local_topics: topics at the documents' words, (n, k, width).
            inferred_counts: counts of the half that shares are inferred from, (n, width).
            scored_counts: counts of the other half, (n, width).
        """
        gamma = np.matvec(local_topics, inferred_counts)
        local_alpha = np.full(gamma.shape, self.alpha, np.float32)
        topic_shares = over_relaxed_e_step(
            local_topics, inferred_counts, local_alpha, gamma + local_alpha, np.positive
        )
        topic_shares /= np.sum(topic_shares, axis=1, keepdims=True)
        return _ScoredHalf(scored_counts, topic_shares, np.vecmat(topic_shares, local_topics))


def _add_topic_losses(
    losses: Matrix, half: _ScoredHalf, likelihood: Vector, differences: Single
) -> None:
    """Add to each topic's losses what a half loses with word frequencies in the topic's place.

    Args:
        losses: changed in place, (n, k).
        likelihood: of the half, in nats, (n,).
        differences: word frequencies less each topic, at the documents' words, (n, k, width).
    """
    losses += likelihood[:, None]
    for topic in range(losses.shape[1]):
        replaced = differences[:, topic] * half.shares[:, topic, None]
        chances_without = np.abs(replaced + half.chances) + MIN_CHANCE
        losses[:, topic] -= np.vecdot(np.log(chances_without), half.counts)


def _split_words(block: DocumentBlock) -> tuple[Matrix, Matrix]:
    """Split each word's count in two parts by pseudo-random coins, the same ones in every run.

    A word has as many coins as it counts, at most 32; one that counts more is split in their
    proportion. Hashes of the word and the document toss them.
    """
    n_tokens = np.ceil(block.counts).astype(np.uint32)
    word_hashes = _hash_numbers(block.word_ids.astype(np.uint32))
    document_hashes: NDArray[np.uint32] = np.sum(word_hashes * n_tokens, axis=1, dtype=np.uint32)
    n_coins = np.minimum(n_tokens, _N_BITS)
    coin_bits = _hash_numbers(word_hashes ^ document_hashes[:, None])
    n_heads = np.bitwise_count(coin_bits & (_ALL_BITS >> (_N_BITS - n_coins)))
    first_half = n_heads / np.maximum(n_coins, 1) * block.counts
    return first_half, block.counts - first_half


def _hash_numbers(numbers: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """Wellons' mixing of 32 bits: every bit of the result depends on all of a number's."""
    hashes = numbers + np.uint32(1)
    for shift, factor in _HASH_ROUNDS:
        hashes ^= hashes >> np.uint32(shift)
        hashes *= np.uint32(factor)
    return hashes
