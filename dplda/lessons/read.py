"""Lessons from TOML files; every mistake is reported with its place and a fix."""

import math
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import MISSING, fields
from itertools import pairwise
from pathlib import Path
from string import Formatter
from typing import TypeGuard, TypeVar

from dplda.core.errors import DpldaError, ReadError
from dplda.lessons.lesson import Guess, Lesson, LessonStep, Option, Pick
from dplda.lessons.views import VIEWS
from dplda.lessons.views.picture import PictureView

MIN_STEPS, MAX_STEPS = 3, 6
NO_NUMBER = "no number of the picture"
_BRACES = re.compile(r"\{[^{}]*\}")
_TYPED_DIGIT = re.compile(r"(?<![\w])\d")  # the digit of e6 belongs to a name
_KINDS = {
    bool: "true or false",
    str: "a text in quotes",
    int: "a whole number",
    float: "a number",
    list: "a list",
    dict: "a table",
}

T = TypeVar("T", bool, str, int, float, list[object], dict[str, object])


def read_lesson(path: Path) -> Lesson:
    """Read one lesson, named like its file, and check everything in it.

    Raises:
        ReadError: the file is not a valid lesson; names the place and the fix.
    """
    table = _Table(path.name, "", _read_toml(path))
    step_values = table.take("step", list)
    lesson = Lesson(
        name=path.stem,
        title=table.take("title", str),
        says=table.take("says", str),
        note=table.take("note", str),
        minutes=table.take("minutes", int),
        steps=tuple(
            _read_step(table.inside(f"step {step_number}", step_value))
            for step_number, step_value in enumerate(step_values, start=1)
        ),
    )
    n_steps = len(lesson.steps)
    if not MIN_STEPS <= n_steps <= MAX_STEPS:
        advice = f"Write {MIN_STEPS} to {MAX_STEPS} tables [[step]]."
        raise table.mistake("step", f"{n_steps} of them", advice)
    table.refuse_unread_keys()
    return lesson


def _read_toml(path: Path) -> dict[str, object]:
    """Content of a TOML file; a ``ReadError`` says that it is no UTF-8 or no TOML."""
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except UnicodeDecodeError:
        raise ReadError(path.name, "not UTF-8 text", "Save it as UTF-8.") from None
    except tomllib.TOMLDecodeError as error:
        fix = "Compare it with a built-in lesson."
        raise ReadError(path.name, f"not TOML: {error}", fix) from None


class _Table:
    """A table of the file that knows its place and its unread keys.

    Args:
        file: name of the file.
        place: of the table in the file, for error messages; empty for the whole file.
        values: content of the table.
    """

    def __init__(self, file: str, place: str, values: dict[str, object]) -> None:
        self._file = file
        self._place = place
        self._unread = dict(values)

    def __contains__(self, key: str) -> bool:
        """Whether the key is there and unread."""
        return key in self._unread

    def mistake(self, key: str, problem: str, fix: str) -> ReadError:
        """The error that says what is wrong at a key; an empty key stands for the whole table."""
        return ReadError(self._file, f"{self._place_of(key)}: {problem}", fix)

    def take(self, key: str, kind: type[T]) -> T:
        """Value of a key, which then counts as read.

        A whole number is taken for a number, but true and false are not. Refused with a
        ``ReadError`` if missing, of another kind, or an empty text or list.
        """
        advice = f"Write {key} = {_KINDS[kind]}."
        if key not in self._unread:
            raise self.mistake(key, "missing", advice)
        value = self._unread.pop(key)
        if kind is float and type(value) is int:
            value = float(value)
        is_wrong_boolean = isinstance(value, bool) and kind is not bool
        is_empty = value in ("", [])
        if not isinstance(value, kind) or is_wrong_boolean or is_empty:
            raise self.mistake(key, "not " + _KINDS[kind], advice)
        return value

    def take_flag(self, key: str) -> bool:
        """Value of a key that may be missing, which means false."""
        return key in self and self.take(key, bool)

    def inside(self, key: str, value: object) -> "_Table":
        """A value of this table as a table; refused with a ``ReadError`` if it is none."""
        if not isinstance(value, dict):
            raise self.mistake(key, "not a table", f"Write [{key}] with its lines below it.")
        return _Table(self._file, self._place_of(key), value)

    def take_table(self, key: str) -> "_Table":
        """A table inside this one, which then counts as read; empty if missing."""
        if key not in self:
            return self.inside(key, {})
        return self.inside(key, self.take(key, dict))

    def refuse_unknown(
        self, key: str, value: str, known_values: Iterable[str], problem: str
    ) -> None:
        """Refuse a value of a key that is not known, with a ``ReadError`` that lists those."""
        if value not in known_values:
            raise self.mistake(key, problem, f"Write one of {', '.join(known_values)}.")

    def take_rest(self) -> dict[str, object]:
        """All unread keys with their values, which then count as read."""
        unread_values = self._unread
        self._unread = {}
        return unread_values

    def refuse_unread_keys(self) -> None:
        """Refuse a key that nothing has read, with a ``ReadError`` that names the first one."""
        for key in self._unread:
            raise self.mistake(key, "not known here", "Remove it, or correct its name.")

    def _place_of(self, key: str) -> str:
        """Path of a key from the top of the file, of the table for an empty key."""
        return ", ".join(part for part in (self._place, key) if part)


