"""A step of ε changes pictures where they are: none goes away, none is moved."""

import pytest
from playwright.sync_api import Page, expect

SMALL = "corpus=simulated_2000_60_4_1_60_poisson_0.1_0&k=4&alpha0=1"
PLACES = """() => {
    const main = document.querySelector('[data-testid="stMain"]')
    const boxes = [...main.querySelectorAll('.stPlotlyChart, .still')].map(each => each.getBoundingClientRect())
    const places = boxes.filter(each => each.height > 0).map(each => `${each.left}, ${each.top + main.scrollTop}`)
    return [...new Set(places)].sort().join('; ')
}"""
SEE = f"""() => {{
    const places = {PLACES}
    window.seen = []
    const look = () => {{ window.seen.push(places()); requestAnimationFrame(look) }}
    look()
}}"""


def step(page: Page, key: str, text_shown: str) -> None:
    page.get_by_role("slider", name="Privacy budget").focus()  # one, above the picture
    page.keyboard.press(key)
    expect(page.get_by_test_id("stMain").get_by_text(text_shown).first).to_be_visible()


@pytest.mark.parametrize(
    ("address", "low", "high", "text_shown"),
    [
        ("explore?", "3", "4", "private, ε = {}"),
        ("compare?view=regimes&", "3", "4", "and ε = {},"),
    ],
    ids=["topics", "regimes"],
)
def test_pictures_stay_where_they_are(tab, address, low, high, text_shown) -> None:
    page = tab.open(f"{address}{SMALL}&epsilon={low}")
    page.locator(".js-plotly-plot .main-svg, .still").first.wait_for()
    tab.settle()
    step(
        page, "ArrowRight", text_shown.format(high)
    )  # fitted now; from here on nothing is, and no progress has a place
    tab.settle()
    tab.at_rest(lambda: (page.get_by_test_id("stMain").inner_text(), page.evaluate(PLACES)))
    page.evaluate(SEE)
    for key, epsilon in (("ArrowLeft", low), ("ArrowRight", high)):
        step(page, key, text_shown.format(epsilon))
        tab.settle()
    seen_frames = page.evaluate("window.seen")
    assert set(seen_frames) == {seen_frames[0]}
    assert seen_frames[0]
