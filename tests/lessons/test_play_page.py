"""The page without a server: the dashboard's own files and numbers in one, and nothing from elsewhere."""

import json
import re
import shutil
import subprocess
from html.parser import HTMLParser

import pytest

from dplda import figures
from dplda.cli.main import main
from dplda.core import assets
from dplda.lessons import read_lesson
from dplda.lessons.handout import render_handout
from dplda.lessons.play.game import game_data
from dplda.lessons.play.lesson_pictures import lesson_pictures
from dplda.lessons.play.page import SCRIPTS, bundled_script, render_page
from dplda.lessons.play.picture import picture_data
from dplda.lessons.play.shipped_numbers import FOLDER, shipped_numbers

MOST_BYTES = 1_000_000
CLASS = assets.folder() / "lessons" / "class" / "ten-minutes.toml"


@pytest.fixture(scope="module")
def page() -> str:
    return render_page()


def scripts_of(page: str) -> dict[str, str]:
    """Contents of the page's scripts by their types."""
    return dict(re.findall(r'<script type="([^"]+)"[^>]*>(.*?)</script>', page, re.DOTALL))


def test_play_page_is_smaller_than_a_megabyte(page) -> None:
    assert len(page.encode()) < MOST_BYTES


def test_play_page_marks_no_letter_of_ours_as_invisible(page) -> None:
    assert "\N{REPLACEMENT CHARACTER}" not in page


def test_class_handout_marks_no_letter_of_ours_as_invisible() -> None:
    assert "\N{REPLACEMENT CHARACTER}" not in render_handout(read_lesson(CLASS), seed=0)


def test_play_page_requests_no_address(page) -> None:
    addresses = set(re.findall(r"(?:https?:)?//[\w.]+\.\w+[^\"'\s<]*", page))
    assert addresses == {"http://www.w3.org/2000/svg"}, "a name of SVG, which nobody asks for"

    class Asks(HTMLParser):
        def __init__(self) -> None:
            super().__init__()
            self.found: list[tuple[str, str]] = []

        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            self.found += [(tag, name) for name, _ in attrs if name in ("src", "href", "srcset")]

    parser = Asks()
    parser.feed(page)
    assert parser.found == []
    assert "default-src 'none'" in page


def test_page_holds_the_files_that_the_dashboard_serves(page) -> None:
    assert set(SCRIPTS) == {file.name for file in FOLDER.glob("*.js")} - {"types.js"}
    code = scripts_of(page)["module"]
    for name in SCRIPTS:
        lines = (FOLDER / name).read_text("utf-8").splitlines()
        code_lines = [re.sub(r"^export (default )?", "", line) for line in lines]
        own_code = "\n".join(line for line in code_lines if not line.startswith("import "))
        assert own_code in code
    assert (FOLDER / "play.css").read_text("utf-8") in page


def test_page_holds_the_numbers_of_the_dashboard(page) -> None:
    numbers = json.loads(scripts_of(page)["application/json"])
    expected = {"picture": picture_data(shipped_numbers()), "game": game_data()}
    assert numbers == json.loads(json.dumps(expected))


def test_scripts_are_bundled_after_what_they_import() -> None:
    bundled_names: set[str] = set()
    for name in SCRIPTS:
        imported = set(re.findall(r"^import .* from '\./(.*)'", (FOLDER / name).read_text(), re.M))
        assert imported <= bundled_names
        bundled_names.add(name)


@pytest.mark.skipif(shutil.which("node") is None, reason="a browser test runs it too")
def test_bundled_script_is_one_module() -> None:
    command = ["node", "--check", "--input-type=module"]
    checked = subprocess.run(command, input=bundled_script(), text=True, capture_output=True)
    assert checked.returncode == 0, checked.stderr


def test_game_has_ten_rounds_of_two_matches_with_new_runs() -> None:
    published, proven = game_data()["matches"]
    for match in (published, proven):
        assert len(match["first"]) == len(match["second"]) == 30
        assert len(match["stars"]) >= 10
    assert "This noise breaks it." in published["result"]
    assert "This noise keeps it." in proven["result"]


def test_lesson_pictures_say_what_the_lessons_say() -> None:
    odds, cuts, composition = lesson_pictures()
    assert "at most 55% of all bets" in odds.answer
    assert "e6" in cuts.pictures[0]
    assert "{" not in odds.answer + cuts.answer + composition.answer
    assert all(
        picture.startswith("<svg")
        for picture_group in (odds, cuts, composition)
        for picture in picture_group.pictures
    )


def test_svg_of_a_figure_that_has_dots_is_refused() -> None:
    dots = figures.heaps(
        [1.0], [True], title="Right", comparison="", names=("a", "b"), sides=("", "")
    )
    with pytest.raises(ValueError, match="lines or horizontal bars"):
        figures.svg(dots)


def test_page_command_writes_the_page(tmp_path, capsys, page) -> None:
    out = tmp_path / "play.html"
    assert main(["page", "--out", str(out)]) == 0
    assert out.read_text("utf-8") == page
    assert "play.html: " in capsys.readouterr().out
