import json
import re

import pandas as pd
import pytest

from benchmarks.presets import save
from dplda.core.errors import InputError
from dplda.experiments.papers.precomputed import Precomputed, folder, stored_results
from dplda.experiments.papers.presets import PRESETS

FIGURES = ("2a", "2b", "2c", "3a", "3b", "4a", "4b", "4c")


def test_a_preset_is_a_sweep_or_says_what_was_run() -> None:
    assert {name for name in PRESETS if name.startswith("figure-")} == {f"figure-{figure}" for figure in FIGURES}
    assert all(name == preset.name for name, preset in PRESETS.items())
    assert all((preset.sweep is None) == bool(preset.ran) for preset in PRESETS.values())


def test_shipped_results_load_and_belong_to_their_preset() -> None:
    for path in folder().glob("*.json"):
        preset = PRESETS[path.stem]
        stored = stored_results(preset.name)
        assert stored is not None
        assert re.fullmatch(r"\d{4}-\d\d-\d\d", stored.computed)
        assert len(stored.frame)
        if preset.sweep is not None:
            assert stored.spec == preset.sweep.to_toml(), f"{path.name} was computed from another spec"
            assert len(stored.frame) == preset.sweep.n_cells
            assert set(stored.frame["method"]) == {method.text for method in preset.sweep.methods}


FRAME = pd.DataFrame({"method": ["a", "b"], "epsilon": [float("nan"), 0.1], "n": [3, 3], "x": [1 / 3, 2 / 3]})
RESULT = Precomputed("figure-2a", "spec", "1+a", "2026-01-31", 12.0, {"processors": "2"}, FRAME)


def test_stored_results_come_back_to_the_last_digit(tmp_path) -> None:
    save(RESULT, tmp_path)
    found = stored_results("figure-2a", tmp_path)
    assert found is not None
    pd.testing.assert_frame_equal(found.frame, FRAME, check_dtype=False, rtol=0)
    assert (found.spec, found.version, found.seconds) == ("spec", "1+a", 12.0)
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
def test_a_damaged_file_is_refused(tmp_path, spoil) -> None:
    path = save(RESULT, tmp_path)
    path.write_text(spoil(json.loads(path.read_text())))
    with pytest.raises(InputError, match="stored results of figure-2a"):
        stored_results("figure-2a", tmp_path)
