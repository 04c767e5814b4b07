"""Play: what is shown was computed by this code, keeps what ε promises, and is there before anything is fitted."""

import json
import math
import re
from itertools import islice
from unittest.mock import Mock

import numpy as np
import pytest
from scipy.stats import norm
from streamlit.testing.v1 import AppTest

from benchmarks import play
from dplda.attacks.game import play_runs
from dplda.corpus import Simulation
from dplda.lessons.play.picture import picture_data
from dplda.lessons.play.shipped_numbers import FOLDER, NUMBERS, shipped_numbers, times_in_100
from dplda.methods.base.method import Method
from dplda.methods.base.problem import Budget
from dplda.methods.registry import parse_method
from dplda.privacy.accounting import gaussian
from dplda.privacy.accounting.risk import risk_of
from dplda.ui.state.keys import Key
from tests.pages.conftest import go

FILE = NUMBERS


def drawn_data(app: AppTest) -> dict:
    """What the picture's script receives."""
    (component,) = app.get("bidi_component")
    return json.loads(component.proto.json)


@pytest.fixture(scope="module")
def content() -> dict:
    return json.loads(FILE.read_text("utf-8"))


def test_shipped_numbers_computed_again_agree(content) -> None:
    """Topics of one stop, and two runs of the attack: last digits may differ with the machine's linear algebra."""
    assert FILE.stat().st_size < 300_000
    assert Simulation(**content["simulation"]) == play.SIMULATION
    assert (content["method"], content["delta"]) == (play.METHOD, play.DELTA)
    assert [stop["epsilon"] for stop in content["stops"]] == [*play.STOPS, None]
    stop = content["stops"][4]
    runs = play.play_attacks(stop["epsilon"], 0, 2)
    mu = gaussian.mu_for(stop["epsilon"], play.DELTA)
    assert [run.used_first for run in runs] == stop["was_in"][:2]
    np.testing.assert_allclose([run.loss / mu for run in runs], stop["scores"][:2], atol=0.01)
    computed = [
        *zip(play.learn_topics(stop["epsilon"], with_letter=True), stop["with"], strict=True),
        *zip(
            play.learn_topics(None, with_letter=False), content["stops"][-1]["without"], strict=True
        ),
    ]
    for computed_stop, shipped_stop in computed:
        assert (computed_stop["words"], computed_stop["own"]) == (
            shipped_stop["words"],
            shipped_stop["own"],
        )
        np.testing.assert_allclose(
            [*computed_stop["shares"], computed_stop["error"]],
            [*shipped_stop["shares"], shipped_stop["error"]],
            atol=2e-3,
        )
    assert play.topics_differ()


def test_summing_the_other_letters_once_changes_no_attack() -> None:
    plain = play_runs(parse_method(play.METHOD), Budget(3.0, play.DELTA), play.LETTERS, seed=5)
    (expected,) = islice(plain, 1)
    (attacked_run,) = play.play_attacks(3.0, 5, 1)
    assert attacked_run.used_first == expected.used_first
    assert attacked_run.loss == pytest.approx(expected.loss, abs=1e-9)


def test_collections_with_the_letter_or_another_are_neighbors() -> None:
    first_counts, second_counts = (corpus.counts.toarray() for corpus in play.LETTERS.corpora())
    assert np.flatnonzero(np.any(first_counts != second_counts, axis=1)).tolist() == [0]


def test_play_attacked_document_is_the_letter_shown(content) -> None:
    corpus, _ = play.LETTERS.corpora()
    counts = corpus.counts[[0]].toarray()[0]
    words = {corpus.vocabulary[i]: int(counts[i]) for i in np.flatnonzero(counts)}
    assert words == {word: 1 for word in content["counted_words"]}
    assert set(words) <= set(re.findall("[a-z]+", content["letter"].lower()))
    simulated_counts = play.SIMULATION.draw().counts
    assert (corpus.counts[1:] != simulated_counts[1:]).nnz == 0, "all others are simulated"


def test_play_attacker_is_right_just_as_often_as_the_budget_allows(content) -> None:
    """Releases together are μ-GDP, so nobody is right more often than Φ(μ/2); 4 standard errors: once in 16,000."""
    *private, _ = content["stops"]
    for stop in private:
        n, epsilon = len(stop["scores"]), stop["epsilon"]
        mu = gaussian.mu_for(epsilon, content["delta"])
        losses = mu * np.array(stop["scores"])
        chances = 1 / (1 + np.exp(-np.abs(losses)))
        assert stop["right"] == pytest.approx(chances.mean(), abs=1e-3)
        error = chances.std() / math.sqrt(n)
        assert (
            abs(stop["right"] - norm.cdf(mu / 2)) < 4 * error + 0.05 * mu
        )  # this letter is nearly the worst
        promised_chance = risk_of(epsilon, content["delta"], is_gaussian=True).right_guess
        assert stop["right"] - 4 * error <= norm.cdf(mu / 2) <= promised_chance
        # The mean over runs may lie above the bound by its error; the numbers shown do not.
        assert round(100 * stop["right"]) <= times_in_100(promised_chance)
        guessed = np.mean((np.array(stop["scores"]) > 0) == np.array(stop["was_in"], dtype=bool))
        assert abs(guessed - stop["right"]) < 4 * math.sqrt(0.25 / n)


