"""Evidence: what documents say for topics, never more than one document may; and what none say where none are."""

import math
from dataclasses import replace
from functools import partial
from itertools import pairwise

import numpy as np
import pytest
from scipy.sparse import csr_array

from dplda.corpus import Corpus, Label, simulate
from dplda.evaluation import completion_perplexity
from dplda.evaluation.evidence import EvidenceCheck, ReleasedEvidence
from dplda.methods.base.method import FitResult
from dplda.methods.base.previous_release import PreviousRelease
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.base.runtime import Runtime
from dplda.methods.refined.algorithm import fit_refined
from dplda.methods.refined.documents.documents import Documents, bounded_vectors
from dplda.methods.refined.documents.topic_scorer import BlockScores, TopicScorer, _split_words
from dplda.methods.refined.plan.constants import BACKGROUND_SHARE, MAX_TOPIC_PART
from dplda.methods.refined.plan.quantities import GAIN
from dplda.methods.refined.plan.sum_bounds import evidence_bound, largest_parts
from dplda.methods.refined.results import topic_evidence as module
from dplda.methods.refined.results.topic_evidence import GainDifference, NullResult, TopicEvidence
from dplda.methods.refined.stages.evidence import evidence_vectors
from dplda.privacy.accounting import gaussian
from dplda.privacy.noise.keys import SeedKey
from dplda.privacy.noise.sources import NoiseSource, SimulatedNoise
from tests.tiny_corpora import topical_corpus

K, D = 4, 50
RNG = np.random.default_rng(0)
TOPICS, WORDS = RNG.dirichlet(np.full(D, 0.05), K), RNG.dirichlet(np.ones(D))
EXTREME = csr_array(RNG.choice([0, 0, 0, 1, 2, 40, 10_000], (300, D)))


def test_split_words_of_a_document_depends_on_it_alone() -> None:
    documents = Documents(EXTREME, K)
    for run in documents._runs:
        for block in run:
            first_half, second_half = _split_words(block)
            np.testing.assert_allclose(first_half + second_half, block.counts)
            assert np.all((first_half >= 0) & (second_half >= 0))
            halves_alone = _split_words(
                type(block)(block.word_ids[:1], block.counts[:1], block.document_ids[:1])
            )
            np.testing.assert_array_equal(halves_alone[0], first_half[:1])
    assert 0.4 < np.mean(first_half > second_half) / np.mean(block.counts > 0) < 0.6


def test_evidence_vectors_of_an_extreme_word_are_finite() -> None:
    topics, words = np.full((K, D), 1e-12), np.full(D, 1 / D)
    topics[0, 0], words[0] = 1, 1e-12
    scorer = TopicScorer(topics, words, np.full(K, 1e-3), 0.1)
    (block,) = Documents(csr_array(np.full((1, D), 100) * (np.arange(D) == 0)), K)._runs[0]
    assert np.all(np.isfinite(evidence_vectors(scorer, 1.5, 1.0, block)))


def test_evidence_vectors_stay_within_their_bound() -> None:
    scorer = TopicScorer(TOPICS, WORDS, np.full(K, 0.1))
    vectors = np.vstack(
        [
            evidence_vectors(scorer, 1.5, 1.0, block)
            for run in Documents(EXTREME, K)._runs
            for block in run
        ]
    )
    assert np.all(np.abs(vectors[:, 0]) <= 1)
    assert np.all((vectors[:, 1] >= 0) & (vectors[:, 1] <= 1))
    assert np.max(np.linalg.norm(vectors[:, 2:], axis=1)) <= MAX_TOPIC_PART * (1 + 1e-12)
    assert np.max(np.abs(vectors[:, 0])) == 1, "of these documents some say all that they may"
    numbers = partial(evidence_vectors, scorer, 1.5, 1.0)
    documents = Documents(EXTREME, K)
    bound = evidence_bound(n_documents=documents.n_documents, n_words=D, n_topics=K)
    exact, float_ = (
        bounded_vectors(documents, numbers, 2 + K, bound, is_exact=is_exact).value
        for is_exact in (True, False)
    )
    np.testing.assert_allclose(float_, vectors.sum(axis=0), rtol=1e-12)
    np.testing.assert_allclose(exact.numbers * exact.unit, float_, atol=1e-6)


