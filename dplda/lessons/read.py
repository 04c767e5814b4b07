"""Lessons from TOML files; every mistake is reported with its place and a fix."""

import math
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import MISSING, fields
from itertools import pairwise
from pathlib import Path
from string import Formatter
from typing import TypeVar

from dplda.core.errors import DpldaError, ReadError
from dplda.lessons.lesson import Guess, Lesson, LessonStep, Option, Pick
from dplda.lessons.views import VIEWS
from dplda.lessons.views.picture import PictureView

STEPS = (3, 6)
NO_NUMBER = "no number of the picture"
_BRACES = re.compile(r"\{[^{}]*\}")
_TYPED = re.compile(r"(?<![\w])\d")  # the digit of e6 belongs to a name
_KINDS = {bool: "true or false", str: "a text in quotes", int: "a whole number", float: "a number"}
_KINDS |= {list: "a list", dict: "a table"}

T = TypeVar("T", bool, str, int, float, list[object], dict[str, object])


def read_lesson(path: Path) -> Lesson:
    """One lesson.

    Raises:
        ReadError: the file is not a valid lesson; names the place and the fix.
    """
    try:
        whole = _Table(path.name, "", tomllib.loads(path.read_text("utf-8")))
    except UnicodeDecodeError:
        raise ReadError(path.name, "not UTF-8 text", "Save it as UTF-8.") from None
    except tomllib.TOMLDecodeError as error:
        raise ReadError(
            path.name, f"not TOML: {error}", "Compare it with a built-in lesson."
        ) from None
    steps = whole.take("step", list)
    lesson = Lesson(
        name=path.stem,
        title=whole.take("title", str),
        says=whole.take("says", str),
        note=whole.take("note", str),
        minutes=whole.take("minutes", int),
        steps=tuple(
            _step(whole.inside(f"step {i}", step)) for i, step in enumerate(steps, start=1)
        ),
    )
    if not STEPS[0] <= len(steps) <= STEPS[1]:
        raise whole.wrong(
            "step", f"{len(steps)} of them", f"Write {STEPS[0]} to {STEPS[1]} tables [[step]]."
        )
    whole.finish()
    return lesson


class _Table:
    """A table of the file that knows its place and its unread keys."""

    def __init__(self, file: str, place: str, values: dict[str, object]) -> None:
        self._file, self._place, self._left = file, place, dict(values)

    def __contains__(self, name: str) -> bool:
        return name in self._left

    def wrong(self, name: str, problem: str, fix: str) -> ReadError:
        return ReadError(self._file, f"{self._at(name)}: {problem}", fix)

    def take(self, name: str, kind: type[T]) -> T:
        fix = f"Write {name} = {_KINDS[kind]}."
        if name not in self._left:
            raise self.wrong(name, "missing", fix)
        value = self._left.pop(name)
        if kind is float and type(value) is int:
            value = float(value)
        if (
            not isinstance(value, kind)
            or (kind is not bool and isinstance(value, bool))
            or value in ("", [])
        ):
            raise self.wrong(name, "not " + _KINDS[kind], fix)
        return value

    def inside(self, name: str, value: object) -> "_Table":
        if not isinstance(value, dict):
            raise self.wrong(name, "not a table", f"Write [{name}] with its lines below it.")
        return _Table(self._file, self._at(name), value)

    def table(self, name: str) -> "_Table":
        """A table inside this one; empty if missing."""
        return self.inside(name, self.take(name, dict) if name in self else {})

    def one_of(self, name: str, value: str, known: Iterable[str], problem: str) -> str:
        if value not in known:
            raise self.wrong(name, problem, f"Write one of {', '.join(known)}.")
        return value

    def _at(self, name: str) -> str:
        return ", ".join(part for part in (self._place, name) if part)

    def rest(self) -> dict[str, object]:
        found, self._left = self._left, {}
        return found

    def finish(self) -> None:
        for name in self._left:
            raise self.wrong(name, "not known here", "Remove it, or correct its name.")


