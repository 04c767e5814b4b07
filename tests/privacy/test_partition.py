"""Words selected privately: the law against its claim, by exact probabilities, and neighbours as far apart as any."""

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.special import ndtr
from scipy.stats import binom

from dplda.core.errors import CorpusError, InputError, NotReleasable
from dplda.corpus import Corpus, Label, Selection, VocabularySource
from dplda.methods.chain.guarantees import claim
from dplda.privacy import gaussian
from dplda.privacy.mechanisms import Mechanisms
from dplda.privacy.noise.exact import ExactNoise
from dplda.privacy.partition import Threshold, threshold, together
from dplda.privacy.release import Status
from dplda.privacy.selected import select_words, units_naming

SELECTIONS = [
    Selection(per_unit=w, epsilon=epsilon, delta=delta)
    for w, epsilon, delta in itertools.product((1, 7, 64, 1000), (0.05, 1.0, 6.0), (1e-10, 1e-6, 0.05))
]


def true_delta(law: Threshold, w: int, epsilon: float, mu_of_fit: float = 0.0) -> float:
    """δ at ε of the worst pair among those that differ in a words of D alone, b of D' alone and 2w − a − b numbers.

    The words of one neighbour alone that do not pass leave a factor; on the rest stands a Gaussian mechanism.
    """
    one = float(ndtr(-(law.threshold - 1) / law.scale))
    found = 0.0
    for a, b in itertools.product({0, 1, w // 2, w}, repeat=2):
        stays_a, stays_b = (math.exp(n * math.log1p(-one)) for n in (a, b))
        mu = math.hypot(math.sqrt(2 * w - a - b) / law.scale, mu_of_fit)
        shifted = epsilon + math.log(stays_b / stays_a)
        apart = max(0.0, 1 - math.exp(shifted))
        if mu:
            apart = float(ndtr(mu / 2 - shifted / mu) - math.exp(shifted) * ndtr(-mu / 2 - shifted / mu))
        found = max(found, 1 - stays_a + stays_a * apart)
    return found


@pytest.mark.parametrize("selection", SELECTIONS, ids=str)
def test_no_neighbours_are_told_apart_better_than_claimed_and_mutants_are_caught(selection: Selection) -> None:
    """Of noise without the factor for replacing, and of a threshold for one word where many may pass."""
    law, w, epsilon, delta = threshold(selection), selection.per_unit, selection.epsilon, selection.delta
    assert 0.4 * delta <= true_delta(law, w, epsilon) <= delta, "nothing is wasted"
    if delta < 0.01:
        root = math.sqrt(2)
        assert (
            true_delta(replace(law, scale=law.scale / root, threshold=1 + (law.threshold - 1) / root), w, epsilon)
            > delta
        )
    if w > 4:
        for_one = threshold(replace(selection, per_unit=1))
        lower = 1 + law.scale * (for_one.threshold - 1) / for_one.scale
        assert true_delta(replace(law, threshold=lower), w, epsilon) > delta


@pytest.mark.parametrize("selection", SELECTIONS[::5], ids=str)
@pytest.mark.parametrize("epsilon", [0.3, 2.0])
def test_a_selection_and_a_fit_together_cost_what_is_claimed(selection: Selection, epsilon: float) -> None:
    law, delta = threshold(selection), 1e-7
    mu = gaussian.mu_for(epsilon, delta)
    total, total_delta = together(selection, epsilon=epsilon, delta=delta, gaussian_fit=True)
    assert total_delta == pytest.approx(selection.delta + delta)
    assert true_delta(law, selection.per_unit, total, mu) <= total_delta
    added = together(selection, epsilon=epsilon, delta=delta, gaussian_fit=False)
    assert added == pytest.approx((selection.epsilon + epsilon, total_delta), rel=2e-4)
    assert total < added[0], "squares add up, and so does less"


@pytest.mark.parametrize("w", [1, 5, 40])
def test_the_chance_to_pass_by_two_routes(w: int) -> None:
    """Summed over the numbers of the discrete Gaussian itself, on a grid of sixteenths, and by the normal law."""
    law = threshold(Selection(per_unit=w, epsilon=3.0, delta=0.2))
    step = 1 / 16
    x = np.arange(-math.ceil(40 * law.scale / step), math.ceil(40 * law.scale / step) + 1)
    mass = np.exp(-((x * step / law.scale) ** 2) / 2)
    one = float(mass[1 + x * step > law.threshold + step / 2].sum() / mass.sum())
    assert one <= float(ndtr(-(law.threshold - 1) / law.scale)) + 1e-12
    assert 1 - (1 - one) ** w <= law.passing
    assert 1 - (1 - one) ** w == pytest.approx(law.passing, rel=0.2 / law.scale + 0.02)


def corpus_of(counts: np.ndarray, source: VocabularySource = VocabularySource.MET) -> Corpus:
    words = tuple(f"w{i:03}" for i in range(counts.shape[1]))
    return Corpus.from_counts(counts, words, label=Label.SENSITIVE, name="x", vocabulary_source=source)


def test_neighbours_numbers_attain_the_sensitivity_and_never_pass_it() -> None:
    rng = np.random.default_rng(0)
    w, attained = 6, 0.0
    for _ in range(60):
        counts = (rng.random((12, 30)) < rng.random()) * rng.integers(1, 9, (12, 30))
        other = counts.copy()
        other[rng.integers(12)] = (rng.random(30) < rng.random()) * 3
        one, two = (units_naming(corpus_of(table), w) for table in (counts, other))
        assert one.sum() <= 12 * w
        attained = max(attained, float(np.linalg.norm(one - two)))
        assert np.linalg.norm(one - two) <= threshold(Selection(per_unit=w)).sensitivity
    apart = np.zeros((12, 30), dtype=int)
    apart[0, :w], other = 1, np.zeros((12, 30), dtype=int)
    other[0, w : 2 * w] = 1
    both = [units_naming(corpus_of(table), w) for table in (apart, other)]
    assert np.linalg.norm(both[0] - both[1]) == pytest.approx(math.sqrt(2 * w), rel=1e-12)
    assert np.linalg.norm(both[0] - both[1]) <= threshold(Selection(per_unit=w)).sensitivity


def test_which_words_of_a_row_count_depends_on_that_row_alone() -> None:
    rng = np.random.default_rng(1)
    counts = rng.integers(0, 3, (20, 40))
    alone = np.where(np.arange(20)[:, None] == 7, counts, 0)
    rest = np.where(np.arange(20)[:, None] == 7, 0, counts)
    whole, one, others = (units_naming(corpus_of(table), 5) for table in (counts, alone, rest))
    np.testing.assert_array_equal(whole, one + others)
    order = rng.permutation(40)
    words = tuple(f"w{i:03}" for i in order)
    turned = Corpus.from_counts(counts[:, order], words, label=Label.PUBLIC, name="x")
    np.testing.assert_array_equal(units_naming(turned, 5), whole[order])
    assert one.sum() == 5


def test_every_word_of_a_row_is_named_as_often_as_any_other() -> None:
    """5 of 20 words in each of 4,000 rows, no two alike; five standard deviations are allowed for 20 numbers."""
    counts = np.random.default_rng(2).integers(1, 50, (4000, 20))
    named = units_naming(corpus_of(counts), 5)
    assert np.all(np.abs(named - 1000) < 5 * math.sqrt(4000 * 0.25 * 0.75))


def test_ties_are_settled_by_the_alphabet(monkeypatch) -> None:
    """Never by the order of columns, which says without noise which word is the more frequent."""
    words = ("pear", "fig", "quince", "apple")
    counts = np.ones((9, 4), dtype=int)
    corpus = Corpus.from_counts(counts, words, label="public", name="x", vocabulary_source=VocabularySource.MET)
    monkeypatch.setattr(Mechanisms, "vector", lambda *args, **more: np.full(4, 1e6))
    assert select_words(corpus, Selection(n_words=3, per_unit=4)).vocabulary == ("apple", "fig", "pear")


def test_a_word_of_one_row_passes_as_seldom_as_claimed() -> None:
    """Of 150 selections at δ = 0.4; the test would refuse a right one once in a million."""
    selection = Selection(per_unit=4, epsilon=4.0, delta=0.4)
    counts = np.zeros((500, 8), dtype=int)
    counts[:, :4] = 1
    counts[0] = [0, 0, 0, 0, 1, 1, 1, 1]
    corpus = corpus_of(counts)
    passed = sum(select_words(corpus, selection).n_words > 4 for _ in range(150))
    assert binom.sf(passed - 1, 150, threshold(selection).passing) > 1e-6
    assert passed > 0, "or the threshold is far too high"


def test_the_words_of_most_rows_are_found_and_come_first() -> None:
    counts = np.zeros((5000, 30), dtype=int)
    for word in range(30):
        counts[: 5000 - 160 * word, word] = 2
    selection = Selection(n_words=5, per_unit=30, epsilon=3.0, delta=1e-6)
    found = select_words(corpus_of(counts), selection)
    assert set(found.vocabulary) <= {f"w{i:03}" for i in range(8)}
    assert (found.n_words, found.vocabulary_source) == (5, VocabularySource.SELECTED)
    assert found.selection == selection
    column = int(found.vocabulary[0][1:])
    np.testing.assert_array_equal(found.counts[:, [0]].toarray()[:, 0], counts[:, column])
    assert found.as_read.n_words == 30
    assert found.digest != found.as_read.digest


def test_from_a_fixed_list_the_best_are_taken_and_unmet_words_may_be() -> None:
    counts = np.zeros((60, 12), dtype=int)
    counts[:, :3] = 1
    counts[0, 3] = 1
    listed = corpus_of(counts, VocabularySource.FIXED)
    found = {select_words(listed, Selection(n_words=6, per_unit=4, epsilon=0.05)).vocabulary for _ in range(20)}
    assert any(word in words for words in found for word in ("w004", "w011"))
    assert all(len(words) == 6 for words in found)


@pytest.mark.parametrize("selection", SELECTIONS[::3], ids=str)
def test_from_a_public_list_all_of_delta_is_for_the_noise(selection: Selection) -> None:
    """No word passes a threshold there; a Gaussian mechanism on 2w numbers is all there is, with a fit and without."""
    listed, w = replace(selection, listed=True), selection.per_unit
    law = threshold(listed)
    assert law.scale < threshold(selection).scale
    assert (law.passing, law.threshold) == (0.0, -math.inf)
    found = gaussian.delta_of(selection.epsilon, math.sqrt(2 * w) / law.scale)
    assert 0.998 * selection.delta <= found <= selection.delta
    fitted = gaussian.mu_for(1.0, 1e-7)
    total, delta = together(listed, epsilon=1.0, delta=1e-7, gaussian_fit=True)
    assert gaussian.delta_of(total, math.hypot(math.sqrt(2 * w) / law.scale, fitted)) <= delta
    counts = corpus_of(np.ones((9, 4), dtype=int), VocabularySource.FIXED)
    assert select_words(counts, selection).selection.listed


@pytest.mark.parametrize("epsilon", [29.0, 30.0, 31.0, 32.0, 33.0])
def test_a_refusal_does_not_hang_on_how_many_words_there_are(epsilon: float) -> None:
    """It would tell that number without noise; at these ε the grid is too coarse for some of them."""
    few, many = np.zeros((2, 100, 200), dtype=int)
    few[:, :3] = 1
    many[np.arange(100), np.arange(100)] = many[:, 0] = 1
    said = set()
    for counts in (few, many):
        try:
            select_words(corpus_of(counts), Selection(per_unit=4, epsilon=epsilon, delta=1e-2))
            said.add("words")
        except CorpusError:
            said.add("words")
        except NotReleasable as refusal:
            said.add(str(refusal))
    assert len(said) == 1


def test_words_that_were_chosen_already_are_refused() -> None:
    corpus = corpus_of(np.ones((5, 4), dtype=int), VocabularySource.FROM_DATA)
    with pytest.raises(InputError, match="n_words=None"):
        select_words(corpus, Selection())
    with pytest.raises(CorpusError, match="0 passed"):
        select_words(corpus_of(np.ones((5, 4), dtype=int)), Selection())


def test_noise_of_a_run_pays_for_the_selection_too() -> None:
    noise = ExactNoise(epsilon=1.0, delta=1e-6)
    before = noise._left
    select_words(corpus_of(np.ones((500, 4), dtype=int)), Selection(per_unit=4), noise=noise)
    assert noise._left < before


def test_a_claim_over_selected_words_is_of_both() -> None:
    counts = np.ones((3000, 4), dtype=int)
    found = select_words(corpus_of(counts), Selection(per_unit=4))
    how = {"status": Status.PROVEN, "rests_on": ("x",), "epsilon": 1.0, "delta": 1e-7}
    promise = claim(found, (), **how, gaussian_fit=True)
    assert (promise.epsilon, promise.delta) == together(found.selection, epsilon=1.0, delta=1e-7, gaussian_fit=True)
    assert any("selected privately" in said for said in promise.rests_on)
    assert promise.status is Status.PROVEN
    assert claim(found, (), **how).epsilon == pytest.approx(1.5)
    met = claim(found.as_read, (), **how)
    assert met.status is Status.NOT_PRIVATE, "every word met is the documents' own choice"
