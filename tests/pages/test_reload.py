"""A reload is another session with the same address: what it cannot find again is said."""

import pytest

from dplda.corpus import Label, disk_cache
from dplda.experiments.experiment import CorpusKind
from dplda.ui.state import link, session
from dplda.ui.state.keys import Key
from tests.pages.conftest import bring, mine


@pytest.mark.parametrize("page", ["topics", "docs"])
def test_cache_folder_that_cannot_be_written_is_named_on_pages(
    page, open_page, monkeypatch, tmp_path
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv(disk_cache.FOLDER_VARIABLE, str(tmp_path / "file" / "cache"))
    app = open_page(
        page, {"v": "2", link.CORPUS_KEY: "simulated_500_30_3_1_40_poisson_0.1_0", "k": "3"}
    )
    assert "Not a directory" in app.warning[0].value
    monkeypatch.setenv(disk_cache.FOLDER_VARIABLE, str(tmp_path / "cache"))
    app.run()
    assert not any("Nothing can be kept" in warning.value for warning in app.warning)


def test_reload_of_uploaded_documents_says_once_that_they_are_lost(open_page) -> None:
    app = open_page("noise", {link.CORPUS_KEY: CorpusKind.UPLOADED, "k": "3"})
    assert "A reload drops them" in app.info[0].value
    assert app.number_input(key=Key.N_TOPICS).value == 3
    app.run()
    assert not app.info


@pytest.mark.parametrize("label", [Label.PUBLIC, Label.SENSITIVE])
def test_address_of_uploaded_documents_says_nothing_of_them(label, open_page) -> None:
    app = bring(open_page("documents"), mine(label))
    assert app.query_params[link.CORPUS_KEY] == CorpusKind.UPLOADED


def test_error_curves_keep_their_figure_in_the_address(open_page, monkeypatch) -> None:
    app = open_page("error_curves", {link.SHOWN_KEY: "figure-4a"})
    assert app.selectbox(key=Key.CURVES_SHOWN).value == "figure-4a"
    app.selectbox(key=Key.CURVES_SHOWN).select("figure-2b").run()
    assert app.query_params[link.SHOWN_KEY] == "figure-2b"
    monkeypatch.setattr(session, "LATE", -1)
    app.query_params[link.SHOWN_KEY] = "figure-4a"  # as Back does
    assert app.run().selectbox(key=Key.CURVES_SHOWN).value == "figure-4a"
    assert (
        open_page("error_curves", {link.SHOWN_KEY: "<b>"}).selectbox(key=Key.CURVES_SHOWN).value
        == "My settings"
    )
