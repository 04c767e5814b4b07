"""Results on disk, their summaries and CSV."""

import csv
import io
import math
import resource
import subprocess
import sys
from dataclasses import fields, replace

import numpy as np
import pandas as pd
import pytest

from dplda.core.errors import InputError, ReadError
from dplda.experiments.specs.row import Row
from dplda.experiments.storage.store import StoreError, frame_of
from dplda.experiments.sweeps import FileSource, Setting, Store, Sweep, run, to_csv
from dplda.experiments.sweeps.frame import summary
from tests.experiments.sweeps import tiny_sweeps

SWEEP = tiny_sweeps.sweep("unnoised", "config-4", epsilons=(1.0,), repeats=1)


def test_store_reads_a_row_back_as_written(tmp_path) -> None:
    wanted_row = row("vi", np.nan, 0, 0.1 + 0.2, refused="σk ≥ 'x'; DROP TABLE")
    wanted_row = replace(wanted_row, resolved=2.0, noise_seed=2**32 - 1)
    store = Store(SWEEP, tmp_path)
    with store.writing() as save:
        save(5, wanted_row)
    (back,) = store.rows().values()
    for field in fields(Row):
        ours, theirs = getattr(wanted_row, field.name), getattr(back, field.name)
        assert type(ours) is type(theirs)
        assert ours == theirs or (math.isnan(ours) and math.isnan(theirs))


