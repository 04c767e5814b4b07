"""Document completion: populations of known perplexity, a second route, and the smallest documents."""

import numpy as np
import pytest

from dplda.core.errors import CorpusError, InputError
from dplda.evaluation import completion, completion_perplexity, halves
from dplda.evaluation.perplexity import DEFAULT_WEIGHT, UNIFORM_SHARE
from dplda.evaluation.shares import shares
from tests.tiny_corpora import counts_of, random_rows


def model(seed=0, n_words=40, n_topics=4, concentration=0.3):
    rng = np.random.default_rng(seed)
    topics = rng.dirichlet(np.full(n_words, concentration), size=n_topics)
    alpha = np.full(n_topics, 0.25)
    return topics, alpha, alpha @ topics / alpha.sum()


def documents(topics, alpha, *, n_documents, length, seed):
    """Word counts, and the word distribution that each document was drawn from."""
    rng = np.random.default_rng(seed)
    laws = rng.dirichlet(alpha, size=n_documents) @ topics
    return counts_of(np.array([rng.multinomial(length, law) for law in laws])), laws


def smoothed(topics, mean_words, weight=DEFAULT_WEIGHT):
    return (1 - UNIFORM_SHARE) * (
        (1 - weight) * topics + weight * mean_words
    ) + UNIFORM_SHARE / len(mean_words)


