"""The theorems as properties of the code: what one document moves costs no more than is claimed, whatever it says.

A run on documents is replayed on neighbours with the same releases, for every proven method. Noise and its scale are
then functions of releases, and so is all that may be seen: equal bytes of the whole result, or the same refusal. The
documents use words that the English table knows.
"""

import math
import pickle
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from dplda import Corpus
from dplda.attacks.audit.attack import stream_of
from dplda.attacks.audit.minibatches import Sampling
from dplda.attacks.replay import Recorder, ReplayedRelease, Transcript, replay
from dplda.core.errors import DpldaError
from dplda.methods.base.curator import Curator
from dplda.methods.base.method import FitResult, Method
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.base.runtime import Runtime
from dplda.methods.configurations import REGISTRY
from dplda.methods.dpvi.private_variational import run_variational
from dplda.methods.dpvi.settings import VariationalSettings
from dplda.methods.registry import METHODS
from dplda.privacy.accounting import gaussian
from dplda.privacy.bounded_sum import BoundedSum
from dplda.privacy.mechanisms import Mechanisms
from dplda.privacy.named_quantity import NamedQuantity
from dplda.privacy.noise.fixed_point import FixedPointSum
from dplda.privacy.noise.layouts import PlainVector
from dplda.privacy.noise.sources import NoiseSource, SimulatedNoise
from dplda.privacy.release import Release, Status
from tests.privacy.sources import seeded
from tests.tiny_corpora import (
    Rows,
    corpora,
    documents,
    english_corpus_of,
    repeated_word,
    topical_corpus,
)

PROVEN = {text: method for text, method in METHODS.items() if method.status is Status.PROVEN}
every_proven_method = pytest.mark.parametrize("method", PROVEN.values(), ids=PROVEN)
D, ALIKE = 3, 1e-9
EXTREMES = [
    np.zeros(D, dtype=np.int64),
    repeated_word(0, D, 1),
    repeated_word(1, D, 10**6),
    np.full(D, 10**4),
    np.arange(D) ** 9,
]
Outcome = tuple[bytes, tuple[Release, ...] | None]
PROBLEM = Problem(2, 1.0)
FEW = VariationalSettings(sampling_rate=0.5, epochs=2.0, word_steps=1)


@st.composite
def neighbours(draw: st.DrawFn) -> tuple[Corpus, Corpus]:
    """Some documents, each said several times over; one of them is replaced by any other."""
    rows = np.repeat(draw(corpora(8, D)), draw(st.sampled_from([1, 5, 60])), axis=0)
    sides = [rows.copy(), rows.copy()]
    for side in sides:
        side[0] = draw(st.sampled_from([*EXTREMES, rows[-1]]) | documents(D))
    first_corpus, second_corpus = (english_corpus_of(side, PROBLEM.n_topics) for side in sides)
    return first_corpus, second_corpus


def runs(method: Method, budget: Budget, n_topics: int) -> Callable[[Corpus, NoiseSource], Outcome]:
    def run(corpus: Corpus, noise: NoiseSource) -> Outcome:
        try:
            if method.uses_minibatches:  # in few steps
                sampling = partial(Sampling, FEW.sampling_rate)
                resources = Runtime(3, noise, make_mechanisms=sampling)
                run_of_few_steps = run_variational(corpus, PROBLEM, budget, resources, settings=FEW)
                return published(run_of_few_steps), run_of_few_steps.releases
            fitted_run = method.fit(
                corpus, replace(PROBLEM, n_topics=n_topics), budget, Runtime(3, noise)
            )
        except DpldaError as refusal:
            return repr(refusal).encode(), None
        return published(fitted_run), fitted_run.releases

    return run


def published(result: FitResult) -> bytes:
    """All that a fit gives out: the whole result, what it computes on demand included, but the curator's values."""
    return pickle.dumps(replace(result, curator=Curator()))


def replayed(
    method: Method, budget: Budget, sides: tuple[Corpus, Corpus], n_topics: int = 2
) -> Transcript[Outcome]:
    return replay(runs(method, budget, n_topics), sides, (Recorder(seeded(1)), Recorder(seeded(2))))


