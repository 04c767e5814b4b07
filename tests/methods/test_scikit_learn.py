"""Scikit-learn's own checks of both estimators; each check that does not apply is named, with the reason."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.utils import estimator_checks
from sklearn.utils.estimator_checks import check_estimator

from dplda import Corpus, DPVariationalLDA, Label, Plan, RefinedLDA, SpectralLDA
from dplda.core.errors import CorpusError, InputError
from dplda.methods.configurations import Calibration
from dplda.methods.variational.accounting import Accountant
from dplda.methods.variational.settings import VariationalSettings
from tests.tiny_corpora import corpus_of, topical_corpus

COUNTS = topical_corpus(1, n_documents=60).counts.toarray()
WORDS = [f"word{i}" for i in range(COUNTS.shape[1])]
QUICK = VariationalSettings(sampling_rate=0.5, epochs=1.0, accountant=Accountant.CLASSIC)
EVERYWHERE = {
    "check_array_api_input": "Skipped by scikit-learn itself unless SCIPY_ARRAY_API is set; counts are SciPy's sparse"
    " arrays of NumPy's.",
    "check_dtype_object": "It wants Python objects turned into numbers one by one. They are refused by their type"
    " instead: what is no number may be text of a document, which the error of a failed conversion quotes.",
}
UNNOISED = EVERYWHERE | {
    "check_estimators_nan_inf": "Its ten documents over three words, rounded to counts, have at most three tokens"
    " each, and only two of them the three that a triple needs. The private estimators pass it.",
}
EXEMPT = {
    "un-noised": UNNOISED,
    "refined": UNNOISED,
    "private": EVERYWHERE,
    "refinement": EVERYWHERE,
    "variational": EVERYWHERE
    | {
        "check_parameters_default_constructible": "The default of calibration is a member of an enumeration of"
        " strings, immutable and equal to its string; the check asks for the very type str.",
    },
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
both = pytest.mark.parametrize("model", OURS, ids=lambda model: type(model).__name__)


@pytest.mark.parametrize("name", ESTIMATORS)
def test_every_check_passes_but_those_exempt(name: str) -> None:
    """Exact both ways: an exempt check that passes has no business in the list."""
    results = check_estimator(ESTIMATORS[name], on_skip=None, on_fail=None)
    assert len(results) > 40
    troubled = {result["check_name"]: result["exception"] for result in results if result["status"] != "passed"}
    assert set(troubled) == set(EXEMPT[name]), troubled


@pytest.mark.filterwarnings("ignore:X .* feature names, but:UserWarning")  # they hand in tables and arrays in turn
@pytest.mark.parametrize("check", FURTHER)
@pytest.mark.parametrize("name", ESTIMATORS)
def test_names_of_columns_and_tables_are_as_scikit_learn_wants_them(name: str, check: str) -> None:
    getattr(estimator_checks, check)(name, clone(ESTIMATORS[name]))


@both
def test_names_of_a_table_are_kept_and_must_come_back(model) -> None:
    table = pd.DataFrame(COUNTS, columns=WORDS)
    model = clone(model).fit(table)
    assert model.feature_names_in_.tolist() == WORDS
    np.testing.assert_array_equal(model.transform(table[:5]), model.transform(corpus_of(COUNTS))[:5])
    for other in (table[WORDS[::-1]], table.rename(columns={"word3": "confidential"})):
        with pytest.raises(CorpusError, match="columns of other names than in fit") as refusal:
            model.transform(other)
        assert "confidential" not in str(refusal.value)
    model.fit(COUNTS)
    assert not hasattr(model, "feature_names_in_")


@both
def test_a_corpus_leaves_none_of_its_words_in_the_estimator(model) -> None:
    corpus = Corpus.from_counts(COUNTS, WORDS, label=Label.PUBLIC, name="words")
    fitted = clone(model).fit(corpus)
    assert fitted.n_features_in_ == len(WORDS)
    assert not hasattr(fitted, "feature_names_in_")


@both
@pytest.mark.parametrize(
    ("bad", "said"),
    [
        (COUNTS[:2], r"X has 2 sample\(s\) .* a minimum of 3 is required"),
        (COUNTS[:, :1], r"X has 1 feature\(s\) .* a minimum of 2 is required"),
        (COUNTS[0], "Reshape your data"),
        (COUNTS.astype(complex), "Complex data not supported"),
        (COUNTS.astype(object), "type object, which is not numeric"),
        (COUNTS - 1, "Negative values in data"),
    ],
)
def test_what_cannot_be_fitted_is_refused_as_ours_and_as_a_value_error(model, bad, said) -> None:
    with pytest.raises(CorpusError, match=said) as refusal:
        clone(model).fit(bad)
    assert isinstance(refusal.value, ValueError)


def test_a_calibration_may_be_named() -> None:
    named, member = (
        DPVariationalLDA(2, calibration=calibration, settings=QUICK).fit(COUNTS)
        for calibration in ("as published", Calibration.PUBLISHED)
    )
    np.testing.assert_array_equal(named.components_, member.components_)
    assert named.guarantee_ == member.guarantee_
    with pytest.raises(InputError, match="corrected or as published"):
        DPVariationalLDA(2, calibration="wishful", settings=QUICK).fit(COUNTS)
