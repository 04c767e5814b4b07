"""Fields written as YAML are read back as they were."""

import pytest
import yaml

from dplda.release.publication.yaml_text import Field, write_yaml


@pytest.mark.parametrize(
    "value",
    ["", "yes", "1.0", "it's", "a: b # c", "- x", "{x}", "null", "2026-01-01", "ε ≤ 1\nb: #c\n- d"],
)
def test_text_is_read_back_as_text(value) -> None:
    parsed = yaml.safe_load(write_yaml([Field("key", value, "a comment: with # signs")]))
    assert parsed["key"].rstrip("\n") == value


@pytest.mark.parametrize("number", [1, 0.5, 1e-7, 1.1e-07, 1e22, 3.0])
def test_number_is_read_back_as_a_number(number) -> None:
    parsed_number = yaml.safe_load(write_yaml([Field("key", number)]))["key"]
    assert parsed_number == number
    assert type(parsed_number) is type(number)


def test_nested_fields_are_read_back_in_their_places() -> None:
    inner = [Field("a", "x"), Field("b", ["y", ""])]
    parsed = yaml.safe_load(write_yaml([Field("outer", [inner, inner]), Field("last", inner)]))
    assert parsed == {"outer": [{"a": "x", "b": ["y", ""]}] * 2, "last": {"a": "x", "b": ["y", ""]}}


def test_control_characters_do_not_break_out_of_a_scalar() -> None:
    parsed = yaml.safe_load(write_yaml([Field("key", "a\x00b\x85c\u2028d", "e\x00f")]))
    assert parsed["key"] == "a\ufffdb\ufffdc\ufffdd"
