"""Words of only one neighbor pass both thresholds with chance γ at most: every release with them is charged that chance."""

from dataclasses import replace
from fractions import Fraction

import pytest

from dplda.corpus import Corpus, Label, Selection, VocabularySource
from dplda.privacy.accounting import gaussian
from dplda.privacy.accounting.budget_caps import SLACK_UNITS
from dplda.privacy.word_selection.thresholds import selection_thresholds
from dplda.release.ledger.folder import Folder
from dplda.release.ledger.ledger import Ledger
from dplda.release.workflow.perform import release
from dplda.release.workflow.request import Request
from tests.release.conftest import asked
from tests.tiny_corpora import topical_corpus

SELECTIONS = (Selection(n_words=20, epsilon=0.3), Selection(n_words=20, epsilon=0.4, delta=1e-7))


@pytest.fixture(scope="module")
def met() -> Corpus:
    """Documents over every word that was met."""
    simulated = topical_corpus(0)
    return Corpus(
        simulated.counts, simulated.vocabulary, Label.SENSITIVE, "letters", VocabularySource.MET
    )


def with_words(selection: Selection, method: str = "private-unigram") -> Request:
    """Of the method that is drawn soonest: a selection costs the same beside any."""
    return replace(asked(method, epsilon=0.5), selection=selection)


@pytest.mark.parametrize("method", ["refined", "private-unigram"])
@pytest.mark.parametrize("selection", SELECTIONS)
def test_spending_of_a_request_prices_both_parts_of_a_selection(
    selection: Selection, method: str, met: Corpus
) -> None:
    law, request = selection_thresholds(selection), with_words(selection, method)
    spending = request.spending(met)
    assert law.selection_failure > 0.2 * selection.delta
    assert spending.selection_failure == law.selection_failure
    assert spending.mu == gaussian.compose([law.mu, request.mu])


def test_spending_without_a_selection_has_no_failure_to_price(corpus: Corpus) -> None:
    assert asked().spending(corpus).selection_failure == 0.0


def test_releases_with_selected_words_are_charged_the_failure_of_each_selection(
    met: Corpus, folder: Folder
) -> None:
    charged_failure = Fraction(0)
    for selection in SELECTIONS:
        receipt = release(met, with_words(selection), folder)
        charged_failure += Fraction(selection_thresholds(selection).selection_failure)
        for balance in (receipt.balance, Ledger(folder).balance("mail")):
            assert Fraction(balance.used_totals.selection_failure, SLACK_UNITS) >= charged_failure
            assert balance.used_totals.selection_failure <= charged_failure * SLACK_UNITS + len(
                SELECTIONS
            )


def test_continuing_a_release_does_not_pay_for_its_selection_again(
    met: Corpus, folder: Folder
) -> None:
    first_receipt = release(met, with_words(SELECTIONS[0]), folder)
    continuation = asked("private-unigram").continuing(first_receipt.artefact, 1.5)
    assert continuation.spending(met).selection_failure == 0.0
    assert (
        release(met, continuation, folder).balance.used_totals.selection_failure
        == first_receipt.balance.used_totals.selection_failure
    )
