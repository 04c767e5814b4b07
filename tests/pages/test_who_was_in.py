"""Who was in?: both pictures, and a game that ends beside what can be reached and what is allowed."""

import pytest

from dplda.ui.learn.game import game
from dplda.ui.learn.game import game_view as page
from dplda.ui.state.keys import Key


@pytest.fixture
def app(open_page, monkeypatch):
    monkeypatch.setattr(page, "RUNS", 12)
    return open_page("who_was_in", {"epsilon": "1"})


def texts(app) -> str:
    return " ".join(str(element.value) for kind in (app.markdown, app.caption, app.header) for element in kind)


def test_published_noise_gives_the_letter_away_and_proven_noise_does_not(app, figure) -> None:
    published, proven = (figure(app, f"{key}.picture") for key in (Key.WHO_PUBLISHED, Key.WHO_PROVEN))
    said = published["layout"]["title"]["text"].replace("<br>", " ")
    assert "right in 100% of all runs; ε allows 73.1%" in said
    assert {place for place, _ in runs(published)} <= {0.025, 0.975}
    assert all(0.2 < place < 0.8 for place, _ in runs(proven))
    assert sum(n for _, n in runs(published)) == sum(n for _, n in runs(proven)) == 12


def runs(shown) -> list[tuple[float, int]]:
    """Bars that are there: how sure, and how many."""
    return [(x, y) for trace in shown["data"] for x, y in zip(trace["x"], trace["y"], strict=True) if y]


def test_ten_rounds_and_the_score(app) -> None:
    """As published the odds leave no doubt: who follows them is always right, who defies them never."""
    for follows in (True, False):
        for number in range(game.ROUNDS):
            said = next(element.value for element in app.markdown if "Round" in element.value)
            buttons = [app.button(key=f"{Key.WHO_GUESS}.{number}.{first}") for first in (True, False)]
            likely = next(button for button in buttons if f"likely with {button.label}" in said)
            next(button for button in buttons if (button is likely) == follows).click().run()
            assert not app.exception
        values = {metric.label: metric.value for metric in app.metric}
        assert values["You were right"] == ("10 of 10" if follows else "0 of 10")
        assert values["The best player, here"] == "100%"
        assert values["At most, says ε"] == "73%"
        assert "far more often than the ε" in texts(app)
        app.button(key=Key.WHO_AGAIN).click().run()


def test_where_a_method_gives_nothing_that_is_said(app) -> None:
    app.segmented_control(key=Key.WHO_PAIR).set_value("secret").run()
    app.selectbox(key=Key.WHO_PROVEN).set_value("config-2/corrected").run()
    assert not app.exception
    assert any("no finite noise" in element.value for element in app.info)
