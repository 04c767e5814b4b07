"""The Error curves page without a browser."""

import re

import pytest

from dplda.core.formatting import digits
from dplda.corpus import Label, Simulation
from dplda.experiments.papers.claims import Claim
from dplda.experiments.papers.precomputed import stored_results
from dplda.experiments.papers.presets import PRESETS
from dplda.experiments.papers.readings import NoiseReading
from dplda.experiments.sweeps import Setting, Sweep, run
from dplda.methods.registry import parse_method
from dplda.ui.compare import own_sweep
from dplda.ui.compare.paper_numbers import OWN
from dplda.ui.state import runs
from dplda.ui.state.keys import Key
from tests.pages.conftest import bring, mine, said

pytestmark = pytest.mark.usefixtures("own_store")
TINY = Simulation(n_documents=300, n_words=20, n_topics=2, alpha0=1.0, mean_length=30)
SMALL = {"corpus": "simulated_300_20_2_1_30_poisson_0.1_0", "k": "2", "alpha0": "1", "epsilon": "3"}


def show(app, name: str):
    app.selectbox(key="shown.compare").select(name).run()
    assert not app.exception, [problem.value for problem in app.exception]
    return app


@pytest.mark.parametrize("name", PRESETS)
def test_preset_shows_the_papers_report_beside_our_difference(name, open_page) -> None:
    app = show(open_page("error_curves", SMALL), name)
    text_shown = said(app)
    assert all(
        text in text_shown
        for text in (PRESETS[name].reports, PRESETS[name].differs, PRESETS[name].chosen)
    )
    assert ("Computed on" in text_shown) == (stored_results(name) is not None)


@pytest.mark.parametrize("name", ["figure-2a", "table-2"])
def test_figure_of_a_paper_hides_the_controls_that_do_not_move_it(name, open_page) -> None:
    app = show(open_page("error_curves", SMALL), name)
    assert {Key.N_TOPICS, Key.ALPHA0, Key.CONFIGURATION, Key.DOCUMENTS, Key.SEED}.isdisjoint(
        control.key for control in (*app.sidebar.number_input, *app.sidebar.selectbox)
    )
    assert "These numbers are the paper's" in said(app)


def test_own_settings_survive_a_look_at_a_figure_of_a_paper(open_page) -> None:
    app = show(open_page("error_curves", SMALL | {"seed": "4"}), "figure-2a")
    app.button(key=Key.OWN_NUMBERS).click().run()
    assert app.selectbox(key=Key.CURVES_SHOWN).value == OWN
    values = [app.number_input(key=key).value for key in (Key.N_TOPICS, Key.ALPHA0, Key.SEED)]
    assert values == [2, 1.0, 4]


def test_make_them_mine_takes_over_the_numbers_of_the_paper(open_page) -> None:
    app = show(open_page("error_curves", SMALL), "figure-2a")
    app.button(key=Key.PAPER_NUMBERS).click().run()
    assert not app.exception
    sweep = PRESETS["figure-2a"].sweep
    assert sweep is not None
    setting = sweep.settings[0]
    assert app.session_state[Key.CHOICE] == setting.source
    assert app.number_input(key=Key.N_TOPICS).value == setting.n_topics
    assert app.number_input(key=Key.ALPHA0).value == pytest.approx(setting.alpha0)


def chosen_sweep(app, *methods: str, repeats: int = 1, simulation: Simulation = TINY) -> Sweep:
    """Ask for these methods; the sweep that the page would run."""
    app.multiselect(key="curves.methods").set_value(list(methods)).run()
    app.number_input(key="curves.repeats").set_value(repeats).run()
    assert "Predicted for documents drawn from the model" in said(app)
    return Sweep(  # what the page runs, its other choices left as they are
        settings=(
            Setting(
                "simulated",
                simulation,
                n_topics=simulation.n_topics,
                alpha0=simulation.alpha0,
            ),
        ),
        methods=tuple(map(parse_method, methods)),
        epsilons=tuple(map(float, own_sweep.FIRST_EPSILONS)),
        repeats=repeats,
    )


def computed(app, *methods: str, repeats: int = 1) -> Sweep:
    """Ask for these methods, run them, and draw the page with the results."""
    sweep = chosen_sweep(app, *methods, repeats=repeats)
    run(sweep, runs.store(sweep))
    app.run()
    assert not app.exception, [problem.value for problem in app.exception]
    return sweep


def test_numbers_of_a_small_sweep_are_drawn_as_in_its_text(open_page, figure) -> None:
    app = open_page("error_curves", SMALL)
    sweep = computed(app, "unnoised", "unigram", "adaptive/corrected", repeats=2)
    chart = figure(app, "curves.own")
    assert {trace["name"] for trace in chart["data"]} >= {
        "Spectral, no noise",
        "Unigram",
        "Adaptive",
    }
    assert "ε = 3" in [note.get("text") for note in chart["layout"]["annotations"]]
    assert f"All {sweep.n_cells} runs are done" in said(app)
    frame = runs.store(sweep).frame()
    adaptive = frame[(frame["method"] == "adaptive/corrected") & (frame["epsilon"] == 3)]["l1_mean"]
    assert f"measured error: {digits(adaptive.median(), 2)}" in said(app)
    (line,) = (
        trace
        for trace in chart["data"]
        if trace["name"] == "Adaptive" and trace.get("fill") is None
    )
    assert line["y"][list(line["x"]).index(3)] == pytest.approx(adaptive.median(), rel=1e-3)


