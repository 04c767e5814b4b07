"""Presets: sweeps or stored results, their curves, and the bounds drawn beside them."""

import json
import re

import numpy as np
import pandas as pd
import pytest

from benchmarks.presets import merge_rows, save
from dplda.core.errors import InputError
from dplda.corpus import Simulation
from dplda.experiments.papers.curves import MINIBATCHES, curves_of
from dplda.experiments.papers.precomputed import Precomputed, folder, stored_results
from dplda.experiments.papers.presets import PRESETS
from dplda.experiments.papers.study import study_text
from dplda.experiments.sweeps import Setting, Sweep
from dplda.experiments.sweeps.bounds import bounds_of
from dplda.methods.registry import parse_method

FIGURES = ("2a", "2b", "2c", "3a", "3b", "4a", "4b", "4c")


def test_preset_is_a_sweep_or_a_study() -> None:
    assert {name for name in PRESETS if name.startswith("figure-")} == {
        f"figure-{figure}" for figure in FIGURES
    }
    assert all(name == preset.name for name, preset in PRESETS.items())
    assert all((preset.sweep is None) != (preset.study is None) for preset in PRESETS.values())
    assert all(len(preset.described()) > 3 for preset in PRESETS.values())


def test_presets_ship_their_results() -> None:
    assert {path.stem for path in folder().glob("*.json")} == set(PRESETS)


def test_shipped_results_belong_to_their_preset() -> None:
    for path in folder().glob("*.json"):
        preset = PRESETS[path.stem]
        stored_preset = stored_results(preset.name)
        assert stored_preset is not None
        assert re.fullmatch(r"\d{4}-\d\d-\d\d", stored_preset.computed)
        assert len(stored_preset.frame)
        if preset.study is not None:
            assert stored_preset.spec == study_text(preset.study)
        if preset.sweep is not None:
            assert stored_preset.spec == preset.sweep.to_toml(), (
                f"{path.name} was computed from another spec"
            )
            assert len(stored_preset.frame) == preset.sweep.n_cells
            assert set(stored_preset.frame["method"]) == {
                method.key for method in preset.sweep.methods
            }


FRAME = pd.DataFrame(
    {"method": ["a", "b"], "epsilon": [float("nan"), 0.1], "n": [3, 3], "x": [1 / 3, 2 / 3]}
)
RESULT = Precomputed("figure-2a", "spec", "1+a", "2026-01-31", 12.0, {"processors": "2"}, FRAME)


def test_stored_results_come_back_to_the_last_digit(tmp_path) -> None:
    save(RESULT, tmp_path)
    stored_preset = stored_results("figure-2a", tmp_path)
    assert stored_preset is not None
    pd.testing.assert_frame_equal(stored_preset.frame, FRAME, check_dtype=False, rtol=0)
    assert (stored_preset.spec, stored_preset.version, stored_preset.seconds) == (
        "spec",
        "1+a",
        12.0,
    )
    assert stored_results("figure-2b", tmp_path) is None


@pytest.mark.parametrize(
    "spoil",
    [
        lambda content: "no json",
        lambda content: json.dumps({**content, "version": 99}),
        lambda content: json.dumps({**content, "name": "figure-2b"}),
        lambda content: json.dumps({**content, "columns": {"method": ["a"]}}),
        lambda content: json.dumps({key: value for key, value in content.items() if key != "spec"}),
    ],
)
def test_stored_results_in_a_damaged_file_are_refused(tmp_path, spoil) -> None:
    path = save(RESULT, tmp_path)
    path.write_text(spoil(json.loads(path.read_text())))
    with pytest.raises(InputError, match="stored results of figure-2a"):
        stored_results("figure-2a", tmp_path)


SMALL = Simulation(n_documents=400, n_words=30, n_topics=3, alpha0=0.5, mean_length=40, seed=7)


def stored_rows(sweep: Sweep, version: str) -> Precomputed:
    """Results of a sweep in which every row says its version and its cell's number."""
    rows = [
        {
            "setting": cell.setting.name,
            "method": cell.method.key,
            "epsilon": np.nan if cell.epsilon is None else cell.epsilon,
            "corpus": cell.corpus,
            "repeat": cell.repeat,
            "version": version,
        }
        for cell in sweep.cells()
    ]
    frame = pd.DataFrame(rows)
    return Precomputed("figure-2a", sweep.to_toml(), version, "2026-01-31", 1.0, {}, frame)


