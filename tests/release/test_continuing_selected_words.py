"""Releases over selected words that are continued: the words stay, and are paid for once."""

import math
from dataclasses import dataclass, replace

import pytest

from dplda.core.errors import DpldaError
from dplda.corpus import Corpus, Selection, VocabularySource
from dplda.privacy.accounting import gaussian
from dplda.privacy.accounting.budget_caps import SELECTION_FAILURE_SHARE, BudgetTotals
from dplda.privacy.word_selection.thresholds import RESERVED_DELTA_SHARE
from dplda.release.artefact.artefact import Artefact
from dplda.release.artefact.released_file import read_release, write_release
from dplda.release.ledger.folder import Folder
from dplda.release.ledger.ledger import Ledger
from dplda.release.workflow.perform import release
from dplda.release.workflow.price import describe_price
from dplda.release.workflow.request import Request
from tests.release.conftest import asked, with_seeds


@dataclass
class Chain:
    """A release over selected words, and the one that continues it.

    Attributes:
        documents: with every word that occurs in them.
        words: how they are selected: a public list and others.
        folder: where both releases are.
        first_file: the first release, as its file holds it.
        first: the first release.
        second: the one that continues it.
        continuation: the request of the second.
        paid_totals: what the ledger counts after the first.
        used_totals: what the ledger counts after the second.
    """

    documents: Corpus
    words: Selection
    folder: Folder
    first_file: bytes
    first: Artefact
    second: Artefact
    continuation: Request
    paid_totals: BudgetTotals
    used_totals: BudgetTotals

    @property
    def delta_of_fit(self) -> float:
        """What the reserves leave of δ for the noise of the second release."""
        delta = self.second.guarantee.delta
        failure = SELECTION_FAILURE_SHARE * self.words.delta
        return (1 - RESERVED_DELTA_SHARE) * (delta - failure)

    @property
    def spent_mu(self) -> float:
        """What all noisy values of the second release spend, those of the first among them."""
        return gaussian.compose([value.mu for value in self.second.noisy_values])

    @property
    def total_mu(self) -> float:
        """The most that the promise of the second release allows."""
        return gaussian.mu_for(self.second.guarantee.epsilon, self.delta_of_fit)


@pytest.fixture(scope="module")
def documents(corpus: Corpus) -> Corpus:
    return replace(corpus, vocabulary_source=VocabularySource.MET)


@pytest.fixture(scope="module")
def words(corpus: Corpus) -> Selection:
    return Selection(n_words=20, epsilon=0.5, listed=corpus.vocabulary[:12])


@pytest.fixture(scope="module")
def chain(documents: Corpus, words: Selection, tmp_path_factory: pytest.TempPathFactory) -> Chain:
    folder = Folder(tmp_path_factory.mktemp("chain") / "releases")
    Ledger(folder).declare("mail", epsilon=3.0, delta=1e-5)
    first_receipt = release(documents, replace(asked(epsilon=1.0), selection=words), folder)
    paid_totals = Ledger(folder).balance("mail").used_totals
    continuation = asked(epsilon=1.0).continuing(first_receipt.artefact, 2.0)
    second_release = release(documents, continuation, folder).artefact
    return Chain(
        documents=documents,
        words=words,
        folder=folder,
        first_file=first_receipt.path.read_bytes(),
        first=first_receipt.artefact,
        second=second_release,
        continuation=continuation,
        paid_totals=paid_totals,
        used_totals=Ledger(folder).balance("mail").used_totals,
    )


@pytest.mark.parametrize("has_list", [True, False])
def test_price_of_seed_words_off_the_public_list_warns(
    has_list: bool, documents: Corpus, words: Selection, folder: Folder
) -> None:
    """Without a list it is not known yet which words there will be."""
    selection = words if has_list else replace(words, listed=())
    request = replace(with_seeds("a: nowhere", epsilon=1.0), selection=selection)
    price = [*describe_price(documents, request, Ledger(folder).balance("mail"), "document")]
    assert ("No word of the table is on the" in str(price)) is has_list


def test_release_over_selected_words_reads_back_with_its_public_list(chain: Chain) -> None:
    reread = read_release(chain.first_file, "a file")
    assert write_release(reread) == write_release(chain.first) == chain.first_file
    assert set(chain.words.listed) <= set(chain.first.vocabulary)


def test_continued_release_keeps_the_selected_words(chain: Chain) -> None:
    third_request = asked(epsilon=1.0).continuing(
        read_release(write_release(chain.second), "parent"), 2.5
    )
    third_release = release(chain.documents, third_request, chain.folder).artefact
    assert chain.second.vocabulary == chain.first.vocabulary
    assert third_release.vocabulary == chain.first.vocabulary


def test_continued_release_draws_no_second_weights_of_words(chain: Chain) -> None:
    first_values, second_values = chain.first.noisy_values, chain.second.noisy_values
    assert second_values[: len(first_values)] == first_values
    quantities = [value.quantity for value in second_values]
    assert sum(quantity.startswith("weights of words") for quantity in quantities) == 2
    rests_on = chain.second.guarantee.rests_on
    assert any("a public list of 12 need no threshold" in sentence for sentence in rests_on)


def test_continued_release_over_selected_words_promises_its_total(chain: Chain) -> None:
    guarantee = chain.second.guarantee
    assert 1.999 < guarantee.epsilon <= 2.0
    assert guarantee.delta == chain.first.guarantee.delta
    assert gaussian.epsilon_for(chain.spent_mu, chain.delta_of_fit) <= guarantee.epsilon


def test_continued_release_over_selected_words_is_charged_its_total(chain: Chain) -> None:
    """A spectral start that is given up spends less."""
    assert chain.used_totals.selection_failure == chain.paid_totals.selection_failure
    assert 0.95 * chain.total_mu < chain.spent_mu <= chain.total_mu * (1 + 1e-12)
    assert math.isclose(chain.used_totals.squared_mu, chain.total_mu**2 * 1e15, rel_tol=1e-3)


def test_continued_release_with_another_selection_or_method_is_refused_uncharged(
    chain: Chain, corpus: Corpus
) -> None:
    entries_before = Ledger(chain.folder).entries()
    for other_request in (
        replace(chain.continuation, selection=None),
        replace(chain.continuation, selection=replace(chain.words, epsilon=0.4)),
        asked("private-unigram").continuing(chain.first, 2.2),
    ):
        with pytest.raises(DpldaError, match="differ"):
            release(
                chain.documents if other_request.selection else corpus, other_request, chain.folder
            )
    assert Ledger(chain.folder).entries() == entries_before


def test_continued_release_below_the_price_of_its_words_is_refused(chain: Chain) -> None:
    with pytest.raises(DpldaError, match="above what words alone take"):
        asked().continuing(chain.first, 0.2)