class Canceled(Exception):  # noqa: N818 - how a visitor ends a run
    """Ends a sweep after some runs."""


@pytest.mark.parametrize("n_runs", [0, 1, 3])
def test_predictions_stay_when_a_sweep_is_canceled(open_page, figure, n_runs) -> None:
    def watch(progress) -> None:
        if progress.n_done >= n_runs:
            raise Canceled

    simulation = Simulation(n_documents=3000, n_words=120, n_topics=3, alpha0=0.1, mean_length=60)
    corpus = "simulated_3000_120_3_0.1_60_poisson_0.1_0"
    app = open_page("error_curves", {"corpus": corpus, "k": "3", "alpha0": "0.1", "epsilon": "3"})
    methods = ("unigram", "adaptive/corrected", "config-2/corrected")
    sweep = chosen_sweep(app, *methods, simulation=simulation)
    with pytest.raises(Canceled):
        run(sweep, runs.store(sweep), watch)
    app.run()
    assert not app.exception, [problem.value for problem in app.exception]
    key = "curves.own" if n_runs else "curves.predicted"
    markers = [trace["marker"] for trace in figure(app, key)["data"] if "marker" in trace]
    assert sum(str(marker["symbol"]).endswith("-open") for marker in markers) > 3


def test_error_curves_in_l2_show_the_papers_bounds(open_page, figure) -> None:
    app = open_page("error_curves", SMALL)
    computed(app, "unigram", "adaptive/corrected")
    app.segmented_control(key="curves.measure.own").set_value("mean L2").run()
    assert "the paper's bounds with constant 1" in said(app)
    assert any("Theorem 10" in trace["name"] for trace in figure(app, "curves.own")["data"])


def test_error_curves_give_the_reason_of_a_refused_method(open_page) -> None:
    app = open_page("error_curves", SMALL)
    refusals = runs.store(computed(app, "config-4/as published")).frame()["refused"]
    sentence = f"Configuration 4, as published could not run in {sum(refusals != '')} of {len(refusals)} cases: The private lower bound"
    assert sentence in said(app)


def test_error_curves_with_another_k_than_the_truth_offer_no_run(open_page) -> None:
    app = open_page("error_curves", {**SMALL, "k": "4"})
    assert "Set k = 2 in the sidebar" in said(app)
    assert not [button for button in app.button if button.label == "Run it"]


def test_sweep_beside_a_sensitive_corpus_uses_a_twin(open_page, monkeypatch, tmp_path) -> None:
    monkeypatch.setenv("DPLDA_CACHE", str(tmp_path / "cache"))
    app = bring(open_page("error_curves", SMALL), mine(Label.SENSITIVE))
    assert "it never sees these sensitive documents" in said(app)
    assert any(button.label.startswith("Run it") for button in app.button)
    assert not (tmp_path / "cache" / "uploads").exists()


def test_park_s_preset_shows_the_same_noise_under_four_accountings(open_page, figure) -> None:
    app = show(open_page("error_curves", SMALL), "park-figure-1")
    epsilons_shown = figure(app, "curves.park-figure-1.accountants")["data"][0]["x"]
    assert epsilons_shown == pytest.approx([2.441, 1.645, 1.215, 0.932], abs=5e-4)


def verdict_lines(app) -> list[str]:
    (answer,) = (
        paragraph.value
        for paragraph in app.markdown
        if paragraph.value.startswith("The paper's claims")
    )
    return answer.splitlines()[2:]


def claims_of(name: str, reading: NoiseReading) -> list[Claim]:
    return [claim for claim in PRESETS[name].claims if claim.reading is reading]


def test_figure_of_a_paper_begins_with_a_verdict_on_each_claim(open_page) -> None:
    lines = verdict_lines(show(open_page("error_curves", SMALL), "figure-2b"))
    claims = claims_of("figure-2b", NoiseReading.PUBLISHED)
    assert len(lines) == len(claims) == 3
    for line, claim in zip(lines, claims, strict=True):
        assert re.match(r"- \*\*(Holds|Does not hold|Undecided)\*\*: ", line)
        assert claim.words in line


def test_authors_noise_replaces_the_published_one_throughout(open_page, figure) -> None:
    app = show(open_page("error_curves", SMALL), "figure-2b")
    app.segmented_control(key="reading.compare").set_value("authors' code").run()
    assert not app.exception, [problem.value for problem in app.exception]
    names = {trace["name"] for trace in figure(app, "curves.figure-2b")["data"]}
    assert "Configuration 2, authors' code" in names
    assert not {name for name in names if re.match(r"Configuration.*(published|unscaled)", name)}
    assert "noise as in the authors' code (not private):" in said(app)
    assert len(verdict_lines(app)) == len(claims_of("figure-2b", NoiseReading.AUTHORS))


def test_link_to_a_figure_of_a_paper_restores_its_reading_of_the_noise(open_page) -> None:
    query = {**SMALL, "shown": "figure-2b", "reading": "authors-code-unscaled"}
    app = open_page("error_curves", query)
    assert app.segmented_control(key="reading.compare").value == "authors' code, unscaled"
    assert "noise as inferred from the figures (not private):" in said(app)
