"""Every page runs for a new visitor, without an exception."""

from pathlib import Path

import pytest

PAGES = sorted(path.stem for path in (Path(__file__).resolve().parents[2] / "pages").glob("*.py"))


@pytest.mark.parametrize("page", PAGES)
def test_it_opens_with_a_title_and_nonsense_in_the_address_is_survived(page, open_page) -> None:
    nonsense = {"v": "nonsense", "epsilon": "nan", "seed": "-1", "k": "<b>9</b>", "unknown": "x" * 1000, "look": "<b>"}
    assert open_page(page, nonsense).title
