"""Refinement chosen in the sidebar: its picture, its noise before and after a run, what is said of its error."""

import pytest

from dplda.methods.refined.plan.quantities import REFINED
from dplda.ui.state.keys import Key
from tests.pages.conftest import written

CHOSEN = {
    "v": "1",
    "corpus": "simulated_2000_60_3_1_60_poisson_0.1_0",
    "k": "3",
    "alpha0": "1",
    "epsilon": "8",
    "configuration": "refined",
}


@pytest.fixture
def privacy(open_page):
    return open_page("noise", CHOSEN)


def test_privacy_page_of_refined_states_that_every_edge_is_needed(privacy, figure) -> None:
    spec = figure(privacy, "privacy.flow")
    titles = [
        note["text"].replace("<br>", " ")
        for note in spec["layout"]["annotations"]
        if note["name"] == "step"
    ]
    assert titles == [step.title for step in REFINED.steps]
    assert spec["layout"]["title"]["text"] == "Every path to the output meets noise"
    (success,) = privacy.success
    assert "each of these edges needs its noise" in success.value
    assert not privacy.error
    assert "no picture" not in written(privacy)


def test_refined_edge_without_noise_is_drawn_as_a_leak(privacy, figure) -> None:
    header = privacy.markdown[0].value
    privacy.button_group(key=Key.WITHOUT).set_value("steps").run()
    assert not privacy.exception
    (leak,) = privacy.error
    assert "φ → S → A, by way of the expected counts, without meeting noise" in leak.value
    assert "leaks" in figure(privacy, "privacy.flow")["layout"]["title"]["text"]
    assert privacy.markdown[0].value == header, "the guarantee is that of the run"
    assert "Proven" in written(privacy)


def test_refined_graph_before_a_run_has_no_signal(privacy, figure) -> None:
    edges = dict(
        zip(
            *(figure(privacy, "privacy.flow")["data"][-1][of] for of in ("text", "hovertext")),
            strict=True,
        )
    )
    hover_texts = {mark: text.replace("<br>", " ") for mark, text in edges.items()}
    for _, row in privacy.table[0].value.reset_index().iterrows():
        mark = {"words": "z₁", "steps": "S", "evidence": "L"}.get(row["edge"], row["edge"])
        assert f"share {row['share of μ²']}. Signal known after a run." in hover_texts[mark]
        is_known_before = row["sensitivity"] != "by released clip levels"
        assert (
            f"sensitivity {row['sensitivity']}, noise scale {row['noise scale']}"
            in hover_texts[mark]
        ) == is_known_before
        assert is_known_before or "depend on clip levels that a run releases" in hover_texts[mark]
    assert "signal to noise" not in " ".join(edges.values())


def test_bounds_page_of_refined_shows_its_predicted_error(open_page) -> None:
    app = open_page("bounds", CHOSEN)
    assert "No theorem of the paper bounds Refined" in written(app)
    assert {chart.key for chart in app.get("plotly_chart")} == {
        "bounds.documents",
        "bounds.predictions",
    }