def check(method: Method, budget: Budget, record: Transcript[Outcome]) -> None:
    (first_seen, first_found), (second_seen, _) = record.results
    assert first_seen == second_seen
    if method.uses_minibatches:
        assert first_found is not None
        schedule = FEW.schedule(budget.epsilon, budget.delta)
        assert (
            sum(release.steps for release in first_found) == len(record.releases) == schedule.steps
        )
        assert all(
            step.distance <= math.sqrt(2) / schedule.noise_multiplier * (1 + ALIKE)
            for step in record.releases
        )
    elif record.laplace:
        assert record.spent_budget <= budget.epsilon * (1 + ALIKE)
    else:
        failure = (
            REGISTRY[method.name].variants[method.scaling].failure
            if method.name in REGISTRY
            else 0.0
        )
        assert record.spent_budget**2 <= gaussian.mu_for(
            budget.epsilon, (1 - failure) * budget.delta
        ) ** 2 * (1 + ALIKE)
    if first_found is not None:
        assert {stream_of(release) for release in first_found} == {
            release.stream for release in record.releases
        }


@every_proven_method
@given(data=st.data())
@settings(max_examples=20)
def test_replayed_loss_of_any_document_stays_within_the_claim(
    method: Method, data: st.DataObject
) -> None:
    """Where documents are sampled, every step with all of them is what the accountant was told of."""
    epsilon = data.draw(st.sampled_from([0.5] if method.uses_minibatches else [0.5, 10.0, 1000.0]))
    budget = Budget(epsilon, 1e-6)
    check(method, budget, replayed(method, budget, data.draw(neighbours())))


AMPLE = Budget(1000.0, 1e-6)
CORPUS = topical_corpus(
    1, n_documents=1000, n_words=12
)  # noise on triples of words is replayed number by number
REPLACED = {
    "one word": repeated_word(0, CORPUS.n_words, 10_000),
    "empty": np.zeros(CORPUS.n_words, dtype=int),
    "every word": np.ones(CORPUS.n_words, dtype=int),
}


def topical(document: Rows) -> tuple[Corpus, Corpus]:
    rows = CORPUS.counts.toarray()
    rows[7] = document
    return english_corpus_of(CORPUS.counts.toarray(), 3), english_corpus_of(rows, 3)


@every_proven_method
@pytest.mark.parametrize("document", REPLACED.values(), ids=REPLACED)
def test_replayed_loss_where_topics_are_found_stays_within_the_claim(
    method: Method, document: Rows
) -> None:
    """And no two releases of a run share noise: the first numbers of any two are not alike."""
    budget = replace(AMPLE, epsilon=0.5) if method.uses_minibatches else AMPLE
    record = replayed(method, budget, topical(document), 3)
    check(method, budget, record)
    assert record.results[0][1] is not None
    assert not shares_noise(record)


def shares_noise(record: Transcript[Outcome]) -> bool:
    """One pair of a hundred releases by chance, at most, in a thousand runs."""
    first_noise = sorted(
        float(release.requests[0].noisy_draws[0, 0] - release.requests[0].mean[0])
        / release.requests[0].scale
        for release in record.releases
        if release.requests[0].spread.isotropic
    )
    return bool(np.any(np.diff(first_noise) < 1e-8))


def one_stream(patch: pytest.MonkeyPatch) -> None:
    """Every release's noise starts from the same number again."""
    patch.setattr(SimulatedNoise, "_stream", lambda self, of: self._key.generator("noise"))


def exact_counts(patch: pytest.MonkeyPatch) -> None:
    """A search draws its noise and goes by the exact counts."""
    honest = Mechanisms._count

    def count(self: Mechanisms, label: object, is_counted: np.ndarray, scale: float) -> float:
        honest(self, label, is_counted, scale)
        return float(np.count_nonzero(is_counted))

    patch.setattr(Mechanisms, "_count", count)


def passed_by(patch: pytest.MonkeyPatch) -> None:
    """A sum is released, and what flows on is the one without noise."""
    release_sum = Mechanisms.release_sum

    def release_and_ignore(
        self: Mechanisms, quantity: NamedQuantity, bounded_sum: BoundedSum, **arguments: object
    ) -> np.ndarray:
        release_sum(self, quantity, bounded_sum, **arguments)
        value = bounded_sum.value
        if isinstance(value, FixedPointSum):
            return value.numbers * value.unit
        return np.copy(value) if np.ndim(value) else value

    patch.setattr(Mechanisms, "release_sum", release_and_ignore)


