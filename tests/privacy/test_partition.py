"""Words selected privately: the law against its claim, by exact probabilities, and neighbours as far apart as any."""

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.special import ndtr
from scipy.stats import binom

from dplda.core.errors import CorpusError, InputError, NotReleasable
from dplda.corpus import Corpus, Label, Selection, VocabularySource
from dplda.methods.base.guarantees import state_guarantee
from dplda.privacy.accounting import gaussian
from dplda.privacy.bounded_sum import BoundedSum
from dplda.privacy.mechanisms import Mechanisms
from dplda.privacy.noise.exact import ExactNoise
from dplda.privacy.noise.fixed_point import count_resolution
from dplda.privacy.release import Status
from dplda.privacy.word_selection.row_weights import limit_words_per_row, sum_word_weights
from dplda.privacy.word_selection.selection import select_words
from dplda.privacy.word_selection.thresholds import (
    MAX_WORDS_PER_ROW,
    SelectionThresholds,
    combine_with_fit,
    selection_thresholds,
)

SELECTIONS = [
    Selection(epsilon=epsilon, delta=delta)
    for epsilon, delta in itertools.product((0.05, 0.5, 1.0, 6.0, 20.0), (1e-10, 1e-6, 0.05))
]
FOUR = {f"w00{i}" for i in range(4)}
LISTED = tuple(f"w{i:03}" for i in range(4, 12))


def passes(law: SelectionThresholds, t: int, a: int) -> float:
    """The chance that any of a words passes both rounds that one row alone holds, beside t - a that were hopeless."""
    first_round, second_round = law.first, law.second
    n_left = np.arange(a + 1)
    passing = ndtr(
        (1 / np.sqrt(np.maximum(n_left, 1)) - second_round.threshold) / second_round.noise_std
    )
    any_passes = -np.expm1(n_left * np.log1p(-passing))
    return float(
        binom.pmf(
            n_left, a, ndtr((1 / math.sqrt(t) - first_round.threshold) / first_round.noise_std)
        )
        @ any_passes
    )


