"""The views of the Topics page, names of topics among them."""

import json
import runpy
from urllib.parse import urlencode

import pytest
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dplda.corpus import Corpus, Label
from dplda.privacy.release import Caveat
from dplda.ui.explore.open_view import ExploreView
from dplda.ui.explore.topics_view import TopicView
from dplda.ui.shell import frame
from dplda.ui.state import session
from dplda.ui.state.keys import Key
from tests.house.source import ROOT
from tests.pages.conftest import VIEWS, bring, go
from tests.tiny_corpora import random_rows

CARD, REPORT = "dplda-run-card.json", "dplda-report.html"
SMALL = {
    "v": "1",
    "corpus": "simulated_2000_60_4_1_60_poisson_0.1_0",
    "k": "4",
    "alpha0": "1",
    "epsilon": "8",
}


@pytest.fixture
def app(open_page):
    return open_page("topics", SMALL)


def look(app, view: TopicView):
    app.segmented_control(key=f"{Key.LOOK}.topics").set_value(view).run()
    assert not app.exception, [problem.value for problem in app.exception]
    return app


def word_field(app):
    return next(field for field in app.selectbox if field.label == "Word")


def said(app) -> str:
    return " ".join(text.value for text in (*app.markdown, *app.caption, *app.info))


def names(app) -> dict[int, str]:
    fields = {
        field.label: field for field in app.text_input if field.label.startswith("Name of topic")
    }
    return {int(label.split()[-1]): field for label, field in fields.items()}


@pytest.mark.parametrize(
    ("method", "epsilon"), [("adaptive", "0.1"), ("adaptive", "8"), ("refined", "0.5")]
)
def test_topic_views_open_at_any_noise(method, epsilon, open_page) -> None:
    app = open_page("topics", SMALL | {"epsilon": epsilon, "configuration": method})
    if app.get("segmented_control"):  # else nothing rises, which is said above
        for view in app.segmented_control(key=f"{Key.LOOK}.topics").options:
            look(app, TopicView(view))


def test_table_view_of_a_prior_shows_words_that_documents_raised(open_page) -> None:
    english = {
        "corpus": "simulated_4000_100_3_0.1_60_poisson_0.1_0_english",
        "configuration": "refined-english",
    }
    app = open_page("topics", english | {"epsilon": "3", "k": "4"})
    assert "lean on public knowledge (table “English”): the documents support it." in said(app)
    assert "Right: those that your documents raised most" in said(look(app, TopicView.TABLE))


def test_explore_shows_no_document_of_a_sensitive_corpus(open_page, files) -> None:
    corpus = Corpus.from_counts(random_rows(0, 400, 12, 40), label=Label.SENSITIVE, name="mail")
    app = open_page("regimes", {"configuration": "refined", "k": "2", "epsilon": "10"})
    bring(app, corpus)
    files.clear()
    go(app, "topics")
    look(app, TopicView.DOCUMENTS)
    assert "Documents of a sensitive corpus are never shown" in said(app)
    assert not any(text.value.startswith("**Document ") for text in app.markdown)
    assert not files
    for tries_settings, caveats in ((False, {Caveat.TRIED}), (True, {Caveat.TRIED, Caveat.LOOKED})):
        look(app, TopicView.MAP).toggle(key=Key.UNNOISED).set_value(tries_settings).run()
        charts = [json.dumps(json.loads(chart.proto.spec)) for chart in app.get("plotly_chart")]
        assert charts
        assert all("not a release" in chart for chart in charts)
        assert any("without noise" in chart for chart in charts) is tries_settings
        assert {caveat for _, caveat in app.session_state[Key.LOOKS]} == caveats


def test_topic_name_travels_with_the_run_card(open_page, files) -> None:
    app = open_page("topics", SMALL)
    names(look(app, TopicView.CARDS))[2].set_value("  ships  and seas ").run()
    assert names(app)[2].value == "ships and seas"
    app.select_slider(key=Key.EPSILON).set_value(10).run()
    assert names(app)[2].value == "ships and seas"
    card = files[CARD]()
    assert json.loads(card)["names"].count("ships and seas") == 1
    assert "ships and seas" in files[REPORT]()

    other_session = open_page("noise", SMALL | {"epsilon": "1"})
    other_session.file_uploader(key=Key.CARD_LOAD).set_value(
        ("card.json", card.encode(), "application/json")
    ).run()
    assert files[CARD]() == card
    assert "ships and seas" in files["dplda-run.py"]()
    go(other_session, "topics")
    assert names(look(other_session, TopicView.CARDS))[2].value == "ships and seas"
    names(other_session)[2].set_value("").run()
    assert json.loads(files[CARD]())["names"] == []


