"""Conventions of scikit-learn that estimators keep: its checks, tables with names, and types of counts."""

import numpy as np
import pandas as pd
import pytest
import sklearn
from scipy import sparse
from sklearn.base import clone
from sklearn.utils import estimator_checks
from sklearn.utils.estimator_checks import check_estimator

from dplda import Corpus, DPVariationalLDA, Label, Plan, RefinedLDA, SpectralLDA
from dplda.core.errors import CorpusError
from dplda.methods.dpvi.accounting import Accountant
from dplda.methods.dpvi.settings import VariationalSettings
from dplda.privacy.release import Status
from tests.tiny_corpora import corpus_of, topical_corpus

QUICK = VariationalSettings(sampling_rate=0.5, epochs=1.0, accountant=Accountant.CLASSIC)
COUNTS = topical_corpus(1, n_documents=60).counts.toarray()
WORDS = [f"word{i}" for i in range(COUNTS.shape[1])]
EVERYWHERE = {
    "check_array_api_input": "Skipped by scikit-learn itself unless SCIPY_ARRAY_API is set; counts are SciPy's sparse"
    " arrays of NumPy's.",
    "check_dtype_object": "It wants Python objects turned into numbers one by one. They are refused by their type"
    " instead: what is no number may be text of a document, which the error of a failed conversion quotes.",
}
UNNOISED = EVERYWHERE | {
    "check_estimators_nan_inf": "Its ten documents over three words, rounded to counts, have at most three tokens"
    " each, and only two of them the three that a triple needs. The private estimators pass it."
}
EXEMPT = {
    "un-noised": UNNOISED,
    "refined": UNNOISED,
    "private": EVERYWHERE,
    "refinement": EVERYWHERE,
    "variational": EVERYWHERE,
}
# Run by scikit-learn on its own estimators, but not by check_estimator.
FURTHER = (
    "check_get_feature_names_out_error",
    "check_global_output_transform_pandas",
    "check_set_output_transform",
    "check_set_output_transform_pandas",
    "check_transformer_get_feature_names_out",
    "check_transformer_get_feature_names_out_pandas",
)


class WholeNumbers:
    """Tells the checks to round the numbers that they draw: an estimator of counts refuses any others."""

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        return tags


class Spectral(WholeNumbers, SpectralLDA):
    pass


class Refined(WholeNumbers, RefinedLDA):
    pass


class Variational(WholeNumbers, DPVariationalLDA):
    pass


ESTIMATORS = {
    "un-noised": Spectral(2),
    "refined": Spectral(2, refine=2),
    "private": Spectral(2, plan=Plan("adaptive", 1.0)),
    "refinement": Refined(2),
    "variational": Variational(2, settings=QUICK),
}
OURS = [SpectralLDA(2), RefinedLDA(2), DPVariationalLDA(2, settings=QUICK)]
with_both_models = pytest.mark.parametrize("model", OURS, ids=lambda model: type(model).__name__)


@pytest.mark.parametrize("name", ESTIMATORS)
def test_estimator_passes_check_estimator_except_exempt_checks(name: str) -> None:
    """Exact both ways: an exempt check that passes has no business in the list."""
    results = check_estimator(ESTIMATORS[name], on_skip=None, on_fail=None)
    assert len(results) > 40
    troubled = {
        result["check_name"]: result["exception"]
        for result in results
        if result["status"] != "passed"
    }
    exempt = set(EXEMPT[name])
    if sklearn.__version__.startswith("1.6."):  # its check subtracts a mean from whole numbers
        exempt ^= {"check_array_api_input", "check_positive_only_tag_during_fit"}
    assert set(troubled) == exempt, troubled


@pytest.mark.filterwarnings(
    "ignore:X .* feature names, but:UserWarning"
)  # they hand in tables and arrays in turn
@pytest.mark.parametrize("check", FURTHER)
@pytest.mark.parametrize("name", ESTIMATORS)
def test_estimator_passes_further_checks_of_scikit_learn(name: str, check: str) -> None:
    getattr(estimator_checks, check)(name, clone(ESTIMATORS[name]))


