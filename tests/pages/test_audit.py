"""Audit: a bound that climbs and stays below the claim, sabotage that is caught, and never a word of an upload."""

from unittest.mock import Mock

import pytest

from dplda.attacks.audit import harness
from dplda.attacks.audit.harness import Audit
from dplda.attacks.audit.promise import make_promise
from dplda.methods.registry import METHODS, parse_method
from dplda.ui.learn import audit_view as page
from dplda.ui.state.keys import Key
from tests.pages.conftest import written


def to_its_end(app) -> None:
    """A browser asks for the fragment again and again; here the whole page is."""
    for _ in range(100):
        if not any(button.key == Key.AUDIT_STOP and not button.disabled for button in app.button):
            return
        app.run()
    raise AssertionError("the audit did not end")


@pytest.fixture
def few_batches(monkeypatch) -> None:
    """And one neighbor tried in each: climbing has tests of its own (test_layers)."""
    monkeypatch.setattr(page, "SECONDS_OF_RUNS", 2.0)
    monkeypatch.setattr(page, "BATCHES", 4)
    monkeypatch.setattr(harness, "N_PAIRS", 4)


def test_audit_page_catches_the_chosen_sabotage_alone(
    open_page, figure, monkeypatch, few_batches
) -> None:
    monkeypatch.setattr(harness, "DEFAULT_MAX_RUNS", 1600)
    app = open_page("game", {"attack": "audit", "epsilon": "0.1"})
    app.button(key=Key.AUDIT_STOP).click().run()
    to_its_end(app)
    figure_shown = figure(app, Key.AUDIT_PICTURE)
    assert (
        figure_shown["layout"]["title"]["text"].replace("<br>", " ")
        == "Nothing found: no bound reaches the claim"
    )
    assert len(figure_shown["data"]) == 8
    for trace in figure_shown["data"]:
        assert trace["y"][0] == 0
        assert 3 < trace["y"][-1] < 10
    app.selectbox(key=f"{Key.AUDIT_SABOTAGE}.adaptive/corrected").select("dropped-e6").run()
    to_its_end(app)
    assert "Caught" in figure(app, Key.AUDIT_PICTURE)["layout"]["title"]["text"]
    table = app.table[0].value
    assert [name.startswith("e6") for name in table.index] == [
        verdict == ":red[**caught**]" for verdict in table["verdict"]
    ]
    assert all(float(reached) <= 1 for reached in table["neighbors / sensitivity"])


def test_audit_page_that_is_stopped_goes_on_when_asked(open_page, figure, monkeypatch) -> None:
    monkeypatch.setattr(page, "SECONDS_OF_RUNS", 0.01)
    app = open_page("game", {"attack": "audit"})
    assert app.button(key=Key.AUDIT_STOP).label == "Start"
    for progress_text in (" …", "each neighbor"):
        app.button(key=Key.AUDIT_STOP).click().run()
        assert app.get("progress")[0].proto.text.endswith(progress_text), (
            "the time left, while it runs"
        )
    app.run()
    stopped = figure(app, Key.AUDIT_PICTURE)["data"]
    assert app.button(key=Key.AUDIT_STOP).label == "Go on"
    app.button(key=Key.AUDIT_STOP).click().run()
    assert figure(app, Key.AUDIT_PICTURE)["data"] != stopped
    assert "proves nothing" in written(app)


class Rerun(Exception):  # noqa: N818 - Streamlit's own is no error either
    """The whole page was asked for."""


@pytest.mark.parametrize(("running", "ticks"), [(True, False), (False, True)])
def test_audit_fragment_started_or_stopped_reruns_the_whole_page(
    running: bool, ticks: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A fragment that is run alone cannot set its own clock."""
    promise = make_promise(10.0)
    live = page.LiveAudit(
        ("private-unigram", "", promise, 0),
        Audit(parse_method("private-unigram"), promise),
        running,
    )
    monkeypatch.setattr(page, "_draw_bounds", lambda live: None)
    monkeypatch.setattr(page.st, "session_state", {Key.AUDIT_LIVE: live})
    monkeypatch.setattr(page.st, "rerun", Mock(side_effect=Rerun))
    monkeypatch.setattr(page, "SECONDS_OF_RUNS", 0.0)
    page._draw_step(running)
    with pytest.raises(Rerun):
        page._draw_step(ticks)


def test_audit_page_offers_every_method_or_names_it_as_excluded(open_page) -> None:
    app = open_page("game", {"attack": "audit"})
    page_text = "\n".join(text.value for text in app.markdown)
    titles = app.selectbox(key=Key.AUDIT_METHOD).options
    for text, method in METHODS.items():
        assert any(method.title in title for title in titles) or f"{method.title}" in page_text, (
            text
        )
    assert ": it promises nothing." in page_text


def test_audit_page_catches_a_method_broken_by_one_click(open_page, figure, few_batches) -> None:
    app = open_page("game", {"attack": "audit"})
    app.button(key=Key.AUDIT_BROKEN).click().run()
    to_its_end(app)
    assert "where 10 was claimed" in figure(app, Key.AUDIT_PICTURE)["layout"]["title"][
        "text"
    ].replace("<br>", " ")
    assert set(app.table[0].value["verdict"]) == {":red[**caught**]"}
    assert app.selectbox(key=Key.AUDIT_METHOD).value == page.BREAKABLE


def test_button_that_changes_the_method_says_so(open_page, few_batches) -> None:
    app = open_page("game", {"attack": "audit"})
    app.button(key=Key.AUDIT_BROKEN).click().run()
    title = parse_method(page.BREAKABLE).title
    assert f"Audited now: **{title}**, broken on purpose" in "\n".join(
        text.value for text in app.markdown
    )
