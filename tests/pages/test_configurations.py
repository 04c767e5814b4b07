"""The board of the paper's four configurations."""

import pytest
from streamlit.testing.v1 import AppTest

from dplda.corpus import Label
from dplda.ui.state.keys import Key
from tests.pages.conftest import bring, mine, said

SMALL = {
    "v": "3",
    "corpus": "simulated_20000_60_3_0.1_60_poisson_0.1_0",
    "epsilon": "1",
}
FOUR = ("config-1", "config-2", "config-3", "config-4")


def open_buttons(app: AppTest) -> list[str]:
    """Names of the methods with a card, in the order of the page."""
    prefix = f"{Key.BOARD_OPEN}."
    keys = [str(button.key) for button in app.button]
    return [key.removeprefix(prefix) for key in keys if key.startswith(prefix)]


def html_of(app: AppTest) -> str:
    return " ".join(element.proto.body for element in app.get("html"))


@pytest.fixture
def app(open_page) -> AppTest:
    return open_page("configurations", SMALL)


def test_explore_opens_on_the_four_configurations(open_page) -> None:
    app = open_page("explore")
    assert open_buttons(app) == list(FOUR)
    assert app.query_params["view"] == "configurations"


def test_board_cards_say_status_error_bound_of_each_configuration(app) -> None:
    text = said(app) + html_of(app)
    assert text.count("Proven") >= 2
    assert text.count("not proven") >= 2
    assert text.count("of 2, this run") >= 1
    for theorem in ("Theorem 10", "Theorem 11", "Theorem 12", "Theorem 13"):
        assert theorem in text
    assert html_of(app).count('class="small-flow"') == 4


def test_board_as_published_has_no_proven_card(open_page) -> None:
    app = open_page("configurations", SMALL | {"form": "as-published"})
    assert not any("Proven" in str(badge.value) for badge in app.main.markdown)
    assert "No corrected form" not in said(app)


def test_board_corrected_says_why_two_have_no_corrected_form(app) -> None:
    assert said(app).count("No corrected form") == 2


def test_board_chips_add_ours_beside_the_rival(open_page) -> None:
    app = open_page("configurations", SMALL | {"beside": "refined_dp-vi"})
    assert open_buttons(app) == [*FOUR, "refined", "dp-vi"]
    assert app.query_params["beside"] == "refined_dp-vi"


def test_board_button_opens_the_configuration_in_topics(app) -> None:
    app.button(key=f"{Key.BOARD_OPEN}.config-2").click().run()
    assert not app.exception
    assert app.selectbox(key=Key.CONFIGURATION).value == "config-2"
    assert app.session_state[f"{Key.VIEW}.explore"] == "Topics"


def test_board_button_as_published_opens_that_form(open_page) -> None:
    app = open_page("configurations", SMALL | {"form": "as-published"})
    app.button(key=f"{Key.BOARD_OPEN}.config-2").click().run()
    assert app.query_params["calibration"] == "published"


def test_board_across_epsilon_has_a_row_for_each_configuration(open_page) -> None:
    app = open_page("configurations", SMALL | {"picture": "across-ε", "topic": "2"})
    table = html_of(app)
    assert table.count('scope="row"') == 4
    assert [f"ε = {epsilon}" in table for epsilon in ("0.1", "0.3", "1", "3", "10")] == [True] * 5
    assert "no noise" in table
    assert Key.EPSILON not in [slider.key for slider in app.select_slider]


def test_topics_across_epsilon_have_a_row_for_each_topic(open_page) -> None:
    app = open_page("topics", SMALL | {"configuration": "config-1", "look": "across-ε"})
    table = html_of(app)
    assert table.count('scope="row"') == 3
    assert table.count("<td") == 1 + 3 * 6  # five values of ε, and no noise


def test_across_epsilon_explains_an_answer_before_a_refusal(open_page) -> None:
    """Without a topic above the noise configuration 2 needs no bound on σk; with one it does."""
    app = open_page("configurations", SMALL | {"picture": "across-ε", "alpha0": "10"})
    table = html_of(app)
    assert "no topic above the noise" in table
    assert "Configuration 2 answers at ε = 0.1 and refuses at ε = " in said(app)


def test_board_card_of_a_refusal_explains_when_it_may_answer(open_page) -> None:
    app = open_page("configurations", SMALL | {"alpha0": "10", "epsilon": "3"})
    assert "Refuses: its private lower bound on" in html_of(app)
    assert "May answer at a smaller ε" in said(app)


def test_board_of_many_words_predicts_errors_until_it_is_asked_to_run(open_page) -> None:
    many_words = {"corpus": "simulated_3000_1200_3_0.1_60_poisson_0.1_0"}
    app = open_page("configurations", SMALL | many_words | {"beside": "refined"})
    assert "Not run here" in html_of(app)
    assert "of 2, predicted" in html_of(app)
    assert "this run" not in html_of(app)
    assert any(toggle.label == "Run them on these documents" for toggle in app.toggle)


def test_board_of_sensitive_documents_runs_nothing_unasked(open_page) -> None:
    app = bring(open_page("configurations", SMALL), mine(Label.SENSITIVE))
    assert not app.exception
    assert Key.LOOKS not in app.session_state
    assert "Not run here" in html_of(app)


def test_address_without_a_view_opens_topics(open_page) -> None:
    app = open_page("explore", SMALL)
    assert app.session_state[f"{Key.VIEW}.explore"] == "Topics"


def test_sidebar_of_the_board_has_no_method(app) -> None:
    assert Key.CONFIGURATION not in [box.key for box in app.sidebar.selectbox]
    app.segmented_control(key=f"{Key.VIEW}.explore").set_value("Topics").run()
    assert Key.CONFIGURATION in [box.key for box in app.sidebar.selectbox]