@with_both_models
def test_transform_of_a_fitted_table_equals_that_of_its_counts(model) -> None:
    table = pd.DataFrame(COUNTS, columns=WORDS)
    model = clone(model).fit(table)
    assert model.feature_names_in_.tolist() == WORDS
    np.testing.assert_array_equal(
        model.transform(table[:5]), model.transform(corpus_of(COUNTS))[:5]
    )


@with_both_models
def test_transform_of_a_table_with_other_columns_is_refused(model) -> None:
    table = pd.DataFrame(COUNTS, columns=WORDS)
    model = clone(model).fit(table)
    for other_table in (table[WORDS[::-1]], table.rename(columns={"word3": "confidential"})):
        with pytest.raises(CorpusError, match="columns of other names than in fit") as refusal:
            model.transform(other_table)
        assert "confidential" not in str(refusal.value)


@with_both_models
def test_fit_without_a_table_forgets_column_names(model) -> None:
    table = pd.DataFrame(COUNTS, columns=WORDS)
    model = clone(model).fit(table)
    model.fit(COUNTS)
    assert not hasattr(model, "feature_names_in_")


@with_both_models
def test_estimator_fitted_on_a_corpus_holds_none_of_its_words(model) -> None:
    corpus = Corpus.from_counts(COUNTS, WORDS, label=Label.SENSITIVE, name="words")
    fitted = clone(model).fit(corpus)
    assert fitted.guarantee_.status is Status.NOT_PRIVATE, "the words were chosen by the documents"
    assert fitted.n_features_in_ == len(WORDS)
    assert not hasattr(fitted, "feature_names_in_")


@with_both_models
@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (COUNTS[:2], r"X has 2 sample\(s\) .* a minimum of 3 is required"),
        (COUNTS[:, :1], r"X has 1 feature\(s\) .* a minimum of 2 is required"),
        (COUNTS[0], "Reshape your data"),
        (np.ma.masked_less(COUNTS, 1), "masked"),
        (COUNTS.astype(complex), "Complex data not supported"),
        (COUNTS.astype(object), "type object, which is not numeric"),
        (COUNTS - 1, "Negative values in data"),
    ],
)
def test_unusable_counts_are_refused_as_a_value_error_of_ours(model, bad, reason) -> None:
    with pytest.raises(CorpusError, match=reason) as refusal:
        clone(model).fit(bad)
    assert isinstance(refusal.value, ValueError)


@pytest.mark.parametrize(
    "table",
    [
        pd.DataFrame(COUNTS, columns=WORDS).astype("Int64"),
        pd.DataFrame(COUNTS, columns=WORDS).astype("Float64"),
        pd.DataFrame(COUNTS, columns=WORDS).astype({WORDS[0]: "Int64"}),
        COUNTS.astype(np.float16),
    ],
    ids=["Int64", "Float64", "one column of Int64", "float16"],
)
def test_counts_of_other_number_types_are_fitted_alike(table) -> None:
    plain = SpectralLDA(2).fit(COUNTS)
    np.testing.assert_array_equal(SpectralLDA(2).fit(table).components_, plain.components_)


def test_sparse_counts_in_float16_are_fitted_alike() -> None:
    half = sparse.csr_array(COUNTS)
    half.data = half.data.astype(np.float16)
    plain = SpectralLDA(2).fit(COUNTS)
    np.testing.assert_array_equal(SpectralLDA(2).fit(half).components_, plain.components_)


def test_fit_of_a_table_with_a_missing_value_names_the_row() -> None:
    table = pd.DataFrame(COUNTS, columns=WORDS).astype("Int64")
    table.iloc[11, 4] = pd.NA
    with pytest.raises(CorpusError, match="Row 12"):
        SpectralLDA(2).fit(table)


@pytest.mark.parametrize("kind", [np.random.RandomState, np.random.default_rng])
def test_generators_are_drawn_from_for_each_fit(kind) -> None:
    plan = Plan("adaptive", 30.0)
    generator = kind(0)
    first_components, second = (
        SpectralLDA(2, plan=plan, random_state=generator).fit(COUNTS).components_ for _ in range(2)
    )
    repeated_components = SpectralLDA(2, plan=plan, random_state=kind(0)).fit(COUNTS).components_
    np.testing.assert_array_equal(first_components, repeated_components)
    assert np.any(first_components != second)
