"""The balance of a budget: what is left can be had, and a refusal names what ran out."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import cast

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dplda.cli import main
from dplda.corpus import Corpus
from dplda.privacy.accounting import gaussian
from dplda.privacy.accounting.budget_caps import Spending
from dplda.privacy.accounting.odds import format_rounded_down
from dplda.privacy.noise.exact import delta_of_noise, max_tv_slack
from dplda.privacy.noise.fixed_point import MAX_DOCUMENTS
from dplda.release.ledger.amounts import to_units
from dplda.release.ledger.balance import PLANNED_ONLY, Balance
from dplda.release.ledger.folder import Folder
from dplda.release.ledger.ledger import Ledger, LedgerError
from dplda.release.workflow.draft import Draft, ReleaseStep
from dplda.release.workflow.perform import release
from dplda.release.workflow.price import describe_price
from tests.release.conftest import asked

DELTA = 1e-6
SMALL, LARGE = (
    1e-17,
    1e-13,
)  # distances of exact noise per μ², of a thousand and ten million documents


def spending_at(epsilon: float, delta: float, distance: float) -> Spending:
    """Of a release at (ε, δ) with exact noise of a distance per μ²."""
    mu = gaussian.mu_for(epsilon, delta_of_noise(delta))
    return Spending(mu, tv_slack=distance * mu**2)


def balance_after(cap: float, first_epsilon: float, distance: float) -> Balance:
    """Of a budget after a first release at δ = 1e-6."""
    spending = spending_at(first_epsilon, DELTA, distance)
    balance = Balance(to_units(cap, 1e-5, up=False)).after_release(
        epsilon=first_epsilon, delta=DELTA, spending=spending
    )
    assert balance is not None
    return balance


def is_accepted(balance: Balance, epsilon: float, delta: float, distance: float) -> bool:
    """Whether the ledger has room for a release, and its own δ covers its exact noise."""
    spending = spending_at(epsilon, delta, distance)
    has_room = balance.after_release(epsilon=epsilon, delta=delta, spending=spending) is not None
    return has_room and spending.tv_slack <= max_tv_slack(epsilon, delta)


@pytest.mark.parametrize(
    ("cap", "first_epsilon", "distance"),
    [
        (3.0, 1.0, SMALL),
        (20.0, 1.0, SMALL),
        (40.0, 1.0, SMALL),
        (40.0, 8.0, SMALL),
        (20.0, 5.0, LARGE),
    ],
)
def test_left_after_a_release_is_accepted_to_its_end(
    cap: float, first_epsilon: float, distance: float
) -> None:
    balance = balance_after(cap, first_epsilon, distance)
    epsilon, delta = balance.remaining
    assert is_accepted(balance, epsilon * (1 - 1e-9), delta, distance)
    assert not is_accepted(balance, epsilon * 1.001, delta, distance)


asks = st.tuples(st.floats(0.1, 15), st.floats(-20, -13), st.floats(0, 0.25))
histories = st.lists(asks, min_size=1)


def as_shown(epsilon_and_delta: tuple[float, float]) -> tuple[float, float]:
    """ε and δ with the digits that a sentence on what is left has."""
    epsilon, delta = epsilon_and_delta
    return float(format_rounded_down(epsilon, 3)), float(format_rounded_down(delta, 3))


def refusals(
    cap: float, requests: Sequence[tuple[float, float, float]]
) -> Iterator[tuple[Balance, float, Spending]]:
    """Yield the balance, ε and spending of each request at δ = 1e-6 that is refused."""
    balance = Balance(to_units(cap, 1e-5, up=False))
    for epsilon, power, passing in requests:
        spending = replace(
            spending_at(epsilon, DELTA, 10**power), selection_failure=passing * DELTA
        )
        balance_after = balance.after_release(epsilon=epsilon, delta=DELTA, spending=spending)
        if balance_after is None:
            yield balance, epsilon, spending
        else:
            balance = balance_after


@given(st.floats(0.5, 60), histories)
@example(16.0, [(2.0, -20.0, 0.25)] * 14)
@example(4.0, [(2.12, -20.0, 0.0), (3.7, -20.0, 0.25)])
@example(16.0, [(2.03, -14.0, 0.0), (9.45, -14.0, 0.25)])
@settings(max_examples=80, deadline=None)
def test_refusal_of_a_release_never_says_more_left_than_it_costs(cap: float, requests) -> None:
    """Neither more ε nor more δ, and less of one: else a refusal contradicts itself."""
    for balance, epsilon, spending in refusals(cap, requests):
        epsilon_left, delta_left = balance.remaining_for(spending, epsilon=epsilon, delta=DELTA)
        assert epsilon_left <= epsilon
        assert delta_left <= DELTA
        assert epsilon_left < epsilon or delta_left < DELTA


@given(st.floats(0.5, 60), histories)
@example(16.0, [(2.0, -20.0, 0.25)] * 14)
@settings(max_examples=80, deadline=None)
def test_left_in_a_refusal_is_accepted_to_the_bit(cap: float, requests) -> None:
    """A release of the same kind: noise, words that pass and distance keep their proportions."""
    for balance, epsilon, spending in refusals(cap, requests):
        remaining = balance.remaining_for(spending, epsilon=epsilon, delta=DELTA)
        if min(as_shown(remaining)) <= 0:
            continue
        for epsilon_left, delta_left in (remaining, as_shown(remaining)):
            share = delta_left / DELTA * (1 - 1e-15)
            mu = gaussian.mu_for(epsilon_left, gaussian.delta_of(epsilon, spending.mu) * share)
            smaller_spending = Spending(
                mu,
                selection_failure=spending.selection_failure * share,
                tv_slack=spending.tv_slack / spending.mu**2 * mu**2,
            )
            assert balance.after_release(
                epsilon=epsilon_left, delta=delta_left, spending=smaller_spending
            )


kinds = st.tuples(
    st.integers(100, MAX_DOCUMENTS),
    st.integers(10, 20_000),
    st.integers(2, 50),
    st.floats(0.05, 1.0),
)


@given(kinds, st.integers(1, 999), st.integers(-6, 0), st.floats(1e-8, 1e-4), st.floats(0.01, 1.0))
@example((2_738_797, 7933, 7, 0.3), 500, 0, 1.6333726517932856e-07, 0.5)
@example((2_773_864, 907, 17, 0.25), 486, 0, 2e-8, 0.5)
@settings(max_examples=40, deadline=None)
def test_left_after_requests_of_a_kind_is_accepted_as_shown(
    kind: tuple[int, int, int, float], digits: int, power: int, delta_cap: float, share: float
) -> None:
    """A further request of the same documents, words and topics at the numbers that were read."""
    n_documents, n_words, n_topics, epsilon_share = kind
    cap = max(digits * 10.0 ** (power - 1), 0.05)
    rows = cast(Corpus, SimpleNamespace(n_documents=n_documents, n_words=n_words))
    balance = Balance(to_units(cap, delta_cap, up=False))

    def after(epsilon: float, delta: float) -> Balance | None:
        """The balance after one more request; None if it is refused."""
        request = asked(n_topics=n_topics, epsilon=epsilon, delta=delta)
        spending = request.spending(rows)
        if spending.tv_slack > max_tv_slack(epsilon, delta):
            return None
        return balance.after_release(epsilon=epsilon, delta=delta, spending=spending)

    for _ in range(3):
        balance_after = after(cap * epsilon_share, share * delta_cap)
        if balance_after is None:
            return
        balance = balance_after
        remaining = as_shown(balance.remaining)
        assert min(remaining) <= 0 or after(*remaining) is not None


def test_left_that_no_noise_of_64_bits_can_use_is_nothing() -> None:
    """It said that ε = 0.008 is left, and refused that: noise would be too wide."""
    rows = cast(Corpus, SimpleNamespace(n_documents=2227, n_words=78))
    spending = asked(n_topics=30, epsilon=0.33, delta=5.5e-5).spending(rows)
    balance = Balance(to_units(1.0, 1e-4, up=False)).after_release(
        epsilon=0.33, delta=5.5e-5, spending=spending
    )
    assert balance is not None
    assert balance.budget_caps is not None
    squared_mu = balance.used_totals.squared_mu + 4 * 10**9
    nearly_used = replace(balance, budget_caps=balance.budget_caps._replace(squared_mu=squared_mu))
    of_any_noise = replace(spending, smallest_mu=0.0)
    epsilon_left, _ = nearly_used.remaining_for(of_any_noise, epsilon=0.33, delta=5.5e-5)
    assert epsilon_left > 0.001
    assert nearly_used.remaining_for(spending, epsilon=0.33, delta=5.5e-5)[0] == 0


def test_refusal_where_words_used_their_part_says_how_much_delta_is_left() -> None:
    balance = balance_after(3.0, 1.0, SMALL)
    with_words = replace(spending_at(0.5, DELTA, SMALL), selection_failure=0.3e-5)
    epsilon_left, delta_left = balance.remaining_for(with_words, epsilon=0.5, delta=DELTA)
    assert epsilon_left > 0
    assert delta_left == 8.33e-7 < DELTA * 0.25e-5 / 0.3e-5


def test_refusal_where_exact_noise_is_too_far_off_names_it(folder: Folder) -> None:
    ledger = Ledger(folder)
    ledger.declare("large", epsilon=40.0, delta=1e-5)
    for epsilon in (1.0, 4.0):
        spending = spending_at(epsilon, DELTA, LARGE)
        ledger.charge("large", epsilon=epsilon, delta=DELTA, detail="{}", spending=spending)
    spending = spending_at(2.5, DELTA, LARGE)
    with pytest.raises(LedgerError, match=r"distance of exact noise .* has run out") as refusal:
        ledger.charge("large", epsilon=2.5, delta=DELTA, detail="{}", spending=spending)
    epsilon_left = float(str(refusal.value).split("ε = ")[1].split()[0])
    assert epsilon_left < 2.5
    assert ledger.balance("large").remaining[0] < 2.5


def test_budget_step_of_the_dashboard_names_what_ran_out(
    corpus: Corpus, folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DPLDA_RELEASES", str(folder.path))
    Ledger(folder).declare("large", epsilon=40.0, delta=1e-5)
    balance = balance_after(40.0, 0.1, LARGE)
    request = replace(asked(epsilon=8.0), dataset="large")
    draft = Draft(corpus, "document", {"large": balance}, request, None, is_started=False)
    draft.check_step(ReleaseStep.BUDGET)
    used_up_balance = replace(
        balance,
        used_totals=balance.used_totals._replace(tv_slack=balance.budget_caps.caps.tv_slack),
    )
    with pytest.raises(LedgerError, match=r"distance of exact noise .* Or choose a new budget"):
        replace(draft, datasets={"large": used_up_balance}).check_step(ReleaseStep.BUDGET)


def test_draft_affords_what_its_budget_has_room_for(corpus: Corpus) -> None:
    balance = balance_after(4.0, 1.0, LARGE)
    request = replace(asked(epsilon=1.0), dataset="large")
    draft = Draft(corpus, "document", {"large": balance}, request, None, is_started=False)
    assert draft.affords(2.0)
    assert not draft.affords(5.0)


def test_refusal_where_words_used_their_part_of_delta_names_it() -> None:
    balance = balance_after(3.0, 1.0, SMALL)
    with_words = replace(spending_at(0.5, DELTA, SMALL), selection_failure=0.3e-5)
    assert balance.after_release(epsilon=0.5, delta=DELTA, spending=with_words) is None
    assert "pass by chance" in balance.explain_refusal(
        epsilon=0.5, delta=DELTA, spending=with_words
    )


def test_refusal_of_other_noise_after_gaussian_noise_names_it() -> None:
    balance = balance_after(3.0, 1.0, SMALL)
    assert balance.after_release(epsilon=0.1, delta=0.0) is None
    assert "only room for others with Gaussian noise" in balance.explain_refusal(
        epsilon=0.1, delta=0.0, spending=None
    )


def test_continuing_just_above_a_total_is_charged_the_smallest_epsilon(
    corpus: Corpus, folder: Folder
) -> None:
    """δ alone covers the little that is added, so its own ε would be 0."""
    ledger = Ledger(folder)
    ledger.declare("wide", epsilon=3.0, delta=0.1)
    first_request = replace(asked("private-unigram", delta=0.02), dataset="wide")
    first_release = release(corpus, first_request, folder).artefact
    continuation = first_request.continuing(first_release, 1.001)
    assert gaussian.epsilon_for(continuation.mu, delta_of_noise(0.02)) == 0
    used_before = ledger.balance("wide").used_totals.squared_mu
    assert release(corpus, continuation, folder).charged
    assert ledger.entries("wide")[-1].epsilon == 1
    assert ledger.balance("wide").used_totals.squared_mu > used_before


def test_price_after_earlier_releases_says_what_their_count_rests_on(
    corpus: Corpus, folder: Folder
) -> None:
    release(corpus, asked("private-unigram"), folder)
    balance = Ledger(folder).balance("mail")
    price_text = " ".join(
        describe_price(corpus, asked("private-unigram", alpha0=2.0), balance, "document")
    )
    assert "With earlier releases this counts as ε = " in price_text
    assert PLANNED_ONLY in price_text


def test_show_says_what_the_count_of_releases_rests_on(
    corpus: Corpus, folder: Folder, monkeypatch: pytest.MonkeyPatch, capsys
) -> None:
    monkeypatch.setenv("DPLDA_RELEASES", str(folder.path))
    assert main.main(["ledger", "show"]) == 0
    assert PLANNED_ONLY not in capsys.readouterr().out, "nothing is released yet"
    release(corpus, asked("private-unigram"), folder)
    assert main.main(["ledger", "show"]) == 0
    assert PLANNED_ONLY in capsys.readouterr().out
