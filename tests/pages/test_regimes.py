import pytest
import streamlit as st

from dplda.experiments.sweeps import Scheduler, Sweep, run
from dplda.methods.registry import parse_method
from dplda.theory.prediction.reference import MEAN_LENGTH
from dplda.theory.prediction.regime_axes import Axis
from dplda.ui.corpus.corpus_choice import CorpusSource
from dplda.ui.corpus.upload import VocabularyChoice
from dplda.ui.regimes import check_view
from dplda.ui.shell import runs
from dplda.ui.shell.keys import Key

SMALL = {"v": "1", "corpus": "simulated_2000_60_4_1_60_poisson_0.1_0", "k": "4", "alpha0": "1", "epsilon": "8"}
CAVEAT = "Refined is not predicted and may be better."
FINE = "regimes.winners.11"


@pytest.fixture(autouse=True)
def _own_store(tmp_path, monkeypatch) -> None:
    """Results of other tests must not lie there already."""
    scheduler = Scheduler(tmp_path)
    monkeypatch.setattr(runs, "scheduler", lambda: scheduler)


@pytest.fixture
def app(open_page):
    return open_page("regimes", SMALL)


def texts(app) -> str:
    kinds = (app.markdown, app.caption, app.error, app.warning, app.info, app.success)
    return " ".join(str(element.value) for kind in kinds for element in kind)


def title(chart) -> str:
    return " ".join(chart["layout"]["title"]["text"].split("<br>"))


def rerun(app) -> None:
    app.run()
    assert not app.exception, [problem.value for problem in app.exception]


def test_it_opens_with_a_map_and_marks_the_experiment(app, figure) -> None:
    chart = figure(app, FINE)
    assert title(chart).startswith("Of the methods compared, Adaptive has the smallest error in")
    assert shown(chart) == {"A", "P", "?"}
    assert any(trace.get("name") == "your experiment" for trace in chart["data"])
    assert "k = 4, words d = 60, mixing α₀ = 1, words in a document L = 60, failure chance δ = 1e-7" in texts(app)
    assert not app.error


def shown(chart) -> set[str]:
    """The letters in the cells of a map."""
    return {letter for trace in chart["data"] if trace.get("name") == "letters" for letter in trace["text"]}


def test_it_says_what_is_predicted_of_the_experiment_itself(app) -> None:
    assert "**At your numbers** (N = 2,000" in texts(app)
    assert "among the methods compared, **Adaptive** has the smallest predicted error" in texts(app)
    assert CAVEAT in texts(app)
    app.select_slider(key=Key.EPSILON).set_value(0.1)
    rerun(app)
    assert "no method compared is worth its noise. **Private unigram**, one list of words" in texts(app)
    assert CAVEAT in texts(app)
    app.select_slider(key=Key.EPSILON).set_value(0.3)
    rerun(app)
    assert "among the methods compared, **Adaptive** has the smallest predicted error" in texts(app)
    assert CAVEAT in texts(app)
    assert "too close to Private unigram to call" in texts(app)
    app.selectbox(key=Key.CONFIGURATION).set_value("private-unigram")
    rerun(app)
    assert "Your own method" not in texts(app)
    app.selectbox(key=Key.CONFIGURATION).set_value("refined")
    rerun(app)
    assert "Your own method is Refined: simulate it below." in texts(app)


def test_the_one_winner_is_taken_out_by_one_click(app, figure) -> None:
    button = app.button(key=Key.REGIME_WITHOUT)
    assert button.label == "Compare without Adaptive"
    button.click().run()
    assert not app.exception
    assert "adaptive" not in app.button_group(key=Key.REGIME_METHODS).value
    assert "Adaptive" not in title(figure(app, FINE))
    assert title(figure(app, FINE)).endswith("Refined is not compared and may be better")


