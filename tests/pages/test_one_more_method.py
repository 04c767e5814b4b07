"""A method added in one entry is found in every list, table and figure, or said to be missing there."""

import json

import numpy as np
import pytest

from benchmarks.utility.sections import documents, sections
from dplda import figures
from dplda.cli import sweep as command
from dplda.corpus import Corpus, Simulation
from dplda.evaluation.colours import Style
from dplda.experiments.run_card import read_card, run_card
from dplda.experiments.sweeps import Setting, Store, Sweep
from dplda.methods.base.guarantees import state_guarantee
from dplda.methods.base.method import FitResult, Method
from dplda.methods.base.method_names import FamilyName, MethodGroup
from dplda.methods.base.method_spec import MethodSpec
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.base.runtime import Runtime
from dplda.methods.registry import METHODS, parse_method
from dplda.privacy.release import Guarantee, Status
from dplda.spectral.topics import Topics
from dplda.theory.prediction.expected import predicted_methods
from dplda.ui.state import link
from dplda.ui.state.keys import Key
from tests.asking import fitted_by, settings_of
from tests.figures.checked import checked
from tests.pages.conftest import go, written

SMALL = {
    "v": "1",
    "corpus": "simulated_2000_60_3_1_60_poisson_0.1_0",
    "k": "3",
    "alpha0": "1",
    "epsilon": "8",
}
SIMULATION = Simulation(n_documents=300, n_words=12, n_topics=2, mean_length=20)


def promise(corpus: Corpus, budget: Budget) -> Guarantee:
    gaps = ("It is a toy.",)
    return state_guarantee(
        corpus,
        (),
        status=Status.AS_PUBLISHED,
        rests_on=gaps,
        epsilon=budget.epsilon,
        delta=budget.delta,
    )


def fit(corpus: Corpus, problem: Problem, budget: Budget, resources: Runtime) -> FitResult:
    """Topics that have nothing to do with the documents."""
    k, d = problem.n_topics, corpus.n_words
    words = np.random.default_rng(resources.seed).dirichlet(np.ones(d), size=k)
    unknown = np.full(k, np.nan)
    topics = Topics(
        words,
        np.full(k, problem.alpha0 / k),
        unknown,
        unknown,
        resolved=k,
        mean_words=words.mean(axis=0),
    )
    return FitResult(topics, (), promise(corpus, budget))


TOY = Method(
    spec=MethodSpec(name="toy"),
    family=FamilyName(title="Toy method", group=MethodGroup.OURS),
    summary="Topics are drawn by lot.",
    status=Status.AS_PUBLISHED,
    style=Style.at(len(METHODS), "Ж"),
    fit=fit,
    guarantee=promise,
)


@pytest.fixture(autouse=True)
def _one_more(monkeypatch, own_store) -> None:
    monkeypatch.setitem(METHODS, TOY.key, TOY)


@pytest.mark.parametrize(
    "page", ["documents", "topics", "noise", "bounds", "error_curves", "regimes"]
)
def test_new_method_is_shown_on_every_page(page, open_page) -> None:
    app = open_page(page, SMALL | {"configuration": "toy"})
    assert not app.error
    assert "Toy method" in app.selectbox(key=Key.CONFIGURATION).options
    if page in ("topics", "noise"):
        assert "Toy method" in written(app)
        assert "As published: meant to be (ε = 8" in written(app)


def test_new_method_without_a_flow_is_said_to_have_no_picture(open_page) -> None:
    app = open_page("noise", SMALL | {"configuration": "toy"})
    assert "no picture of where **Toy method** puts its noise" in written(app)
    assert not app.get("plotly_chart")
    go(app, "topics")
    assert not app.exception


def test_new_method_is_listed_on_pages_without_a_prediction(open_page) -> None:
    app = open_page("error_curves", SMALL)
    assert "Toy method" in app.multiselect(key=Key.CURVES_METHODS).options
    go(app, "regimes")
    assert not app.exception
    assert "toy" not in predicted_methods(), "the map has none of it"


def test_new_method_appears_in_a_sweep_with_its_style(tmp_path, capsys) -> None:
    sweep = Sweep(
        settings=(Setting("tiny", SIMULATION, n_topics=2, alpha0=1.0),),
        methods=tuple(map(parse_method, ("unigram", "toy", "adaptive"))),
        epsilons=(1.0, 30.0),
    )
    spec = tmp_path / "spec.toml"
    spec.write_text(sweep.to_toml(), "utf-8")
    assert command.sweep(spec, csv=None, store=tmp_path) == 0
    assert "toy" in capsys.readouterr().out
    frame = Store(sweep, tmp_path).frame()
    assert not frame["failed"].any()
    lines = figures.lines_of(frame, figures.Measure.L1_SUM)
    (line,) = (line for line in lines if line.method == "toy")
    assert (line.title, line.status) == ("Toy method", Status.AS_PUBLISHED)
    drawn_figure = checked(figures.error_curves(lines, figures.Measure.L1_SUM, n_topics=2))
    (trace,) = (
        trace
        for trace in drawn_figure.data
        if trace.name == "Toy method" and trace.mode == "lines+markers"
    )
    assert (trace.line.color, trace.marker.symbol) == (TOY.style.colour, TOY.style.marker)


def test_new_method_is_in_the_benchmarks() -> None:
    section = sections(documents([], text=None), repeats=1)["text"]
    assert TOY in section.sweep.methods
    assert TOY in section.claims[0].methods


def test_new_method_reads_back_from_card_or_link() -> None:
    corpus = SIMULATION.draw()
    settings = settings_of(
        TOY, corpus=SIMULATION, n_topics=2, alpha0=1.0, seed=3, epsilon=2.0, delta=1e-6
    )
    card = run_card(fitted_by(settings, corpus), settings, corpus)
    assert read_card(card).experiment == settings
    assert json.loads(card)["releases"] == []
    assert link.query(settings)["configuration"] == "toy"
    assert link.method_in({"configuration": "toy"}) is TOY
    assert link.complaints({"configuration": "toy"}) == ()