def test_link_with_topic_names_restores_them_until_undone(app, open_page, monkeypatch) -> None:
    look(app, TopicView.CARDS)
    query_before = dict(app.query_params)
    named_session = names(app)[2].set_value("<b>ships</b> & seas\u202e").run()
    link = dict(app.query_params)
    assert (link["names"], link["look"]) == ("\n<b>ships</b> & seas", "cards-and-names")
    assert any(urlencode({"names": link["names"]}) in code.value for code in named_session.code)
    assert any("look=map" in code.value for code in look(named_session, TopicView.MAP).code)
    other_session = open_page("topics", link)
    assert names(other_session)[2].value == "<b>ships</b> & seas"
    assert "**\\<b\\>ships\\<\\/b\\> \\& seas**" in said(other_session)
    monkeypatch.setattr(session, "LATE", -1)
    app.query_params.clear()
    app.query_params.update(query_before)
    assert names(app.run())[2].value == ""
    assert "names" not in app.query_params


def test_names_of_uploaded_documents_are_in_no_link(open_page) -> None:
    app = open_page(
        "topics", SMALL | {"epsilon": "10", "configuration": "refined"}
    )  # all topics, whatever the noise
    corpus = Corpus.from_counts(random_rows(0, 400, 12, 40), label=Label.SENSITIVE, name="mail")
    names(look(bring(app, corpus), TopicView.CARDS))[1].set_value("Mr Smith").run()
    assert names(app)[1].value == "Mr Smith"
    assert "Smith" not in str(app.query_params) + "".join(code.value for code in app.code)


@pytest.fixture
def files(monkeypatch):
    """What buttons of the last run would save, by the file's name; made as a click makes it, when no script runs."""
    saved_files, original = {}, DeltaGenerator.download_button

    def download_button(self, *arguments, data, file_name, **options):
        saved_files[file_name] = data
        return original(self, *arguments, data="", file_name=file_name, **options)

    monkeypatch.setattr(DeltaGenerator, "download_button", download_button)
    monkeypatch.setattr(st, "download_button", lambda *a, **k: download_button(st._main, *a, **k))
    return saved_files


def test_search_view_of_a_word_gives_its_probability_in_every_topic(app, figure) -> None:
    look(app, TopicView.SEARCH)
    first_word = word_field(app).value
    assert len(app.table[0].value) == 4, "it begins with a word"
    word_field(app).select("w0003").run()
    table = app.table[0].value
    assert len(table) == 4
    assert {"probability", "without noise", "part of its uses"} <= set(table.columns)
    parts = [float(part.rstrip("%")) for part in table["part of its uses"]]
    assert sum(parts) == pytest.approx(100, abs=2)
    assert parts == sorted(parts, reverse=True)
    app.select_slider(key=Key.EPSILON).set_value(6).run()
    assert (first_word, word_field(app).value) != ("w0003", first_word), (
        "the chosen word stays when noise changes"
    )
    corpus = Corpus.from_counts(random_rows(0, 400, 12, 40), label=Label.PUBLIC, name="mail")
    assert word_field(bring(app, corpus)).value != "w0003", "a word of other documents"


def test_search_view_of_refined_has_intervals(open_page) -> None:
    app = open_page("topics", SMALL | {"configuration": "refined"})
    names(look(app, TopicView.CARDS))[1].set_value("ships").run()
    word_field(look(app, TopicView.SEARCH)).select("w0003").run()
    assert "1 · ships" in app.table[0].value.index
    assert "interval" in app.table[0].value


def test_documents_are_shown_with_coloured_words(app) -> None:
    look(app, TopicView.DOCUMENTS)
    shown_documents = [text.value for text in app.markdown if text.value.startswith("**Document ")]
    assert len(shown_documents) == 5
    assert ":color[w00" in said(app)


def test_views_of_explore_have_the_titles_that_its_sidebar_knows(monkeypatch) -> None:
    """A view with another title could not be opened: the sidebar would choose the first one."""
    page_views: list[frame.View] = []
    monkeypatch.setattr(
        frame, "open_place", lambda place, question, views, **_: page_views.extend(views)
    )
    runpy.run_path(str(ROOT / "pages" / "explore.py"))
    assert [view.title for view in page_views] == list(ExploreView)
    assert [view for place, view in VIEWS.values() if place == "explore"] == list(ExploreView)
