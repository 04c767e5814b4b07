"""The scikit-learn face: its conventions, its inputs, and scores that mean what they say."""

import dataclasses
import math
import pickle
from functools import cache

import numpy as np
import pytest

from dplda import Corpus, DPVariationalLDA, Plan, RefinedLDA, SpectralLDA
from dplda.core.errors import CorpusError, InputError
from dplda.corpus import Label
from dplda.methods.chain.pipeline import Curator, Run, fit
from dplda.methods.chain.sums import Sums
from dplda.methods.configurations import REGISTRY
from dplda.methods.full_batch_vi.recipe import Recipe
from dplda.methods.full_batch_vi.refine import refine
from dplda.methods.full_batch_vi.unnoised import unnoised_refine
from dplda.methods.problem import Budget, Problem
from dplda.methods.resources import Resources
from dplda.methods.variational.private_variational import VariationalRun, private_variational
from dplda.methods.variational.settings import VariationalSettings
from dplda.privacy.noise.keys import Secret, SecretKey
from dplda.privacy.release import Status
from tests.tiny_corpora import topical_corpus

WHOLE = topical_corpus(1, n_documents=3000)
TRAIN, TEST = WHOLE.counts[:2500], WHOLE.counts[2500:]


@cache
def usual() -> SpectralLDA:
    return SpectralLDA(3, alpha0=1.0, random_state=0).fit(TRAIN)


def test_bad_parameters_are_stored_too_and_refused_in_fit() -> None:
    everywhere = [{"n_topics": 1}, {"n_topics": 31}, {"alpha0": math.nan}, {"random_state": -1}]
    private = [{"epsilon": 0.0}, {"delta": 1.0}]
    kinds = (SpectralLDA, [{"refine": -1}, {"refine": 1.5}, {"plan": "adaptive"}]), (RefinedLDA, private)
    for kind, bad in [(kind, bad) for kind, own in (*kinds, (DPVariationalLDA, private)) for bad in everywhere + own]:
        model = kind(**bad)
        assert model.get_params() | bad == model.get_params()
        with pytest.raises(InputError):
            model.fit(TRAIN)


def test_attributes_are_those_of_the_fit() -> None:
    expected = fit(Corpus.from_counts(TRAIN, label=Label.PUBLIC, name="x"), None, Problem(3, 1.0), Resources(0))
    np.testing.assert_array_equal(usual().components_, expected.topics.words)
    np.testing.assert_array_equal(usual().alpha_, expected.topics.alpha)
    assert usual().n_features_in_ == 30
    assert usual().releases_ == ()
    assert usual().guarantee_.status is Status.NOT_PRIVATE


def test_private_estimators_have_the_attributes_of_their_fits() -> None:
    corpus, given = Corpus.from_counts(TRAIN, label=Label.PUBLIC, name="x"), {"epsilon": 50.0, "delta": 1e-5}
    settings, recipe = VariationalSettings(sampling_rate=0.2, epochs=1.0), Recipe(steps=2, border=0.0)
    asked = corpus, Problem(3, 1.0), Budget(**given), Resources(5)
    for model, found in (
        (
            DPVariationalLDA(3, settings=settings, random_state=5, **given),
            private_variational(*asked, settings=settings),
        ),
        (RefinedLDA(3, recipe=recipe, random_state=5, **given), refine(*asked, recipe=recipe)),
    ):
        model.fit(TRAIN)
        np.testing.assert_array_equal(model.components_, found.topics)
        np.testing.assert_array_equal(model.mean_words_, found.mean_words)
        np.testing.assert_array_equal(model.alpha_, found.alpha)
        assert [release.scale for release in model.releases_] == [release.scale for release in found.releases]
        assert model.guarantee_ == model.fit_.guarantee == found.guarantee
        assert model.guarantee_.status is Status.PROVEN


def test_passes_start_from_the_spectral_topics_and_are_not_private() -> None:
    sensitive = Corpus.from_counts(TRAIN, label=Label.SENSITIVE, name="mail")
    model = SpectralLDA(3, refine=2).fit(sensitive)
    expected = unnoised_refine(sensitive, usual().fit_.topics, alpha0=1.0, passes=2)
    np.testing.assert_array_equal(model.fit_.topics.words, usual().components_)
    np.testing.assert_array_equal(model.components_, expected.words)
    np.testing.assert_array_equal(model.mean_words_, expected.mean_words)
    np.testing.assert_array_equal(model.alpha_, expected.alpha)
    assert model.guarantee_.status is Status.NOT_PRIVATE


@pytest.mark.parametrize(
    ("name", "calibration"),
    [(name, calibration) for name, known in REGISTRY.items() for calibration in known.variants],
)
def test_passes_after_a_private_start_are_refused(name: str, calibration) -> None:
    model = SpectralLDA(3, plan=Plan(name, 1.0, calibration=calibration), refine=1)
    with pytest.raises(InputError, match="refine must be 0 with a plan, got 1"):
        model.fit(TRAIN)
    assert not hasattr(model, "components_")


def test_a_corpus_keeps_its_label_and_vocabulary() -> None:
    sensitive = Corpus.from_counts(TRAIN, [f"word{i}" for i in range(30)], label=Label.SENSITIVE, name="mail")
    model = SpectralLDA(3, plan=Plan("adaptive", 30.0)).fit(sensitive)
    assert model.guarantee_.status is Status.NOT_PRIVATE
    np.testing.assert_array_equal(model.transform(sensitive)[:5], model.transform(TRAIN[:5]))


