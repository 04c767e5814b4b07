"""Play: what is shown was computed by this code, keeps what ε promises, and is there before anything is fitted."""

import html
import json
import math
import re
from itertools import islice
from unittest.mock import Mock

import numpy as np
import pytest
from scipy.stats import norm

from benchmarks import play
from dplda import figures
from dplda.attacks.game import play_runs
from dplda.core import assets
from dplda.corpus import Simulation
from dplda.figures import theme
from dplda.figures.privacy.heaps import MOST
from dplda.methods.base.method import Method
from dplda.methods.base.problem import Budget
from dplda.methods.registry import parse_method
from dplda.privacy.accounting import gaussian
from dplda.privacy.accounting.risk import risk_of
from dplda.ui.play.page import shipped_numbers
from dplda.ui.state.keys import Key
from tests.figures.checked import checked

FILE = assets.folder() / "play" / "newspaper.json"
TAG, TALL = re.compile(r"<[^>]*>"), re.compile(r'class="still"[^>]*height:(\d+)px')
STOPS = [f"{epsilon:g}" for epsilon in play.STOPS] + ["no noise"]


@pytest.fixture(scope="module")
def content() -> dict:
    return json.loads(FILE.read_text("utf-8"))


def test_the_numbers_shipped_are_what_the_code_gives(content) -> None:
    """Topics of one stop, and two runs of the attack: last digits may differ with the machine's linear algebra."""
    assert FILE.stat().st_size < 300_000
    assert Simulation(**content["simulation"]) == play.SIMULATION
    assert (content["method"], content["delta"]) == (play.METHOD, play.DELTA)
    assert [stop["epsilon"] for stop in content["stops"]] == [*play.STOPS, None]
    stop = content["stops"][2]
    computed = json.loads(
        json.dumps(play.stop(stop["epsilon"], play.attacked(stop["epsilon"], 0, 2)))
    )
    for here, there in zip(computed["topics"], stop["topics"], strict=True):
        assert here["words"] == there["words"]
        np.testing.assert_allclose(
            [*here["shares"], here["error"]], [*there["shares"], there["error"]], atol=2e-3
        )
    assert computed["was_in"] == stop["was_in"][:2]
    np.testing.assert_allclose(computed["scores"], stop["scores"][:2], atol=0.01)
    assert play.separable()


def test_summing_the_other_letters_once_changes_no_attack() -> None:
    plain = play_runs(parse_method(play.METHOD), Budget(3.0, play.DELTA), play.LETTERS, seed=5)
    (expected,) = islice(plain, 1)
    (found,) = play.attacked(3.0, 5, 1)
    assert found.used_first == expected.used_first
    assert found.loss == pytest.approx(expected.loss, abs=1e-9)


def test_the_letters_are_neighbours() -> None:
    one, two = (corpus.counts.toarray() for corpus in play.LETTERS.corpora())
    assert np.flatnonzero(np.any(one != two, axis=1)).tolist() == [0]


def test_the_attacker_is_right_no_more_often_than_the_budget_allows_and_hardly_less(
    content,
) -> None:
    """Releases together are μ-GDP, so nobody is right more often than Φ(μ/2); 4 standard errors: once in 16,000."""
    *private, without = content["stops"]
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
        assert stop["right"] - 4 * error <= norm.cdf(mu / 2) <= stop["promised"]
        assert (
            stop["right"]
            <= stop["promised"]
            == pytest.approx(
                risk_of(epsilon, content["delta"], is_gaussian=True).right_guess, abs=1e-4
            )
        )
        guessed = np.mean((np.array(stop["scores"]) > 0) == np.array(stop["was_in"], dtype=bool))
        assert abs(guessed - stop["right"]) < 4 * math.sqrt(0.25 / n)
    rights = [stop["right"] for stop in content["stops"]]
    assert rights == sorted(rights)
    assert without["right"] == 1
    assert len({len(stop["was_in"]) for stop in content["stops"]}) == 1


