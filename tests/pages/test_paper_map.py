"""The map of the paper in Docs: every module, place, preset and card that it names exists."""

import re
import tomllib
from importlib import import_module

import pytest

from dplda.experiments.papers.presets import PRESETS
from dplda.methods.base.method_names import PAPER_AUTHORS
from dplda.theory.theorems.bounds import THEOREMS
from tests.house.source import ROOT
from tests.pages.conftest import VIEWS

TEXT = (ROOT / "assets" / "docs" / "paper.md").read_text("utf-8")
NAMES = sorted(set(re.findall(r"`(dplda\.[\w.]+)`", TEXT)))
ROWS = [line.split("|")[1:-1] for line in TEXT.splitlines() if line.startswith("| ")]
PLACES = {f"{place.capitalize()} > {view}" for place, view in VIEWS.values()}


def find(name: str) -> object:
    """The module, or what a module defines under this name."""
    parts = name.split(".")
    for n_module_parts in range(len(parts), 0, -1):
        module_name = ".".join(parts[:n_module_parts])
        try:
            named_object: object = import_module(module_name)
        except ModuleNotFoundError:
            continue
        for part in parts[n_module_parts:]:
            named_object = getattr(named_object, part)
        return named_object
    raise AssertionError(name)


@pytest.mark.parametrize("name", NAMES)
def test_code_that_the_map_names_exists(name) -> None:
    assert find(name) is not None


def test_place_that_the_map_names_exists() -> None:
    named_places = re.findall(
        r"\b(?:Explore|Compare|Learn|Play|Release) > [A-Z][a-z]+(?: [a-z]+)*", TEXT
    )
    assert len(named_places) > 5
    for place in named_places:
        assert any(place.startswith(known_place) for known_place in PLACES), place


def test_preset_that_the_map_names_exists_so_that_none_is_left_out() -> None:
    named_presets = set(re.findall(r"`((?:park-)?(?:figure|table)-\w+)`", TEXT))
    assert named_presets == set(PRESETS)


def test_card_that_the_map_names_exists_so_that_none_is_left_out() -> None:
    table = tomllib.loads((ROOT / "assets" / "proofs" / "gaps.toml").read_text("utf-8"))
    titles = [gap["title"] for gap in table.values()]
    named_cards = [
        card
        for cell in re.findall(r"cards? (\*[^*|]+\*(?:, \*[^*|]+\*)*)", TEXT)
        for card in re.findall(r"\*([^*]+)\*", cell)
    ]
    for card in named_cards:
        assert any(title.startswith(card) for title in titles), card
    for title in titles:
        assert any(title.startswith(card) for card in named_cards), title


def test_map_has_every_numbered_statement_of_the_main_part() -> None:
    first_cells = " ".join(row[0] for row in ROWS)
    for statement in ("Lemma 3", "Theorem 4", "Theorem 5", "Theorem 6", "Theorem 7", "Lemma 8"):
        assert statement in first_cells, statement
    for statement in ("Lemma 9", "Procedure 1", "Theorems 10 to 13", "Table 1", "Remarks 14 to 16"):
        assert statement in first_cells, statement
    for figure in ("Figure 1", "Figure 2", "Figure 3a", "Figure 3b", "Figure 4", "Table 2"):
        assert figure in first_cells, figure
    assert set(THEOREMS.values()) == {f"Theorem {number}" for number in range(10, 14)}


@pytest.mark.parametrize("path", ["README.md", "assets/docs/concepts.md", "assets/docs/paper.md"])
def test_paper_is_named_with_its_authors_where_it_first_stands(path) -> None:
    text = " ".join((ROOT / path).read_text("utf-8").split())
    first_mention = re.search(r"\bpaper\b", text)
    assert first_mention is not None
    nearby = text[first_mention.start() : first_mention.start() + 200]
    surnames = re.findall(r"[A-Z]\w+", PAPER_AUTHORS)
    assert surnames == ["DeCarolis", "Ram", "Esmaeili", "Wang", "Huang"]
    for name in surnames:
        assert name in nearby, name


def test_older_version_of_the_paper_is_told_apart() -> None:
    section = TEXT.partition("## Two versions")[2]
    assert "2018" in section
    assert "Calibration" in section
    assert "Ranking" in section