@pytest.mark.parametrize("bad", [0.5, -1.0, math.nan, math.inf])
def test_entries_that_are_no_counts_are_refused_by_row(bad: float) -> None:
    counts = TRAIN[:20].toarray().astype(float)
    counts[11, 4] = bad
    for call in (SpectralLDA(3).fit, usual().transform, usual().perplexity):
        with pytest.raises(CorpusError, match="Row 12"):
            call(counts)


def test_proportions_are_on_the_simplex_for_any_document() -> None:
    odd = np.zeros((4, 30), dtype=int)
    odd[1, 0], odd[2, 3], odd[3] = 1, 10_000, 1
    for documents in (TEST, odd):
        proportions = usual().transform(documents)
        assert proportions.shape == (documents.shape[0], 3)
        assert np.all(proportions >= 0)
        np.testing.assert_allclose(proportions.sum(axis=1), 1)


def test_documents_of_one_topic_are_given_to_it() -> None:
    rng = np.random.default_rng(0)
    pure = np.array([rng.multinomial(300, topic) for topic in usual().components_])
    assert np.all(np.argmax(usual().transform(pure), axis=1) == np.arange(3))


def test_a_prior_above_one_is_no_reason_to_refuse() -> None:
    """Scikit-learn refuses it where it is given and can use it all the same."""
    mixed = SpectralLDA(3, alpha0=30.0).fit(TRAIN)
    np.testing.assert_allclose(mixed.transform(np.zeros((1, 30), dtype=int)), 1 / 3)
    assert mixed.transform(TEST).max(axis=1).mean() < usual().transform(TEST).max(axis=1).mean()
    assert mixed.perplexity(TEST) > 1


def test_held_out_perplexity_lies_between_the_true_model_and_one_word_distribution_for_all() -> None:
    true, unigram = SpectralLDA(3).fit(TRAIN), SpectralLDA(3).fit(TRAIN)
    true.components_ = WHOLE.truth.topics
    unigram.components_ = np.repeat(unigram.fit_.topics.mean_words[None], 3, axis=0)
    best, found, worst = true.perplexity(TEST), usual().perplexity(TEST), unigram.perplexity(TEST)
    assert best * 0.99 < found < best * 1.03
    assert found < 0.95 * worst
    assert worst < 30


def test_documents_of_fewer_than_two_words_are_not_scored() -> None:
    short = np.zeros((50, 30), dtype=int)
    short[:25, 3] = 1
    together = np.vstack([TEST.toarray(), short])
    assert usual().perplexity(together) == pytest.approx(usual().perplexity(TEST), rel=1e-12)


def test_documents_without_a_word_to_score_are_refused() -> None:
    with pytest.raises(InputError, match="X"):
        usual().perplexity(np.zeros((5, 30), dtype=int))


@pytest.mark.parametrize("bad", [0, 1, -0.1, 2.0, math.nan])
def test_a_background_outside_its_range_is_refused(bad: float) -> None:
    with pytest.raises(InputError, match="background"):
        usual().perplexity(TEST, background=bad)


def test_no_seed_draws_one() -> None:
    plan = Plan("adaptive", 30.0)
    one, other = (SpectralLDA(3, plan=plan, random_state=None).fit(TRAIN) for _ in range(2))
    assert np.any(one.components_ != other.components_)


def reachable(root: object) -> list[object]:
    """Every object that a pickle of this one would hold."""
    found, stack, seen = [], [root], set()
    while stack:
        item = stack.pop()
        if id(item) in seen:
            continue
        seen.add(id(item))
        found.append(item)
        if dataclasses.is_dataclass(item) and not isinstance(item, type):
            stack += [getattr(item, field.name) for field in dataclasses.fields(item)]
        elif isinstance(item, dict):
            stack += item.values()
        elif isinstance(item, list | tuple | set | frozenset):
            stack += item
        elif hasattr(item, "__dict__") and not callable(item):
            stack += vars(item).values()
    return found


@pytest.mark.parametrize(
    "model",
    [
        SpectralLDA(3, plan=Plan("adaptive", 30.0), random_state=12_345),
        SpectralLDA(3, plan=Plan("config-4", 1e6), random_state=12_345),
        RefinedLDA(3, epsilon=30.0, random_state=12_345),
        DPVariationalLDA(3, settings=VariationalSettings(sampling_rate=0.5, epochs=1.0), random_state=12_345),
    ],
    ids=lambda model: type(model).__name__,
)
def test_a_fitted_estimator_holds_nothing_for_the_curator_alone(model) -> None:
    """No diagnostics, no sums, no documents, no key, and of the seed only the parameter that was given.

    That what is there is made of releases is tested on fits (tests/attacks/test_replay.py).
    """
    sensitive = Corpus.from_counts(TRAIN, label=Label.SENSITIVE, name="mail", vocabulary_source="fixed")
    fitted = pickle.loads(pickle.dumps(model.fit(sensitive)))
    assert vars(fitted).pop("random_state") == 12_345
    held = reachable(fitted)
    assert not any(
        isinstance(item, Curator | Run | VariationalRun | Corpus | Sums | Secret | SecretKey) for item in held
    )
    assert not any(isinstance(item, int) and item == 12_345 for item in held)
    sizes = {item.shape[0] for item in held if isinstance(item, np.ndarray) and item.ndim}
    assert TRAIN.shape[0] not in sizes