def test_store_allows_one_writer_among_processes(tmp_path) -> None:
    command = [sys.executable, "-c", WRITER, SWEEP.to_toml(), str(tmp_path)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other_writer:
        with Store(SWEEP, tmp_path).writing():
            assert "already running" in other_writer.stdout.readline()
        assert other_writer.communicate("again\n")[0] == "written\n"


WRITER = """
import sys
from pathlib import Path
from dplda.experiments.storage.store import AlreadyRunning, Store
from dplda.experiments.sweeps import Sweep
store = Store(Sweep.from_toml(sys.argv[1]), Path(sys.argv[2]))
for _ in range(2):
    try:
        with store.writing():
            print("written", flush=True)
    except AlreadyRunning as refused:
        print(refused, flush=True)
        sys.stdin.readline()
"""


@pytest.mark.parametrize("damage", ["text", "middle", "cut"])
def test_damaged_result_is_noted_before_it_is_computed_again(tmp_path, damage) -> None:
    store = Store(SWEEP, tmp_path)
    run(SWEEP, store)
    wanted_frame, content = store.frame(), bytearray(store.path.read_bytes())
    if damage == "text":
        content[:] = b"no results at all \xff\0 " * 100
    elif damage == "middle":
        content[10:-10] = bytes(
            np.random.default_rng(0).integers(0, 256, len(content) - 20, dtype=np.uint8)
        )
    else:
        del content[-20:]
    store.path.write_bytes(content)
    assert len(store.rows()) == SWEEP.n_cells - (1 if damage == "cut" else SWEEP.n_cells)
    notes = []
    run(SWEEP, Store(SWEEP, tmp_path), lambda progress: notes.append(progress.note))
    assert "damaged result" in notes[0]
    pd.testing.assert_frame_equal(
        tiny_sweeps.lasting(store.frame()), tiny_sweeps.lasting(wanted_frame)
    )


def test_store_with_a_flipped_bit_loses_only_damaged_rows(tmp_path) -> None:
    """Wherever it is: a row is as it was written, or is not there and computed again."""
    store = Store(SWEEP, tmp_path)
    run(SWEEP, store)
    content, wanted_rows = store.path.read_bytes(), store.rows()
    assert len(wanted_rows) == SWEEP.n_cells
    rng = np.random.default_rng(0)
    for place in rng.integers(len(content), size=300):
        flipped = bytearray(content)
        flipped[place] ^= 1 << rng.integers(8)
        store.path.write_bytes(flipped)
        rows_found = store.rows()
        assert all(repr(row) == repr(wanted_rows[number]) for number, row in rows_found.items())
        n_lost = len(wanted_rows) - len(rows_found)
        assert n_lost == 1 or (n_lost == 2 and content[place] == ord("\n")) or place == 0


def test_store_on_a_full_disk_keeps_finished_cells(tmp_path) -> None:
    store = Store(SWEEP, tmp_path)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    with store.writing() as save:
        save(0, row("vi", np.nan, 0, 1.0))
        resource.setrlimit(resource.RLIMIT_FSIZE, (store.path.stat().st_size + 100, limits[1]))
        try:
            with pytest.raises(StoreError, match=r"too large\); finished cells are kept"):
                save(1, row("vi", np.nan, 0, 2.0))
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert list(store.rows()) == [0]
    with store.writing() as save:
        assert store.notice == "1 damaged result will be computed again."
        save(1, row("vi", np.nan, 0, 2.0))
    assert [result_row.l1_sum for result_row in store.rows().values()] == [1.0, 2.0], (
        "what follows a torn line is whole"
    )


def test_store_writes_its_spec_beside_the_results(tmp_path) -> None:
    store = Store(SWEEP, tmp_path)
    with store.writing():
        pass
    (spec,) = tmp_path.glob("*.toml")
    assert Sweep.from_toml(spec.read_text("utf-8")) == SWEEP


def test_store_in_an_unwritable_folder_is_refused(tmp_path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    with (
        pytest.raises(StoreError, match="cannot be written"),
        Store(SWEEP, blocked / "sweeps").writing(),
    ):
        pass


def test_results_of_other_code_are_never_taken(tmp_path, monkeypatch) -> None:
    run(SWEEP, Store(SWEEP, tmp_path))
    monkeypatch.setattr("dplda.experiments.storage.identity.code_version", lambda: "other")
    assert Store(SWEEP, tmp_path).rows() == {}


def test_results_of_a_file_that_changed_are_never_taken_nor_made(tmp_path) -> None:
    path = tiny_sweeps.write_documents(tmp_path / "a.txt")
    words = tmp_path / "words.txt"
    words.write_text("apple pear plum cherry river lake ocean pond")
    source = FileSource(str(path), "public", n_words=8, vocabulary=str(words))
    sweep = tiny_sweeps.sweep("unigram", settings=(Setting("file", source, 2, 1.0),))
    store = Store(sweep, tmp_path)
    run(sweep, store)
    assert len(Store(sweep, tmp_path).rows()) == 1
    tiny_sweeps.write_documents(path, n_documents=50)
    assert Store(sweep, tmp_path).rows() == {}
    early = Store(sweep, tmp_path)
    tiny_sweeps.write_documents(path, n_documents=40)
    with pytest.raises(StoreError, match="documents of file have changed"):
        run(sweep, early)
    assert early.rows() == {}
    tiny_sweeps.write_documents(path)
    words.write_text("apple pear plum")
    assert Store(sweep, tmp_path).rows() == {}
    path.unlink()
    with pytest.raises(ReadError, match="No such file"):
        Store(sweep, tmp_path)


def row(
    method: str, epsilon: float, repeat: int, error: float, refused: str = "", failed: str = ""
) -> Row:
    fields = (
        method,
        method,
        "",
        "proven",
        epsilon,
        1e-7,
        0,
        repeat,
        300,
        12,
        2,
        1.0,
        20.0,
        0,
        "1+a",
    )
    return Row("a", *fields, l1_sum=error, refused=refused, failed=failed)


def frame() -> pd.DataFrame:
    rows = [row("vi", np.nan, 0, 0.5)]
    rows += [row("adaptive", 3.0, repeat, float(repeat)) for repeat in range(11)]
    rows += [
        row("adaptive", 1.0, 0, 2.0),
        row("adaptive", 1.0, 1, np.nan, refused="no finite noise"),
    ]
    rows += [
        row("config-4", 1.0, 0, np.nan, refused="no finite noise"),
        row("config-4", 1.0, 1, np.nan, failed="E"),
    ]
    return frame_of(dict(enumerate(rows)))


def test_summary_takes_quantiles_of_runs_that_gave_a_number() -> None:
    summary_table = summary(frame(), "l1_sum")
    assert list(summary_table["method"]) == ["vi", "adaptive", "adaptive", "config-4"], (
        "in the order of the frame"
    )
    vi, many_runs, one_run, none = summary_table.to_dict("records")
    assert (vi["median"], vi["low"], vi["high"], vi["n"]) == (0.5, 0.5, 0.5, 1)
    assert np.isnan(vi["epsilon"])
    assert (
        many_runs["low"],
        many_runs["median"],
        many_runs["high"],
        many_runs["n"],
        many_runs["n_refused"],
    ) == (
        1.0,
        5.0,
        9.0,
        11,
        0,
    )
    assert (one_run["median"], one_run["n"], one_run["n_refused"]) == (2.0, 1, 1)
    assert np.isnan(none["median"])
    assert (none["n"], none["n_refused"], none["n_failed"]) == (0, 1, 1)


def test_summary_of_a_column_without_numbers_is_refused() -> None:
    with pytest.raises(InputError, match="value must be one of"):
        summary(frame(), "refused")


def test_csv_holds_no_formula() -> None:
    text = to_csv(frame_of({0: row("=HYPERLINK(1)", 1.0, 0, -1.0, refused='@x, "y"\nz')}))
    _, values = csv.reader(io.StringIO(text))
    assert not [value for value in values if value.startswith(("=", "@", "+"))]
    assert "-1.0" in values, "numbers are numbers"
