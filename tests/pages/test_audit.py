"""Audit: a bound that climbs and stays below the claim, sabotage that is caught, and never a word of an upload."""

from dplda.ui.audit import page
from dplda.ui.shell.keys import Key


def to_its_end(app) -> None:
    """A browser asks for the fragment again and again; here the whole page is."""
    for _ in range(100):
        if not any(button.key == Key.AUDIT_STOP for button in app.button):
            return
        app.run()
    raise AssertionError("the audit did not end")


def test_an_audit_climbs_holds_and_catches_sabotage(open_page, figure, monkeypatch) -> None:
    monkeypatch.setattr(page, "SHARE", 5.0)
    monkeypatch.setattr(page, "BATCHES", 4)
    app = open_page("audit", {"epsilon": "0.1"})
    app.button(key=Key.AUDIT_STOP).click().run()
    to_its_end(app)
    shown = figure(app, Key.AUDIT_PICTURE)
    assert shown["layout"]["title"]["text"].replace("<br>", " ") == "Nothing found: no bound reaches the claim"
    assert len(shown["data"]) == 6
    for trace in shown["data"]:
        assert trace["y"][0] == 0
        assert 3 < trace["y"][-1] < 10
    app.selectbox(key=f"{Key.AUDIT_SABOTAGE}.adaptive/corrected").select("dropped-e6").run()
    to_its_end(app)
    assert "Caught" in figure(app, Key.AUDIT_PICTURE)["layout"]["title"]["text"]
    said = next(text.value for text in app.markdown if "caught" in text.value).split("\n")
    assert [line.startswith("- e6") for line in said] == [":red[**caught**]" in line for line in said]
    before = figure(app, Key.AUDIT_PICTURE)["data"]
    app.button(key=Key.AUDIT_AGAIN).click().run()
    to_its_end(app)
    assert figure(app, Key.AUDIT_PICTURE)["data"] != before


def test_it_can_be_stopped_and_gone_on_with(open_page, figure, monkeypatch) -> None:
    monkeypatch.setattr(page, "SHARE", 0.01)
    app = open_page("audit")
    assert app.button(key=Key.AUDIT_STOP).label == "Start"
    for _ in range(2):
        app.button(key=Key.AUDIT_STOP).click().run()
    app.run()
    stopped = figure(app, Key.AUDIT_PICTURE)["data"]
    assert app.button(key=Key.AUDIT_STOP).label == "Go on"
    app.button(key=Key.AUDIT_STOP).click().run()
    assert figure(app, Key.AUDIT_PICTURE)["data"] != stopped
    assert "proves nothing" in app.info[0].value
