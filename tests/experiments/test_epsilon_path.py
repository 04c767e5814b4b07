"""The functions that put ε in another form, from an experiment to the scale of its noise, as CONTRIBUTING lists them."""

import sys
from types import FrameType

import pytest

from dplda.corpus import Simulation
from dplda.experiments.experiment import Experiment, fit
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.registry import parse_method_spec
from dplda.privacy.accounting import gaussian
from tests.house.source import ROOT

SIMULATION = Simulation(n_documents=300, n_words=20, n_topics=3, mean_length=20)
PATHS = {
    "refined": (
        *("open_run", "mu_for", "make_schedule", "RefinedSchedule.mu_for", "mu_of_share"),
        *("Mechanisms.gaussian", "_scale"),
    ),
    "adaptive": (
        *("plan_of_method", "Plan.__post_init__", "Route._mus", "mu_for", "mu_of_share"),
        *("Mechanisms.gaussian", "_scale"),
    ),
}
MOST_STOPS = 12
BEFORE_A_FIT = 4  # the slider, what reads it, Budget and Experiment


def called_until_noise(method: str) -> list[str]:
    """Names of dplda's functions that a fit calls until the scale of its first noise is known."""
    names: list[str] = []

    def record_call(frame: FrameType, event: str, _: object) -> None:
        is_ours = "/dplda/" in frame.f_code.co_filename
        if event == "call" and is_ours and "_scale" not in names:
            names.append(frame.f_code.co_qualname)

    experiment = Experiment(
        corpus=SIMULATION,
        method=parse_method_spec(method),
        problem=Problem(3, 1.0),
        budget=Budget(3.0, 1e-6),
    )
    corpus = SIMULATION.draw()
    gaussian.mu_for.cache_clear()
    earlier_profile = sys.getprofile()
    sys.setprofile(record_call)
    try:
        fit(experiment, corpus)
    finally:
        sys.setprofile(earlier_profile)
    return names


@pytest.mark.parametrize("method", PATHS)
def test_epsilon_passes_its_listed_stops_in_their_order(method: str) -> None:
    calls = iter(called_until_noise(method))
    missing = [stop for stop in PATHS[method] if stop not in calls]
    assert not missing
    assert BEFORE_A_FIT + len(PATHS[method]) <= MOST_STOPS


@pytest.mark.parametrize("method", PATHS)
def test_contributing_lists_every_stop_of_epsilon(method: str) -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    names = [stop.removesuffix(".__post_init__") for stop in PATHS[method]]
    assert [name for name in names if f"`{name}`" not in text] == []
