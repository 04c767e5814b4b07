"""Every page runs for a new visitor, without an exception."""

import re
from pathlib import Path

import pytest

from dplda.ui.shell import glossary
from dplda.ui.state.keys import Key
from tests.pages.conftest import VIEWS, written

PAGES = sorted(path.stem for path in (Path(__file__).resolve().parents[2] / "pages").glob("*.py"))


@pytest.mark.parametrize("page", PAGES)
def test_page_with_nonsense_in_its_address_opens_with_a_title(page, open_page) -> None:
    nonsense = {
        "v": "nonsense",
        "epsilon": "nan",
        "seed": "-1",
        "k": "<b>9</b>",
        "unknown": "x" * 1000,
        "look": "<b>",
    }
    assert open_page(page, nonsense | {"corpus": "simulated_500_30_3_1_40_poisson_0.1_0"}).title


@pytest.mark.parametrize("page", ["play", "release", "audit", *VIEWS])
def test_glossary_term_on_a_page_is_explained_or_linked_there(page, open_page) -> None:
    app = open_page("game", {Key.ATTACK: "audit"}) if page == "audit" else open_page(page)
    elements = [element.proto for element in app if hasattr(element, "proto")]
    text_shown = re.sub(r"(?m)^#.*", "", written(app)) + " ".join(
        str(getattr(element, "label", "")) for element in elements
    )
    helps = " ".join(str(getattr(element, "help", "")) for element in elements)
    missing = []
    for entry in (entry for entry in glossary.entries().values() if not entry.common):
        use_of_term = re.search(rf"(?<![\w{{])(?i:{re.escape(entry.term)})s?(?!\w)", text_shown)
        linked = use_of_term and text_shown[: use_of_term.end() + 1].endswith("]")
        if use_of_term and not linked and entry.says not in helps:
            missing.append(entry.term)
    assert missing == []
