"""Estimators with the interface of scikit-learn: attributes of their fits, refusals, and scores that mean what they say."""

import dataclasses
import math
import pickle
from functools import cache

import numpy as np
import pytest
from sklearn.model_selection import GridSearchCV

from dplda import Corpus, DPVariationalLDA, Label, Plan, RefinedLDA, SpectralLDA
from dplda.core.errors import CorpusError, DpldaError, InputError
from dplda.methods.base.calibration import Calibration
from dplda.methods.base.curator import Curator
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.base.runtime import Runtime
from dplda.methods.configurations import REGISTRY
from dplda.methods.dpvi.accounting import Accountant
from dplda.methods.dpvi.private_variational import run_variational
from dplda.methods.dpvi.settings import VariationalSettings
from dplda.methods.refined.documents.noiseless import fit_noiseless
from dplda.methods.refined.plan.constants import RefinedConstants
from dplda.methods.refined.refined_methods import refined
from dplda.privacy.noise.keys import Secret, SecretKey
from dplda.privacy.release import Status
from dplda.spectral.corpus_statistics import StatisticsCache
from tests.tiny_corpora import topical_corpus

QUICK = VariationalSettings(sampling_rate=0.5, epochs=1.0, accountant=Accountant.CLASSIC)
WHOLE = topical_corpus(1, n_documents=3000)
TRAIN, TEST = WHOLE.counts[:2500], WHOLE.counts[2500:]
COUNTS = topical_corpus(1, n_documents=60).counts.toarray()


@cache
def usual() -> SpectralLDA:
    return SpectralLDA(3, alpha0=1.0, random_state=0).fit(TRAIN)


def test_estimator_with_bad_parameters_is_refused_only_in_fit() -> None:
    everywhere = [{"n_topics": 1}, {"n_topics": 31}, {"alpha0": math.nan}, {"random_state": -1}]
    private = [{"epsilon": 0.0}, {"delta": 1.0}, {"epsilon": [1.0]}]
    passes = [
        {"refine": 1, "plan": Plan(name, 1.0, calibration=calibration)}
        for name in REGISTRY
        for calibration in REGISTRY[name].variants
    ]
    kinds = (
        (SpectralLDA, [{"refine": -1}, {"refine": 1.5}, {"plan": "adaptive"}, *passes]),
        (RefinedLDA, [*private, {"recipe": 3}, {"prior": np.ones(2)}]),
        (DPVariationalLDA, [*private, {"calibration": "Laplace"}, {"settings": 3}]),
    )
    for kind, bad in [
        (kind, bad) for kind, own_parameters in kinds for bad in everywhere + own_parameters
    ]:
        model = kind(**bad)
        assert model.get_params() | bad == model.get_params()
        with pytest.raises(InputError):
            model.fit(TRAIN)
        assert not hasattr(model, "components_")


def test_private_estimators_have_the_attributes_of_their_fits() -> None:
    corpus, budget_arguments = (
        Corpus.from_counts(TRAIN, label=Label.PUBLIC, name="x"),
        {"epsilon": 5.0, "delta": 1e-5},
    )
    settings, recipe = QUICK, RefinedConstants(n_steps=2, max_start_noise=0.0)
    fit_arguments = corpus, Problem(3, 1.0), Budget(**budget_arguments), Runtime(5)
    for model, fitted_run in (
        (
            DPVariationalLDA(3, settings=settings, random_state=5, **budget_arguments),
            run_variational(*fit_arguments, settings=settings),
        ),
        (
            DPVariationalLDA(
                3, settings=settings, calibration="as published", random_state=5, **budget_arguments
            ),
            run_variational(*fit_arguments, settings=settings, calibration=Calibration.PUBLISHED),
        ),
        (
            RefinedLDA(3, recipe=recipe, random_state=5, **budget_arguments),
            refined(recipe).fit(*fit_arguments),
        ),
    ):
        model.fit(TRAIN)
        np.testing.assert_array_equal(model.components_, fitted_run.topics.words)
        np.testing.assert_array_equal(model.mean_words_, fitted_run.topics.mean_words)
        np.testing.assert_array_equal(model.alpha_, fitted_run.topics.alpha)
        assert [release.scale for release in model.releases_] == [
            release.scale for release in fitted_run.releases
        ]
        assert model.guarantee_ == model.fit_.guarantee == fitted_run.guarantee
        assert (model.guarantee_.status is Status.PROVEN) == (
            model.get_params().get("calibration") != "as published"
        )