def _read_step(table: _Table) -> LessonStep:
    """Read one step: texts, question, and picture with the answer and, if given, before it.

    A picture before the answer is the same one with the settings in ``before``.
    Settings not given there have their defaults, whatever ``settings`` says.
    ``shows`` is an example in its place.
    The scene may name settings of the answer, and the reveal also numbers of the picture.
    ``settings``, ``before``, ``shows`` and ``holds`` may be missing.

    Raises:
        ReadError: a value is missing or refused, or a key is one that nothing reads.
    """
    picture_name = table.take("picture", str)
    table.refuse_unknown("picture", picture_name, VIEWS, "no picture of that name")
    answer_view = _read_view(table.take_table("settings"), picture_name)
    question_view = None
    if "before" in table:
        question_view = _read_view(table.take_table("before"), picture_name)
    trial_numbers = dict.fromkeys(answer_view.number_meanings, 1.0)
    numbers_in_reveal = {**answer_view.settings, **trial_numbers}
    question_table = table.inside("question", table.take("question", dict))
    step = LessonStep(
        title=table.take("title", str),
        scene=_take_text(table, "scene", answer_view.settings),
        words=table.take("words", str),
        question=_read_question(question_table, answer_view),
        answer_view=answer_view,
        question_view=question_view,
        reveal=_take_text(table, "reveal", numbers_in_reveal),
        takeaway=_take_text(table, "repeat", {}),
        true_ranges=_read_ranges(table.take_table("holds"), answer_view.number_meanings),
        example=_take_text(table, "shows", {}) if "shows" in table else "",
    )
    table.refuse_unread_keys()
    return step


def _read_view(settings_table: _Table, picture_name: str) -> PictureView:
    """The view of a picture, with settings from a table and defaults for the others.

    A ``ReadError`` names a setting that the view does not have, one of another kind than its
    default, or settings that the view refuses. The picture's name must be a known one.
    """
    view_class = VIEWS[picture_name]
    view_fields = fields(view_class)  # type: ignore[arg-type]  # every view is a dataclass
    defaults = {field.name: field.default for field in view_fields}
    settings = {}
    for key, value in settings_table.take_rest().items():
        problem_text = f"no setting of “{picture_name}”"
        settings_table.refuse_unknown(key, key, defaults, problem_text)
        settings[key] = _check_setting(settings_table, key, value, defaults[key])
    try:
        return view_class(**settings)
    except DpldaError as error:
        raise settings_table.mistake("", str(error), "Change these settings.") from None


def _check_setting(settings_table: _Table, key: str, value: object, default: object) -> object:
    """A setting's value, refused with a ``ReadError`` unless it is of the default's kind.

    A whole number is taken for a number.
    """
    assert default is not MISSING
    if isinstance(default, float) and type(value) is int:
        return float(value)
    if type(value) is not type(default):
        fix = f"Write it as in {key} = {default!r}."
        raise settings_table.mistake(key, f"not {_KINDS[type(default)]}", fix)
    return value


def _take_text(table: _Table, key: str, numbers: Mapping[str, object]) -> str:
    """A text of the table, stripped; refused with a ``ReadError`` if it has typed digits.

    Digits in braces and inside a name, such as "e6", are allowed.
    Numbers stand in braces, and are not filled in yet. Braces with any other name, or with a format
    that does not fit, are refused, and so is a text that is missing or empty.

    Args:
        table: with the text.
        key: of the text.
        numbers: by the names that may stand in braces.
    """
    text = table.take(key, str).strip()
    try:
        for _, field_name, _, _ in Formatter().parse(text):
            if field_name is not None and field_name not in numbers:
                problem_text = f"{{{field_name}}} is no number of the picture"
                raise table.mistake(key, problem_text, _offer(numbers))
        text.format_map(dict(numbers))
    except ValueError as error:
        problem_text = f"braces that cannot be filled ({error})"
        raise table.mistake(key, problem_text, "Write {name} or {name:.0%}.") from None
    if _TYPED_DIGIT.search(_BRACES.sub("", text)):
        raise table.mistake(key, "a number typed as digits", _offer(numbers))
    return text


