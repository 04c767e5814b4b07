"""Who cannot use a page, and what stands in the way of its picture: axe-core and a ruler, on every page."""

import math
import time
from operator import le
from pathlib import Path

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page, expect

from tests.browser.conftest import PLACES, until
from tests.browser.test_house import expect_named, expect_whole

ROOT = Path(__file__).resolve().parents[2]
WIDE, PHONE = {"width": 1280, "height": 900}, {"width": 400, "height": 800}
FIRST = {
    1280: 420,
    400: 560,
}  # pixels from the top: ε and a finding stand above a picture, on a phone views too
ASKS = ("Lessons", "Ten-minute class")  # whose questions stand before their pictures
PICTURES = '[data-testid="stMain"] :is(.js-plotly-plot, .still, .small-flow, .sections, .st-key-learn-skip)'  # lessons begin with a question
PAGES = [name for place, views in PLACES.items() for name in views or (place,)]
TEXT = ("Docs", "Release")  # begin with words
SMALL = (
    "v=2&corpus=simulated_2000_60_4_1_60_poisson_0.1_0&k=4&alpha0=1&configuration=adaptive&seed=1"
)
THEIRS = {  # Streamlit's own, which no page can change
    "list": "the links to pages: its list holds the headings of their sections",
    "listitem": "the same links",
}
WIDTHS = "[document.documentElement.scrollWidth, document.documentElement.clientWidth]"
INKS = """() => {
    const ground = s => `${s.backgroundColor} ${s.opacity}`
    const under = e => e ? `${ground(getComputedStyle(e))}, ${under(e.parentElement)}` : ''
    const shown = [...document.querySelectorAll('body :not(svg *)')].filter(e => e.checkVisibility(
        { visibilityProperty: true }) && [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim()))
    return [...new Set(shown.map(e => {
        const s = getComputedStyle(e), size = parseFloat(s.fontSize), bold = s.fontWeight >= 700
        const on = under(e).replaceAll('rgba(0, 0, 0, 0) 1, ', '')
        return `${s.color} ${size >= (bold ? 18.6 : 24) ? 'large' : 'small'} on ${on}`
    }))]
}"""  # what the contrast of words depends on: their colour, whether they are large, all grounds below them
COVERED = """() => [...document.querySelectorAll('[data-testid="stMain"] [data-testid="stHeading"] h2')].filter(h => {
    let next = h.closest('[data-testid="stElementContainer"]').nextElementSibling
    while (next && !next.offsetHeight) next = next.nextElementSibling
    if (!next || !h.checkVisibility()) return false
    const own = h.getBoundingClientRect(), its = next.getBoundingClientRect()
    return its.top < own.bottom - 1 && its.left < own.right && its.right > own.left
}).map(h => h.textContent)"""  # headings that what stands below them covers
SMALL_TARGETS = """() => {
    const isShown = e => e.checkVisibility({ visibilityProperty: true }) && e.offsetHeight > 1
    const heightOf = e => {
        const own = e.getBoundingClientRect().height, beyond = getComputedStyle(e, '::after')
        return beyond.content === 'none' ? own : Math.max(own, parseFloat(beyond.height) || 0)
    }
    const fields = '[data-testid="stSelectbox"] [role="group"], [data-testid="stNumberInputContainer"]'
    const aside = '.modebar, [data-testid="stMultiSelect"], [data-testid="stMarkdownContainer"], [role="group"] *, [data-testid="stNumberInput"] button'
    const all = document.querySelectorAll(`[data-testid="stMain"] :is(button, summary, ${fields})`)
    return [...all].filter(e => isShown(e) && !e.closest(aside) && heightOf(e) < 43.5)
        .map(e => `${e.innerText || e.ariaLabel}: ${heightOf(e)}`)
}"""  # lower than the 44 pixels of a finger; tags in a list of methods and links in texts are text
FILLED = """() => {
    const shown = [...document.querySelectorAll('[data-testid="stMain"] [data-testid="stElementContainer"]')]
        .filter(e => e.checkVisibility({ visibilityProperty: true }) && e.offsetHeight > 1)
    return Math.max(...shown.map(e => e.getBoundingClientRect().bottom)) / innerHeight
}"""  # part of the window's height above the end of a page's last element
STOP_IN_HAND = "document.activeElement.ariaLabel || document.activeElement.tagName"
SEEN = """() => {
    const main = document.querySelector('[data-testid="stMain"]'), words = [], controls = new Set()
    const shown = e => e.checkVisibility({ visibilityProperty: true }) && (
        e.closest('summary') || !e.closest('details:not([open])'))
    const aside = '.js-plotly-plot, .still, .katex, .card-facts, style, [data-testid="stIconMaterial"], [data-testid="stTooltipIcon"]'
    const whole = '[role="radiogroup"], [data-testid="stButtonGroup"], [data-testid="stSelectbox"],' +
        '[data-testid="stSlider"], [data-testid="stNumberInput"], [data-testid="stFileUploader"]'
    for (const walk = document.createTreeWalker(main, NodeFilter.SHOW_TEXT); walk.nextNode();) {
        const node = walk.currentNode, e = node.parentElement
        if (shown(e) && !e.closest(aside)) words.push(...(node.data.match(/[^\\s]*[\\p{L}\\p{N}][^\\s]*/gu) ?? []))
    }
    for (const e of main.querySelectorAll('button, a[href], input, textarea, summary'))
        if (shown(e) && !e.closest(aside)) controls.add(e.closest(whole) ?? e)
    return [words.length, controls.size]
}"""  # before anything is opened: words outside figures, and controls
MOST_SEEN = (150, 15)
ONLY = {"resultTypes": ["violations"]}  # what is right is not listed, which takes most of the time
CONTRAST = "color-contrast"  # a rule that takes as long as all others
GRAVE = ("serious", "critical", "moderate")