def test_leading_words_of_an_estimator_are_columns_of_its_words() -> None:
    model = RefinedLDA(3, epsilon=5.0, delta=1e-5, recipe=RefinedConstants(n_steps=2)).fit(TRAIN)
    words = model.leading_words(4)
    assert [len(row) for row in words] == [4, 4, 4]
    assert {word for row in words for word in row} <= set(range(TRAIN.shape[1]))
    with pytest.raises(InputError):
        model.leading_words(0)


def test_refining_passes_start_from_the_spectral_topics() -> None:
    sensitive = Corpus.from_counts(TRAIN, label=Label.SENSITIVE, name="mail")
    model = SpectralLDA(3, refine=2).fit(sensitive)
    expected = fit_noiseless(sensitive, usual().fit_.topics, alpha0=1.0, n_passes=2)
    np.testing.assert_array_equal(model.components_, expected.words)
    np.testing.assert_array_equal(model.fit_.topics.words, expected.words)
    np.testing.assert_array_equal(model.mean_words_, expected.mean_words)
    np.testing.assert_array_equal(model.alpha_, expected.alpha)
    assert (model.guarantee_.status, usual().releases_) == (Status.NOT_PRIVATE, ())


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


def test_estimator_with_a_prior_above_one_transforms() -> None:
    """Scikit-learn refuses it where it is given and can use it all the same."""
    mixed_model = SpectralLDA(3, alpha0=30.0).fit(TRAIN)
    np.testing.assert_allclose(mixed_model.transform(np.zeros((1, 30), dtype=int)), 1 / 3)
    assert (
        mixed_model.transform(TEST).max(axis=1).mean() < usual().transform(TEST).max(axis=1).mean()
    )
    assert mixed_model.perplexity(TEST) > 1


def test_held_out_perplexity_lies_between_truth_with_unigram() -> None:
    true_model, unigram = SpectralLDA(3).fit(TRAIN), SpectralLDA(3).fit(TRAIN)
    true_model.components_ = WHOLE.truth.topics
    unigram.components_ = np.repeat(unigram.fit_.topics.mean_words[None], 3, axis=0)
    best, found_perplexity, worst = (
        true_model.perplexity(TEST),
        usual().perplexity(TEST),
        unigram.perplexity(TEST),
    )
    assert best * 0.99 < found_perplexity < best * 1.03
    assert found_perplexity < 0.95 * worst
    assert worst < 30


def test_documents_of_fewer_than_two_words_are_not_scored() -> None:
    short_documents = np.zeros((50, 30), dtype=int)
    short_documents[:25, 3] = 1
    together = np.vstack([TEST.toarray(), short_documents])
    assert usual().perplexity(together) == pytest.approx(usual().perplexity(TEST), rel=1e-12)


def test_perplexity_of_documents_without_a_word_is_refused() -> None:
    with pytest.raises(InputError, match="X"):
        usual().perplexity(np.zeros((5, 30), dtype=int))


@pytest.mark.parametrize("bad", [0, 1, -0.1, 2.0, math.nan])
def test_perplexity_of_a_background_outside_its_range_is_refused(bad: float) -> None:
    with pytest.raises(InputError, match="background"):
        usual().perplexity(TEST, background=bad)


def test_estimator_without_a_seed_draws_one() -> None:
    plan = Plan("adaptive", 30.0)
    first_model, second_model = (
        SpectralLDA(3, plan=plan, random_state=None).fit(TRAIN) for _ in range(2)
    )
    assert np.any(first_model.components_ != second_model.components_)


def reachable(root: object) -> list[object]:
    """Every object that a pickle of this one would hold."""
    reached, stack, seen_ids = [], [root], set()
    while stack:
        item = stack.pop()
        if id(item) in seen_ids:
            continue
        seen_ids.add(id(item))
        reached.append(item)
        if dataclasses.is_dataclass(item) and not isinstance(item, type):
            stack += [getattr(item, field.name) for field in dataclasses.fields(item)]
        elif isinstance(item, dict):
            stack += item.values()
        elif isinstance(item, list | tuple | set | frozenset):
            stack += item
        elif hasattr(item, "__dict__") and not callable(item):
            stack += vars(item).values()
    return reached


