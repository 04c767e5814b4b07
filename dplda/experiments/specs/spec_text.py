"""Conversion of a sweep's parts from and to TOML.

.. code-block:: toml

    methods = ["unnoised", "adaptive", "config-1/as published", "dp-vi"]
    epsilons = [0.1, 0.3, 1.0, 3.0]
    repeats = 5

    [runs]                  # of slow methods, over all corpora; may be left out
    "dp-vi" = 2

    [[settings]]
    name = "short documents"
    n_topics = 3
    alpha0 = 1.0

    [settings.simulation]   # or [settings.embedded], or [settings.file]
    n_documents = 100_000
    n_words = 100
    n_topics = 3
"""

import json
import tomllib
from collections.abc import Iterator
from dataclasses import MISSING, fields
from typing import TypeVar

from dplda.core import checks
from dplda.core.errors import InputError
from dplda.corpus import Label, LengthLaw, Simulation
from dplda.experiments.sources import Embedded, FileSource, Source
from dplda.experiments.specs.setting import Setting

LONGEST_TEXT = 10_000_000  # characters; the largest sweep has fewer
_LONGEST_SHOWN = 40  # characters of a key in a message
_KINDS: dict[str, type[Source]] = {
    "simulation": Simulation,
    "embedded": Embedded,
    "file": FileSource,
}
_ENUMS = {"label": Label, "lengths": LengthLaw}

T = TypeVar("T")


def parse(text: str) -> dict[str, object]:
    """The tables of a TOML text, with unchecked values.

    Raises:
        InputError: it is longer than ``LONGEST_TEXT``, nested too deeply, or no TOML. For a text
            that is no TOML, the message names the place of the error.
    """
    if len(text) > LONGEST_TEXT:
        raise InputError("the spec", f"at most {LONGEST_TEXT:,} characters long", f"{len(text):,}")
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        error_place = str(error).rpartition("(")[2].rstrip(")") or "its start"
        raise InputError("the spec", "TOML text", f"something else {error_place}") from None


def build(kind: type[T], table: object, place: str) -> T:
    """Make a dataclass from a table whose keys are its fields; values are passed as they are.

    Args:
        kind: the dataclass.
        table: as TOML has it; its keys may lack fields that have a default value, but
            not those whose default a factory makes.
        place: what the table describes, for errors.

    Raises:
        InputError: it is no table, has a key that is no field, or lacks a required one.
    """
    arguments = as_table(table, place)
    is_required = {field.name: field.default is MISSING for field in fields(kind)}  # type: ignore[arg-type]  # a dataclass
    unknown_keys = sorted(set(arguments) - set(is_required))
    if unknown_keys:
        raise InputError(
            f"keys of {place}",
            "among " + ", ".join(is_required),
            ", ".join(map(_shown, unknown_keys)),
        )
    required_keys = [key for key, field_is_required in is_required.items() if field_is_required]
    missing_keys = [key for key in required_keys if key not in arguments]
    if missing_keys:
        raise InputError(place, "complete", f"no {' and no '.join(missing_keys)}")
    return kind(**arguments)


def as_table(value: object, place: str) -> dict[str, object]:
    """The value itself, if it is a table.

    Args:
        value: as TOML has it.
        place: what it describes, for errors.

    Raises:
        InputError: it is something else.
    """
    if not isinstance(value, dict):
        raise InputError(place, "a table", f"a value of type {type(value).__name__}")
    return value


def as_list(value: object, place: str) -> list[object]:
    """The value itself, if it is a list.

    Args:
        value: as TOML has it.
        place: what it describes, for errors.

    Raises:
        InputError: it is something else.
    """
    if not isinstance(value, list):
        raise InputError(place, "a list", f"a value of type {type(value).__name__}")
    return value


def read_setting(value: object) -> Setting:
    """Make a setting from its table, which holds one more table for its source.

    Raises:
        InputError: it is no table, or has none or several tables for a source. Also if a key is
            unknown or missing, or a value is refused.
    """
    setting_table = dict(as_table(value, "a setting"))
    given_source_kinds = [source_kind for source_kind in _KINDS if source_kind in setting_table]
    if len(given_source_kinds) != 1:
        raise InputError(
            "a setting",
            "with one table of " + ", ".join(_KINDS),
            f"{len(given_source_kinds)} of them",
        )
    (source_kind,) = given_source_kinds
    source_table = dict(as_table(setting_table.pop(source_kind), source_kind))
    for field_name, enum_class in _ENUMS.items():
        if field_name in source_table:
            source_table[field_name] = checks.one_of(
                field_name, str(source_table[field_name]), enum_class
            )
    setting_table["source"] = build(_KINDS[source_kind], source_table, source_kind)
    if "epsilons" in setting_table:
        as_list(setting_table["epsilons"], "epsilons")
    return build(Setting, setting_table, "a setting")


def setting_rows(setting: Setting) -> Iterator[str]:
    """The TOML lines of a setting."""
    yield "[[settings]]"
    yield from _rows(setting, leave_out="source")
    kind = next(name for name, source in _KINDS.items() if isinstance(setting.source, source))
    yield f"[settings.{kind}]"
    yield from _rows(setting.source)


def as_text(value: object) -> str:
    """Write a string, a boolean, a number, or a list of these as TOML.

    Any other value is written as its ``repr``, unchecked.
    """
    if isinstance(value, str):
        quoted_text = json.dumps(value, ensure_ascii=False)  # TOML reads JSON's escapes
        return quoted_text.replace("\x7f", "\\u007f")
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(as_text, value))}]"
    if isinstance(value, bool):
        return repr(value).lower()
    return repr(value)


def _rows(part: Setting | Source, leave_out: str = "") -> Iterator[str]:
    for field in fields(part):
        value = getattr(part, field.name)
        if field.name != leave_out and value not in (None, (), ""):
            yield f"{field.name} = {as_text(value)}"


def _shown(key: str) -> str:
    return key if len(key) <= _LONGEST_SHOWN else f"{key[:_LONGEST_SHOWN]}…"
