import pytest

from dplda.corpus import Simulation
from dplda.ui.shell.keys import Key
from dplda.ui.start import doors

SMALL = {"v": "1", "corpus": "simulated_2000_60_3_1_60_poisson_0.1_0", "k": "3", "alpha0": "1"}


@pytest.fixture
def app(open_page):
    return open_page("start", SMALL)


def test_a_newcomer_sees_topics_of_the_embedded_corpus(open_page, figure) -> None:
    app = open_page("start")
    assert any("from the overall word frequencies by" in one.value for one in app.main.markdown)
    private, *_, exact, _ = figure(app, "start.words.False")["data"]
    assert len(exact["x"]) == 25
    assert 0 < len(private["x"]) <= 25
    assert "Python docstrings" in " ".join(text.value for text in app.markdown)


def test_topics_dissolve_as_epsilon_falls(app) -> None:
    headlines = []
    for epsilon in (10, 0.1):
        app.select_slider(key=Key.EPSILON).set_value(epsilon).run()
        headlines.append(app.main.header[0].value)
    high, low = (int(headline.split()[0]) for headline in headlines)
    assert high == 3
    assert low < high


def test_there_is_one_control_of_epsilon_on_every_page_for_one_value(app) -> None:
    for name, epsilon in (("start", 1.5), ("privacy", 8), ("corpus", 0.5), ("start", 2)):
        before = app.select_slider(key=Key.EPSILON).value
        app.switch_page(f"pages/{name}.py").run()
        (slider,) = [one for one in app.select_slider if "Privacy loss ε" in one.label]
        assert (slider.key, slider.value) == (Key.EPSILON, before)
        slider.set_value(epsilon).run()
        assert app.select_slider(key=Key.EPSILON).value == epsilon
        assert not app.exception


def test_the_first_door_teaches_on_documents_whose_topics_are_known(open_page, monkeypatch) -> None:
    monkeypatch.setattr(doors, "TEACHING", Simulation(n_documents=3_000, n_words=40, n_topics=3, alpha0=0.5))
    app = open_page("privacy", {Key.DOOR: doors.TEACH})
    assert (app.number_input(key=Key.N_TOPICS).value, app.number_input(key=Key.ALPHA0).value) == (3, 0.5)
    assert app.button_group(key=Key.EDGES).value == ["e2", "e6"]
    assert "3\\,000 documents are simulated" in app.info[0].value
    assert Key.DOOR not in app.query_params
    app.number_input(key=Key.N_TOPICS).set_value(2).run()
    assert app.number_input(key=Key.N_TOPICS).value == 2, "it stays changeable"
    assert not app.info


def test_the_other_doors_lead_to_a_file_and_to_the_papers(open_page) -> None:
    assert open_page("corpus", {Key.DOOR: doors.BRING}).button_group(key=Key.SOURCE).value == "Upload a file"
    app = open_page("error_curves", {Key.DOOR: doors.PAPERS})
    assert app.selectbox(key=Key.CURVES_SHOWN).value == "figure-2a"
    assert not open_page("start", {Key.DOOR: "elsewhere"}).error


def test_rerolling_draws_anew_and_nothing_else_does(app, figure) -> None:
    def lengths():
        return list(figure(app, "start.words.False")["data"][0]["x"])

    before = lengths()
    app.run()
    assert lengths() == before
    app.button(key=Key.REROLL).click().run()
    assert app.number_input(key=Key.SEED).value == 1
    assert lengths() != before
    app.number_input(key=Key.SEED).set_value(0).run()
    assert lengths() == before


def test_an_address_restores_the_experiment(open_page) -> None:
    app = open_page("start", SMALL | {"epsilon": "0.5", "delta": "1e-5", "seed": "4"})
    assert app.select_slider(key=Key.EPSILON).value == 0.5
    assert app.select_slider(key=Key.DELTA).value == 1e-5
    assert app.number_input(key=Key.N_TOPICS).value == 3
    assert app.number_input(key=Key.SEED).value == 4
    assert not app.info


def test_what_cannot_be_used_in_an_address_is_said_once(open_page) -> None:
    app = open_page("start", SMALL | {"epsilon": "nan", "k": "1000", "v": "7"})
    said = " ".join(notice.value for notice in app.info)
    assert "another version" in said
    assert "epsilon\\, k" in said
    assert app.select_slider(key=Key.EPSILON).value == 3
    app.run()
    assert not app.info


def test_a_delta_that_is_too_large_is_warned_of(open_page) -> None:
    app = open_page("start", SMALL | {"delta": "1e-4", "corpus": "simulated_20000_60_3_1_20_poisson_0.1_0"})
    assert any("1/N" in warning.value for warning in app.sidebar.warning)


def test_no_formula_in_a_label(app) -> None:
    widgets = [*app.select_slider, *app.number_input, *app.selectbox, *app.button]
    assert widgets
    for widget in widgets:
        assert "$" not in widget.label
        assert widget.proto.help or widget.label in ("Start again", "Cancel")


def test_the_flow_of_the_method_in_force_is_drawn(open_page, figure) -> None:
    for method, boxes in (("adaptive", "Factors λ, v"), ("refined", "Expected counts")):
        app = open_page("start", SMALL | {"configuration": method})
        notes = figure(app, "start.flow")["layout"]["annotations"]
        assert boxes in {note["text"].replace("<br>", " ") for note in notes}
        (success,) = app.success
        assert "crosses an edge with noise" in success.value
