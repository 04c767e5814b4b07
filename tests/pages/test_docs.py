"""Every chapter draws, its links lead somewhere, and what is generated is whole."""

import inspect
import re
import tomllib

import pytest

import dplda
from dplda.methods.registry import METHODS
from dplda.ui.learn import docs_view
from dplda.ui.shell import claim_view
from dplda.ui.state.keys import Key
from tests.house.source import ROOT

CHAPTER = f"{Key.CHAPTER}.learn"
TEXTS = sorted((ROOT / "assets" / "docs").rglob("*.md"))


@pytest.fixture(scope="module")
def opened() -> dict:
    """Kept by the tests of this module: a page that is open draws another chapter faster than a new one."""
    return {}


@pytest.fixture
def app(opened, open_page):
    if "app" not in opened:
        opened["app"] = open_page("docs")
    return opened["app"]


def words(app) -> str:
    return "\n".join(text.value for text in app.main.markdown)


@pytest.mark.parametrize("chapter", docs_view.CHAPTERS)
def test_docs_chapter_draws_without_unresolved_links(chapter, app) -> None:
    app.button_group(key=CHAPTER).set_value(chapter).run()
    assert not app.exception
    assert len(words(app)) > 500 or app.get("help_info")
    assert not re.search(r"\]\(\w+\.md\)|:math:|(?<!`)``\w", words(app)), (
        "links and roles are for a browser"
    )


@pytest.mark.parametrize("text", METHODS)
def test_docs_of_a_method_state_its_claim_with_reasons(text, app) -> None:
    app.button_group(key=CHAPTER).set_value("Methods").run()
    app.selectbox(key=Key.DOCS_METHOD).set_value(text).run()
    assert not app.exception
    method, text_shown = METHODS[text], words(app)
    assert claim_view.status_badge(method.status) in text_shown
    assert f"`{text}`" in text_shown
    assert not method.needs_epsilon or app.get("help_info"), "how it works, and what is proven"
    assert len(app.get("plotly_chart")) == (method.flow is not None)


def test_docs_of_python_list_every_public_name_with_its_docstring(app) -> None:
    assert {name.removeprefix("dplda.") for name in docs_view.public_names()} >= set(dplda.__all__)
    assert all(
        len(inspect.getdoc(public_object) or "") > 40
        for public_object in docs_view.public_names().values()
    )
    app.button_group(key=CHAPTER).set_value("Python").run()
    app.selectbox(key=Key.DOCS_NAME).set_value("dplda.flow.leaks").run()
    assert not app.exception
    assert "leaks" in str(app.get("help_info")[0].proto)


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.name)
def test_links_between_texts_lead_to_chapters(path) -> None:
    """And Python in them is a doctest, which pyproject.toml has run."""
    text = path.read_text("utf-8")
    assert all(
        block.startswith(">>> ") for block in re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    )
    for name in re.findall(r"\]\(([^)#:]+)\)", text):
        assert (path.parent / name).is_file()
        assert name.removesuffix(".md").capitalize() in docs_view.CHAPTERS
    for name in re.findall(r"the chapter (\w+)", text, re.IGNORECASE):
        assert name in docs_view.CHAPTERS


def test_docs_texts_are_among_the_tested_ones() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    settings = project["tool"]["pytest"]["ini_options"]
    assert "assets/docs" in settings["testpaths"]
    assert "--doctest-glob=assets/docs/*.md" in settings["addopts"]


def test_citation_states_the_version_of_the_package() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    version = project["project"]["version"]
    assert f"\nversion: {version}\n" in (ROOT / "CITATION.cff").read_text("utf-8")
    assert version == dplda.__version__
