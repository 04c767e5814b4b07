"""Lesson 4 and the game from permalinks, to a room and on a phone: keys walk, predictions stay, all of it fits."""

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import until

FITS = """() => [...document.querySelectorAll('.js-plotly-plot .main-svg')].every(
    plot => plot.getBoundingClientRect().right <= innerWidth
) && document.querySelector('[data-testid=stMain]').scrollWidth <= innerWidth"""
NO_SCROLL = "() => document.querySelector('[data-testid=stMain]').scrollHeight <= innerHeight"
ROOM, PHONE = {"width": 1024, "height": 768}, {"width": 400, "height": 800}
TALL_PHONE = {"width": 400, "height": 860}
SMALL = "corpus=simulated_700_30_3_1_40_poisson_0.1_0&k=3&alpha0=1"


def decide(page: Page, option: str) -> None:
    page.get_by_test_id("stMain").get_by_role("button", name=option).click()
    expect(page.get_by_text("You said")).to_be_visible()


def test_lesson_4_is_walked_with_arrow_keys(tab) -> None:
    page = tab.open(f"learn?view=lessons&lesson=4&step=2&projector=1&{SMALL}")
    expect(page.get_by_role("heading", name="2. Noise on e6 alone")).to_be_visible()
    expect(page.get_by_test_id("stSidebar")).to_be_hidden()
    decide(page, "No: every path meets noise")
    expect(page.get_by_test_id("stAlert").get_by_text("Yes, on one path")).to_be_visible()
    page.set_viewport_size(ROOM)
    until(page, NO_SCROLL)
    tab.settle()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("heading", name=re.compile("^3. Why e6 . e8"))).to_be_visible()
    tab.settle()
    tab.expect_in_address("step", "3")
    decide(page, "No: every path meets noise")
    expect(page.get_by_text("every way from the documents to the topics crosses")).to_be_visible()
    tab.settle()
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_role("heading", name="2. Noise on e6 alone")).to_be_visible()
    expect(page.get_by_text("You said")).to_be_visible()
    page.set_viewport_size(PHONE)
    page.locator(".js-plotly-plot .main-svg").first.wait_for()
    until(page, FITS)


def test_learn_on_a_phone_shows_all_its_choices(tab) -> None:
    page = tab.open("")
    page.set_viewport_size(TALL_PHONE)
    expect(page.get_by_role("button", name="Run the method")).to_be_in_viewport()
    until(page, NO_SCROLL)
    tab.open("learn?lesson=2")
    page.set_viewport_size({"width": 360, "height": 780})
    menu = page.get_by_test_id("stExpandSidebarButton")
    assert menu.evaluate("e => getComputedStyle(e, '::after').content") == '"Menu"'
    expect(page.get_by_test_id("stMainMenu")).to_be_in_viewport(ratio=1)
    until(
        page,
        "() => ![...document.querySelectorAll('[role=radiogroup]')].some(e => e.scrollWidth > e.clientWidth)",
    )


def test_docs_chapter_leaves_the_experiment_as_it_was(tab) -> None:
    """What it writes into the address is no link that somebody opened."""
    page = tab.open(f"explore?view=documents&v=3&epsilon=1&{SMALL}")
    tab.visit("Docs")
    page.get_by_test_id("stMain").get_by_text("Scale", exact=True).first.click()
    tab.expect_in_address("chapter", "scale")
    tab.settle()
    page.get_by_test_id("stMain").get_by_text("Limits", exact=True).first.click()
    tab.expect_in_address("chapter", "limits")
    tab.settle()
    tab.visit("Documents")
    tab.expect_in_address("epsilon", "1")
