"""Scores of topics on documents: gains over word frequencies, in nats.

A document's words are dealt into two halves by a public hash of the word and of the whole document.
Its most likely topic shares are found on one half and the other half is scored, both ways; the mean
of the two is its gain. So topics gain where words of the two halves belong together, as in
perplexity by document completion, and words that merely occur often gain nothing. A half is a
function of its own document alone.

A topic's part in the gain is the mean of two numbers: what the topic gains alone, with word
frequencies in the place of all others, and what is lost with word frequencies in its own place.
To second order this is its Shapley value, so parts add up to the gain. The loss alone would not do:
two topics that differ from word frequencies in opposite ways gain nothing together, and yet each
would be missed.
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
        topic_parts: each topic's part in it, in nats, shape (n, k); (n, 0) where they were not
            asked for.
    """

    gains: Vector
    topic_parts: Matrix


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

    def score_block(self, block: DocumentBlock, *, with_parts: bool = False) -> BlockScores:
        """Score a block's documents: each one's gain and, if asked for, each topic's part in it.

        A gain is over word frequencies, in nats. Each half of a document's words is scored by
        shares that the other half suggests; gains and parts are means over the two. Without
        ``with_parts`` parts have no columns.
        """
        local_topics = gather_columns(self.posteriors, block.word_ids)
        log_word_ratios = np.take(np.log(self.word_ratios), block.word_ids, mode="clip")
        doubled_gains = -np.vecdot(log_word_ratios, block.counts)
        halves = [half.astype(np.float32) for half in _split_words(block)]
        scored_halves = [
            self._infer_and_score(local_topics, halves[0], halves[1]),
            self._infer_and_score(local_topics, halves[1], halves[0]),
        ]
        log_likelihoods = [np.vecdot(np.log(half.chances), half.counts) for half in scored_halves]
        for log_likelihood in log_likelihoods:
            doubled_gains += log_likelihood
        n_parts = len(self.posteriors) if with_parts else 0
        doubled_parts = np.zeros((len(local_topics), n_parts))
        if with_parts:
            local_ratios = np.take(self.word_ratios, block.word_ids, mode="clip")
            ratio_drops = np.subtract(local_ratios[:, None], local_topics, out=local_topics)
            for half in scored_halves:
                _add_topic_parts(doubled_parts, half, local_ratios, ratio_drops)
        return BlockScores(doubled_gains / 2, doubled_parts / 2)

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


def _add_topic_parts(
    parts: Matrix, half: _ScoredHalf, word_ratios: Single, ratio_drops: Single
) -> None:
    """Add to each topic's part the mean of what a half gains by it alone and loses without it.

    Args:
        parts: changed in place, (n, k).
        half: words to score, and what the other half says of them.
        word_ratios: word frequencies at the documents' words, (n, width).
        ratio_drops: word frequencies less each topic, likewise, (n, k, width).
    """
    gains = np.vecdot(np.log(half.chances) - np.log(word_ratios), half.counts)
    parts += gains[:, None] / 2
    for topic in range(parts.shape[1]):
        drops = ratio_drops[:, topic] * half.shares[:, topic, None]
        chances_alone = np.abs(word_ratios - drops) + MIN_CHANCE
        chances_without = np.abs(half.chances + drops) + MIN_CHANCE
        log_ratios = np.log(chances_alone) - np.log(chances_without)
        parts[:, topic] += np.vecdot(log_ratios, half.counts) / 2


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
