"""The scikit-learn face of private variational inference."""

import math
from functools import cache

import numpy as np
import pytest
from scipy.sparse import coo_array, csr_array
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline

import dplda
from dplda import Corpus, DPVariationalLDA
from dplda.core.errors import CorpusError, InputError
from dplda.corpus import Label
from dplda.methods.configurations.variant import Calibration
from dplda.methods.variational.accounting import Accountant
from dplda.methods.variational.private_variational import private_variational
from dplda.methods.variational.settings import VariationalSettings
from dplda.privacy.release import Status
from tests.asking import called
from tests.tiny_corpora import topical_corpus

WHOLE = topical_corpus(1, n_documents=2000)
TRAIN, TEST = WHOLE.counts[:1700], WHOLE.counts[1700:]
QUICK = VariationalSettings(sampling_rate=0.2, epochs=3.0, accountant=Accountant.CLASSIC)
GIVEN = {"epsilon": 50.0, "delta": 1e-5, "settings": QUICK}


@cache
def usual() -> DPVariationalLDA:
    return DPVariationalLDA(3, **GIVEN).fit(TRAIN)


def test_it_is_part_of_the_public_interface() -> None:
    assert dplda.DPVariationalLDA is DPVariationalLDA
    assert "DPVariationalLDA" in dplda.__all__


def test_parameters_are_stored_untouched_and_cloned() -> None:
    model = DPVariationalLDA(4, alpha0=0.5, random_state=7, **GIVEN)
    expected = GIVEN | {"n_topics": 4, "alpha0": 0.5, "random_state": 7, "calibration": Calibration.CORRECTED}
    assert model.get_params() == expected
    copy = clone(model)
    assert copy.get_params() == expected
    assert copy.set_params(n_topics=2).n_topics == 2
    assert model.n_topics == 4


def test_bad_parameters_are_stored_too_and_refused_in_fit() -> None:
    for bad in ({"n_topics": 1}, {"alpha0": math.nan}, {"epsilon": 0.0}, {"delta": 1.0}, {"random_state": -1}):
        model = DPVariationalLDA(**GIVEN | bad)
        assert model.get_params() | bad == model.get_params()
        with pytest.raises(InputError):
            model.fit(TRAIN)


@pytest.mark.parametrize("call", ["transform", "perplexity"])
def test_nothing_can_be_asked_before_a_fit(call: str) -> None:
    with pytest.raises(NotFittedError):
        getattr(DPVariationalLDA(3), call)(TEST)


def test_fit_returns_itself_and_takes_a_target_that_it_ignores() -> None:
    model = DPVariationalLDA(3, **GIVEN)
    assert model.fit(TRAIN, None) is model
    assert make_pipeline(DPVariationalLDA(3, **GIVEN)).fit_transform(TRAIN[:50]).shape == (50, 3)


def test_attributes_are_those_of_the_fit() -> None:
    expected = called(private_variational, TRAIN, **GIVEN)
    np.testing.assert_array_equal(usual().components_, expected.topics)
    np.testing.assert_array_equal(usual().mean_words_, expected.mean_words)
    np.testing.assert_array_equal(usual().alpha_, expected.alpha)
    assert usual().n_features_in_ == 30
    assert usual().guarantee_.status is Status.PROVEN
    assert [release.steps for release in usual().releases_] == [15]
    assert usual().fit_.schedule == expected.schedule


@pytest.mark.parametrize("form", [csr_array, coo_array, np.asarray, lambda dense: dense.astype(float)])
def test_every_form_of_the_same_counts_gives_the_same_topics(form) -> None:
    model = DPVariationalLDA(3, **GIVEN).fit(form(TRAIN.toarray()))
    np.testing.assert_array_equal(model.components_, usual().components_)
    np.testing.assert_array_equal(model.transform(form(TEST.toarray())), usual().transform(TEST))


def test_a_corpus_keeps_its_label_and_vocabulary() -> None:
    sensitive = Corpus.from_counts(TRAIN, [f"word{i}" for i in range(30)], label=Label.SENSITIVE, name="mail")
    assert DPVariationalLDA(3, **GIVEN).fit(sensitive).guarantee_.status is Status.NOT_PRIVATE


def test_proportions_are_on_the_simplex_and_perplexity_beats_one_distribution_for_all() -> None:
    proportions = usual().transform(TEST)
    assert proportions.shape == (300, 3)
    np.testing.assert_allclose(proportions.sum(axis=1), 1)
    flat = clone(usual()).fit(TRAIN)
    flat.components_ = np.repeat(flat.mean_words_[None], 3, axis=0)
    assert usual().perplexity(TEST) < 0.97 * flat.perplexity(TEST)


def test_entries_that_are_no_counts_and_other_columns_are_refused() -> None:
    counts = TRAIN[:20].toarray().astype(float)
    counts[11, 4] = 0.5
    with pytest.raises(CorpusError, match="Row 12"):
        DPVariationalLDA(3, **GIVEN).fit(counts)
    with pytest.raises(CorpusError, match="expecting 30 features"):
        usual().transform(TEST[:, :29])


def test_no_seed_draws_one() -> None:
    one, other = (DPVariationalLDA(3, random_state=None, **GIVEN).fit(TRAIN) for _ in range(2))
    assert np.any(one.components_ != other.components_)