def test_axes_change_the_map(app, figure) -> None:
    app.selectbox(key=Key.REGIME_X).set_value(Axis.ALPHA0)
    rerun(app)
    chart = figure(app, FINE)
    assert chart["layout"]["xaxis"]["title"]["text"] == "mixing α₀ (log)"
    assert "documents N = 2,000" in texts(app)
    app.selectbox(key=Key.REGIME_X).set_value(Axis.EPSILON)  # that of the other axis, which then moves away
    rerun(app)
    assert app.selectbox(key=Key.REGIME_Y).value != Axis.EPSILON
    app.switch_page("pages/corpus.py").run()
    app.switch_page("pages/regimes.py").run()
    assert app.selectbox(key=Key.REGIME_X).value == Axis.EPSILON


def test_the_question_the_other_way_round(app) -> None:
    said = app.success[0].value
    assert "Among the methods that can be predicted, **Adaptive** is the first to reach a mean L1 error of 0.3" in said
    assert said.endswith(CAVEAT)
    assert "ε ≈" in said
    assert "not reached" in app.table[-1].value["smallest ε"].tolist()
    app.segmented_control(key=Key.REGIME_ASK).set_value("Smallest N at this ε")
    rerun(app)
    assert "N ≈" in app.success[0].value
    assert "at ε = 8" in app.success[0].value
    app.select_slider(key=Key.REGIME_TARGET).set_value(1.5)
    rerun(app)
    assert any("unigram model" in notice.value for notice in app.info)


def test_the_experiment_is_simulated_beside_its_prediction(app, monkeypatch) -> None:
    made: list[Sweep] = []
    monkeypatch.setattr(check_view, "Sweep", lambda *given, **named: _kept(made, Sweep(*given, **named)))
    app.selectbox(key=Key.CONFIGURATION).set_value("refined")
    rerun(app)
    assert any(button.label == "Simulate your experiment" for button in app.button)
    assert "simulated" not in app.table[-1].value
    sweep = made[-1]
    (setting,) = sweep.settings
    assert (setting.source.n_documents, setting.source.n_words, sweep.epsilons) == (2000, 60, (8.0,))
    run(sweep, runs.store(sweep))
    rerun(app)
    table = app.table[-1].value
    assert list(table.index) == [method.label for method in sweep.methods]
    assert table.loc[parse_method("refined").label, "predicted"] == "not predicted"
    adaptive = table.loc[parse_method("adaptive/corrected").label]
    assert 0.5 < float(adaptive["predicted"]) / float(adaptive["simulated"]) < 2
    assert "another run would" in texts(app)


def test_of_a_sensitive_corpus_only_public_numbers_are_used(app) -> None:
    rows = "\n".join(["red green blue"] * 40)
    app.switch_page("pages/corpus.py").run()
    app.button_group(key=Key.SOURCE).set_value(CorpusSource.UPLOAD).run()
    app.file_uploader(key=f"{Key.FILE}.0").set_value(("notes.txt", rows.encode(), "text/plain"))
    app.radio(key=f"{Key.LABEL}.0").set_value("sensitive")
    app.radio(key=Key.VOCABULARY).set_value(VocabularyChoice.FROM_DATA).run()
    app.button(key=Key.READ).click().run()
    assert "notes" in texts(app)
    app.number_input(key=Key.N_TOPICS).set_value(2)
    app.switch_page("pages/regimes.py").run()
    assert not app.exception
    assert f"L = {MEAN_LENGTH:g}" in texts(app)
    assert "not public" in texts(app)


def test_nothing_is_worked_out_twice(app, monkeypatch) -> None:
    monkeypatch.setattr("dplda.ui.regimes.map_view.cells_at", _never)
    monkeypatch.setattr("dplda.ui.regimes.map_view.reference_of", _never)
    rerun(app)
    assert not app.error
    st.cache_resource.clear()


def _kept(made: list[Sweep], sweep: Sweep) -> Sweep:
    made.append(sweep)
    return sweep


def _never(*given, **named) -> None:
    raise AssertionError("worked out again")