def _offer(numbers: Iterable[str]) -> str:
    """The advice to write one of these in braces for a typed number, or that there are none."""
    names_in_braces = ", ".join(f"{{{name}}}" for name in numbers)
    if not names_in_braces:
        return "Say it without numbers."
    return f"Write one of {names_in_braces}, which are filled in live."


def _read_question(table: _Table, answer_view: PictureView) -> Pick | Guess:
    """Read a question about a number of the picture.

    With ``options`` it is multiple choice, without them a number on a slider is asked for.

    Raises:
        ReadError: the picture has no such number, a value is missing or refused, or a key is one
            that nothing reads.
    """
    question_text = _take_text(table, "asks", answer_view.settings)
    number_name = table.take("of", str)
    table.refuse_unknown("of", number_name, answer_view.number_meanings, NO_NUMBER)
    question: Pick | Guess
    if "options" in table:
        question = Pick(question_text, number_name, _read_options(table))
    else:
        question = _read_guess(table, question_text, number_name)
    table.refuse_unread_keys()
    return question


def _read_guess(table: _Table, question_text: str, number_name: str) -> Guess:
    """Read a question for a number: its scale, how near an answer must be, and if it is percent.

    Keys are ``low``, ``high``, ``by``, ``near`` and, if wanted, ``percent``.
    Other keys are left unread, and any number is taken for ``near``.

    Raises:
        ReadError: a number is missing or of another kind, ``percent`` is neither true nor false, or
            ``by`` is not above 0 and at most ``high`` − ``low``.
    """
    low = table.take("low", float)
    high = table.take("high", float)
    step = table.take("by", float)
    if not 0 < step <= high - low:
        advice = "Write low, high, by with low + by at most high."
        raise table.mistake("by", "not a step between low and high", advice)
    return Guess(
        question_text=question_text,
        number_name=number_name,
        low=low,
        high=high,
        step=step,
        tolerance=table.take("near", float),
        is_percent=table.take_flag("percent"),
    )


def _read_ranges(table: _Table, number_names: Iterable[str]) -> dict[str, tuple[float, float]]:
    """Ranges in which the sentences are true, by number of the picture.

    Ends may be equal or infinite. A number may have no range.
    A ``ReadError`` names a range of another number, or one that is not two numbers in ascending
    order.
    """
    ranges = {}
    for key, value in table.take_rest().items():
        table.refuse_unknown(key, key, number_names, NO_NUMBER)
        if not _is_range(value):
            advice = f"Write {key} = [0, 1], with inf for no end."
            raise table.mistake(key, "not two numbers in ascending order", advice)
        low, high = value
        ranges[key] = (float(low), float(high))
    return ranges


def _is_range(value: object) -> TypeGuard[list[float]]:
    """Whether a value is a list of two numbers, whole or not, in ascending order."""
    if not isinstance(value, list) or len(value) != 2:
        return False
    low, high = value
    return type(low) in (int, float) and type(high) in (int, float) and low <= high


def _read_options(table: _Table) -> tuple[Option, ...]:
    """Read the answers of a question: at least two, each right for numbers below its limit.

    Limits ascend. The last answer must have none, and is right for all larger numbers.

    Raises:
        ReadError: there are fewer than two, limits do not ascend, an answer lacks its text or
            limit, or has a key that nothing reads.
    """
    option_tables = [
        table.inside(f"option {option_number}", option_value)
        for option_number, option_value in enumerate(table.take("options", list), start=1)
    ]
    if len(option_tables) < 2:
        raise table.mistake("options", "fewer than 2", "Write at least two answers.")
    limits = [option_table.take("below", float) for option_table in option_tables[:-1]]
    limits.append(math.inf)
    options = [
        Option(option_table.take("says", str), limit)
        for option_table, limit in zip(option_tables, limits, strict=True)
    ]
    for option_table in option_tables:
        option_table.refuse_unread_keys()
    if any(limit >= next_limit for limit, next_limit in pairwise(limits)):
        advice = "Let each “below” be larger than the one before."
        raise table.mistake("options", "not in ascending order", advice)
    return tuple(options)
