"""Every place that says the risk of an ε and δ says the same numbers, those of an independent route."""

import math
import re
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
import streamlit as st
from scipy.optimize import brentq
from scipy.stats import norm

from dplda.lessons.play.game import game_data
from dplda.lessons.play.picture import picture_data
from dplda.lessons.play.shipped_numbers import shipped_numbers
from dplda.lessons.views import VIEWS
from dplda.methods.base.problem import Budget
from dplda.methods.registry import parse_method
from dplda.privacy.accounting import gaussian
from dplda.privacy.accounting.budget_caps import Spending
from dplda.privacy.accounting.odds import format_rounded_up
from dplda.release.artefact.artefact import Artefact
from dplda.release.ledger.amounts import to_units
from dplda.release.ledger.balance import Balance
from dplda.release.publication.card import render_card
from dplda.release.publication.officer import render_officer_page
from dplda.release.publication.record import render_record
from dplda.release.report.page import render_release
from dplda.release.shares.together import describe_risk_together
from dplda.release.workflow.price import describe_terms
from dplda.release.workflow.receipt import Receipt, receipt_lines
from dplda.release.workflow.request import Request
from dplda.ui.learn import game_result
from dplda.ui.shell import sidebar
from dplda.ui.state.keys import Key
from tests.asking import settings_of
from tests.house.source import ROOT
from tests.release.test_artefact import artefact, thirds
from tests.tiny_corpora import topical_corpus

DELTA = 1e-7
EPSILONS = (1.0, 3.0)
PROMISES = [(epsilon, delta) for epsilon in EPSILONS for delta in (DELTA, 1e-5)]
RIGHT = re.compile(r"right at most (\d+) times in 100 \(a coin")
RAISED = re.compile(r"it is right at most ([\d.]+) times in 100")


def expected_numbers(epsilon: float, delta: float = DELTA) -> tuple[str, str]:
    """Right guesses and raised guesses in 100, by solving the Gaussian mechanism's δ for μ."""

    def excess_delta(mu: float) -> float:
        tail = math.exp(epsilon) * norm.cdf(-mu / 2 - epsilon / mu)
        return norm.cdf(mu / 2 - epsilon / mu) - tail - delta

    mu = brentq(excess_delta, 0.01, 5, xtol=1e-14)
    right = norm.cdf(mu / 2) + delta
    raised = norm.cdf(norm.ppf(0.01 + delta) + mu) + delta
    return str(math.ceil(100 * right)), f"{math.ceil(1000 * raised) / 10:g}"


def released(epsilon: float, delta: float = DELTA) -> Artefact:
    return artefact(thirds(epsilon, delta), epsilon, delta)


def receipt_text(epsilon: float, delta: float) -> str:
    artefact = released(epsilon, delta)
    balance = Balance(to_units(10.0, 1e-5, up=False))
    return "\n".join(
        receipt_lines(
            Receipt(artefact=artefact, path=Path("a file"), charged=True, balance=balance)
        )
    )


def ledger_text(epsilon: float, delta: float) -> str:
    spending = Spending(gaussian.mu_for(0.1, 1e-9))
    balance = Balance(to_units(epsilon, delta, up=False))
    balance_after = balance.after_release(epsilon=0.1, delta=2e-9, spending=spending)
    return balance_after.describe_cap_risk("document")


def terms_text(epsilon: float, delta: float) -> str:
    experiment = settings_of(
        parse_method("refined"), n_topics=3, alpha0=1.0, epsilon=epsilon, delta=delta
    )
    rows = topical_corpus(0)
    return "\n".join(describe_terms(rows, Request("mail", "letters", experiment), "document"))


SENTENCES: dict[str, Callable[[float, float], str]] = {
    "report": lambda *promise: render_release(released(*promise)),
    "page for data protection": lambda *promise: render_officer_page(released(*promise)),
    "registry record": lambda *promise: render_record(released(*promise)),
    "receipt": receipt_text,
    "ledger": ledger_text,
    "price of a release": terms_text,
    "last step of Release": lambda *promise: describe_risk_together(released(*promise), []),
    "Python": lambda *promise: released(*promise).guarantee.describe_risk(),
}


@pytest.mark.parametrize(("epsilon", "delta"), PROMISES)
@pytest.mark.parametrize("place", SENTENCES)
def test_sentences_on_risk_say_the_numbers_of_an_independent_route(place, epsilon, delta) -> None:
    text = SENTENCES[place](epsilon, delta)
    right, raised = expected_numbers(epsilon, delta)
    found_raised = RAISED.findall(text)
    assert found_raised
    assert set(found_raised) == {raised}
    if place != "page for data protection":  # which says the first sentence in other words
        assert set(RIGHT.findall(text)) == {right}
    else:
        assert f"right at most {right} times in 100" in " ".join(text.split())


