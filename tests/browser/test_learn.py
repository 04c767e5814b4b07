"""Lesson 4 from a permalink, shown to a room: arrow keys walk, predictions stay, nothing is wider than a phone."""

from playwright.sync_api import Page, expect

SMALL = "corpus=simulated_700_30_3_1_40_poisson_0.1_0&k=3&alpha0=1"


def decide(page: Page, option: str) -> None:
    page.get_by_test_id("stMain").get_by_role("button", name=option).click()
    expect(page.get_by_text("You said")).to_be_visible()


def test_lesson_4_is_walked_with_arrow_keys(tab) -> None:
    page = tab.open(f"learn?lesson=4&step=2&projector=1&{SMALL}")
    expect(page.get_by_role("heading", name="2. Noise on e6 alone")).to_be_visible()
    expect(page.get_by_test_id("stSidebar")).to_be_hidden()
    decide(page, "No: every way meets noise")
    expect(page.get_by_text("Yes, on one way")).to_be_visible()
    tab.settle()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("heading", name="3. Why e6 + e8 is enough")).to_be_visible()
    tab.settle()
    assert "step=3" in page.url
    decide(page, "No: every way meets noise")
    expect(page.get_by_text("whoever walks from the documents to the topics")).to_be_visible()
    tab.settle()
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_role("heading", name="2. Noise on e6 alone")).to_be_visible()
    expect(page.get_by_text("You said")).to_be_visible()


def test_it_fits_a_phone(tab) -> None:
    tab.page.set_viewport_size({"width": 400, "height": 800})
    page = tab.open(f"learn?lesson=4&step=3&{SMALL}")
    decide(page, "No: every way meets noise")
    plot = page.locator(".js-plotly-plot .main-svg").first
    plot.wait_for()
    tab.settle()
    box = plot.bounding_box()
    assert box is not None
    assert box["x"] + box["width"] <= 400
    assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth") <= 400
