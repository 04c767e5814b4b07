"""A place added as one file and one line is listed, has what all pages have, and keeps their rules."""

import shutil

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from dplda.ui.state.keys import Key
from tests.house import interface
from tests.house.source import ROOT, source
from tests.pages.conftest import PATIENCE, go

SMALL = {
    "v": "1",
    "corpus": "simulated_300_30_3_1_40_poisson_0.1_0",
    "k": "3",
    "alpha0": "1",
    "epsilon": "8",
}
LINE = '        st.Page(pages / "toy.py", title="Toy"),\n'
LAST = '        st.Page(pages / "learn.py", title="Learn"),\n'
WITH = "WITH_EXPERIMENT = ("
TOY = '''"""Toy: what a page must have."""

import streamlit as st

from dplda.ui.shell import frame


def draw(experiment: frame.LoadedExperiment) -> None:
    st.metric("Documents", experiment.corpus.n_documents)


frame.open_place("Toy", "What does a place need?", [frame.View("Only", draw, frame.describe_method)])
'''


@pytest.fixture
def app(tmp_path, monkeypatch: pytest.MonkeyPatch) -> AppTest:
    for folder in ("pages", "assets"):
        shutil.copytree(ROOT / folder, tmp_path / folder, symlinks=True)
    (tmp_path / "pages" / "toy.py").write_text(TOY, "utf-8")
    original_text = (ROOT / "app.py").read_text("utf-8")
    assert LAST in original_text
    (tmp_path / "app.py").write_text(
        original_text.replace(LAST, LAST + LINE).replace(WITH, WITH + '"toy", '), "utf-8"
    )
    app = AppTest.from_file(tmp_path / "app.py", default_timeout=PATIENCE)
    for key, value in SMALL.items():
        app.query_params[key] = value
    return app


def test_new_page_is_listed_with_what_all_pages_have(
    app: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed_pages, navigation = [], st.navigation
    monkeypatch.setattr(
        st,
        "navigation",
        lambda pages, **_: listed_pages.extend(page.title for page in pages) or navigation(pages),
    )
    go(app, "toy")
    assert not app.exception, [problem.value for problem in app.exception]
    assert "Toy" in listed_pages
    assert app.title[0].value == "Toy"
    assert app.selectbox(key=Key.CONFIGURATION).value == "adaptive"
    assert app.metric[0].value == "300"
    text_shown = " ".join(text.value for text in app.main.markdown)
    assert "N 300 · d 30 · k 3 · α₀ 1 · Adaptive" in text_shown
    assert "Proven" in text_shown


def test_new_page_keeps_the_interface_rules() -> None:
    assert not [
        complaint
        for rule in interface.RULES
        for complaint in rule.check(source("pages/toy.py", TOY))
    ]