@pytest.mark.parametrize(
    "model",
    [
        SpectralLDA(3, plan=Plan("adaptive", 30.0), random_state=12_345),
        SpectralLDA(3, plan=Plan("config-4", 1e6), random_state=12_345),
        RefinedLDA(3, epsilon=30.0, random_state=12_345),
        DPVariationalLDA(3, settings=QUICK, random_state=12_345),
    ],
    ids=lambda model: type(model).__name__,
)
def test_estimator_after_fit_holds_nothing_of_the_documents(model) -> None:
    """No diagnostics, no sums, no documents, no key, and of the seed only the parameter that was given.

    That what is there is made of releases is tested on fits (tests/attacks/test_replay.py).
    """
    sensitive = Corpus.from_counts(
        TRAIN, label=Label.SENSITIVE, name="mail", vocabulary_source="fixed"
    )
    fitted = pickle.loads(pickle.dumps(model.fit(sensitive)))
    assert vars(fitted).pop("random_state") == 12_345
    held_items = reachable(fitted)
    assert not any(
        isinstance(item, Corpus | StatisticsCache | Secret | SecretKey) for item in held_items
    )
    assert all(
        dataclasses.astuple(item) == (None, None)
        for item in held_items
        if isinstance(item, Curator)
    )
    assert not any(isinstance(item, int) and item == 12_345 for item in held_items)
    sizes = {item.shape[0] for item in held_items if isinstance(item, np.ndarray) and item.ndim}
    assert TRAIN.shape[0] not in sizes


def test_refused_fit_leaves_an_earlier_fit_whole() -> None:
    model = SpectralLDA(3, random_state=0).fit(TRAIN)
    topics = model.components_
    with pytest.raises(DpldaError):
        model.fit(COUNTS[:, :2])  # three topics of two words are none
    assert model.components_ is topics
    assert model.n_features_in_ == TRAIN.shape[1]
    assert model.perplexity(TEST) > 0


def test_documents_over_other_words_are_refused_in_a_sentence() -> None:
    own_words = [f"canary{i}" for i in range(30)]
    corpus_of_own_words = Corpus.from_counts(WHOLE.counts, own_words, label=Label.PUBLIC, name="x")
    reversed_corpus = Corpus.from_counts(
        WHOLE.counts[:, ::-1], own_words[::-1], label=Label.PUBLIC, name="x"
    )
    model = SpectralLDA(3).fit(corpus_of_own_words)
    for corpus in (corpus_of_own_words, reversed_corpus):
        assert usual().perplexity(corpus) > 0, "fitted on counts, it knows no words"
    assert model.perplexity(corpus_of_own_words) > 0
    refined, model_with_prior = (
        RefinedLDA(3).fit(corpus_of_own_words),
        RefinedLDA(3, prior={"a": own_words[-2:]}, trust_prior=True),
    )
    for fitted in (model, refined, model_with_prior.fit(corpus_of_own_words)):
        assert b"canary3" not in pickle.dumps(fitted), "which may come from the documents"
    with pytest.raises(CorpusError, match="other words than in fit"):
        model.perplexity(reversed_corpus)


def test_score_is_the_logarithm_of_perplexity_turned_around() -> None:
    assert usual().score(TEST) == pytest.approx(-math.log(usual().perplexity(TEST)))


def test_grid_search_over_topics_chooses_the_true_number() -> None:
    search = GridSearchCV(SpectralLDA(), {"n_topics": [2, 3], "alpha0": [1.0]}, cv=2).fit(TRAIN)
    assert search.best_params_["n_topics"] == 3
    assert search.best_estimator_.components_.shape == (3, TRAIN.shape[1])


@pytest.mark.parametrize("calibration", ["corrected", "as published", Calibration.CORRECTED])
def test_estimator_stores_its_calibration_unchanged(calibration: str) -> None:
    model = DPVariationalLDA(2, settings=QUICK, calibration=calibration)
    assert model.get_params()["calibration"] is calibration
    proven = model.fit(COUNTS).guarantee_.status is Status.PROVEN
    assert proven == (calibration == "corrected")


@pytest.mark.parametrize(
    ("parameters", "reason"),
    [
        ({"n_topics": 3.0}, "whole number of at least 2, got 3.0"),
        ({"n_topics": np.array(3)}, "got a value of type ndarray"),
        ({"refine": 10**11}, "between 0 and 10000"),
        ({"random_state": -1}, "random_state|seed"),
    ],
)
def test_absurd_parameters_are_refused_in_a_sentence(parameters, reason) -> None:
    with pytest.raises(InputError, match=reason):
        SpectralLDA(**parameters).fit(COUNTS)
