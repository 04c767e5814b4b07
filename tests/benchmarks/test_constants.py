"""The table of Refined's constants is whole, and its chapter says what the code holds."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks import constants as benchmark
from dplda.methods.refined.plan import constants as table
from dplda.methods.refined.plan.constants import RefinedConstants
from tests.house.source import ROOT

ROOM = ROOT / "dplda" / "methods" / "refined"
FILES = sorted(path for path in ROOM.rglob("*.py") if path.name != "constants.py")
PUBLIC_LISTS = {"ENGLISH_TOPICS"}  # what the shipped table holds, not a choice


def numeric_constants(path: Path) -> Iterator[str]:
    """Public module constants of a file whose value is a number."""
    for statement in ast.parse(path.read_text("utf-8")).body:
        if not isinstance(statement, ast.Assign) or not isinstance(statement.targets[0], ast.Name):
            continue
        name = statement.targets[0].id
        is_public_constant = name.isupper() and not name.startswith("_")
        holds_number = any(
            isinstance(node, ast.Constant) and isinstance(node.value, int | float)
            for node in ast.walk(statement.value)
        )
        if is_public_constant and holds_number and name not in PUBLIC_LISTS:
            yield name


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOM)))
def test_constants_of_the_room_stand_in_the_table_alone(path: Path) -> None:
    derived = {"EVIDENCE_DISTANCE", "NOISELESS_BUDGET"}  # from a constant; a limit of all budgets
    assert set(numeric_constants(path)) <= derived


def test_list_of_constants_names_every_one_with_its_grounds() -> None:
    rows = benchmark.all_constants()
    names = {row.name for row in rows}
    defined = {name for name in vars(table) if name.isupper() and not name.startswith("_")}
    assert names == defined | set(RefinedConstants.__dataclass_fields__)
    assert all(row.purpose and row.chosen_on for row in rows)


def test_measured_constants_leave_out_technical_ones_alone() -> None:
    measured_names = {row.name for row in benchmark.measured_constants()}
    technical_names = {row.name for row in benchmark.all_constants() if row.is_technical}
    all_names = {row.name for row in benchmark.all_constants()}
    assert all_names - measured_names - technical_names == set(benchmark.NOT_MEASURED)
    assert measured_names >= benchmark.WITH_PRIOR | benchmark.OF_EVIDENCE


@pytest.mark.parametrize(
    "constant", benchmark.measured_constants(), ids=lambda constant: constant.name
)
def test_changed_values_are_smaller_then_larger(constant: benchmark.Constant) -> None:
    values = benchmark.changed_values(constant)
    assert values["halved"] < constant.value < values["doubled"]


def test_chapter_states_every_constant_with_its_value() -> None:
    text = benchmark.CHAPTER.read_text("utf-8")
    for constant in benchmark.all_constants():
        assert f"| `{constant.name}` | {benchmark._format(constant.value)} |" in text


def test_chapter_is_that_of_the_figures() -> None:
    rows = benchmark.read_rows()
    assert benchmark.CHAPTER.read_text("utf-8") == benchmark.chapter(rows)
    assert {row["constant"] for row in rows} == {
        constant.name for constant in benchmark.measured_constants()
    }
