"""A public demo reads no file and releases nothing, whatever a visitor sends."""

import pytest
from streamlit.testing.v1 import AppTest

from dplda.core import demo
from dplda.core.errors import NotReleasable
from dplda.release.ledger.folder import Folder
from dplda.release.ledger.ledger import Ledger
from dplda.release.workflow import perform


def form() -> None:
    from dplda.ui.upload import form

    form.draw_form()


def test_demo_offers_no_release_from_the_hosts_ledger(open_page, tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("DPLDA_RELEASES", str(tmp_path / "releases"))
    Ledger(Folder()).declare("letters of the host", epsilon=2.5, delta=1e-6)
    monkeypatch.setenv(demo.VARIABLE, "0")
    assert not demo.is_on()
    monkeypatch.setenv(demo.VARIABLE, "1")
    for app in (AppTest.from_function(form).run(), open_page("release")):
        assert [message.value for message in app.main.info] == [demo.REFUSAL]
        assert not app.main.get("file_uploader")
        assert not [button for button in app.main.button if not button.disabled]
        assert "host" not in str([text.value for text in app.main.markdown])
    with pytest.raises(NotReleasable, match="public demo"):
        perform.release(None, None, Folder())
