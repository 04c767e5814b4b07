"""A cell of a map becomes the experiment, and no click puts away documents that somebody brought."""

import pytest
import streamlit as st

from dplda.corpus import Simulation
from dplda.experiments.experiment import HeldDocuments
from dplda.experiments.sources import Embedded
from dplda.methods.registry import parse_method
from dplda.theory.prediction.regime_axes import Axis, Point
from dplda.ui.compare.cell_adoption import adopt
from dplda.ui.state import method_choice
from dplda.ui.state.keys import Key

HERE = Point(n_documents=2000, n_topics=4, n_words=60, alpha0=1.0, mean_length=50, epsilon=3.0)


@pytest.fixture
def state(monkeypatch) -> dict:
    session_state: dict = {}
    monkeypatch.setattr(st, "session_state", session_state)
    return session_state


def said(state) -> str:
    return " ".join(state[Key.NOTICES])


def test_adopted_cell_of_other_documents_is_simulated_alike(state) -> None:
    chosen_simulation = Simulation(
        n_documents=2000, n_words=60, n_topics=4, mean_length=50, newspaper="english", seed=7
    )
    state[Key.CHOICE] = chosen_simulation
    adopt(HERE, HERE.moved(Axis.DOCUMENTS, 8000).moved(Axis.EPSILON, 0.9))
    simulation = state[Key.CHOICE]
    assert (simulation.n_documents, simulation.newspaper, simulation.seed) == (8000, "english", 7)
    assert (state[Key.N_TOPICS], state[Key.ALPHA0], state[Key.EPSILON]) == (4, 1.0, 1)
    assert "8,000 simulated documents of 50 words each, over a vocabulary of 60;" in said(state)


@pytest.mark.parametrize("text", ["private-unigram", "config-1/as published"])
def test_adopted_cell_chooses_its_winner_unless_without_noise(text, state) -> None:
    state[Key.CHOICE], state[Key.CONFIGURATION] = Embedded(), "refined"
    adopt(HERE, HERE.moved(Axis.EPSILON, 0.5), parse_method("unigram"))
    assert state[Key.CONFIGURATION] == "refined"
    adopt(HERE, HERE.moved(Axis.EPSILON, 0.5), parse_method(text))
    assert method_choice.selected_method(method_choice.selected_name()).key == text
    assert f"method {parse_method(text).title}." in said(state)


def test_adopted_cell_beside_uploaded_documents_sets_nothing_else(state) -> None:
    state[Key.CHOICE] = HeldDocuments()
    adopt(HERE, HERE.moved(Axis.DOCUMENTS, 8000))
    assert state[Key.CHOICE] == HeldDocuments()
    assert set(state) == {Key.CHOICE, Key.NOTICES}
    assert "needs other documents than yours" in said(state)


def test_adopted_cell_out_of_range_is_refused_in_a_sentence(state) -> None:
    adopt(HERE, HERE.moved(Axis.DOCUMENTS, 100_000_000))
    assert "cannot be simulated here" in said(state)
    adopt(HERE, HERE.moved(Axis.ALPHA0, 2000.0))
    assert "outside the sidebar's range" in said(state)
    assert Key.ALPHA0 not in state