def test_halves_add_up_to_their_documents() -> None:
    test = counts_of(random_rows(0, 200, 9, 15))
    cut = halves(test, seed=3)
    assert np.array_equal((cut.observed + cut.scored).toarray(), test.toarray())
    assert np.array_equal(cut.observed.sum(axis=1), test.sum(axis=1) // 2)


def test_halves_depend_on_the_seed_alone() -> None:
    test = counts_of(random_rows(0, 200, 9, 15))
    cut = halves(test, seed=3)
    assert np.array_equal(halves(test, seed=3).observed.toarray(), cut.observed.toarray())
    assert not np.array_equal(halves(test, seed=4).observed.toarray(), cut.observed.toarray())


def test_halves_of_the_tokens_are_equally_likely() -> None:
    n, counts = 4000, np.array([6, 3, 1])
    observed_counts = halves(counts_of(np.tile(counts, (n, 1))), seed=0).observed.toarray()
    share = counts / 10
    mean, variance = 5 * share, 5 * share * (1 - share) * 5 / 9  # hypergeometric: 5 of 10
    assert np.all(np.abs(observed_counts.mean(axis=0) - mean) < 5 * np.sqrt(variance / n))
    assert np.all(np.abs(observed_counts.var(axis=0) / variance - 1) < 0.15)


@pytest.mark.parametrize("weight", [0.01, 0.3, 1.0])
def test_unigram_equals_its_closed_form(weight: float) -> None:
    mean_words = np.random.default_rng(0).dirichlet(np.ones(9))
    cut = halves(counts_of(random_rows(1, 60, 9, 15)), seed=0)
    words = cut.scored.sum(axis=0)
    closed_form = np.exp(-words @ np.log(smoothed(mean_words, mean_words)) / words.sum())
    topics = np.tile(mean_words, (4, 1))
    for alpha in (np.ones(4), np.array([9.0, 0, 0.1, 0])):
        perplexity = completion(topics, alpha, cut=cut, mean_words=mean_words, weight=weight)
        assert perplexity == pytest.approx(closed_form)
    other_topics = np.random.default_rng(2).dirichlet(np.ones(9), size=4)
    perplexity = completion(other_topics, np.ones(4), cut=cut, mean_words=mean_words, weight=1.0)
    assert perplexity == pytest.approx(closed_form), "nothing but the mean is left of the topics"


def test_completion_perplexity_grows_from_the_entropy_as_topics_are_perturbed() -> None:
    topics, alpha, mean_words = model()
    test, laws = documents(topics, alpha, n_documents=400, length=400, seed=5)
    entropy = -np.mean(np.sum(laws * np.log(np.maximum(laws, 1e-300)), axis=1))
    cut = halves(test, seed=0)
    # of about 80,000 scored tokens, whose information has a standard deviation below 2 nats
    noise = 5 * 2 / np.sqrt(test.sum() / 2)
    price = -np.log(1 - UNIFORM_SHARE)
    perplexities = [
        completion(
            (1 - t) * topics + t * np.roll(topics, 1, axis=1),
            alpha,
            cut=cut,
            mean_words=mean_words,
            weight=w,
        )
        for t, w in ((0, 0.001), (0, DEFAULT_WEIGHT), (0.1, DEFAULT_WEIGHT), (0.3, DEFAULT_WEIGHT))
    ]
    excess = [np.log(perplexity) - entropy for perplexity in perplexities]
    assert -noise < excess[0]
    # inferring 3 free shares from 200 tokens costs about 3/400 nats
    assert excess[0] < 3 / 400 + noise + price
    assert excess[1] < excess[0] - np.log(1 - DEFAULT_WEIGHT), "the price of smoothing"
    assert excess[1] < excess[2] < excess[3]
    unigram = completion(topics, alpha, cut=cut, mean_words=mean_words, weight=1.0)
    assert perplexities[1] < unigram


def test_perplexity_of_sparse_counts_is_that_of_dense_ones() -> None:
    topics, alpha, mean_words = model(1)
    test, _ = documents(topics, alpha, n_documents=50, length=30, seed=2)
    cut = halves(test, seed=1)
    mixed_topics = smoothed(topics, mean_words)
    scored_counts = cut.scored.toarray()
    perplexity = completion(topics, alpha, cut=cut, mean_words=mean_words)
    inferred = shares(cut.observed, mixed_topics, alpha)
    assert np.log(perplexity) == pytest.approx(
        -np.sum(scored_counts * np.log(inferred @ mixed_topics)) / scored_counts.sum()
    )


def test_completion_of_one_word_documents_equals_the_one_by_hand() -> None:
    topics = np.array([[0.7, 0.2, 0.1], [0.1, 0.1, 0.8]])
    alpha, mean_words = np.array([3.0, 1.0]), np.array([0.5, 0.2, 0.3])
    cut = halves(counts_of([[0, 0, 0], [1, 0, 0], [0, 0, 1], [0, 0, 0]]), seed=0)
    perplexity = completion(topics, alpha, cut=cut, mean_words=mean_words, weight=0.1)
    law = np.array([0.75, 0.25]) @ smoothed(topics, mean_words, 0.1)
    assert perplexity == pytest.approx(1 / np.sqrt(law[0] * law[2]))


def test_completion_of_a_word_without_probability_costs_the_uniform_share() -> None:
    lacking, never = (
        np.array([[1.0, 0, 0], [0.5, 0.5, 0]]),
        halves(counts_of([[0, 0, 1], [0, 0, 1], [0, 0, 0]]), seed=0),
    )
    perplexity = completion(
        lacking, np.ones(2), cut=never, mean_words=np.array([0.75, 0.25, 0]), weight=0.2
    )
    assert perplexity == pytest.approx(3 / UNIFORM_SHARE), (
        "what a word costs that the model gives nothing"
    )


def test_completion_of_empty_documents_is_refused() -> None:
    topics = np.array([[0.7, 0.2, 0.1], [0.1, 0.1, 0.8]])
    alpha, mean_words = np.array([3.0, 1.0]), np.array([0.5, 0.2, 0.3])
    empty = halves(counts_of(np.zeros((3, 3), dtype=int)), seed=0)
    with pytest.raises(CorpusError, match="no word of the vocabulary"):
        completion(topics, alpha, cut=empty, mean_words=mean_words, weight=0.1)


def test_completion_perplexity_of_bad_input_is_refused() -> None:
    topics, test = np.full((2, 3), 1 / 3), counts_of([[1, 2, 3], [2, 0, 0], [0, 0, 1]])
    for bad in (
        np.array([0.5, 0.5]),
        np.array([0.5, 0.6, 0.1]),
        np.array([1.5, -0.5, 0]),
        np.full(3, np.nan),
    ):
        with pytest.raises(InputError, match="mean_words"):
            completion_perplexity(topics, np.ones(2), test=test, mean_words=bad, seed=0)
    for weight in (0.0, -0.1, 1.1, float("nan")):
        with pytest.raises(InputError, match="weight"):
            completion_perplexity(
                topics, np.ones(2), test=test, mean_words=topics[0], weight=weight, seed=0
            )
    with pytest.raises(InputError, match="topics"):
        completion_perplexity(topics * 2, np.ones(2), test=test, mean_words=topics[0], seed=0)
    with pytest.raises(InputError, match="seed"):
        halves(test, seed=-1)
    with pytest.raises(InputError, match="shorter than 1,000,000,000"):
        halves(counts_of([[2**30, 0], [1, 1], [1, 0]]), seed=0)
