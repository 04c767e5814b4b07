"""The living picture, the game and three lessons as one page that needs no server."""

import json
import re

from dplda.core.versions import VERSION
from dplda.lessons.play.game import game_data
from dplda.lessons.play.lesson_pictures import lesson_pictures
from dplda.lessons.play.picture import JsonValue, picture_data, picture_question
from dplda.lessons.play.shipped_numbers import FOLDER, shipped_numbers
from dplda.release.report.markup import TEMPLATES

SCRIPTS = ("motion.js", "heaps.js", "sections.js", "guide.js", "picture.js", "game.js")
"""The scripts of the picture and the game, each after those that it imports."""

_IMPORT = re.compile(r"^import .*\n", re.MULTILINE)
_EXPORT = re.compile(r"^export (?:default )?", re.MULTILINE)


def render_page() -> str:
    """The page as HTML without links to other files.

    Its scripts and styles are the files that the dashboard serves, put one after the other.
    """
    numbers = shipped_numbers()
    template = TEMPLATES.get_template("play/page.html.jinja")
    return template.render(
        question=picture_question(numbers),
        page_style=_read("page.css"),
        style=_read("play.css"),
        script=bundled_script(),
        numbers=_json_in_html({"picture": picture_data(numbers), "game": game_data()}),
        lessons=list(lesson_pictures()),
        version=VERSION,
    )


def bundled_script() -> str:
    """All scripts as a single one, without import lines and the word ``export``."""
    code = "\n".join(_read(name) for name in SCRIPTS)
    return _EXPORT.sub("", _IMPORT.sub("", code))


def _read(name: str) -> str:
    return (FOLDER / name).read_text("utf-8")


def _json_in_html(value: dict[str, JsonValue]) -> str:
    """JSON that may stand within a script element."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    return text.replace("<", "\\u003c")
