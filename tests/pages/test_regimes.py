import statistics
import time

import pytest

from dplda.corpus import Label
from dplda.methods.configurations.variant import Calibration
from dplda.methods.registry import parse_method
from dplda.theory.prediction import paper_remarks
from dplda.theory.prediction.advice import advice
from dplda.theory.prediction.expected import MEAN_LENGTH
from dplda.theory.prediction.regime_axes import Axis, Point
from dplda.ui.compare.regime_methods import papers_four
from dplda.ui.state.keys import Key
from tests.pages.conftest import bring, go, mine, written
from tests.yardstick import slowness

SMALL = {
    "v": "1",
    "corpus": "simulated_2000_60_4_1_60_poisson_0.1_0",
    "k": "4",
    "alpha0": "1",
    "epsilon": "8",
}
FINE = "regimes.winners"
pytestmark = pytest.mark.usefixtures("own_store")


@pytest.fixture
def app(open_page):
    return open_page("regimes", SMALL)


def rerun(app) -> None:
    app.run()
    assert not app.exception, [problem.value for problem in app.exception]


def test_regimes_page_marks_the_experiment_on_its_map(app, figure) -> None:
    chart = figure(app, FINE)
    assert chart["layout"]["title"]["text"].startswith("Recommended")
    assert "R" in next(trace["text"] for trace in chart["data"] if trace.get("name") == "letters")
    assert any(trace.get("name") == "your experiment" for trace in chart["data"])
    assert "α₀ 1 · 60 words a document · δ 1e-7" in written(app)
    assert not app.error
    point = Point(n_documents=2000, n_topics=4, n_words=60, alpha0=1.0, mean_length=60, epsilon=8.0)
    assert f"At your numbers (N 2,000, d 60, k 4) and ε = 8, {advice(point)}" in written(app)


def test_regimes_with_many_topics_advise_fewer(open_page) -> None:
    app = open_page(
        "regimes", {"v": "1", "corpus": "simulated_20000_3000_30_0.1_60_poisson_0.1_0", "k": "30"}
    )
    (warning,) = app.warning
    assert "Topics will hardly be readable here" in warning.value
    assert "fewer topics (k = " in warning.value


def test_regimes_with_few_documents_warn_before_a_run(open_page) -> None:
    few_documents = {
        "v": "1",
        "corpus": "simulated_1000_300_10_1_20_poisson_0.1_0",
        "k": "10",
        "epsilon": "0.3",
    }
    warnings = open_page("topics", few_documents).warning
    assert any("Topics will hardly be readable here" in warning.value for warning in warnings), (
        "before a run too"
    )


def test_axes_change_the_map(app, figure) -> None:
    app.selectbox(key=f"{Key.REGIME_X}.compare").set_value(Axis.ALPHA0)
    rerun(app)
    chart = figure(app, FINE)
    assert chart["layout"]["xaxis"]["title"]["text"] == "mixing α₀ (log)"
    app.selectbox(key=f"{Key.REGIME_X}.compare").set_value(
        Axis.EPSILON
    )  # the other axis moves away from it
    rerun(app)
    assert app.selectbox(key=f"{Key.REGIME_Y}.compare").value != Axis.EPSILON
    assert "across" in app.query_params
    go(app, "error_curves")
    assert "across" not in app.query_params
    go(app, "regimes")
    assert app.selectbox(key=f"{Key.REGIME_X}.compare").value == Axis.EPSILON


def test_regimes_target_error_is_answered_with_epsilon_or_documents(app) -> None:
    assert not app.success, "nothing is worked out before it is asked"
    app.session_state[Key.REGIME_INVERSE] = True
    rerun(app)
    assert "For a mean L1 error of 0.3 at" in app.success[0].value
    assert "not reached (at least " in " ".join(app.table[0].value["smallest ε"])
    app.segmented_control(key=Key.REGIME_ASK).set_value("Smallest N at this ε")
    rerun(app)
    assert "**N = " in app.success[0].value
    app.select_slider(key=Key.REGIME_TARGET).set_value(1.5)
    rerun(app)
    assert any("one private list of words" in notice.value for notice in app.info)


def test_regimes_of_a_sensitive_corpus_use_public_numbers_alone(app) -> None:
    bring(app, mine(Label.SENSITIVE))
    assert not app.exception
    assert f"mine** (sensitive) · α₀ 1 · {MEAN_LENGTH:g} words a document (a guess" in written(app)