def block_scores(topics: np.ndarray, document: np.ndarray) -> BlockScores:
    """Scores of one document over equal word frequencies, with parts."""
    scorer = TopicScorer(topics, np.full(D, 1 / D), np.ones(len(topics)))
    (block,) = Documents(csr_array(document), len(topics))._runs[0]
    return scorer.score_block(block, with_parts=True)


def test_topic_parts_add_up_to_the_gain_of_weak_topics() -> None:
    topics = (1 - 0.03) / D + 0.03 * TOPICS
    document = np.random.default_rng(1).poisson(2 * D * TOPICS[:1] + 1)
    scores = block_scores(topics, document)
    assert scores.gains[0] > 0.05
    assert np.sum(scores.topic_parts) == pytest.approx(scores.gains[0], rel=0.03)


def test_topics_in_opposite_directions_have_no_part_where_they_gain_nothing() -> None:
    """Two topics whose mean is the word frequencies, and a document of every word twice."""
    deviation = np.tile([0.5, -0.5], D // 2) / D
    opposite_topics = np.array([1 / D + deviation, 1 / D - deviation])
    scores = block_scores(opposite_topics, np.full((1, D), 2.0))
    assert scores.gains[0] < 0
    assert np.all(scores.topic_parts < 0)


@pytest.mark.parametrize(("n_topics", "expected"), [(2, 5.0), (10, 1.0), (50, 1.0)])
def test_largest_parts_grow_with_documents_of_few_topics(n_topics: int, expected: float) -> None:
    assert largest_parts(5000, n_topics, 0.5) == pytest.approx(expected)


def test_gain_per_word_is_that_of_perplexity() -> None:
    corpus = topical_corpus(3, n_documents=3000, n_words=40)
    fitted_run = fit_refined(corpus, Problem(3, 1.0), Budget(30.0, 1e-6))
    fitted_topics = fitted_run.topics
    topics_perplexity, unigram_perplexity = (
        completion_perplexity(
            fitted_topics.words,
            fitted_topics.alpha,
            test=corpus.counts,
            mean_words=fitted_topics.mean_words,
            weight=w,
            seed=0,
        )
        for w in (0.1, 1.0)
    )
    assert fitted_run.evidence.gain_per_word == pytest.approx(
        np.log(unigram_perplexity / topics_perplexity), rel=0.1
    )
    low, high = fitted_run.evidence.interval(0.9)
    assert low < fitted_run.evidence.gain_per_word < high


@pytest.mark.parametrize(("topics", "names"), [(3, 3), (0, 0)])
def test_supported_topics_are_those_that_documents_have(
    topics: int, names: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MAX_OPTIMISM_RUNS", 1)
    corpus = topical_corpus(3, n_documents=2000, n_words=40)
    if not topics:
        mean = np.asarray(corpus.counts.sum(axis=0)).ravel() / corpus.counts.sum()
        counts = np.random.default_rng(2).multinomial(30, mean, size=2000)
        corpus = Corpus.from_counts(counts, label=Label.SIMULATED, name="without topics")
    evidence = fit_refined(corpus, Problem(5, 1.0), Budget(3.0, 1e-6), Runtime(1)).evidence
    assert evidence.is_significant is (topics > 0)
    assert evidence.n_supported_topics == len(evidence.supported_topics) == names
    assert evidence.better is (topics > 0)
    assert ("better than word frequencies" in evidence.in_words()) is evidence.better
    gains = [evidence.null_run(3).gain_nats for _ in range(2)]
    assert gains[0] == gains[1], "seeds are fixed"


STRONG = ReleasedEvidence(2.0, 0.1, 20.0, 0.1, np.array([0.9, 0.5, 0.1]), 0.05)
WEAK = replace(STRONG, gain_nats=0.1)


def checked(evidence: ReleasedEvidence, **changes) -> ReleasedEvidence:
    """Evidence as compared with simulated documents, which flatters by half a nat."""
    facts = {
        "is_significant": True,
        "supported_topics": (0, 1),
        "optimism": 0.5,
        "optimism_error": 0.2,
    }
    return replace(evidence, known_check=EvidenceCheck(**facts | changes))


@pytest.mark.parametrize(
    ("evidence", "is_better"),
    [
        (STRONG, None),
        (WEAK, False),
        (checked(STRONG), True),
        (checked(STRONG, is_significant=False, supported_topics=()), False),
        (checked(STRONG, optimism=1.9), False),
        (checked(WEAK), False),
    ],
)
def test_gain_is_called_better_where_it_was_compared_alone(evidence, is_better) -> None:
    assert evidence.is_better is is_better
    assert evidence.better is is_better
    assert ("better" in evidence.in_words()) is bool(is_better)


def test_evidence_that_new_documents_may_lack_counts_topics_first() -> None:
    """The fitted documents gain more than noise and than documents without topics."""
    assert checked(STRONG, optimism=1.9).in_words() == (
        "2 of 3 topics have evidence in your documents. Noise hides whether they explain new"
        " documents, too."
    )


def test_evidence_that_no_topic_has_is_one_sentence_on_the_gain() -> None:
    without_topics = checked(STRONG, optimism=1.9, supported_topics=())
    assert without_topics.in_words() == (
        "Noise hides whether topics explain new documents of this kind more closely than word"
        " frequencies."
    )
    assert "your documents" in checked(WEAK, is_significant=False).in_words()


def test_evidence_hidden_by_noise_before_the_comparison_has_one_reservation() -> None:
    assert WEAK.describe("these") == (
        "2 of 3 topics have a part beyond the noise. Together, topics may explain these documents"
        " no more closely than word frequencies."
    )


@pytest.mark.parametrize(
    "evidence",
    [
        STRONG,
        WEAK,
        *(
            checked(numbers, optimism=optimism, **changes)
            for numbers in (STRONG, WEAK)
            for optimism in (0.5, 1.9)
            for changes in (
                {},
                {"supported_topics": ()},
                {"is_significant": False, "supported_topics": ()},
            )
        ),
    ],
)
def test_evidence_in_words_never_counts_topics_beside_a_hidden_gain(evidence) -> None:
    statement = evidence.describe_in_parts()
    if "Noise hides whether topics" in statement.verdict:
        assert not statement.further
    assert evidence.in_words() == f"{statement.verdict} {statement.further}".strip()


def test_interval_of_new_documents_takes_optimism_off() -> None:
    low, high = checked(STRONG).interval_of_new()
    assert (low + high) / 2 == pytest.approx((2.0 - 0.5) / 20)


def test_interval_of_new_documents_is_wider_than_of_fitted_ones() -> None:
    low, high = checked(STRONG).interval_of_new()
    fitted_low, fitted_high = STRONG.interval()
    assert high - low > 1.5 * (fitted_high - fitted_low)


def test_interval_of_new_documents_without_a_check_is_that_of_fitted_ones() -> None:
    assert STRONG.interval_of_new() == STRONG.interval()


def test_reorder_topics_keeps_supported_topics_of_a_check() -> None:
    reordered = checked(STRONG, supported_topics=(0, 2)).reorder_topics([2, 1, 0])
    assert reordered.supported_topics == (0, 2)
    assert checked(STRONG).reorder_topics([2, 1, 0]).supported_topics == (1, 2)


def test_compare_takes_off_half_as_much_again_as_simulated_documents_flatter() -> None:
    evidence = TopicEvidence(
        gain_nats=2.0,
        gain_noise=0.1,
        length=20.0,
        length_noise=0.1,
        by_topic=np.array([0.9, 0.01]),
        topic_noise=0.05,
        null_run=lambda number: NullResult(0.01 * number, np.zeros(2)),
        optimism_run=lambda number: GainDifference(0.2, 0.1),
        n_documents=10_000,
    )
    check = evidence.compare()
    assert check.is_significant
    assert check.supported_topics == (0,)
    assert check.optimism == pytest.approx(0.3)
    assert math.hypot(0.15, 0.15) < check.optimism_error < 0.3
    clipped = replace(evidence, largest_gain=3.0).compare()
    assert clipped.optimism < 0.0, "clipping took more than fitting added"
    assert clipped.optimism_error > check.optimism_error
    weak = replace(evidence, gain_nats=0.3).compare()
    assert not weak.is_significant, "within noise of what null runs gain"
    assert (weak.supported_topics, weak.optimism) == ((), 0.0)


def test_topics_are_compared_with_null_topics_of_their_own_share() -> None:
    """A topic that holds all words of documents without topics has a part as large as they are."""
    null_parts, null_shares = np.array([0.75, 0.01, -0.02]), np.array([0.97, 0.02, 0.01])
    evidence = TopicEvidence(
        gain_nats=6.0,
        gain_noise=0.3,
        length=25.0,
        length_noise=0.5,
        by_topic=np.array([0.4, 0.3, 0.02]),
        topic_noise=0.01,
        null_run=lambda number: NullResult(0.5, null_parts, null_shares),
        optimism_run=lambda number: GainDifference(0.1, 0.1),
        n_documents=4000,
        topic_shares=np.array([0.3, 0.3, 0.4]),
    )
    assert evidence.compare().supported_topics == (0, 1)
    assert replace(evidence, topic_shares=None).compare().supported_topics == ()
    of_all_words = replace(evidence, topic_shares=np.array([0.98, 0.01, 0.01]))
    assert 0 not in of_all_words.compare().supported_topics


def test_optimism_run_tells_what_new_documents_lack() -> None:
    """Beside topics that are true, a fit gains more on its own documents than on new ones."""
    corpus = simulate(n_documents=3000, n_words=500, n_topics=8, alpha0=1.0, mean_length=40, seed=2)
    assert corpus.truth is not None
    fitted, new_documents = (
        Corpus.from_counts(corpus.counts[rows], label=Label.SIMULATED, name="part")
        for rows in (slice(0, 600), slice(600, None))
    )
    result = fit_refined(fitted, Problem(8, 1.0), Budget(10.0, DELTA), Runtime(0))
    topics = result.topics
    fitted_scorer, true_scorer = (
        TopicScorer(words, topics.mean_words, alpha, BACKGROUND_SHARE)
        for words, alpha in (
            (topics.words, topics.alpha),
            (corpus.truth.topics, corpus.truth.alpha),
        )
    )
    advantages = [
        mean_gain(fitted_scorer, part) - mean_gain(true_scorer, part)
        for part in (fitted, new_documents)
    ]
    flattery = advantages[0] - advantages[1]
    assert result.evidence is not None
    assert result.evidence.optimism_run is not None
    optimism_run = result.evidence.optimism_run(0)
    assert flattery > 0.3, "else this asks nothing"
    assert 0.4 * flattery < optimism_run.nats < 2 * flattery
    assert 0 < optimism_run.error < 0.5 * flattery


def mean_gain(scorer: TopicScorer, corpus: Corpus) -> float:
    """Mean gain of documents in nats, without noise."""
    runs = Documents(corpus.counts, len(scorer.posteriors))._runs
    gains = [scorer.score_block(block).gains for run in runs for block in run]
    return float(np.sum(np.concatenate(gains))) / corpus.n_documents


DELTA = 1e-6


class NoiseOnTopicsAlone(SimulatedNoise):
    """Simulated noise that leaves evidence as it is, so that a test can read it to the last digits."""

    def normals(self, of: str, size: int) -> np.ndarray:
        return super().normals(of, size) * (not of.startswith(GAIN.edge))


def run_chain(
    corpus: Corpus, *epsilons: float, n_topics: int = 3, noise: NoiseSource | None = None
) -> FitResult:
    """The last of releases that continue each other, each to the next total ε."""
    problem, resources = Problem(n_topics, 1.0), Runtime(0, noise)
    result = fit_refined(corpus, problem, Budget(epsilons[0], DELTA), resources)
    for spent_epsilon, total in pairwise(epsilons):
        assert result.state is not None
        mu = gaussian.mu_for(spent_epsilon, DELTA)
        previous = PreviousRelease(result.state, mu, result.evidence, f"after {spent_epsilon}")
        budget = Budget(total, DELTA)
        result = fit_refined(corpus, problem, budget, resources, previous=previous)
    return result


@pytest.mark.parametrize("epsilons", [(0.1, 1.0, 3.0), (3.0,)], ids=["chain", "single release"])
def test_evidence_of_a_chain_is_that_of_its_last_topics(epsilons) -> None:
    corpus = simulate(n_documents=5000, n_words=100, n_topics=4, alpha0=1.0, mean_length=40, seed=0)
    result = run_chain(corpus, *epsilons, n_topics=4, noise=NoiseOnTopicsAlone(SeedKey(0)))
    topics, evidence = result.topics, result.evidence
    assert evidence is not None
    size = math.sqrt(corpus.n_documents * gaussian.mu_for(3.0, DELTA))
    largest_gain, parts_unit = size / 2, size / (5 * 4)
    assert parts_unit > 1
    scorer = TopicScorer(topics.words, topics.mean_words, topics.alpha, BACKGROUND_SHARE)
    numbers = partial(evidence_vectors, scorer, largest_gain, parts_unit)
    bound = evidence_bound(n_documents=corpus.n_documents, n_words=corpus.n_words, n_topics=4)
    documents = Documents(corpus.counts, 4)
    total = bounded_vectors(documents, numbers, 2 + 4, bound, is_exact=False).value
    gain, _, *parts = total / corpus.n_documents
    assert evidence.gain_nats == pytest.approx(gain * largest_gain, rel=1e-9)
    units = parts_unit / MAX_TOPIC_PART
    np.testing.assert_allclose(evidence.by_topic, np.multiply(parts, units), rtol=1e-9)


def test_evidence_of_a_chain_has_the_noise_of_one_release() -> None:
    corpus = topical_corpus(3, n_documents=4000, n_words=40)
    chain, single = (
        run_chain(corpus, *epsilons).evidence for epsilons in ((0.3, 1.0, 3.0), (3.0,))
    )
    assert chain is not None
    assert single is not None
    assert chain.gain_noise == pytest.approx(single.gain_noise, rel=1e-9)
    assert chain.topic_noise == pytest.approx(single.topic_noise, rel=1e-9)
    assert chain.length_noise < single.length_noise


def test_null_fit_of_a_small_step_has_the_noise_of_its_evidence() -> None:
    """A small step cannot pay for the evidence of its total; the null must not be surer than it is."""
    corpus = topical_corpus(3, n_documents=400, n_words=40)
    small_step, single = (
        run_chain(corpus, *epsilons).evidence for epsilons in ((2.9, 3.0), (3.0,))
    )
    assert small_step is not None
    assert single is not None
    assert small_step.gain_noise > 1.2 * single.gain_noise
    for evidence in (small_step, single):
        assert evidence.null_fit is not None
        null = evidence.null_fit(0)[1]
        assert null is not None
        assert null.gain_noise == pytest.approx(evidence.gain_noise, rel=1e-9)
        assert null.topic_noise == pytest.approx(evidence.topic_noise, rel=1e-9)


def test_topics_beside_a_prior_are_compared_with_null_runs_at_their_own_place() -> None:
    """Where the topic nearest to word frequencies gains without topics, it hides no other."""
    evidence = TopicEvidence(
        gain_nats=2.0,
        gain_noise=0.1,
        length=20.0,
        length_noise=0.1,
        by_topic=np.array([0.4, 0.2, 0.01]),
        topic_noise=0.001,
        known_null_runs=tuple(
            NullResult(0.0, np.array([0.4, 0.0, 0.0]) + 0.01 * number) for number in range(10)
        ),
        optimism_run=lambda number: GainDifference(0.0, 0.0),
        n_documents=10_000,
    )
    assert evidence.compare().supported_topics == ()
    assert replace(evidence, topics_keep_places=True).compare().supported_topics == (1,)