@pytest.mark.parametrize(("epsilon", "delta"), PROMISES)
def test_dial_shows_the_number_of_the_sentence(epsilon, delta) -> None:
    right, _ = expected_numbers(epsilon, delta)
    for page in (render_release, render_card, render_officer_page):
        assert f'<text class="dial-number" x="100" y="88" text-anchor="middle">{right}<' in page(
            released(epsilon, delta)
        )


@pytest.mark.parametrize("method", ["refined", "config-1", "config-2"])
@pytest.mark.parametrize(("epsilon", "delta"), PROMISES)
def test_sentence_beside_the_control_of_epsilon_says_the_number(
    method, epsilon, delta, monkeypatch
) -> None:
    monkeypatch.setattr(st, "session_state", {Key.EPSILON: epsilon})
    claim = parse_method(method).guarantee(topical_corpus(0), Budget(epsilon, delta))
    sentence = sidebar._promise(claim, "")
    assert RIGHT.findall(sentence) == [expected_numbers(epsilon, delta)[0]]
    breakable_sentence = sentence.replace("\u00a0", " ")
    assert breakable_sentence.endswith(f"(ε = {epsilon:g}, δ = {format_rounded_up(delta)})")


@pytest.mark.parametrize(("epsilon", "delta"), PROMISES)
def test_lesson_says_the_numbers(epsilon, delta) -> None:
    view = VIEWS["odds"](epsilon=epsilon, delta=delta, before=0.01)
    numbers = view.make_picture(0, lambda share, step: None).numbers
    right, raised = expected_numbers(epsilon, delta)
    assert f"{100 * numbers['allowed']:.0f}" == right
    assert f"{100 * numbers['after']:.1f}" == f"{float(raised):.1f}"


@pytest.mark.parametrize(("epsilon", "delta"), PROMISES)
def test_game_says_the_number(epsilon, delta, monkeypatch) -> None:
    texts: list[str] = []
    monkeypatch.setattr(st, "markdown", texts.append)
    monkeypatch.setattr(st, "button", lambda *_, **__: False)
    monkeypatch.setattr(game_result.figure_view, "draw_table", lambda *_: None)
    game_result.draw_result(SimpleNamespace(scores=(5, 5)), (0.5, 0.5), Budget(epsilon, delta))
    right, _ = expected_numbers(epsilon, delta)
    assert f"promises at most {right} in 100" in texts[0]


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_play_promises_the_number(epsilon) -> None:
    numbers = shipped_numbers()
    assert numbers.delta == DELTA
    stops = picture_data(numbers)["stops"]
    (stop,) = (shown_stop for shown_stop in stops if shown_stop["label"] == f"ε = {epsilon:g}")
    right, _ = expected_numbers(epsilon)
    assert stop["promise"] == f"ε = {epsilon:g} promises at most {right}."
    assert f"candidates at most {right} times in 100" in stop["meaning"]


def test_game_of_the_page_promises_the_number() -> None:
    right, _ = expected_numbers(1.0)
    for match in game_data()["matches"]:
        assert f"ε = 1 promises at most {right}." in match["result"]


def test_docs_give_the_numbers_of_every_epsilon_they_list() -> None:
    text = (ROOT / "assets" / "docs" / "concepts.md").read_text("utf-8")
    rows = re.findall(r"^\| ([\d.]+) \| (\d+) \| ([\d.]+) \|", text, re.MULTILINE)
    assert {float(epsilon) for epsilon, *_ in rows} >= set(EPSILONS)
    for epsilon, *numbers in rows:
        assert tuple(numbers) == expected_numbers(float(epsilon))
    questions = (ROOT / "assets" / "docs" / "questions.md").read_text("utf-8")
    stated_numbers = re.findall(r"(\d+)(?: times in 100)? at ε = (\d)", " ".join(questions.split()))
    assert [(right, epsilon) for right, epsilon in stated_numbers] == [
        (expected_numbers(epsilon)[0], f"{epsilon:g}") for epsilon in EPSILONS
    ]


def test_glossary_gives_the_number_of_epsilon_one() -> None:
    text = (ROOT / "assets" / "docs" / "glossary.toml").read_text("utf-8")
    assert re.findall(r"right more than (\d+) times in 100", text) == [expected_numbers(1.0)[0]]


def test_best_guess_is_used_by_the_risk_module_alone() -> None:
    users = [
        path.relative_to(ROOT).as_posix()
        for folder in ("dplda", "pages", "benchmarks")
        for path in (ROOT / folder).rglob("*.py")
        if re.search(r"\bbest_guess\b", path.read_text("utf-8"))
    ]
    assert sorted(users) == ["dplda/privacy/accounting/odds.py", "dplda/privacy/accounting/risk.py"]
