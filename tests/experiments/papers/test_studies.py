"""The computations behind the presets that are no sweeps, on sizes that take no time."""

import numpy as np
import pandas as pd
import pytest

from dplda.corpus import Simulation
from dplda.experiments.papers.batches import Batches, batches, epsilon_at, schedule
from dplda.experiments.papers.curves import curves_of
from dplda.experiments.papers.presets import Kind
from dplda.experiments.papers.spectra import PairSpectrum, TensorGaps, pair_spectrum, tensor_gaps
from dplda.experiments.sweeps import Setting, Sweep
from dplda.experiments.sweeps.bounds import bounds_of
from dplda.methods.registry import parse_method
from dplda.methods.variational.accounting import Accountant, epsilon_of
from dplda.privacy.adjacency import Adjacency

SMALL = Simulation(n_documents=400, n_words=30, n_topics=3, alpha0=0.5, mean_length=40, seed=7)


def test_the_eigenvalue_grows_with_alpha0_only_when_scaled() -> None:
    found = pair_spectrum(PairSpectrum(populations=3))
    assert found["scaled"].to_numpy() == pytest.approx(found["alpha0"] * (found["alpha0"] + 1) * found["sigma_k"])
    medians = found.groupby("alpha0")[["sigma_k", "scaled", "ratio"]].median()
    assert np.all(np.diff(medians["scaled"]) > 0)
    assert np.all(np.diff(medians["sigma_k"]) < 0)
    assert np.all(np.diff(medians["ratio"]) < 0)


def test_gaps_of_populations_and_of_fits() -> None:
    told = []
    study = TensorGaps(n_documents=300, n_words=20, alpha0=1.0, topics=(2, 3), mean_length=30, populations=5, corpora=1)
    found = tensor_gaps(study, report=lambda share, line: told.append(share))
    assert found.groupby(["n_topics", "source"]).size().to_dict() == {
        (2, "corpus"): 1,
        (2, "population"): 5,
        (3, "corpus"): 1,
        (3, "population"): 5,
    }
    assert np.all(found.loc[found["source"] == "population", "gap"] >= 0)
    assert told == sorted(told)
    assert told[-1] == 1.0


def test_bounds_of_a_setting_fall_with_epsilon() -> None:
    setting = Setting("small", SMALL, n_topics=3, alpha0=0.5)
    sweep = Sweep(settings=(setting,), methods=(parse_method("adaptive"),), epsilons=(3.0, 1.0))
    found = bounds_of(sweep, setting)
    assert [curve.configuration for curve in found] == ["config-1", "config-2", "config-3", "config-4"]
    assert found[0].epsilons == (1.0, 3.0)
    assert found[0].totals[0] > found[0].totals[1]


def test_one_epoch_of_the_paper_under_two_accountants() -> None:
    """S = 20,000 of D = 400,000 at σ = 1.24 and δ = 1e-4: 2.44 as published."""
    published = epsilon_of(
        schedule(1.24, 0.05), delta=1e-4, accountant=Accountant.CAPPED, adjacency=Adjacency.ADD_OR_REMOVE_ONE
    )
    assert round(published, 2) == 2.44
    assert epsilon_at(1.24, 0.05, delta=1e-4) < published


def test_minibatches_are_run_at_the_noise_asked_for() -> None:
    found = batches(Batches(documents=SMALL, sigmas=(2.0, 2.5), rates=(0.25,), held_out=0.2))
    private = found[found["calibration"] != ""]
    assert len(private) == 4
    assert len(found) == 5
    assert found["perplexity"].notna().all()
    assert (private["exact"] < private["epsilon"]).all()
    assert (private["exact"] <= private["replaced"]).all()
    assert (private["size"] == 0.25 * 320).all()


def test_minibatches_are_curves_over_sigma_beside_what_has_no_noise() -> None:
    runs = {"calibration": "as published", "sigma": [1.0, 2.0] * 2, "size": [10.0, 10.0, 4000.0, 4000.0]}
    proven = pd.DataFrame({"calibration": ["corrected"], "sigma": [1.0], "size": [10.0], "perplexity": [1.0]})
    exact = pd.DataFrame({"calibration": [""], "perplexity": [70.0]})
    frame = pd.concat([pd.DataFrame(runs | {"perplexity": [90.0, 95.0, 80.0, 85.0]}), proven, exact])
    found = curves_of(Kind.BATCHES, frame)
    assert found is not None
    assert found.to_dict("list") == {"S = 10": [90.0, 95.0], "S = 4,000": [80.0, 85.0], "without noise": [70.0, 70.0]}
    assert curves_of(Kind.WORDS, frame) is None