def sweep_of(*methods: str, **changes: object) -> Sweep:
    setting = Setting("small", SMALL, n_topics=3, alpha0=0.5)
    parsed = tuple(map(parse_method, methods))
    arguments = {"settings": (setting,), "epsilons": (1.0, 3.0), "repeats": 2, **changes}
    return Sweep(methods=parsed, **arguments)


def test_merged_rows_are_the_computed_ones_among_those_that_are_kept() -> None:
    whole_sweep = sweep_of("unnoised", "config-1/as published", "config-4/as published")
    computed = stored_rows(sweep_of("config-1/as published"), "new").frame
    frame = merge_rows(whole_sweep, computed, stored_rows(whole_sweep, "old"))
    assert len(frame) == whole_sweep.n_cells
    assert frame["method"].tolist() == [cell.method.key for cell in whole_sweep.cells()]
    is_computed = frame["method"] == "config-1/as published"
    assert set(frame.loc[is_computed, "version"]) == {"new"}
    assert set(frame.loc[~is_computed, "version"]) == {"old"}


@pytest.mark.parametrize(
    "before",
    [
        sweep_of("config-1/as published", "config-4/as published", seed=1),
        sweep_of("config-1/as published", "config-4/as published", delta=1e-6),
        sweep_of("config-1/as published"),
        sweep_of("config-1/as published", "config-4/as published", epsilons=(1.0,)),
        sweep_of("config-1/as published", "config-4/as published", repeats=1),
    ],
)
def test_merged_rows_of_another_sweep_are_refused(before: Sweep) -> None:
    whole_sweep = sweep_of("config-4/as published", "config-1/as published")
    computed = stored_rows(sweep_of("config-1/as published"), "new").frame
    with pytest.raises(InputError, match="Compute all methods"):
        merge_rows(whole_sweep, computed, stored_rows(before, "old"))


def test_label_of_results_with_kept_rows_says_which_version_they_are_of() -> None:
    frame = FRAME.assign(version=["1+a", "1+b"])
    results = Precomputed("figure-2a", "spec", "1+b", "2026-01-31", 12.0, {}, frame)
    label = results.label(spec="spec", version="1+b")
    assert label.endswith("It kept the number of one method from version 1+a.")
    fresh = Precomputed("figure-2a", "spec", "1+a", "2026-01-31", 12.0, {}, frame[:1])
    assert "kept" not in fresh.label(spec="spec", version="1+a")


def frame_of(name: str) -> pd.DataFrame:
    stored_preset = stored_results(name)
    assert stored_preset is not None
    return stored_preset.frame


def test_eigenvalue_of_figure_3a_grows_with_alpha0_only_when_scaled() -> None:
    curves = curves_of("figure-3a", frame_of("figure-3a"))
    assert curves is not None
    for name in curves:
        steps = np.diff(curves[name])
        assert np.all(steps > 0 if "scaled" in name else steps < 0), name


def test_smallest_gap_is_negative_only_where_eigenvalues_do_not_fall() -> None:
    curves = curves_of("figure-3b", frame_of("figure-3b"))
    assert curves is not None
    for name in curves:
        assert (curves[name] < 0).all() == (name.split(",")[0] in {"unsorted", "in rising order"})


def test_gap_of_rising_eigenvalues_lies_in_the_range_of_figure_3b() -> None:
    curves = curves_of("figure-3b", frame_of("figure-3b"))
    assert curves is not None
    assert curves.loc[[10, 20, 40], "in rising order"].between(-0.4, -0.28).all()


def test_bounds_of_a_setting_fall_with_epsilon() -> None:
    setting = Setting("small", SMALL, n_topics=3, alpha0=0.5)
    sweep = Sweep(settings=(setting,), methods=(parse_method("adaptive"),), epsilons=(3.0, 1.0))
    bound_curves = bounds_of(sweep, setting)
    assert [curve.configuration for curve in bound_curves] == [
        "config-1",
        "config-2",
        "config-3",
        "config-4",
    ]
    assert bound_curves[0].epsilons == (1.0, 3.0)
    assert bound_curves[0].totals[0] > bound_curves[0].totals[1]


def test_minibatches_have_a_smaller_epsilon_under_an_exact_accountant() -> None:
    private = frame_of(MINIBATCHES).query("calibration != ''")
    assert (private["exact"] < private["epsilon"]).all()
    assert (private["exact"] <= private["replaced"]).all()
