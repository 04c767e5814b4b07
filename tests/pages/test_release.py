"""Release: nothing is charged but by its button, and then once; what is refused is refused before."""

import hashlib

import numpy as np
import pytest
import streamlit as st

from dplda.release.folder import Folder
from dplda.release.ledger import Ledger
from dplda.ui.state.keys import Key

SMALL = {"v": "1", "corpus": "simulated_700_30_3_1_40_poisson_0.1_0", "k": "3", "alpha0": "1", "epsilon": "1"}
SMALL |= {"configuration": "private-unigram", "delta": "1e-7"}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    path = tmp_path / "releases"
    monkeypatch.setenv("DPLDA_RELEASES", str(path))
    return path


def said(app) -> str:
    kinds = (app.main.markdown, app.main.caption, app.main.warning, app.main.info, app.main.error)
    return " ".join(str(element.value) for kind in kinds for element in kind).replace("\\", "")


def declared(open_page, folder):
    Ledger(Folder(folder)).declare("mail", epsilon=2.5, delta=1e-6)
    return open_page("release", SMALL)


def accept(app):
    next(box for box in app.checkbox if str(box.key).startswith(Key.RELEASE_ACCEPTED)).check().run()
    return app.button(key=Key.RELEASE_NOW)


def test_to_look_makes_no_ledger(open_page, folder) -> None:
    app = open_page("release", SMALL)
    assert "Nothing is declared" in said(app)
    assert not folder.exists()
    assert app.number_input(key=f"{Key.LEDGER_EPSILON}.3.0").value == 3
    app.select_slider(key=Key.EPSILON).set_value(6).run()
    assert app.number_input(key=f"{Key.LEDGER_EPSILON}.6.0").value == 6  # a cap that was too low could not be raised


def test_a_dataset_is_declared_on_the_page(open_page, folder) -> None:
    app = open_page("release", SMALL)
    app.text_input(key=Key.LEDGER_NAME).set_value("mail").run()
    app.button(key=Key.LEDGER_DECLARE).click().run()
    assert Ledger(Folder(folder)).datasets() == ("mail",)
    assert "It costs ε = 1 and δ = 1e-7 of 'mail', for good." in said(app)
    app.text_input(key=Key.LEDGER_NAME).set_value("mail").run()
    app.button(key=Key.LEDGER_DECLARE).click().run()
    assert "already" in said(app)


def test_a_release_is_charged_once_by_its_button_alone(open_page, folder, monkeypatch) -> None:
    saved, app = {}, declared(open_page, folder)
    monkeypatch.setattr(st, "download_button", lambda *_, data, key, **more: saved.update({key: data}))
    ledger = Ledger(Folder(folder))
    assert app.button(key=Key.RELEASE_NOW).disabled
    app.text_input(key=Key.RELEASE_TITLE).set_value("our letters").run()
    button = accept(app)
    assert ledger.balance("mail").spent == (0, 0)
    button.click().run()
    assert not app.exception
    assert "Released." in said(app)
    assert "paid by charge" in said(app)
    assert "our letters" in saved[Key.SAVE_REPORT]()
    assert hashlib.sha256(saved[Key.RELEASE_SAVE]()).hexdigest() in said(app)
    assert len(ledger.entries("mail")) == 3  # declared, documents noted, charged
    app.run()
    assert len(ledger.entries("mail")) == 3
    del app.session_state[Key.RELEASE_JOB]
    app.run()
    assert "it cost nothing" in said(app)
    assert not any(button.key == Key.RELEASE_NOW for button in app.button)
    assert len(ledger.entries("mail")) == 3


def test_what_is_left_decides_whether_there_is_a_button(open_page, folder) -> None:
    Ledger(Folder(folder)).declare("mail", epsilon=0.5, delta=1e-6)
    app = open_page("release", SMALL)
    assert "That is more than is left" in said(app)
    assert app.button(key=Key.RELEASE_NOW).disabled


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"configuration": "config-1"}, "not proven in exact arithmetic"),
        ({"corpus": "docstrings"}, "vocabulary was taken from the documents"),
    ],
)
def test_what_cannot_be_released_is_said_and_has_no_button(open_page, folder, changed, reason) -> None:
    Ledger(Folder(folder)).declare("mail", epsilon=2.5, delta=1e-6)
    app = open_page("release", SMALL | changed)
    assert "Not releasable" in said(app)
    assert reason in said(app)
    assert not any(button.key == Key.RELEASE_NOW for button in app.button)


def test_a_damaged_ledger_is_said(open_page, folder) -> None:
    app = declared(open_page, folder)
    assert "nothing over budget" in said(app)
    (folder / "key").write_bytes(np.random.default_rng(0).bytes(32))
    app.run()
    assert "tampered with or damaged" in said(app)
