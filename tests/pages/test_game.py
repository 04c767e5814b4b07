"""Guess the letter: a dot that says nothing by itself, two matches, and a card whose link another can play from."""

import pytest

from dplda import figures
from dplda.attacks.game import Game, GameRun, play_runs
from dplda.attacks.neighbour_pairs import PAIRS
from dplda.methods.base.problem import Budget
from dplda.methods.registry import parse_method
from dplda.privacy.accounting import gaussian
from dplda.ui.learn import game_result
from dplda.ui.learn import game_view as page
from dplda.ui.shell import downloads
from dplda.ui.state.keys import Key
from tests.pages.conftest import written


@pytest.fixture
def app(open_page, monkeypatch):
    monkeypatch.setattr(page, "N_KNOWN_RUNS", 12)
    monkeypatch.setattr(page.secrets, "randbits", lambda bits: 5)
    return open_page("game", {"v": "3", "epsilon": "1"})


def test_game_picture_before_a_guess_hides_only_the_letter(app, figure) -> None:
    *heaps, star = figure(app, Key.GAME_PICTURE)["data"]
    assert sum(len(trace["x"]) for trace in heaps) == 12
    fallen = next(play_runs(parse_method("adaptive"), Budget(1, 1e-7), PAIRS["turn"], seed=5))
    assert star["x"] == pytest.approx([fallen.loss / gaussian.mu_for(1, 1e-7)])
    above, below = heaps
    assert min(above["y"]) > 0 > max(below["y"])
    assert max(map(abs, (*above["x"], *below["x"]))) < 4, "proven noise: heaps that overlap"
    assert "it was" not in written(app), "before a guess"


def test_guess_buttons_stand_one_above_the_other_as_their_heaps(app, figure) -> None:
    heaps = {trace["name"]: sum(trace["y"]) for trace in figure(app, Key.GAME_PICTURE)["data"][:2]}
    from_above = sorted(heaps, key=heaps.get, reverse=True)
    buttons = [button.label for button in app.button if Key.GAME_GUESS in (button.key or "")]
    assert len(buttons) == 2
    for name, label in zip(from_above, buttons, strict=True):
        assert name.split()[0].strip("“”") in label


def play(app, figure, right: bool) -> None:
    """Ten rounds by somebody who looks at which side the star is on, or at the wrong one."""
    for number in range(page.ROUNDS):
        star = figure(app, Key.GAME_PICTURE)["data"][-1]["x"][0]
        match = app.session_state[Key.GAME].match
        app.button(key=f"{Key.GAME_GUESS}.{match}.{number}.{(star > 0) == right}").click().run()
        assert not app.exception


@pytest.mark.parametrize("right", [True, False])
def test_game_after_two_matches_shows_a_card_of_both_scores(right, app, figure) -> None:
    play(app, figure, right)
    n = app.session_state[Key.GAME].scores[0]
    title = figure(app, Key.GAME_PICTURE)["layout"]["title"]["text"]
    assert title == f"You were right in {n} of 10 rounds"
    assert title in written(app)
    app.button(key=Key.GAME_NEXT).click().run()
    play(app, figure, right)
    heaps = figure(app, Key.GAME_PICTURE)["data"][:2]
    assert all((min(trace["x"]) > 3) != (max(trace["x"]) < -3) for trace in heaps), "published"
    card, first_score = app.table[0].value, app.session_state[Key.GAME].scores[0]
    published_score = 10 if right else 0
    assert list(card["you"]) == [f"{10 * first_score} in 100", f"{10 * published_score} in 100"]
    assert card["best attacker"].iloc[1] == "100 in 100"
    assert int(card["best attacker"].iloc[0].split()[0]) < 60
    assert "ε = 1 and δ = 1e-07 promises at most 55 in 100" in written(app)
    assert "published noise **breaks** that promise" in written(app)
    app.button(key=Key.GAME_NEXT).click().run()
    assert "Round 1 of 10" in written(app)


def test_streak_counts_right_guesses_since_the_last_wrong_one() -> None:
    game = Game(("turn", Budget(1, 1e-7)), [iter([GameRun(True, 1.0)] * 9)] * 2)
    for guess in (True, False, True, True):
        game.guess(guess)
    assert game.streak == 2
    game.guess(False)
    assert game.streak == 0


def test_game_begins_where_the_best_player_is_right_seventy_times_in_100(
    open_page, monkeypatch
) -> None:
    app = open_page("game", {"v": "3"})
    assert app.select_slider(key=Key.GAME_EPSILON).value == game_result.LEVELS[0]
    assert "The best attacker is right 70 times in 100 here" in written(app)
    assert Key.EPSILON not in app.query_params
    app.session_state[Key.GAME].were_right[0].extend([True] * page.ROUNDS)
    app.session_state[Key.GAME].shown_runs[0].extend([GameRun(True, 1.0)] * page.ROUNDS)
    monkeypatch.setattr(page, "N_KNOWN_RUNS", 12)
    app.run().button(key=Key.GAME_HARDER).click().run()
    assert app.query_params["epsilon"] == "6"
    assert "Round 1 of 10" in written(app), "a new game"


def test_streak_of_three_offers_the_next_level_as_the_main_button(open_page, monkeypatch) -> None:
    monkeypatch.setattr(page, "N_KNOWN_RUNS", 12)
    app = open_page("game", {"v": "3", "epsilon": "6"})
    game = app.session_state[Key.GAME]
    for is_right, is_offered in [(True, False), (True, False), (True, True), (False, False)]:
        game.guess(game.current_run().used_first == is_right)
        app.run()
        harder = [button for button in app.button if button.key == Key.GAME_HARDER]
        assert [button.label for button in harder] == ["Harder: ε = 3"] * is_offered
        assert all(button.proto.type == "primary" for button in harder)
    assert page.LONG_STREAK == 3


def test_game_where_no_noise_is_enough_suggests_a_larger_epsilon(app) -> None:
    app.segmented_control(key=f"{Key.PAIR}.learn").set_value("secret").run()
    app.select_slider(key=Key.GAME_EPSILON).set_value(0.1).run()
    assert not app.exception
    assert any(
        "no finite noise" in element.value and "larger ε" in element.value for element in app.info
    )
    assert app.query_params["epsilon"] == "0.1"


def test_describe_reach_of_a_link_names_who_can_open_it() -> None:
    for host in ("localhost:8501", "127.0.0.1:80", "[::1]:8501"):
        assert "dplda app --host" in downloads.describe_reach(f"http://{host}/learn")
    assert "`lab.example.org`" in downloads.describe_reach(
        "https://lab.example.org/learn?x=127.0.0.1"
    )


def test_rounds_of_the_game_have_a_mark_each() -> None:
    marks = figures.game_rounds([True, False], n_rounds=4)
    assert marks.count("<i") == 4
    assert marks.count("✓") == marks.count("×") == 1
    assert 'aria-hidden="true"' in marks
