"""Tables of measured numbers are written from the rows, so that no page says what no row holds."""

import json
import re
from importlib import import_module

from benchmarks import results_page
from benchmarks.__main__ import BENCHMARKS
from benchmarks.leaderboard import page as leaderboard_page
from benchmarks.outside_audit import page as outside_audit_page
from tests.house.source import ROOT

ROW = re.compile(r"^\| ([^|]*)\((?:[\d,]+)\) \| 1 \| (.+) \|\n\| \| 3 \| (.+) \|$", re.MULTILINE)
SMALL = re.compile(
    r"^\| (?:([^|]*) \([\d,]+\))? ?\| (0\.3|1|3) \| (\d+ \| \S+ \| \d+) \|$", re.MULTILINE
)
NAMED = re.compile(r"python -m benchmarks ([\w-]+)(.{0,30})")
METHODS = ("refined", "dp-vi/corrected", "adaptive/corrected", "private-unigram")


def test_results_page_is_what_the_command_writes() -> None:
    stored_page = (ROOT / "benchmarks" / "RESULTS.md").read_text("utf-8")
    assert stored_page == results_page.page(), "python -m benchmarks results"


def test_results_page_has_a_table_for_every_file_of_rows() -> None:
    files = {path.stem for path in (ROOT / "benchmarks" / "results").glob("*.json")}
    recorded = {f"audit-{section}" for section in outside_audit_page.SECTIONS}
    recorded |= {f"leaderboard-{section}" for section in leaderboard_page.SECTIONS}
    assert files - {table.file for table in results_page.TABLES} - recorded == {
        "presets",
        "screenshots",
    }


def test_benchmarks_named_in_texts_are_commands_or_have_their_commit() -> None:
    texts = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"]
    for folder, ending in (("assets", "*.md"), ("assets", "*.toml"), ("dplda", "*.py")):
        texts += (ROOT / folder).rglob(ending)
    mentions = [
        (path.name, name, following_text)
        for path in texts
        for name, following_text in NAMED.findall(" ".join(path.read_text("utf-8").split()))
    ]
    assert len(mentions) > 20
    for file, name, following_text in mentions:
        is_retired = name in results_page.RETIRED and results_page.LAST_COMMIT in following_text
        assert name in BENCHMARKS or is_retired, f"{file}: python -m benchmarks {name}"


def test_retired_benchmarks_keep_their_rows() -> None:
    assert not results_page.RETIRED & BENCHMARKS.keys()
    assert {table.file for table in results_page.TABLES} >= results_page.RETIRED


def test_benchmarks_with_options_are_commands() -> None:
    for path in (ROOT / "benchmarks").rglob("*.py"):
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        if "\ndef add_options(" in path.read_text("utf-8"):
            assert import_module(name).run in BENCHMARKS.values(), name


def test_readme_shows_measured_perplexities() -> None:
    rows = json.loads(
        (ROOT / "benchmarks" / "results" / "private-utility-text.json").read_text("utf-8")
    )["rows"]
    medians = {
        (row["setting"], row["method"], row["epsilon"]): row["median"]
        for row in rows
        if "median" in row
    }
    table = ROW.findall((ROOT / "README.md").read_text("utf-8"))
    assert len(table) == 4
    for documents, at_1, at_3 in table:
        setting = documents.strip().removesuffix(" news")
        for epsilon, cells in ((1.0, at_1), (3.0, at_3)):
            shown_numbers = [int(cell.strip(" *")) for cell in cells.split("|")]
            assert shown_numbers == [round(medians[setting, method, epsilon]) for method in METHODS]


def rows_of(name: str) -> list[dict]:
    return json.loads((ROOT / "benchmarks" / "results" / f"{name}.json").read_text("utf-8"))["rows"]


def test_readme_shows_what_public_knowledge_was_measured_to_bring() -> None:
    word_frequencies = {
        (row["setting"], row["epsilon"]): row["perplexity"]
        for row in rows_of("public-knowledge")
        if row["method"] == "Private unigram"
    }
    refined = {
        (row["setting"], row["epsilon"]): (row["perplexity"], row["with_table"])
        for row in rows_of("priors-useful")
    }
    table, setting = SMALL.findall((ROOT / "README.md").read_text("utf-8")), ""
    assert len(table) == 5
    for documents, epsilon, cells in table:
        setting = documents.strip().removesuffix(" news") or setting
        shown_numbers = [int(cell.strip(" *")) for cell in cells.split("|")]
        case = setting, float(epsilon)
        assert shown_numbers == [round(value) for value in (*refined[case], word_frequencies[case])]