FOUR = {**SMALL, "among": "corrected"}
PAPERS_FOUR = (
    "config-1/corrected",
    "config-2/corrected",
    "config-3/as published",
    "config-4/as published",
)


def test_regimes_link_with_chips_restores_them(open_page, figure) -> None:
    app = open_page("regimes", FOUR)
    assert app.segmented_control(key=f"{Key.REGIME_METHODS}.compare").value == "corrected"
    chart = figure(app, FINE)
    letters = next(trace["text"] for trace in chart["data"] if trace.get("name") == "letters")
    assert "1" in letters
    assert not set(letters) - {"1", "2", "3", "4", "P", "?", "×"}, "no other method competes"


def test_regimes_chip_is_kept_in_the_address(app) -> None:
    app.segmented_control(key=f"{Key.REGIME_METHODS}.compare").set_value("proven")
    rerun(app)
    assert app.query_params["among"] in ("proven", ["proven"])
    go(app, "error_curves")
    assert "among" not in app.query_params


def test_regimes_old_link_without_chips_shows_all_methods(app) -> None:
    assert app.segmented_control(key=f"{Key.REGIME_METHODS}.compare").value == "all"


def test_regimes_answer_speaks_of_the_chosen_methods(open_page) -> None:
    app = open_page("regimes", FOUR)
    (answer,) = [text.value for text in app.markdown if text.value.startswith("At your numbers")]
    assert "Refined" not in answer
    assert "Configuration 1" in answer


def test_regimes_two_methods_are_chosen_from_lists_without_the_other(open_page) -> None:
    query = {**SMALL, "among": "two", "one": "config-2-corrected", "other": "config-1-corrected"}
    app = open_page("regimes", query)
    first_box, second = (
        app.selectbox(key=f"{key}.compare") for key in (Key.REGIME_FIRST, Key.REGIME_SECOND)
    )
    assert (first_box.value, second.value) == ("config-2/corrected", "config-1/corrected")
    assert len(second.options) == len(first_box.options) - 1
    app.segmented_control(key=f"{Key.REGIME_METHODS}.compare").set_value("all")
    rerun(app)
    assert not {"one", "other"} & set(app.query_params)


def test_regimes_methods_without_a_cell_are_named(open_page) -> None:
    text = written(open_page("regimes", FOUR))
    assert "Never best here: " in text
    assert "At ε = 8: **Configuration 1** " in text


def test_regimes_papers_four_stand_beside_what_the_paper_says(open_page) -> None:
    app = open_page("regimes", FOUR)
    app.session_state[Key.REGIME_REMARKS] = True
    rerun(app)
    (table,) = [shown_element.value for shown_element in app.table]
    verdicts = {words: row["1 and 2 corrected"] for words, row in table.iterrows()}
    assert verdicts["2 is better than 1 in practice (Remark 14)"].startswith(
        "**does not hold**: 0 of "
    )
    assert verdicts["2 is better than 1 at small ε (below 1) (Section 7)"].startswith(
        "**does not hold**: 0 of "
    )
    assert "(Remark 15)" in " ".join(verdicts)
    assert "(Remark 16)" in " ".join(verdicts)
    assert "The paper concludes that no configuration dominates." in written(app)


def test_regimes_target_error_asks_the_chosen_methods_alone(open_page) -> None:
    app = open_page("regimes", FOUR)
    app.session_state[Key.REGIME_INVERSE] = True
    app.session_state[Key.REGIME_TARGET] = 0.7
    rerun(app)
    targets = app.table[-1].value
    assert set(targets.index) == {parse_method(text).title for text in PAPERS_FOUR}


@pytest.mark.timing
@pytest.mark.parametrize("chip", ["all", "as-published", "corrected", "proven", "two"])
def test_regimes_step_of_epsilon_is_answered_in_150_milliseconds(open_page, chip) -> None:
    app = open_page("regimes", {"among": chip})
    seconds = []
    for epsilon in (1, 0.5, 2, 4, 6):
        app.select_slider(key=Key.EPSILON).set_value(epsilon)
        start = time.perf_counter()
        rerun(app)
        seconds.append(time.perf_counter() - start)
    assert statistics.median(seconds) < 0.15 * slowness()


@pytest.mark.timing
def test_regimes_paper_statements_are_counted_within_two_seconds() -> None:
    paper_remarks.check_everywhere.cache_clear()
    paper_remarks.spread_settings.cache_clear()
    start = time.perf_counter()
    paper_remarks.check_everywhere(tuple(papers_four(Calibration.CORRECTED).items()))
    assert time.perf_counter() - start < 2 * slowness()