def true_delta(law: SelectionThresholds, epsilon: float, mu_of_fit: float = 0.0) -> float:
    """δ at ε of the worst pair of rows: a of t words are of D alone, b of s of D' alone, and no other is of both rows.

    The words of one neighbour alone that do not pass leave a factor. On the rest stands a Gaussian mechanism, in whose
    second round words of both have all the weight, if there are any.
    """
    largest_delta, listed_square = 0.0, law.sensitivity**2 - 2
    rows = [
        (t, a, math.log1p(-passes(law, t, a))) for t in (1, 2, 17, 300) for a in {0, 1, t // 2, t}
    ]
    for (t, a, stays_a), (s, b, stays_b) in itertools.product(rows, repeat=2):
        first_distance = math.sqrt((t - a) / t + (s - b) / s + listed_square) / law.first.noise_std
        second = math.sqrt((a < t) + (b < s) + listed_square) / law.second.noise_std
        mu, shifted = math.hypot(first_distance, second, mu_of_fit), epsilon + stays_b - stays_a
        remaining_delta = max(0.0, 1 - math.exp(shifted))
        if mu:
            remaining_delta = float(
                ndtr(mu / 2 - shifted / mu) - math.exp(shifted) * ndtr(-mu / 2 - shifted / mu)
            )
        largest_delta = max(
            largest_delta, -math.expm1(stays_a) + math.exp(stays_a) * remaining_delta
        )
    return largest_delta


def with_rounds(
    law: SelectionThresholds, first_changes: dict[str, float], second_changes: dict[str, float]
) -> SelectionThresholds:
    return replace(
        law, first=replace(law.first, **first_changes), second=replace(law.second, **second_changes)
    )


@pytest.mark.parametrize("selection", SELECTIONS, ids=str)
def test_word_selection_has_the_claimed_delta_which_mutants_pass(
    selection: Selection,
) -> None:
    """Of noise without the factor for replacing, and of a threshold as if the first round let few words pass."""
    law, epsilon, delta = selection_thresholds(selection), selection.epsilon, selection.delta
    first_round, second_round, half = law.first, law.second, math.sqrt(2)
    assert 0.7 * delta <= true_delta(law, epsilon) <= delta, "nothing is wasted"
    if delta < 0.01:
        assert (
            true_delta(
                with_rounds(
                    law,
                    {"noise_std": first_round.noise_std / half},
                    {"noise_std": second_round.noise_std / half},
                ),
                epsilon,
            )
            > delta
        )
        assert (
            true_delta(
                with_rounds(
                    law,
                    {},
                    {"threshold": second_round.threshold - 1 - 0.4 * second_round.noise_std},
                ),
                epsilon,
            )
            > delta
        )
        if epsilon < 6:
            assert true_delta(with_rounds(law, {"threshold": 0.0}, {}), epsilon) > delta


@pytest.mark.parametrize("selection", SELECTIONS[::2], ids=str)
@pytest.mark.parametrize("epsilon", [0.3, 2.0])
@pytest.mark.parametrize("listed", [(), LISTED])
def test_selection_with_a_fit_costs_what_is_claimed(
    selection: Selection, epsilon: float, listed
) -> None:
    """With a release that ranks a list too long to be taken whole, and without."""
    selection = replace(selection, listed=listed, n_words=7)
    law, delta = selection_thresholds(selection), 1e-7
    assert law.sensitivity == pytest.approx(2 if listed else math.sqrt(2))
    mu = gaussian.mu_for(epsilon, delta)
    total, total_delta = combine_with_fit(
        selection, epsilon=epsilon, delta=delta, gaussian_fit=True
    )
    assert total_delta == pytest.approx(selection.delta + delta)
    assert true_delta(law, total, mu) <= total_delta
    added_cost = combine_with_fit(selection, epsilon=epsilon, delta=delta, gaussian_fit=False)
    assert added_cost == pytest.approx((selection.epsilon + epsilon, total_delta), rel=2e-4)
    assert total < added_cost[0], "squares add up, and so does less"


@pytest.mark.parametrize("selection", SELECTIONS, ids=str)
def test_words_of_one_row_alone_pass_as_seldom_as_claimed_however_many_they_are(
    selection: Selection,
) -> None:
    """By the proof's bound, for which every word left has weight 1, all of what is claimed; in truth less."""
    law, t = selection_thresholds(selection), np.arange(1, MAX_WORDS_PER_ROW + 1)
    promising = ndtr((1 / np.sqrt(t) - law.first.threshold) / law.first.noise_std)
    lucky = -np.expm1(
        t * np.log1p(-promising * ndtr((1 - law.second.threshold) / law.second.noise_std))
    )
    assert 0.98 * law.selection_failure <= np.max(lucky) <= law.selection_failure
    chances = np.array([passes(law, n, n) for n in t])
    assert np.all(chances <= lucky)
    assert law.second.noise_std < 10 or np.max(chances) > 0.5 * law.selection_failure, (
        "or the threshold is far too high"
    )


def test_pass_chance_of_discrete_noise_is_below_the_normal_law() -> None:
    """Summed over the numbers of the discrete Gaussian itself, on a grid of sixteenths, and by the normal law."""
    law, step = selection_thresholds(Selection(epsilon=3.0, delta=0.2)), 1 / 16
    for round_of_words, t in itertools.product((law.first, law.second), (1, 4, 16, 256)):
        x = np.arange(
            -math.ceil(40 * round_of_words.noise_std / step),
            math.ceil(40 * round_of_words.noise_std / step) + 1,
        )
        mass = np.exp(-((x * step / round_of_words.noise_std) ** 2) / 2)
        pass_chance = float(
            mass[1 / math.sqrt(t) + x * step > round_of_words.threshold + step / 2].sum()
            / mass.sum()
        )
        assert (
            pass_chance
            <= ndtr((1 / math.sqrt(t) - round_of_words.threshold) / round_of_words.noise_std)
            + 1e-12
        )


def corpus_of(
    counts: np.ndarray, source: VocabularySource = VocabularySource.MET, **options: object
) -> Corpus:
    words = tuple(f"w{i:03}" for i in range(counts.shape[1]))
    return Corpus.from_counts(
        counts, words, label=Label.SENSITIVE, name="x", vocabulary_source=source, **options
    )


def weighed(
    counts: np.ndarray,
    remaining: np.ndarray | slice = slice(None),
    max_words: int = MAX_WORDS_PER_ROW,
    **options: object,
) -> np.ndarray:
    corpus = corpus_of(counts, **options)
    rows = (corpus.by_person() if options else corpus).counts
    return sum_word_weights(limit_words_per_row(rows, corpus.vocabulary, max_words)[:, remaining])


@pytest.mark.parametrize("persons", [{}, {"persons": [0, 0, 1, 2]}])
def test_word_weights_of_neighbors_attain_the_sensitivity_without_passing_it(persons) -> None:
    """To the last whole step, of rows of any length; a person's documents all change."""
    rng, n_changed, resolution = (
        np.random.default_rng(0),
        2 if persons else 1,
        count_resolution(3 if persons else 4),
    )
    for _ in range(40):
        counts = (rng.random((4, 900)) < rng.random() ** 3) * rng.integers(1, 9, (4, 900))
        other_counts = counts.copy()
        other_counts[:n_changed] = (rng.random((n_changed, 900)) < rng.random() ** 3) * 3
        for words_left in (slice(None), rng.random(900) < rng.random() ** 3):  # of either round
            moved_weights = weighed(counts, words_left, **persons) - weighed(
                other_counts, words_left, **persons
            )
            assert sum(int(step) ** 2 for step in moved_weights) <= 2 * int(resolution) ** 2
    for t, s in ((1, 1), (1, 300), (7, 450), (450, 450)):
        counts, other_counts = np.zeros((2, 4, 900), dtype=int)
        counts[0, :t] = other_counts[0, 450 : 450 + s] = 1
        moved_weights = (weighed(counts, **persons) - weighed(other_counts, **persons)) / resolution
        assert (
            math.sqrt(2) * (1 - 1e-5)
            <= np.linalg.norm(moved_weights)
            <= selection_thresholds(Selection()).sensitivity
        )


def test_limit_words_per_row_depends_on_that_row_alone() -> None:
    counts = np.random.default_rng(1).integers(0, 3, (20, 40))
    counts_of_word = np.where(np.arange(20)[:, None] == 7, counts, 0)
    weights_of_all, weights_of_word, weights_of_others = (
        weighed(table, max_words=5) for table in (counts, counts_of_word, counts - counts_of_word)
    )
    np.testing.assert_array_equal(weights_of_all, weights_of_word + weights_of_others)
    order = np.random.default_rng(2).permutation(40)
    words = tuple(f"w{i:03}" for i in order)
    reordered = Corpus.from_counts(counts[:, order], words, label=Label.PUBLIC, name="x")
    np.testing.assert_array_equal(
        sum_word_weights(limit_words_per_row(reordered.counts, words, 5)), weights_of_all[order]
    )
    assert np.count_nonzero(weights_of_word) == 5
    weights_of_many = (
        weighed(np.random.default_rng(2).integers(1, 50, (4000, 20)), max_words=5)
        / weighed(np.eye(4000, 5, dtype=int), max_words=5)[0]
    )
    assert np.all(
        np.abs(weights_of_many * math.sqrt(5) - 1000) < 5 * math.sqrt(4000 * 0.25 * 0.75)
    ), "each as often as any other"


def test_ties_are_settled_by_the_alphabet(monkeypatch) -> None:
    """Never by the order of columns, which says without noise which word is the more frequent."""
    words = ("pear", "fig", "quince", "apple")
    counts = np.ones((9, 4), dtype=int)
    corpus = Corpus.from_counts(
        counts, words, label="public", name="x", vocabulary_source=VocabularySource.MET
    )
    monkeypatch.setattr(
        Mechanisms, "release_sum", lambda self, of, sums, **options: np.full(sums.value.shape, 1e6)
    )
    assert select_words(corpus, Selection(n_words=3)).vocabulary == ("apple", "fig", "pear")


def test_words_of_one_row_pass_as_seldom_as_claimed() -> None:
    """Of 150 selections at δ = 0.4. One seed in 500,000 would fail: one in a million on either side."""
    selection = Selection(epsilon=4.0, delta=0.4)
    law, counts = selection_thresholds(selection), np.zeros((500, 304), dtype=int)
    counts[1:, :4] = 1
    counts[0, 4:] = 1
    n_passed = sum(
        not set(select_words(corpus_of(counts), selection).vocabulary) <= FOUR for _ in range(150)
    )
    assert binom.sf(n_passed - 1, 150, law.selection_failure) > 1e-6
    assert binom.cdf(n_passed, 150, passes(law, 300, 300)) > 1e-6


def test_select_words_weighs_words_of_the_first_round_alone_in_the_second(monkeypatch) -> None:
    """Whatever else a row names: two of its four, one or none."""
    counts, drawn_rounds = np.zeros((9, 6), dtype=int), []
    counts[:4, :4] = counts[4:6, 2:5] = counts[6:, 4:] = 1
    first_round = selection_thresholds(Selection()).first

    def marks(
        self: Mechanisms, of: object, sums: BoundedSum, *, mu: float, **options: object
    ) -> np.ndarray:
        drawn_rounds.append((sums.value.numbers / count_resolution(9), mu))
        return (
            first_round.threshold + np.array([1, -1, 1, 0, -1, -1])
            if mu == first_round.mu
            else np.full(sums.value.shape, 1e6)
        )

    monkeypatch.setattr(Mechanisms, "release_sum", marks)
    assert set(select_words(corpus_of(counts), Selection()).vocabulary) == {"w000", "w002"}
    (first_weights, _), (second_weights, mu) = drawn_rounds
    half_weight, three = 1 / math.sqrt(2), 1 / math.sqrt(3)
    np.testing.assert_allclose(
        first_weights,
        [2, 2, 2 + 2 * three, 2 + 2 * three, 2 * three + 3 * half_weight, 3 * half_weight],
        atol=1e-6,
    )
    np.testing.assert_allclose(second_weights, [4 * half_weight, 4 * half_weight + 2], atol=1e-6)
    assert math.hypot(first_round.mu, mu) <= selection_thresholds(Selection()).mu


def test_selected_words_are_those_of_most_documents() -> None:
    counts = np.zeros((5000, 30), dtype=int)
    for word in range(30):
        counts[: 5000 - 160 * word, word] = 2
    selection = Selection(n_words=5, epsilon=3.0, delta=1e-6)
    selected_corpus = select_words(corpus_of(counts), selection)
    assert set(selected_corpus.vocabulary) <= {f"w{i:03}" for i in range(8)}
    assert (
        selected_corpus.n_words,
        selected_corpus.vocabulary_source,
        selected_corpus.selection,
    ) == (
        5,
        VocabularySource.SELECTED,
        selection,
    )
    column = int(selected_corpus.vocabulary[0][1:])
    np.testing.assert_array_equal(selected_corpus.counts[:, [0]].toarray()[:, 0], counts[:, column])
    assert selected_corpus.as_read.n_words == 30
    assert selected_corpus.digest != selected_corpus.as_read.digest


def test_select_words_with_a_list_does_not_reveal_which_words_were_met(monkeypatch) -> None:
    """Listed words take no weight from others, and unmet ones look like any other."""
    counts = np.zeros((3000, 6), dtype=int)
    counts[:, :5] = 1  # w005 is met by nobody else, w006 to w011 by nobody
    counts[0, 5] = 1
    corpus, selection, drawn_numbers = (
        corpus_of(counts),
        Selection(listed=LISTED[::-1], epsilon=3.0),
        [],
    )
    selected_of_all = select_words(corpus, selection)
    assert selected_of_all.vocabulary[:8] == LISTED
    assert set(selected_of_all.vocabulary[8:]) == {"w000", "w001", "w002", "w003"}
    assert selected_of_all.counts[:, :8].sum(axis=0).tolist() == [3000, 1, *[0] * 6]
    ranked = {
        select_words(corpus, replace(selection, n_words=7, epsilon=0.5)).vocabulary
        for _ in range(20)
    }
    assert all(words[0] == "w004" and set(words[1:5]) == FOUR for words in ranked)
    assert len({words[5:] for words in ranked}) > 5, (
        "nobody knows which of the listed words were met"
    )
    monkeypatch.setattr(
        Mechanisms,
        "release_sum",
        lambda self, of, sums, **options: (
            drawn_numbers.append(sums.value.numbers) or sums.value.numbers
        ),
    )
    select_words(corpus, replace(selection, n_words=7))
    select_words(corpus, selection)
    assert [len(numbers) for numbers in drawn_numbers] == [12, 12, 4, 4]
    assert {3000 * (count_resolution(3000) // 2)} == {
        number for numbers in drawn_numbers for number in numbers[-4:]
    }
    assert replace(selection, listed=LISTED[1:]).identity != selection.identity
    with pytest.raises(InputError, match="distinct"):
        Selection(listed=("tea", "tea"))


@pytest.mark.parametrize("epsilon", [24.0, 26.0, 30.0, 32.0, 34.0])
def test_select_words_refuses_independently_of_the_number_of_words(epsilon: float) -> None:
    """It would tell that number without noise; at these ε the grid is too coarse for some of them."""
    few_words, many_words = np.zeros((2, 100, 200), dtype=int)
    few_words[:, :3] = 1
    many_words[np.arange(100), np.arange(100)] = many_words[:, 0] = 1
    messages = set()
    for counts in (few_words, many_words):
        try:
            select_words(corpus_of(counts), Selection(epsilon=epsilon, delta=1e-2))
            messages.add("words")
        except (CorpusError, NotReleasable) as refusal:
            messages.add("words" if isinstance(refusal, CorpusError) else str(refusal))
    assert len(messages) == 1


@pytest.mark.parametrize("word", ["x" * 201, "half \ud83d", ""])
def test_selection_never_takes_a_word_that_no_file_could_hold(word: str) -> None:
    """However many documents use it: it has no weight, and nothing says that it was met.

    Documents as an earlier version read them may hold half a character.
    """
    counts = np.ones((4000, 4), dtype=int)
    words = (word, "tea", "milk", "sugar")
    met_corpus = Corpus(counts, words, Label.PUBLIC, "cups", VocabularySource.MET, reading=1)
    selected_corpus = select_words(met_corpus, Selection(epsilon=2.0, listed=("sugar",)))
    assert set(selected_corpus.vocabulary) == {"tea", "milk", "sugar"}


def test_words_that_were_chosen_already_are_refused() -> None:
    for source in (VocabularySource.FROM_DATA, VocabularySource.FIXED):
        with pytest.raises(InputError, match="n_words=None"):
            select_words(corpus_of(np.ones((5, 4), dtype=int), source), Selection())
    with pytest.raises(CorpusError, match="0 passed"):
        select_words(corpus_of(np.ones((5, 4), dtype=int)), Selection())


def test_word_selection_spends_slack_of_the_one_noise() -> None:
    noise, counts = ExactNoise(epsilon=1.0, delta=1e-6), np.ones((3000, 4), dtype=int)
    slack_before = noise._tv_slack_left
    select_words(corpus_of(counts), Selection(), noise=noise)
    assert noise._tv_slack_left < slack_before


def test_guarantee_over_selected_words_combines_selection_with_fit() -> None:
    noise, counts = ExactNoise(epsilon=1.0, delta=1e-6), np.ones((3000, 4), dtype=int)
    selected_corpus = select_words(corpus_of(counts), Selection(), noise=noise)
    fit_facts = {"status": Status.PROVEN, "rests_on": ("x",), "epsilon": 1.0, "delta": 1e-7}
    promise = state_guarantee(selected_corpus, (), **fit_facts, gaussian_fit=True)
    assert (promise.epsilon, promise.delta) == combine_with_fit(
        selected_corpus.selection, epsilon=1.0, delta=1e-7, gaussian_fit=True
    )
    assert any("selected privately" in sentence for sentence in promise.rests_on)
    assert promise.status is Status.PROVEN
    assert state_guarantee(selected_corpus, (), **fit_facts).epsilon == pytest.approx(1.5)


def test_guarantee_over_all_words_met_is_not_private() -> None:
    noise, counts = ExactNoise(epsilon=1.0, delta=1e-6), np.ones((3000, 4), dtype=int)
    selected_corpus = select_words(corpus_of(counts), Selection(), noise=noise)
    fit_facts = {"status": Status.PROVEN, "rests_on": ("x",), "epsilon": 1.0, "delta": 1e-7}
    promise = state_guarantee(selected_corpus.as_read, (), **fit_facts)
    assert promise.status is Status.NOT_PRIVATE, "every word met is the documents' own choice"


def test_weights_of_a_row_stay_within_its_length_for_any_number_of_words() -> None:
    """In exact integers: a rounded 1/√n, in place of one cut down, would make some rows longer than 1."""
    resolution = int(count_resolution(3))
    for n_words in range(1, MAX_WORDS_PER_ROW + 1):
        row = np.zeros((3, MAX_WORDS_PER_ROW), dtype=int)
        row[0, :n_words] = 1
        weights = sum_word_weights(csr_array(row))
        assert sum(int(weight) ** 2 for weight in weights) <= resolution**2
        assert n_words * (int(weights[0]) + 1) ** 2 > resolution**2