def findings(page: Page, only: str | None = None, without: str | None = None) -> list[str]:
    """What axe-core finds, by all its rules, by one only, or by all but one; a document reads its script once."""
    rules: dict[str, object] = {"runOnly": [only]} if only else {}
    if without:
        rules["rules"] = {without: {"enabled": False}}
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    violations = page.evaluate(
        "options => axe.run(document, options).then(found => found.violations)", ONLY | rules
    )
    ours = [
        violation
        for violation in violations
        if violation["impact"] in GRAVE and violation["id"] not in THEIRS
    ]
    return [
        f"{violation['id']}: {node['html'][:200]}"
        for violation in ours
        for node in violation["nodes"]
    ]


def look(tab, *, wanted: float | None) -> tuple[float, float, float]:
    """Where the picture begins, if one is wanted, and how wide page and window are, once they stay so.

    A busy machine may pause before the last form of a page.
    """
    first_picture, deadline = tab.page.locator(PICTURES).first, time.monotonic() + 60

    def top() -> float:
        return (first_picture.bounding_box() or {"y": math.inf})["y"] if wanted else 0

    while True:
        measures = tab.at_rest(lambda: (top(), *tab.page.evaluate(WIDTHS)))
        if measures[0] <= (wanted or 0) or time.monotonic() > deadline:
            return measures