def scaled_by_a_document(patch: pytest.MonkeyPatch) -> None:
    """The noise is a little wider where the documents have more of the first word."""
    release_sum = Mechanisms.release_sum

    def release_wider(
        self: Mechanisms, quantity: NamedQuantity, bounded_sum: BoundedSum, **arguments: object
    ) -> np.ndarray:
        first_number = np.ravel(bounded_sum.value)[0]
        sensitivity = bounded_sum.sensitivity * (1 + 1e-9 * first_number)
        wider_sum = replace(bounded_sum, sensitivity=sensitivity)
        return release_sum(self, quantity, wider_sum, **arguments)

    patch.setattr(Mechanisms, "release_sum", release_wider)


@pytest.mark.parametrize("mutant", [one_stream, exact_counts, passed_by, scaled_by_a_document])
def test_replay_finds_values_without_noise_or_with_shared_noise(
    mutant: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    mutant(monkeypatch)
    method = METHODS["adaptive/corrected"]
    try:
        record = replayed(method, AMPLE, topical(REPLACED["one word"]), 3)
        check(method, AMPLE, record)
        assert not shares_noise(record)
    except AssertionError:
        return
    pytest.fail("nothing was found")


def test_coloured_noise_is_told_apart_by_its_own_law(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same loss where noise of one scale is declared as a mixture: its factor is found and inverted."""
    sides, method = topical(REPLACED["one word"]), METHODS["private-unigram"]
    replay_before = replayed(method, AMPLE, sides, 3)
    monkeypatch.setattr(PlainVector, "isotropic", False)
    replay_after = replayed(method, AMPLE, sides, 3)
    np.testing.assert_allclose(replay_after.losses(), replay_before.losses(), rtol=1e-9)
    assert replay_after.spent_budget == pytest.approx(replay_before.spent_budget, rel=1e-9)


def test_replayed_loss_equals_the_log_ratio_of_noise_densities() -> None:
    """Against scipy's densities, number by number."""
    mean, second_mean = np.array([0.3, -1.0]), np.array([1.3, 0.5])
    for name, law in (("perturb", stats.norm), ("perturb_laplace", stats.laplace)):
        first_recorder, second_recorder = (
            Recorder(seeded(1), n_draws=5),
            Recorder(seeded(2), n_draws=5),
        )
        getattr(first_recorder, name)(mean, 2.0, PlainVector(), "a quantity")
        second_recorder.answer_like(first_recorder)
        getattr(second_recorder, name)(second_mean, 2.0, PlainVector(), "a quantity")
        release = ReplayedRelease((first_recorder.requests[0], second_recorder.requests[0]))
        for side, recorder in enumerate((first_recorder, second_recorder)):
            noisy = recorder.requests[0].noisy_draws
            expected = law.logpdf(noisy, mean, 2.0) - law.logpdf(noisy, second_mean, 2.0)
            np.testing.assert_allclose(release.losses(side), expected.sum(axis=1))
        assert release.distance == pytest.approx(
            math.hypot(0.5, 0.75) if law is stats.norm else 1.25
        )


def corpora_with_and_without_english_themes() -> tuple[Corpus, Corpus]:
    """Documents of one theme's words each, and as many whose words come from every theme.

    Words are taken from three themes in turn.
    """
    n_documents, n_themes, words_per_theme = 400, 3, 8
    is_own_word = np.tile(np.eye(n_themes, dtype=int), words_per_theme)
    is_of_a_third = np.repeat(np.eye(n_themes, dtype=int), words_per_theme, axis=1)
    groups = np.arange(n_documents) % n_themes
    one_theme_each, every_theme = 3 * is_own_word[groups], 3 * is_of_a_third[groups]
    return english_corpus_of(one_theme_each, n_themes), english_corpus_of(every_theme, n_themes)


def uses_english(corpus: Corpus) -> bool:
    result = METHODS["refined-english"].fit(corpus, Problem(3, 1.0), AMPLE, Runtime(3, seeded(1)))
    assert result.details.prior is not None
    return result.details.prior.used


def test_decision_on_a_prior_replayed_on_unlike_documents_is_that_of_its_release() -> None:
    """All documents are replaced, so that without noise the prior would be refused in the replay.

    Of neighbors near the border ``test_replayed_results`` asks the same.
    """
    sides = corpora_with_and_without_english_themes()
    assert [uses_english(side) for side in sides] == [True, False]
    record = replayed(METHODS["refined-english"], AMPLE, sides, 3)
    (first_outcome, _), (second_outcome, _) = record.results
    assert first_outcome == second_outcome
