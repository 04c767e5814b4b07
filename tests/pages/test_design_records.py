"""Design records are short, answer the same questions, and name code that exists."""

import re

import pytest

from dplda.ui.learn import docs_view
from tests.house.source import ROOT

RECORDS = sorted((ROOT / "assets" / "docs" / "design").glob("*.md"))
MAX_LINES = 60
QUESTIONS = [
    "The question",
    "What we chose",
    "Why",
    "What we rejected",
    "Where it is in the code",
    "What would change our mind",
]
MODULE = re.compile(r"`(dplda(?:\.\w+)+)`")
PATH = re.compile(r"`((?:dplda|pages|tests|assets|benchmarks)/[\w/.]+|app\.py)`")


def missing_places(text: str) -> list[str]:
    """Modules and paths that a text names and that do not exist."""
    modules = [name for name in MODULE.findall(text) if not is_module(name)]
    return modules + [path for path in PATH.findall(text) if not (ROOT / path).exists()]


def is_module(name: str) -> bool:
    place = ROOT.joinpath(*name.split("."))
    return place.with_suffix(".py").is_file() or (place / "__init__.py").is_file()


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_design_record_names_only_code_that_exists(path) -> None:
    text = path.read_text("utf-8")
    assert len(MODULE.findall(text)) + len(PATH.findall(text)) > 2
    assert not missing_places(text)


def test_missing_places_names_code_that_does_not_exist() -> None:
    record_text = "`dplda.privacy.nothing` `dplda/nothing.py` `dplda.privacy.adjacency` `app.py`"
    assert missing_places(record_text) == ["dplda.privacy.nothing", "dplda/nothing.py"]


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_design_record_keeps_to_its_line_limit(path) -> None:
    assert len(path.read_text("utf-8").splitlines()) <= MAX_LINES


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_design_record_answers_the_same_questions_in_order(path) -> None:
    assert re.findall(r"^### (.+)$", path.read_text("utf-8"), re.MULTILINE) == QUESTIONS


def test_docs_list_every_design_record() -> None:
    names = sorted(docs_view.design_records().values())
    assert names == [f"design/{path.stem}" for path in RECORDS]
