import csv
import io
import json
from dataclasses import replace

import numpy as np
import pytest

from dplda.corpus import Simulation, simulate
from dplda.errors import InputError
from dplda.figures import Lane, Slot
from dplda.fitting.pipeline import fit
from dplda.plan import Plan
from dplda.report import CorpusKind, read_card, run_card, topics_csv, topics_json

SIMULATION = Simulation(n_documents=500, n_words=40, n_topics=3, mean_length=30)
VOCABULARY = ("=cmd()", "+1", "-2", "@x", "plain", 'quo"te,')
LANE = Lane("private", (Slot(1, np.array([0.3, 0.25, 0.2, 0.15, 0.1, 0.0]), 0.4, 0.9), Slot(2, None)), True)


@pytest.fixture(scope="module")
def card() -> str:
    s = SIMULATION
    corpus = simulate(
        n_documents=s.n_documents,
        n_words=s.n_words,
        n_topics=s.n_topics,
        alpha0=s.alpha0,
        mean_length=s.mean_length,
        seed=s.seed,
    )
    found = fit(corpus, Plan("adaptive", 8.0, 1e-6), n_topics=3, alpha0=1.0, seed=4)
    return run_card(found, corpus, CorpusKind.SIMULATED, s, seed=4)


def test_a_card_repeats_its_run(card) -> None:
    read = read_card(card)
    assert read.kind is CorpusKind.SIMULATED
    assert read.simulation == SIMULATION
    assert read.settings.plan == Plan("adaptive", 8.0, 1e-6)
    assert (read.settings.n_topics, read.settings.alpha0, read.settings.seed) == (3, 1.0, 4)


def test_a_card_records_the_noise_and_the_promise(card) -> None:
    content = json.loads(card)
    assert content["guarantee"]["status"] == "proven"
    assert set(content["versions"]) == {"dplda", "numpy", "scipy"}
    assert content["releases"]
    for release in content["releases"]:
        assert release["mu"] == pytest.approx(release["sensitivity"] / release["scale"])


def test_an_unnoised_fit_has_no_card() -> None:
    corpus = simulate(n_documents=50, n_words=10, n_topics=2, alpha0=1.0, mean_length=20, seed=0)
    with pytest.raises(InputError, match="un-noised"):
        run_card(fit(corpus, None, n_topics=2, alpha0=1.0), corpus, CorpusKind.SIMULATED, seed=0)


@pytest.mark.parametrize(
    "change",
    [
        {"format": "another"},
        {"version": 2},
        {"plan": {"configuration": "adaptive", "epsilon": -1}},
        {"plan": {"configuration": "unheard of", "epsilon": 1}},
        {"plan": None},
        {"n_topics": 1},
        {"n_topics": "3"},
        {"alpha0": float("nan")},
        {"seed": -1},
        {"seed": 1.5},
        {"corpus": {"kind": "simulated", "simulation": None}},
        {"corpus": {"kind": "simulated", "simulation": {"lengths": "poisson", "unknown": 1}}},
        {"corpus": []},
    ],
)
def test_a_bad_card_is_refused(card, change) -> None:
    with pytest.raises(InputError):
        read_card(json.dumps(json.loads(card) | change))


@pytest.mark.parametrize("text", ["", "[]", "null", "{}", "not json", "[" * 100_000, "x" * 2_000_000])
def test_what_is_no_card_is_refused(text) -> None:
    with pytest.raises(InputError):
        read_card(text)


def test_a_table_of_topics_holds_no_formula() -> None:
    rows = list(csv.DictReader(io.StringIO(topics_csv(LANE, VOCABULARY))))
    assert [row["word"] for row in rows] == ["'=cmd()", "'+1", "'-2", "'@x", "plain"]
    assert {row["topic"] for row in rows} == {"1"}
    assert float(rows[0]["probability"]) == 0.3
    assert [row["rank"] for row in rows] == ["1", "2", "3", "4", "5"]
    assert {row["signal_share"] for row in rows} == {"0.9"}


def test_topics_as_json_keep_their_numbers() -> None:
    topics = json.loads(topics_json(LANE, VOCABULARY))["topics"]
    assert [topic["topic"] for topic in topics] == [1, 2]
    assert topics[0]["words"]["=cmd()"] == 0.3
    assert topics[1]["words"] is None
    assert topics[0]["signal_share"] == 0.9


def test_a_share_of_signal_that_nobody_knows_is_not_saved() -> None:
    lane = replace(LANE, shows_overlap=False)
    assert {row["signal_share"] for row in csv.DictReader(io.StringIO(topics_csv(lane, VOCABULARY)))} == {""}
    assert json.loads(topics_json(lane, VOCABULARY))["topics"][0]["signal_share"] is None