def test_every_stop_shows_its_numbers_without_a_fit_and_without_a_sidebar(
    open_page, monkeypatch
) -> None:
    refuse = Mock(side_effect=AssertionError("fitted"))
    monkeypatch.setattr(Method, "fit", property(lambda _: refuse))
    monkeypatch.setattr(Simulation, "draw", refuse)
    app = open_page("play")
    assert not [
        *app.sidebar.select_slider,
        *app.sidebar.button,
        *app.sidebar.selectbox,
        *app.sidebar.caption,
    ]
    slider = app.select_slider(key=Key.PLAY)
    assert slider.value == "1"
    assert app.title[0].value.startswith(
        f"What are {shipped_numbers().n_documents:,} letters about"
    )
    heights = set()
    for name, stop in zip(STOPS, shipped_numbers().stops, strict=True):
        app.select_slider(key=Key.PLAY).set_value(name).run()
        assert not app.exception
        left, right = (
            each.proto.body for each in app.get("html") if 'class="still"' in each.proto.body
        )
        heights.add((TALL.findall(left)[0], TALL.findall(right)[0]))
        found = sum(each.error < figures.NEAR for each in stop.sections)
        assert f"<b>{found} of 6 sections found</b>" in left or (
            not found and "<b>No section found</b>" in left
        )
        assert f"<b>Right {100 * stop.success:.0f} times in 100</b>" in right
        assert (f"ε = {name} promises at most" in TAG.sub("", right)) == (name != "no noise")
        assert len(re.findall('<i class="[a-z]+" style="left', right)) == min(
            MOST, len(stop.was_in)
        )
        assert all(f">{word}</span>" in left for each in stop.sections for word in each.words)
        said = " ".join(
            [each.value for each in (*app.title, *app.header, *app.main.markdown)] + [left, right]
        )
        assert len(TAG.sub(" ", said).split()) < 150
    assert len(heights) == 1, "a step moves nothing"


def test_an_address_names_the_stop(open_page) -> None:
    app = open_page("play", {"play": "no noise"})
    assert app.select_slider(key=Key.PLAY).value == "no noise"
    app.select_slider(key=Key.PLAY).set_value("0.1").run()
    assert app.query_params[Key.PLAY] == "0.1"
    app.select_slider(key=Key.PLAY).set_value("1").run()
    assert Key.PLAY not in app.query_params
    assert open_page("play", {"play": "<b>"}).select_slider(key=Key.PLAY).value == "1"


def test_a_still_picture_says_what_plotly_would_and_never_as_markup() -> None:
    found = [figures.LearnedSection("News", ("<img src=x>", "rain"), (0.08, 0.04), 0.1)]
    drawn = figures.sections(found)
    for dark in (False, True):
        shown = figures.still(drawn, dark=dark)
        assert "<img" not in shown
        assert f'aria-label="{html.escape(drawn.alt)}"' in shown
        assert 'title="rain: News, L1 error 0.10"' in shown
        assert (theme.INK.dark if dark else str(theme.INK)) in shown
    heap = figures.still(
        figures.heaps([2.1, -2.1], [True, False], title="Right", beside="a coin: 50")
    )
    inside, outside = (
        float(place) for place in re.findall(r'<i class="[a-z]+" style="left:([\d.]+)%', heap)
    )
    assert (inside, outside) == (75, 25), (
        "two of the four units that the picture reaches to either side"
    )


def test_dots_lie_on_the_side_that_the_attacker_says() -> None:
    scores, was_in = [0.3, -0.3, 7.0, -2.0, 0.31], [True, True, True, False, False]
    drawn = figures.heaps(scores, was_in, title="Right 60 times in 100", beside="a coin: 50")
    inside, outside = checked(drawn).data
    assert list(inside.x) == pytest.approx([0.3, -0.3, 4.05])
    assert list(outside.x) == pytest.approx([-1.95, 0.3])
    assert list(outside.y) == [0, 1], "above the one that is there"
    assert "2 are on the wrong side" in drawn.alt
    certain = figures.heaps(None, was_in, title="Right", beside="")
    assert [min(trace.x) > 0 for trace in checked(certain).data] == [True, False]
    assert "0 are on the wrong side" in certain.alt


def test_bars_fade_with_the_error_and_words_are_never_markup() -> None:
    errors = (0.1, 0.49, 0.5, 1.9)
    found = [
        figures.LearnedSection("News", ("<b>x</b>", "rain"), (0.08, 0.04), error)
        for error in errors
    ]
    drawn = figures.sections(found)
    assert drawn.title == "2 of 4 sections found"
    bars = [trace for trace in checked(drawn).data if trace.type == "bar"]
    opacities = [bar.marker.opacity for bar in bars]
    assert opacities == sorted(opacities, reverse=True)
    assert opacities[-1] > 0
    assert all("<b>" not in text for trace in checked(drawn).data for text in trace.text)
    assert figures.sections(found[2:]).title == "No section found"