def _step(table: _Table) -> LessonStep:
    picture = table.take("picture", str)
    after = _view(table, "settings", picture)
    before = _view(table, "before", picture) if "before" in table else None
    question = _question(table.inside("question", table.take("question", dict)), after)
    step = LessonStep(
        title=table.take("title", str),
        scene=_text(table, "scene", after.settings),
        words=table.take("words", str),
        question=question,
        after=after,
        before=before,
        reveal=_text(
            table, "reveal", {**after.settings, **dict.fromkeys(after.number_meanings, 1.0)}
        ),
        takeaway=_text(table, "repeat", {}),
        true_ranges=_holds(table.table("holds"), after),
        example=_text(table, "shows", {}) if "shows" in table else "",
    )
    table.finish()
    return step


def _view(table: _Table, name: str, picture: str) -> PictureView:
    """The view of that name, with settings from a table of the step and defaults for the others."""
    kind = VIEWS[table.one_of("picture", picture, VIEWS, "no picture of that name")]
    known = {each.name: each.default for each in fields(kind)}  # type: ignore[arg-type]  # every view is a dataclass
    inside, given = table.table(name), {}
    for key, value in inside.rest().items():
        default = known[inside.one_of(key, key, known, f"no setting of “{picture}”")]
        assert default is not MISSING
        if isinstance(default, float) and type(value) is int:
            value = float(value)
        if type(value) is not type(default):
            raise inside.wrong(
                key, f"not {_KINDS[type(default)]}", f"Write it as in {key} = {default!r}."
            )
        given[key] = value
    try:
        return kind(**given)
    except DpldaError as error:
        raise inside.wrong("", str(error), "Change these settings.") from None


def _text(table: _Table, name: str, numbers: Mapping[str, object]) -> str:
    """A text whose numbers are all in braces, under names that the picture knows."""
    text = table.take(name, str).strip()
    try:
        for _, field, _, _ in Formatter().parse(text):
            if field is not None and field not in numbers:
                raise table.wrong(name, f"{{{field}}} is no number of the picture", _offer(numbers))
        text.format_map(dict(numbers))
    except ValueError as error:
        raise table.wrong(
            name, f"braces that cannot be filled ({error})", "Write {name} or {name:.0%}."
        ) from None
    if _TYPED.search(_BRACES.sub("", text)):
        raise table.wrong(name, "a number typed as digits", _offer(numbers))
    return text


def _offer(numbers: Iterable[str]) -> str:
    names = ", ".join(f"{{{name}}}" for name in numbers)
    return (
        f"Write one of {names}, which are filled in live." if names else "Say it without numbers."
    )


def _question(table: _Table, after: PictureView) -> Pick | Guess:
    asks = _text(table, "asks", after.settings)
    of = table.one_of("of", table.take("of", str), after.number_meanings, NO_NUMBER)
    question: Pick | Guess
    if "options" in table:
        question = Pick(asks, of, _options(table))
    else:
        low, high, by = table.take("low", float), table.take("high", float), table.take("by", float)
        if not 0 < by <= high - low:
            fix = "Write low, high, by with low + by at most high."
            raise table.wrong("by", "not a step between low and high", fix)
        near = table.take("near", float)
        question = Guess(
            asks,
            of,
            low,
            high,
            by,
            near,
            is_percent="percent" in table and table.take("percent", bool),
        )
    table.finish()
    return question


def _holds(table: _Table, after: PictureView) -> dict[str, tuple[float, float]]:
    """Ranges in which the sentences are true, by number of the picture."""
    found = {}
    for name, ends in table.rest().items():
        table.one_of(name, name, after.number_meanings, NO_NUMBER)
        match ends:
            case [int() | float() as low, int() | float() as top] if low <= top and bool not in (
                type(low),
                type(top),
            ):
                found[name] = (float(low), float(top))
            case _:
                fix = f"Write {name} = [0, 1], with inf for no end."
                raise table.wrong(name, "not two numbers in ascending order", fix)
    return found


def _options(table: _Table) -> tuple[Option, ...]:
    given = [
        table.inside(f"option {i}", option)
        for i, option in enumerate(table.take("options", list), start=1)
    ]
    if len(given) < 2:
        raise table.wrong("options", "fewer than 2", "Write at least two answers.")
    belows = [option.take("below", float) for option in given[:-1]] + [math.inf]
    found = [
        Option(option.take("says", str), below) for option, below in zip(given, belows, strict=True)
    ]
    for option in given:
        option.finish()
    if any(one.below >= two.below for one, two in pairwise(found)):
        raise table.wrong(
            "options", "not in ascending order", "Let each “below” be larger than the one before."
        )
    return tuple(found)
