"""The presets that are no sweeps as curves, and the bounds that are drawn beside those that are."""

import numpy as np
import pandas as pd

from dplda.corpus import Simulation
from dplda.experiments.papers.curves import MINIBATCHES, curves_of
from dplda.experiments.papers.precomputed import stored_results
from dplda.experiments.sweeps import Setting, Sweep
from dplda.experiments.sweeps.bounds import bounds_of
from dplda.methods.registry import parse_method

SMALL = Simulation(n_documents=400, n_words=30, n_topics=3, alpha0=0.5, mean_length=40, seed=7)


def frame_of(name: str) -> pd.DataFrame:
    stored = stored_results(name)
    assert stored is not None
    return stored.frame


def test_the_eigenvalue_grows_with_alpha0_only_when_scaled() -> None:
    curves = curves_of("figure-3a", frame_of("figure-3a"))
    assert curves is not None
    for name in curves:
        steps = np.diff(curves[name])
        assert np.all(steps > 0 if "(" in name else steps < 0), name


def test_bounds_of_a_setting_fall_with_epsilon() -> None:
    setting = Setting("small", SMALL, n_topics=3, alpha0=0.5)
    sweep = Sweep(settings=(setting,), methods=(parse_method("adaptive"),), epsilons=(3.0, 1.0))
    found = bounds_of(sweep, setting)
    assert [curve.configuration for curve in found] == ["config-1", "config-2", "config-3", "config-4"]
    assert found[0].epsilons == (1.0, 3.0)
    assert found[0].totals[0] > found[0].totals[1]


def test_minibatches_have_a_smaller_epsilon_under_an_exact_accountant() -> None:
    private = frame_of(MINIBATCHES).query("calibration != ''")
    assert (private["exact"] < private["epsilon"]).all()
    assert (private["exact"] <= private["replaced"]).all()


def test_minibatches_are_curves_over_sigma_beside_what_has_no_noise() -> None:
    runs = {"calibration": "as published", "sigma": [1.0, 2.0] * 2, "size": [10.0, 10.0, 4000.0, 4000.0]}
    proven = pd.DataFrame({"calibration": ["corrected"], "sigma": [1.0], "size": [10.0], "perplexity": [1.0]})
    exact = pd.DataFrame({"calibration": [""], "perplexity": [70.0]})
    frame = pd.concat([pd.DataFrame(runs | {"perplexity": [90.0, 95.0, 80.0, 85.0]}), proven, exact])
    found = curves_of(MINIBATCHES, frame)
    assert found is not None
    assert found.to_dict("list") == {"S = 10": [90.0, 95.0], "S = 4,000": [80.0, 85.0], "without noise": [70.0, 70.0]}
    assert curves_of("park-table-1", frame) is None
