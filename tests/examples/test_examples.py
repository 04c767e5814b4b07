"""The examples in assets/examples run as they stand, and stay short."""

import runpy
import sys
from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).resolve().parents[2] / "assets" / "examples").glob("*.py"))
RELEASE = (
    Path(__file__).resolve().parents[1]
    / "release"
    / "before"
    / "releases"
    / "1599952c08a15991d968acfa04daac5c.dplda.json"
)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_example_runs_to_its_end_with_a_sentence(
    example: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", [str(example), str(RELEASE)])
    runpy.run_path(str(example), run_name="__main__")
    assert len(capsys.readouterr().out.splitlines()) >= 2


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_example_has_at_most_forty_lines(example: Path) -> None:
    assert len(example.read_text("utf-8").splitlines()) <= 40


def test_readme_links_every_example() -> None:
    readme = (Path(__file__).resolve().parents[2] / "README.md").read_text("utf-8")
    assert [path.name for path in EXAMPLES if f"assets/examples/{path.name}" not in readme] == []
