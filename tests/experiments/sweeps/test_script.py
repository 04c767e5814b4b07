"""The downloaded script gives the numbers of the frame."""

import ast
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

from dplda.experiments.storage.identity import code_version
from dplda.experiments.sweeps import FileSource, Setting, Store, Sweep, run, script_for
from tests.experiments.sweeps import tiny_sweeps
from tests.experiments.sweeps.tiny_sweeps import lasting

ROOT = Path(__file__).resolve().parents[3]


def ran(script: str, folder: Path) -> str:
    path = folder / "sweep.py"
    path.write_text(script, "utf-8")
    paths = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    environment = {**os.environ, "PYTHONPATH": paths, "DPLDA_CACHE": str(folder / "cache")}
    command = [sys.executable, str(path)]
    return subprocess.run(
        command, env=environment, cwd=folder, check=True, capture_output=True, text=True
    ).stdout


@pytest.fixture(scope="module")
def done(tmp_path_factory) -> Store:
    sweep = tiny_sweeps.sweep(
        "unnoised", "adaptive", "config-4", settings=(tiny_sweeps.setting('a "b" {c} \\ d'),)
    )
    store = Store(sweep, tmp_path_factory.mktemp("store"))
    run(sweep, store)
    return store


def test_sweep_of_a_part_gives_the_rows_of_the_whole(done, tmp_path) -> None:
    part = Store(replace(done.sweep, methods=done.sweep.methods[1:2], epsilons=(8.0,)), tmp_path)
    run(part.sweep, part)
    rows_of_whole = (
        done.frame()
        .query("method == 'adaptive/corrected' and epsilon == 8.0")
        .reset_index(drop=True)
    )
    pd.testing.assert_frame_equal(lasting(part.frame()), lasting(rows_of_whole))


def test_sweep_script_prints_the_frame(done, tmp_path) -> None:
    printed = ran(script_for(done.sweep, version=code_version()), tmp_path)
    path = tmp_path / "out.csv"
    path.write_text(printed)
    frame = done.frame()
    texts = {name: str for name in frame if pd.api.types.is_string_dtype(frame[name])}
    numbers = dict.fromkeys(set(frame) - set(texts), "")
    back = pd.read_csv(path, dtype=texts, keep_default_na=False, na_values=numbers)
    pd.testing.assert_frame_equal(lasting(back), lasting(done.frame()), check_dtype=False)


def test_sweep_script_keeps_any_path_out_of_its_code() -> None:
    path = 'a\'b"""c#{d}.txt'
    source = FileSource(path, "public", vocabulary="words.txt")
    sweep = tiny_sweeps.sweep("unigram", settings=(Setting("file", source, 2, 1.0),))
    script = script_for(sweep, version="1+a")
    assert f"#   {path!a}\n#   'words.txt'\n" in script
    (spec,) = (
        ast.literal_eval(node.value)
        for node in ast.parse(script).body
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "SPEC"
    )
    assert Sweep.from_toml(spec) == sweep
    assert script.startswith("# Needs dplda 0.1.0. Install")