@pytest.mark.parametrize(
    ("view", "dark"), [(WIDE, False), (PHONE, True)], ids=["wide, light", "phone, dark"]
)
def test_every_page_is_accessible_with_its_picture_in_view(view, dark, tab) -> None:
    """All rules in both widths and both themes, contrast wherever a page has an ink that none had before.

    Such inks are looked for in the other two of the four, too.
    """
    page, other_view = tab.page, PHONE if view is WIDE else WIDE
    page.emulate_media(color_scheme="dark" if dark else "light")
    page.set_viewport_size(view)
    tab.open()
    findings_by_page, tops, seen_inks = {}, {}, set()
    for name in PAGES:
        tab.visit(name)
        if name not in TEXT:
            expect(page.locator(PICTURES).first).to_be_attached()
        expect_named(
            page, next(place for place, views in PLACES.items() if name == place or name in views)
        )
        if name == "Play":
            slider = page.get_by_test_id("stMain").get_by_role("slider")
            expect(slider).to_have_count(1)
            expect(slider).to_be_in_viewport()
            if view is WIDE:
                expect(
                    page.get_by_test_id("stPageLink").filter(has_text="Release topics")
                ).to_be_in_viewport()
        wanted_top = None if name in TEXT else math.inf if name in ASKS else FIRST[view["width"]]
        tops[name], content, window = look(tab, wanted=wanted_top)
        tab.settle()  # a first figure may take seconds, with the last view's words below until then
        inks = set(page.evaluate(INKS))
        without = CONTRAST if inks <= seen_inks else None
        findings_by_page[name] = (
            findings(page, without=without) and (tab.settle(), findings(page, without=without))[1]
        )  # what stays once it is looked at again
        seen_inks |= inks
        expect_whole(page)
        assert page.evaluate(COVERED) == [], name
        if view is PHONE:
            assert page.evaluate(SMALL_TARGETS) == [], name
        else:
            assert page.evaluate(FILLED) > 2 / 3, f"{name} leaves a third of the screen empty"
        is_short = all(map(le, page.evaluate(SEEN), MOST_SEEN))
        assert is_short is (name != "Docs"), (
            f"{name}: {page.evaluate(SEEN)}"
        )  # which are there to be read
        assert content <= window, f"{name} is wider than the screen"
        if name == "Error curves":
            page.get_by_test_id("stExpander").get_by_text("Choose methods").click()
            expect(page.locator("[data-tag]").first).to_be_visible()
            findings_by_page[name] += findings(page, only=CONTRAST)
        page.set_viewport_size(other_view)
        until(page, f"innerWidth === {other_view['width']}")
        tab.settle()
        if new_inks := set(page.evaluate(INKS)) - seen_inks:
            findings_by_page[f"{name}, {other_view['width']} px"] = findings(page, only=CONTRAST)
            seen_inks |= new_inks
        page.set_viewport_size(view)
    assert {name: problems for name, problems in findings_by_page.items() if problems} == {}
    assert {
        name: top for name, top in tops.items() if top > FIRST[view["width"]] and name not in ASKS
    } == {}


def test_axe_sees_what_it_should(tab) -> None:
    page = tab.open("learn?view=docs")
    page.evaluate(
        """[...document.querySelectorAll('[data-testid="stMain"] p')]
        .find(each => each.offsetHeight > 0 && !each.closest('details:not([open])') && each.textContent.length > 80)
        .insertAdjacentHTML('afterend', '<h5 style="color:#ccc">very faint words</h5>')"""
    )
    assert {finding.split(":")[0] for finding in findings(page)} == {
        "color-contrast",
        "heading-order",
    }
    assert {finding.split(":")[0] for finding in findings(page, only=CONTRAST)} == {
        "color-contrast"
    }
    assert [ink for ink in page.evaluate(INKS) if ink.startswith("rgb(204, 204, 204) small on ")]


def test_eight_presses_are_eight_steps(tab) -> None:
    """One control for one value, pressed as fast as keys come; the address holds it."""
    page = tab.open(f"explore?view=topics&{SMALL}&epsilon=8")
    epsilon = page.get_by_role("slider", name="Privacy budget ε")
    expect(epsilon).to_have_count(1)
    assert page.evaluate(STOP_IN_HAND) == "BODY"
    stops = [page.keyboard.press("Tab") or page.evaluate(STOP_IN_HAND) for _ in range(10)]
    assert "Privacy budget ε" in stops, "ε is among the first ten stops"
    at = int(epsilon.input_value())
    epsilon.focus()
    for _ in range(8):
        page.keyboard.press("ArrowLeft")
    tab.expect_in_address("epsilon", "1.2")
    tab.settle()
    expect(epsilon).to_have_value(str(at - 8))
