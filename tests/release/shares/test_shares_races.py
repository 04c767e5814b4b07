"""Requests for tables of shares that run at once: together they stay within the cap."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from dplda.corpus import Corpus
from dplda.methods.shares.groups import GroupAxis, Groups
from dplda.release.ledger.folder import Folder
from dplda.release.ledger.ledger import Ledger, LedgerError
from dplda.release.shares.perform import release_shares
from dplda.release.shares.request import SharesRequest
from dplda.release.shares.shares_file import write_shares
from tests.release.interrupted import n_charges


def test_shares_table_asked_for_twice_at_once_is_charged_once(
    letters: Corpus, request_of_shares: SharesRequest, folder: Folder
) -> None:
    with ThreadPoolExecutor(2) as pool:
        receipts = list(
            pool.map(lambda _: release_shares(letters, request_of_shares, folder), range(2))
        )
    assert sorted(receipt.charged for receipt in receipts) == [False, True]
    assert write_shares(receipts[0].shares) == write_shares(receipts[1].shares)
    assert n_charges(folder) == 2


def test_tables_that_race_never_spend_more_than_the_cap(
    letters: Corpus, request_of_shares: SharesRequest, folder: Folder
) -> None:
    """Topics at ε = 1 and four tables at ε = 1.6 are more than the cap of 3."""
    districts = ("north", "south", "west", "east")
    requests = [
        replace(request_of_shares, groups=Groups((GroupAxis((district,)),)), epsilon=1.6)
        for district in districts
    ]

    def ask(request: SharesRequest) -> bool:
        try:
            return release_shares(letters, request, folder).charged
        except LedgerError:
            return False

    with ThreadPoolExecutor(len(requests)) as pool:
        n_charged = sum(pool.map(ask, requests))
    ledger = Ledger(folder)
    assert 1 <= n_charged < len(requests)
    assert n_charges(folder) == 1 + n_charged
    assert not ledger.balance("mail").exceeded
    assert ledger.faults() == ()
    with pytest.raises(LedgerError):
        release_shares(letters, replace(requests[0], delta=2e-6), folder)
