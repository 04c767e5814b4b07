"""Mutants of the source stand where they say, so that ``python -m benchmarks mutants`` tries them all."""

import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.source_mutants import SOURCE_MUTANTS, Edit, SourceMutant, apply_edit
from tests.house.source import ROOT

every_mutant = pytest.mark.parametrize("mutant", SOURCE_MUTANTS, ids=lambda mutant: mutant.name)


@every_mutant
def test_source_mutant_replaces_text_that_occurs_as_often_as_it_says(mutant: SourceMutant) -> None:
    for edit in mutant.edits:
        text = (ROOT / edit.path).read_text("utf-8")
        assert text.count(edit.original) == edit.n_occurrences, (
            f"{edit.path}: {edit.original!r} was rewritten; rewrite it in"
            " benchmarks/source_mutants.py too, so that the mutant makes the same mistake"
        )


@every_mutant
def test_source_mutant_leaves_code_that_compiles(mutant: SourceMutant, tmp_path: Path) -> None:
    for edit in mutant.edits:
        copied = tmp_path / edit.path
        copied.parent.mkdir(parents=True, exist_ok=True)
        copied.write_text((ROOT / edit.path).read_text("utf-8"), "utf-8")
        apply_edit(tmp_path, edit)
        compile(copied.read_text("utf-8"), edit.path, "exec")


def test_source_mutants_read_no_name_that_is_not_defined(tmp_path: Path) -> None:
    """Else a test would fail by the wrong name, whatever it tests."""
    for number, mutant in enumerate(SOURCE_MUTANTS):
        folder = tmp_path / str(number)
        for path in {edit.path for edit in mutant.edits}:
            copied = folder / path
            copied.parent.mkdir(parents=True, exist_ok=True)
            copied.write_text((ROOT / path).read_text("utf-8"), "utf-8")
        for edit in mutant.edits:
            apply_edit(folder, edit)
    checked = subprocess.run(
        [sys.executable, "-m", "ruff", "check", "--isolated", "--select=F821", str(tmp_path)],
        capture_output=True,
        text=True,
    )
    assert checked.returncode == 0, checked.stdout


@every_mutant
def test_source_mutant_names_tests_that_exist(mutant: SourceMutant) -> None:
    assert mutant.tests
    assert all((ROOT / test).is_file() for test in mutant.tests)


def test_apply_edit_where_the_original_occurs_twice_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.py").write_text("a = 1\na = 1\n", "utf-8")
    with pytest.raises(RuntimeError, match=r"occurs 2 times"):
        apply_edit(tmp_path, Edit("x.py", "a = 1", "a = 2"))


def test_apply_edit_of_the_second_occurrence_leaves_the_first(tmp_path: Path) -> None:
    (tmp_path / "x.py").write_text("a = 1\na = 1\n", "utf-8")
    apply_edit(tmp_path, Edit("x.py", "a = 1", "a = 2", occurrence=1, n_occurrences=2))
    assert (tmp_path / "x.py").read_text("utf-8") == "a = 1\na = 2\n"


def test_source_mutants_cover_every_cut_of_the_methods() -> None:
    """A file that cuts parts to whole numbers has to be named in benchmarks/source_mutants.py."""
    methods = (ROOT / "dplda" / "methods").rglob("*.py")
    cutting = {path for path in methods if "truncate_to_grid(" in path.read_text("utf-8")}
    mutated = {
        ROOT / edit.path
        for mutant in SOURCE_MUTANTS
        for edit in mutant.edits
        if edit.original == "truncate_to_grid("
    }
    assert cutting == mutated
