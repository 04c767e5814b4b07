"""The sidebar and the address: one control for one value, drawn on every page that it moves, restored by a link."""

import pytest

from dplda.ui.state import session
from dplda.ui.state.keys import Key
from tests.pages.conftest import go

SMALL = {"v": "1", "corpus": "simulated_2000_60_3_1_60_poisson_0.1_0", "k": "3", "alpha0": "1"}


@pytest.fixture
def app(open_page):
    return open_page("topics", SMALL)


def test_topics_dissolve_as_epsilon_falls(app) -> None:
    headlines = []
    for epsilon in (10, 0.1):
        app.select_slider(key=Key.EPSILON).set_value(epsilon).run()
        headlines.append(app.main.header[0].value)
    assert headlines[0].startswith("Topics are clear: error 0.0")
    assert headlines[1].startswith("All 3 topics are lost in noise: error 1.")


def test_epsilon_slider_keeps_its_value_across_pages(
    app,
) -> None:
    for name, epsilon in (("noise", 8), ("bounds", 0.5), ("topics", 2)):
        epsilon_before = app.select_slider(key=Key.EPSILON).value
        go(app, "play")
        assert Key.EPSILON not in {candidate.key for candidate in app.select_slider}
        go(app, name)
        (slider,) = [
            candidate for candidate in app.select_slider if "Privacy budget ε" in candidate.label
        ]
        assert (slider.key, slider.value) == (Key.EPSILON, epsilon_before)
        slider.set_value(epsilon).run()
        assert app.select_slider(key=Key.EPSILON).value == epsilon
        assert not app.exception


def test_reroll_alone_draws_new_topics(app, figure) -> None:
    def lengths():
        return list(figure(app, "topics.words.1")["data"][0]["x"])

    lengths_before = lengths()
    app.run()
    assert lengths() == lengths_before
    app.button(key=Key.REROLL).click().run()
    assert app.number_input(key=Key.SEED).value == 1
    assert lengths() != lengths_before
    app.number_input(key=Key.SEED).set_value(0).run()
    assert lengths() == lengths_before


def test_address_restores_the_experiment(open_page) -> None:
    app = open_page("topics", SMALL | {"epsilon": "0.5", "delta": "1e-5", "seed": "4"})
    assert app.select_slider(key=Key.EPSILON).value == 0.5
    assert app.select_slider(key=Key.DELTA).value == 1e-5
    assert app.number_input(key=Key.N_TOPICS).value == 3
    assert app.number_input(key=Key.SEED).value == 4
    assert not app.info


def test_address_with_unusable_values_is_reported_once(open_page) -> None:
    app = open_page("topics", SMALL | {"epsilon": "nan", "k": "1000", "v": "7"})
    notice_text = " ".join(notice.value for notice in app.info)
    assert "another version" in notice_text
    assert "epsilon, k" in notice_text
    assert app.select_slider(key=Key.EPSILON).value == 3
    app.run()
    assert not app.info


def test_sidebar_warns_of_delta_above_one_over_n(open_page) -> None:
    app = open_page(
        "topics", SMALL | {"delta": "1e-4", "corpus": "simulated_20000_60_3_1_20_poisson_0.1_0"}
    )
    assert any("1/N" in warning.value for warning in app.sidebar.warning)


def test_sidebar_labels_have_no_formula(app) -> None:
    widgets = [
        *app.sidebar.select_slider,
        *app.sidebar.number_input,
        *app.sidebar.selectbox,
        *app.sidebar.button,
    ]
    assert widgets
    for widget in widgets:
        assert "$" not in widget.label
        assert widget.proto.help or widget.label in ("Start again", "Cancel")


def test_back_undoes_the_last_change_unless_late(app, monkeypatch) -> None:
    query_before, first_epsilon = dict(app.query_params), app.select_slider(key=Key.EPSILON).value
    app.select_slider(key=Key.EPSILON).set_value(8).run()
    now = dict(app.query_params)
    for late, expected_epsilon in ((60, 8), (-1, first_epsilon)):
        monkeypatch.setattr(session, "LATE", late)
        app.query_params.clear()
        app.query_params.update(query_before)
        assert app.run().select_slider(key=Key.EPSILON).value == expected_epsilon
    app.query_params.clear()
    app.query_params.update(now)
    assert app.run().select_slider(key=Key.EPSILON).value == 8
    app.query_params.clear()
    app.query_params.update(query_before)
    assert (
        app.number_input(key=Key.SEED).set_value(3).run().select_slider(key=Key.EPSILON).value == 8
    )
