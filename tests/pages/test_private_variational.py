"""Private variational inference chosen in the sidebar, on every page."""

import numpy as np
import pytest
import streamlit as st

from dplda.ui.state.keys import Key
from tests.pages.conftest import go, written
from tests.pages.test_corpus import upload

SMALL = {
    "v": "1",
    "corpus": "simulated_2000_60_3_1_60_poisson_0.1_0",
    "k": "3",
    "alpha0": "1",
    "epsilon": "8",
}
CHOSEN = SMALL | {"configuration": "dp-vi"}


def test_privacy_shows_its_own_picture_in_the_place_of_the_graph(open_page, figure) -> None:
    app = open_page("noise", CHOSEN)
    spec = figure(app, "privacy.flow")
    steps = [
        note["text"].replace("<br>", " ")
        for note in spec["layout"]["annotations"]
        if note["name"] == "step"
    ]
    assert steps[0] == "Documents"
    assert steps[1:] == ["Random minibatch", "Mean statistic", "Topics", "Output"]
    (note,) = (
        note["text"]
        for note in spec["layout"]["annotations"]
        if note["name"] == "said" and "±" in note["text"]
    )
    scale = app.table[0].value.iloc[0]["noise scale"]
    assert float(note.split("± ")[1]) == pytest.approx(float(scale), rel=0.05)
    assert f"60 times: sensitivity 0.025, noise scale {scale};" in spec["data"][-1]["hovertext"][
        2
    ].replace("<br>", " ")
    assert "200 of them on average" in written(app)
    assert {chart.key for chart in app.get("plotly_chart")} == {"privacy.flow"}
    assert not app.main.slider
    app.selectbox(key=Key.CONFIGURATION).set_value("config-1").run()
    assert not app.exception
    assert app.button_group(key=Key.EDGES).value == ["e3", "e4", "e8"]
    go(app, "topics")
    app.selectbox(key=Key.CONFIGURATION).set_value("dp-vi").run()
    assert "topics.spectrum" not in {chart.key for chart in app.get("plotly_chart")}
    assert app.main.header[0].value.startswith("Topics are ")


def test_words_that_come_first_are_said_before_a_run(open_page, figure) -> None:
    """300 documents over 60 words at ε = 1: some of the minibatches count words."""
    address = CHOSEN | {"corpus": "simulated_300_60_3_1_60_poisson_0.1_0", "epsilon": "1"}
    app = open_page("noise", address)
    hover = figure(app, "privacy.flow")["data"][-1]["hovertext"][2].replace("<br>", " ")
    first_row = app.table[0].value.iloc[0]
    for _, row in app.table[0].value.iterrows():
        numbers = f"sensitivity {row['sensitivity']}, noise scale {row['noise scale']};"
        assert f"{row['minibatches']} times: {numbers}" in hover
    text_shown = written(app)
    assert (
        f"The first {first_row['minibatches']} minibatches count words alone, at most 2 words of each document"
        in text_shown
    )
    assert f"noise of {first_row['noise scale']} on every word" in text_shown
    assert "minibatches count words alone" not in written(open_page("noise", CHOSEN))
    assert "minibatches count words alone" not in written(
        open_page("noise", address | {"calibration": "published"})
    )


def test_variational_method_as_published_is_said_to_be_unproven(open_page, figure) -> None:
    app = open_page("noise", CHOSEN | {"calibration": "published"})
    title = figure(app, "privacy.flow")["layout"]["title"]["text"].replace("<br>", " ")
    assert "no valid proof covers the claim" in title
    assert "not proven" in app.table[0].value.iloc[0]["all minibatches together spend"]


def bars(app, figure) -> np.ndarray:
    return np.array(figure(app, "topics.words.1")["data"][0]["x"])


def test_variational_run_on_sensitive_documents_draws_from_the_session_secret(
    open_page, figure
) -> None:
    """The same seed again gives the same topics in one session, and others in another one."""
    lines = [" ".join(f"{'abcdefgh'[(i * j) % 8] * 4}" for j in range(1, 12)) for i in range(80)]
    drawn_bars = []
    for _ in range(2):
        st.cache_resource.clear()
        app = open_page("documents", CHOSEN | {"k": "2"})
        upload(app, "\n".join(lines).encode(), label="sensitive")
        go(app, "topics")
        assert not app.exception
        drawn_bars.append(bars(app, figure))
    assert not np.array_equal(*drawn_bars)
    app.number_input(key=Key.SEED).set_value(1).run()
    assert not np.array_equal(bars(app, figure), drawn_bars[-1])
    st.cache_resource.clear()  # what is compared is drawn again, not remembered
    app.number_input(key=Key.SEED).set_value(0).run()
    np.testing.assert_array_equal(bars(app, figure), drawn_bars[-1])