def test_play_attacker_is_right_more_often_with_more_budget(content) -> None:
    rights = [stop["right"] for stop in content["stops"]]
    assert rights == sorted(rights)


def test_play_attacker_without_noise_is_always_right(content) -> None:
    noiseless = content["stops"][-1]
    assert noiseless["right"] == 1


def test_play_stops_have_equally_many_runs(content) -> None:
    assert len({len(stop["was_in"]) for stop in content["stops"]}) == 1


def test_play_picture_shows_the_numbers_of_the_shipped_runs() -> None:
    numbers = shipped_numbers()
    for stop, shown_stop in zip(numbers.stops, picture_data(numbers)["stops"], strict=True):
        assert shown_stop["name"] == stop.name
        assert shown_stop["attacker"] == round(100 * stop.success)
        if stop.epsilon is None:
            assert (shown_stop["attacker"], shown_stop["promise"]) == (100, "Nothing is promised.")
            continue
        promised_times = math.ceil(
            100 * risk_of(stop.epsilon, numbers.delta, is_gaussian=True).right_guess
        )
        assert shown_stop["promise"] == f"ε = {stop.epsilon:g} promises at most {promised_times}."
        assert f"at most {promised_times} times in 100" in shown_stop["meaning"]
        assert shown_stop["attacker"] <= promised_times


def test_play_picture_shows_each_shipped_run_once() -> None:
    numbers = shipped_numbers()
    for stop, shown_stop in zip(numbers.stops, picture_data(numbers)["stops"], strict=True):
        if stop.scores is None:
            assert shown_stop["runsWith"] is shown_stop["runsWithout"] is None
            assert all((score > 0) == was_in for score, was_in in shown_stop["stars"])
            continue
        heaps = {True: shown_stop["runsWith"], False: shown_stop["runsWithout"]}
        assert {len(heap) for heap in heaps.values()} == {100}
        assert len(shown_stop["stars"]) >= 30
        for was_in, heap in heaps.items():
            of_stars = [
                score for score, star_was_in in shown_stop["stars"] if star_was_in is was_in
            ]
            runs = zip(stop.scores, stop.was_in, strict=True)
            assert heap + of_stars == [score for score, run_was_in in runs if run_was_in is was_in]


def test_picture_offers_lead_to_stops_that_exist() -> None:
    data = picture_data(shipped_numbers())
    names = {stop["name"] for stop in data["stops"]}
    offered_stops = {name for stop in data["stops"] for name, _ in stop["offers"]}
    assert {"no noise", "10", "0.1", "1"} == offered_stops <= names


def test_play_is_drawn_without_a_fit_or_a_sidebar(open_page, monkeypatch) -> None:
    refuse = Mock(side_effect=AssertionError("fitted"))
    monkeypatch.setattr(Method, "fit", property(lambda _: refuse))
    monkeypatch.setattr(Simulation, "draw", refuse)
    app = open_page("play")
    sidebar = app.sidebar
    assert not [*sidebar.select_slider, *sidebar.button, *sidebar.selectbox, *sidebar.caption]
    assert app.title[0].value.startswith(f"What are {shipped_numbers().n_documents:,} letters")
    assert drawn_data(app) == json.loads(json.dumps(picture_data(shipped_numbers())))


@pytest.mark.parametrize(
    ("named_stop", "shown_stop"), [("no noise", "no noise"), ("0.3", "0.3"), ("<b>", "1")]
)
def test_play_address_opens_the_stop_it_names(open_page, named_stop, shown_stop) -> None:
    assert drawn_data(open_page("play", {"play": named_stop}))["stop"] == shown_stop


def test_play_after_another_page_keeps_its_stop(open_page) -> None:
    app = open_page("play", {"play": "10"})
    go(app, "docs")
    app.query_params.clear()
    assert drawn_data(go(app, "play"))["stop"] == "10"
    assert app.query_params[Key.PLAY] == "10"


def test_play_scripts_import_only_files_that_are_there() -> None:
    scripts = sorted(FOLDER.glob("*.js"))
    assert len(scripts) >= 5
    for script in scripts:
        code = script.read_text("utf-8")
        for imported in re.findall(r"from '([^']+)'", code):
            assert (FOLDER / imported).is_file()
        assert not re.search(r"\b(fetch|eval|XMLHttpRequest|WebSocket)\s*\(", code)
