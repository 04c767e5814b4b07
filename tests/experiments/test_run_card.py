import csv
import io
import json
from dataclasses import replace

import numpy as np
import pytest

from dplda.core.errors import InputError
from dplda.corpus import Simulation, simulate
from dplda.experiments.experiment import Experiment
from dplda.experiments.run_card import read_card, run_card
from dplda.figures import Lane, Slot
from dplda.methods.base.problem import Problem
from dplda.methods.configurations.plan import Plan
from dplda.methods.registry import parse_method
from dplda.release.artefact.topic_tables import topics_csv, topics_json
from tests.asking import fitted_by, settings_of

SIMULATION = Simulation(n_documents=500, n_words=40, n_topics=3, mean_length=30)
VOCABULARY = ("=cmd()", "+1", "-2", "@x", "plain", 'quo"te,')
LANE = Lane(
    "private", (Slot(1, np.array([0.3, 0.25, 0.2, 0.15, 0.1, 0.0]), 0.4, 0.9), Slot(2, None)), True
)


@pytest.fixture(scope="module")
def card() -> str:
    return _card(planned(Plan("adaptive", 8.0, 1e-6)))


def planned(plan: Plan) -> Experiment:
    return Experiment.of_plan(plan, corpus=SIMULATION, problem=Problem(3, 1.0), seed=4)


def _card(experiment: Experiment) -> str:
    corpus = SIMULATION.draw()
    return run_card(fitted_by(experiment, corpus), experiment, corpus)


@pytest.mark.parametrize(
    "text", ["dp-vi/corrected", "dp-vi/as published", "config-1/as published", "config-1/Laplace"]
)
def test_run_card_of_any_method_reads_back_its_experiment(text) -> None:
    method = parse_method(text)
    settings = settings_of(
        method, corpus=SIMULATION, n_topics=3, alpha0=0.5, seed=7, epsilon=1.0, delta=1e-5
    )
    content = _card(settings)
    assert read_card(content).experiment == settings
    assert (json.loads(content)["plan"] is None) == (method.name == "dp-vi")
    assert all(
        release["scale"] > 0 and release["steps"] >= 1
        for release in json.loads(content)["releases"]
    )


def test_run_card_without_a_method_is_read_by_its_plan(card) -> None:
    """As cards of earlier versions are."""
    later = ("method", "epsilon", "delta", "names")
    content = {name: value for name, value in json.loads(card).items() if name not in later}
    assert read_card(json.dumps(content)) == read_card(card)


def test_names_travel_with_the_card() -> None:
    corpus, settings = (
        SIMULATION.draw(),
        planned(Plan("adaptive", 8.0)),
    )
    names = ("ships", None, 'a "b" \\ c')
    fitted_run = fitted_by(settings, corpus)
    card = run_card(fitted_run, settings, corpus, names)
    assert read_card(card).topic_names == names
    for bad in (["a"], [1, 2, 3], ["x" * 61, None, None], "abcd", 7):
        with pytest.raises(InputError):
            read_card(json.dumps(json.loads(card) | {"names": bad}))


def test_run_card_of_a_fit_without_noise_is_refused() -> None:
    corpus = simulate(n_documents=50, n_words=10, n_topics=2, alpha0=1.0, mean_length=20, seed=0)
    settings = settings_of(parse_method("unnoised"), n_topics=2, alpha0=1.0)
    fitted_run = fitted_by(settings, corpus)
    with pytest.raises(InputError, match="one without noise"):
        run_card(fitted_run, settings, corpus)


@pytest.mark.parametrize(
    "change",
    [
        {"format": "another"},
        {"version": 2},
        {"plan": {"configuration": "adaptive", "epsilon": -1}},
        {"plan": None},
        {"n_topics": 1},
        {"alpha0": float("nan")},
        {"seed": -1},
        {"corpus": {"kind": "simulated", "simulation": None}},
        {"corpus": {"kind": "simulated", "simulation": {"lengths": "poisson", "unknown": 1}}},
        {"corpus": []},
    ],
)
def test_run_card_with_a_bad_field_is_refused(card, change) -> None:
    with pytest.raises(InputError):
        read_card(json.dumps(json.loads(card) | change))


@pytest.mark.parametrize(
    "text", ["", "[]", "null", "{}", "not json", "[" * 100_000, "x" * 2_000_000]
)
def test_run_card_that_is_no_card_is_refused(text) -> None:
    with pytest.raises(InputError):
        read_card(text)


def test_topic_tables_hold_what_is_known_without_formulas() -> None:
    words = LANE.slots[0].words
    known_slot = replace(LANE.slots[0], lower=words / 2, upper=words * 2, evidence=7.5)
    for slot, interval_ends, far in (
        (LANE.slots[0], ("", ""), ""),
        (known_slot, ("0.15", "0.6"), "7.5"),
    ):
        lane = replace(LANE, slots=(slot, LANE.slots[1]))
        rows = list(csv.DictReader(io.StringIO(topics_csv(lane, VOCABULARY))))
        assert [row["word"] for row in rows] == ["'=cmd()", "'+1", "'-2", "'@x", "plain"]
        assert [row["rank"] for row in rows] == ["1", "2", "3", "4", "5"]
        assert {(row["topic"], row["signal_share"], row["evidence"]) for row in rows} == {
            ("1", "0.9", far)
        }
        assert (rows[0]["probability"], rows[0]["lower"], rows[0]["upper"]) == (
            "0.3",
            *interval_ends,
        )
        first_topic, second = json.loads(topics_json(lane, VOCABULARY))["topics"]
        assert (
            first_topic["topic"],
            first_topic["words"]["=cmd()"],
            first_topic["signal_share"],
        ) == (1, 0.3, 0.9)
        assert (first_topic["evidence"], second["topic"], second["words"]) == (
            slot.evidence,
            2,
            None,
        )
        assert (
            first_topic["intervals"] is None
            if slot is not known_slot
            else first_topic["intervals"]["+1"] == [0.125, 0.5]
        )
