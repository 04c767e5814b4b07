"""What stands above a page's own content describes what the page shows, and claims no more."""

import re

import pytest

from dplda.corpus import Label
from dplda.experiments.papers.presets import PRESETS
from dplda.methods.base.calibration import Calibration
from dplda.methods.configurations import REGISTRY
from dplda.methods.configurations.verdict import UNPROVEN
from dplda.ui.state.keys import Key
from tests.pages.conftest import bring, go, mine

SMALL = {
    "v": "1",
    "corpus": "simulated_700_30_3_1_40_poisson_0.1_0",
    "k": "3",
    "alpha0": "1",
    "epsilon": "8",
}
PLAN_PAGES = ("topics", "noise", "bounds")
OTHER_PAGES = ("documents", "error_curves", "regimes", "release")
SIMULATED = ("gray", "This draw is simulated, for exploring only")
PROVEN = [("green", "Proven"), SIMULATED]
PUBLISHED = [("orange", "As published: not proven"), SIMULATED]
BANNER = "Curator view: not a release"


def badges(app) -> list[tuple[str, str]]:
    """Colour and word of every badge of the page's body."""
    badge_matches = [
        re.search(r":(\w+)-badge\[(?::material/\w+:)?\s*(.*)\]", text.value)
        for text in app.main.markdown
    ]
    return [match.groups() for match in badge_matches if match]


@pytest.mark.parametrize(
    ("method", "heading"),
    [("config-3", "Why this is not proven"), ("refined", "Why this holds")],
)
def test_reasons_have_a_heading_that_fits_them(open_page, method, heading) -> None:
    app = open_page("topics", SMALL | {"configuration": method})
    texts = [text.value for text in app.markdown]
    assert f"**{heading}**" in texts
    assert sum(text.startswith("**Why this") for text in texts) == 1


def line(app) -> str:
    """The experiment, in small print."""
    plan_line = next(
        text.value
        for text in app.main.markdown
        if text.value.startswith(":small[") and "odds" not in text.value
    )
    return plan_line.replace("\\", "").removeprefix(":small[").removesuffix("]")


@pytest.mark.parametrize("page", PLAN_PAGES)
def test_page_with_a_plan_states_its_promise(page, open_page) -> None:
    app = open_page(page, SMALL)
    assert badges(app) == PROVEN
    text_shown = " ".join(text.value for text in app.main.markdown)
    assert "N 700 · d 30 · k 3 · α₀ 1 · Adaptive · δ 1e-7" in text_shown
    (promise,) = (text.value for text in app.markdown if "knows everything else" in text.value)
    assert "at most 77 times in 100" in promise


@pytest.mark.parametrize(
    ("changes_of_plan", "sentence"),
    [
        ({"configuration": "config-2", "calibration": "published"}, "so nothing is promised"),
        (
            {"corpus": "docstrings", "k": "3"},
            "promises nothing here: vocabulary from the documents",
        ),
    ],
)
def test_epsilon_caption_of_an_unproven_plan_promises_nothing(
    changes_of_plan, sentence, open_page
) -> None:
    text = " ".join(text.value for text in open_page("topics", SMALL | changes_of_plan).markdown)
    assert sentence in text
    assert "anyone's odds" not in text


@pytest.mark.parametrize("page", OTHER_PAGES)
def test_header_of_a_page_without_the_plan_claims_nothing(page, open_page) -> None:
    app = open_page(page, SMALL)
    assert badges(app) == []
    assert "Adaptive" not in line(app)
    published_plan = {"configuration": "config-1", "calibration": "published", "seed": "0"}
    assert line(open_page(page, SMALL | published_plan)) == line(app)


def test_header_of_a_preset_states_its_own_numbers(open_page) -> None:
    app = open_page("error_curves", SMALL)
    for name, preset in PRESETS.items():
        app.selectbox(key=Key.CURVES_SHOWN).select(name).run()
        assert badges(app) == []
        line_shown = line(app)
        assert "700" not in line_shown
        assert all(part.lower() in line_shown.lower() for part in preset.described())
    line_before = line(app)
    go(app, "topics")
    assert badges(app) == PROVEN
    go(app, "error_curves")
    assert line(app) == line_before
    app.selectbox(key=Key.CURVES_SHOWN).select("My settings").run()
    assert "α₀ 1 · 40 words a document · δ 1e-7 · noise seed 0" in line(app)
    assert badges(app) == []


def test_banner_of_a_sensitive_corpus_stands_where_the_corpus_is_shown(open_page) -> None:
    app = bring(open_page("documents", SMALL), mine(Label.SENSITIVE))
    assert badges(app) == [("red", "Not private")]
    for page, has_banner in (("noise", True), ("regimes", False), ("error_curves", False)):
        go(app, page)
        assert any(BANNER in warning.value for warning in app.main.warning) is has_banner


@pytest.mark.parametrize(
    ("edges", "badge", "message"),
    [
        (["e6"], ("red", "Not private"), "data reaches the output through e0 → e2 → e5 → e8 → e9"),
        (["e0", "e1"], ("gray", "No claim"), "no configuration puts its noise there"),
        ([], ("red", "Not private"), "2 more paths leak"),
    ],
)
def test_edges_of_no_plan_take_the_plans_badge_away(edges, badge, message, open_page) -> None:
    assert badges(open_page("noise", SMALL | {"edges": "_".join(edges)})) == [badge], (
        "as a link says"
    )
    app = open_page("noise", SMALL)
    assert badges(app) == PROVEN
    app.button_group(key=Key.EDGES).set_value(edges).run()
    assert badges(app) == [badge]
    assert not app.success
    assert message in " ".join(box.value for box in (*app.error, *app.warning))
    assert "differentially private" not in " ".join(text.value for text in app.main.markdown)
    app.run()
    assert badges(app) == [badge]
    go(app, "topics")
    assert badges(app) == PROVEN, "there the plan in force is what is shown"
    assert "edges" not in app.query_params
    go(app, "noise")
    assert badges(app) == [badge]
    app.button(key=Key.EDGES_BACK).click().run()
    assert badges(app) == PROVEN


@pytest.mark.parametrize(
    ("name", "calibration"),
    [(name, form) for name, entry in REGISTRY.items() for form in entry.variants],
)
def test_graph_title_agrees_with_the_badge(name, calibration, open_page, figure) -> None:
    app = open_page(
        "noise", SMALL | {"configuration": name, "calibration": calibration.name.lower()}
    )
    title = " ".join(figure(app, Key.GRAPH)["layout"]["title"]["text"].split("<br>"))
    chart = next(chart for chart in app.get("plotly_chart") if chart.key == Key.GRAPH)
    published = calibration is Calibration.PUBLISHED
    assert badges(app) == (PUBLISHED if published else PROVEN)
    for text in (title, chart.proto.alt):
        assert (UNPROVEN in text) is published
    boxes = app.main.warning if published else app.success
    assert (UNPROVEN in boxes[0].value) is published
