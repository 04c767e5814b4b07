"""The Error curves page without a browser."""

import pytest

from dplda.core.formatting import digits
from dplda.corpus import Label, Simulation
from dplda.experiments.papers.precomputed import stored_results
from dplda.experiments.papers.presets import PRESETS
from dplda.experiments.sweeps import Setting, Sweep, run
from dplda.methods.registry import parse_method
from dplda.ui.compare import own_sweep
from dplda.ui.state import runs
from tests.pages.conftest import bring, mine, said

pytestmark = pytest.mark.usefixtures("own_store")
SMALL = {"corpus": "simulated_300_20_2_1_30_poisson_0.1_0", "k": "2", "alpha0": "1", "epsilon": "3"}


def show(app, name: str):
    app.selectbox(key="shown.compare").select(name).run()
    assert not app.exception, [problem.value for problem in app.exception]
    return app


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_shows_what_the_paper_reports_and_why_we_differ(name, open_page) -> None:
    app = show(open_page("error_curves", SMALL), name)
    shown = said(app)
    assert all(
        text in shown
        for text in (PRESETS[name].reports, PRESETS[name].differs, PRESETS[name].chosen)
    )
    assert ("Computed on" in shown) == (stored_results(name) is not None)


def computed(app, *methods: str, repeats: int = 1) -> Sweep:
    """Ask for these methods, run them, and draw the page with the results."""
    app.multiselect(key="curves.methods").set_value(list(methods)).run()
    app.number_input(key="curves.repeats").set_value(repeats).run()
    assert "Predicted for documents drawn from the model" in said(app)
    simulation = Simulation(n_documents=300, n_words=20, n_topics=2, alpha0=1.0, mean_length=30)
    sweep = Sweep(  # what the page runs, its other choices left as they are
        settings=(Setting("simulated", simulation, n_topics=2, alpha0=1.0),),
        methods=tuple(map(parse_method, methods)),
        epsilons=tuple(map(float, own_sweep.FIRST_EPSILONS)),
        repeats=repeats,
    )
    run(sweep, runs.store(sweep))
    app.run()
    assert not app.exception, [problem.value for problem in app.exception]
    return sweep


def test_numbers_of_a_small_sweep_are_drawn_and_said(open_page, figure) -> None:
    app = open_page("error_curves", SMALL)
    sweep = computed(app, "unnoised", "unigram", "adaptive/corrected", repeats=2)
    drawn = figure(app, "curves.own")
    assert {trace["name"] for trace in drawn["data"]} >= {
        "Spectral, no noise",
        "Unigram",
        "Adaptive",
    }
    assert "ε = 3" in [note.get("text") for note in drawn["layout"]["annotations"]]
    assert f"All {sweep.n_cells} runs are done" in said(app)
    frame = runs.store(sweep).frame()
    adaptive = frame[(frame["method"] == "adaptive/corrected") & (frame["epsilon"] == 3)]["l1_mean"]
    assert f"measured error: {digits(adaptive.median(), 2)}" in said(app)
    (line,) = (
        trace
        for trace in drawn["data"]
        if trace["name"] == "Adaptive" and trace.get("fill") is None
    )
    assert line["y"][list(line["x"]).index(3)] == pytest.approx(adaptive.median(), rel=1e-3)


def test_the_papers_bounds_stand_beside_the_error_that_they_bound(open_page, figure) -> None:
    app = open_page("error_curves", SMALL)
    computed(app, "unigram", "adaptive/corrected")
    app.segmented_control(key="curves.measure.own").set_value("mean L2").run()
    assert "the paper's bounds with constant 1" in said(app)
    assert any("the paper's bound" in trace["name"] for trace in figure(app, "curves.own")["data"])


def test_a_refused_method_says_why(open_page) -> None:
    app = open_page("error_curves", SMALL)
    refused = runs.store(computed(app, "config-4/as published")).frame()["refused"]
    why = f"Configuration 4 could not run in {sum(refused != '')} of {len(refused)} cases: The private lower bound"
    assert why in said(app)


def test_another_number_of_topics_than_the_truth_is_explained(open_page) -> None:
    app = open_page("error_curves", {**SMALL, "k": "4"})
    assert "Set k = 2 in the sidebar" in said(app)
    assert not [button for button in app.button if button.label == "Run it"]


def test_a_sensitive_corpus_is_never_swept_and_has_a_twin(open_page, monkeypatch, tmp_path) -> None:
    monkeypatch.setenv("DPLDA_CACHE", str(tmp_path / "cache"))
    app = bring(open_page("error_curves", SMALL), mine(Label.SENSITIVE))
    assert "it never sees these sensitive documents" in said(app)
    assert any(button.label.startswith("Run it") for button in app.button)
    assert not (tmp_path / "cache" / "uploads").exists()


def test_park_s_preset_shows_the_same_noise_under_four_accountings(open_page, figure) -> None:
    app = show(open_page("error_curves", SMALL), "park-figure-1")
    shown = figure(app, "curves.park-figure-1.accountants")["data"][0]["x"]
    assert shown == pytest.approx([2.441, 1.645, 1.215, 0.932], abs=5e-4)
