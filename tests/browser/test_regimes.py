"""The Regimes page in the browser: a click adopts a cell."""

import re

from playwright.sync_api import expect

from tests.browser.conftest import eventually


def test_regimes_cell_that_is_clicked_becomes_the_experiment(tab) -> None:
    page = tab.open(
        "compare?view=regimes&v=1&corpus=simulated_2000_60_4_1_60_poisson_0.1_0&k=4&alpha0=1&epsilon=8"
    )
    expect(page.locator(".js-plotly-plot .gtitle").first).to_contain_text("Recommended")
    plot = page.locator(".js-plotly-plot").first
    notice = page.get_by_text("Your experiment now has that cell")

    def click() -> None:
        """Lost if the map is drawn again between pointing and clicking."""
        area = tab.at_rest(plot.locator(".nsewdrag").first.bounding_box)
        assert area is not None
        page.mouse.move(5, 5)
        page.mouse.move(area["x"] + 0.5 * area["width"], area["y"] + 0.4 * area["height"])
        expect(plot.locator(".hoverlayer .hovertext")).to_contain_text(
            re.compile("Adaptive|Refined"), timeout=10_000
        )
        page.mouse.click(area["x"] + 0.5 * area["width"], area["y"] + 0.4 * area["height"])
        expect(notice).to_be_visible(timeout=20_000)

    eventually(page, click)
    notice_match = re.search(
        r"([\d,]+) simulated documents .* ε = ([\d.]+)", notice.text_content() or ""
    )
    assert notice_match is not None
    answer = page.get_by_test_id("stMain").get_by_text(f"At your numbers (N {notice_match[1]}")
    expect(answer).to_contain_text(f"ε = {notice_match[2]}")
