import pytest

from dplda.ui.literal import literal


@pytest.mark.parametrize("mark", list("\\`*_{}[]()#+-.!|<>~$:&"))
def test_literal_escapes_every_mark_of_markdown(mark) -> None:
    assert literal(f"a{mark}b") == f"a\\{mark}b"


def test_literal_text_of_lines_becomes_one_line() -> None:
    assert literal("a\n\n# b") == "a \\# b"


def test_literal_keeps_addresses_from_becoming_links() -> None:
    for address in ("ann@example.org", "https://example.org", "www.example.org"):
        assert "\u2060" in literal(address)
