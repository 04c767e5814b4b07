"""Who cannot use a page, and what stands in the way of its picture: axe-core and a ruler, on every page."""

import math
import time
from dataclasses import dataclass, field
from operator import le
from pathlib import Path

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page, expect

from tests.browser.conftest import PLACES, until
from tests.browser.test_house import expect_named, expect_whole

ROOT = Path(__file__).resolve().parents[2]
WIDE, PHONE = {"width": 1280, "height": 900}, {"width": 400, "height": 800}
VIEWS = {"wide, light": (WIDE, False), "phone, dark": (PHONE, True)}
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


def look(tab, *, largest_top: float | None) -> tuple[float, float, float]:
    """Where the picture begins, if one is wanted, and how wide page and window are, once they stay so.

    A busy machine may pause before the last form of a page.
    """
    first_picture, deadline = tab.page.locator(PICTURES).first, time.monotonic() + 60

    def top() -> float:
        return (first_picture.bounding_box() or {"y": math.inf})["y"] if largest_top else 0

    while True:
        measures = tab.at_rest(lambda: (top(), *tab.page.evaluate(WIDTHS)))
        if measures[0] <= (largest_top or 0) or time.monotonic() > deadline:
            return measures


@dataclass
class Measures:
    """What one page looks like in one width and theme.

    Attributes:
        top: where its picture begins, in pixels; 0 where none is wanted.
        content: how wide the page is, in pixels.
        window: how wide the window is, in pixels.
        covered: headings that what stands below them covers.
        small_targets: controls that are lower than a finger.
        filled: share of the window's height above the end of its last element.
        seen: words and controls before anything is opened.
        findings: of axe-core.
    """

    top: float
    content: float
    window: float
    covered: list[str]
    small_targets: list[str]
    filled: float
    seen: tuple[int, int]
    findings: list[str]


@dataclass
class Walk:
    """All pages in one width and theme: contrast wherever a page has an ink that none had before.

    Such inks are looked for in the other two of the four, too.

    Attributes:
        view: the window.
        pages: measures of each page by its name.
        other_findings: of axe-core in the other width, by page.
    """

    view: dict[str, int]
    pages: dict[str, Measures] = field(default_factory=dict)
    other_findings: dict[str, list[str]] = field(default_factory=dict)


def walk_pages(tab, view: dict[str, int], *, dark: bool) -> Walk:
    page, other_view = tab.page, PHONE if view is WIDE else WIDE
    page.emulate_media(color_scheme="dark" if dark else "light")
    page.set_viewport_size(view)
    tab.open()
    walk, seen_inks = Walk(view), set()
    for name in PAGES:
        tab.visit(name)
        if name not in TEXT:
            expect(page.locator(PICTURES).first).to_be_attached()
        expect_named(
            page, next(place for place, views in PLACES.items() if name == place or name in views)
        )
        wanted_top = None if name in TEXT else math.inf if name in ASKS else FIRST[view["width"]]
        top, content, window = look(tab, largest_top=wanted_top)
        tab.settle()  # a first figure may take seconds, with the last view's words below until then
        inks = set(page.evaluate(INKS))
        without = CONTRAST if inks <= seen_inks else None
        page_findings = (
            findings(page, without=without) and (tab.settle(), findings(page, without=without))[1]
        )  # what stays once it is looked at again
        seen_inks |= inks
        expect_whole(page)
        walk.pages[name] = Measures(
            top=top,
            content=content,
            window=window,
            covered=page.evaluate(COVERED),
            small_targets=page.evaluate(SMALL_TARGETS),
            filled=page.evaluate(FILLED),
            seen=page.evaluate(SEEN),
            findings=page_findings,
        )
        if name == "Error curves":
            page.get_by_test_id("stExpander").get_by_text("Choose methods").click()
            expect(page.locator("[data-tag]").first).to_be_visible()
            page_findings += findings(page, only=CONTRAST)
        page.set_viewport_size(other_view)
        until(page, f"innerWidth === {other_view['width']}")
        tab.settle()
        if new_inks := set(page.evaluate(INKS)) - seen_inks:
            walk.other_findings[name] = findings(page, only=CONTRAST)
            seen_inks |= new_inks
        page.set_viewport_size(view)
    return walk


@pytest.fixture(scope="module")
def walks() -> dict[str, Walk | None]:
    """Walks that were begun, by width and theme; None for one that did not end."""
    return {}


@pytest.fixture(params=VIEWS)
def walk(request: pytest.FixtureRequest, tab, walks) -> Walk:
    """All pages, visited for the first test that asks."""
    name = request.param
    if name not in walks:
        walks[name] = None
        view, dark = VIEWS[name]
        walks[name] = walk_pages(tab, view, dark=dark)
    assert walks[name] is not None, "the walk did not end, as its first test says"
    return walks[name]


def test_pages_pass_axe_in_both_themes_at_both_widths(walk) -> None:
    page_findings = {name: measures.findings for name, measures in walk.pages.items()}
    assert {name: problems for name, problems in page_findings.items() if problems} == {}
    assert {name: problems for name, problems in walk.other_findings.items() if problems} == {}


def test_pages_show_their_picture_in_view(walk) -> None:
    limit = FIRST[walk.view["width"]]
    tops = {name: measures.top for name, measures in walk.pages.items() if name not in ASKS}
    assert {name: top for name, top in tops.items() if top > limit} == {}


def test_pages_fit_the_width_without_covering_a_heading(walk) -> None:
    for name, measures in walk.pages.items():
        assert measures.content <= measures.window, f"{name} is wider than the screen"
        assert measures.covered == [], name


def test_pages_have_targets_for_a_finger_or_fill_a_screen(walk) -> None:
    for name, measures in walk.pages.items():
        if walk.view is PHONE:
            assert measures.small_targets == [], name
        else:
            assert measures.filled > 2 / 3, f"{name} leaves a third of the screen empty"


def test_pages_are_short_except_docs(walk) -> None:
    """Docs are there to be read."""
    for name, measures in walk.pages.items():
        is_short = all(map(le, measures.seen, MOST_SEEN))
        assert is_short is (name != "Docs"), f"{name}: {measures.seen}"


@pytest.mark.parametrize("view", VIEWS)
def test_play_shows_its_slider_in_view(view, tab) -> None:
    size, dark = VIEWS[view]
    tab.page.emulate_media(color_scheme="dark" if dark else "light")
    tab.page.set_viewport_size(size)
    page = tab.open()
    slider = page.get_by_test_id("stMain").get_by_role("slider")
    expect(slider).to_have_count(1)
    expect(slider).to_be_in_viewport()
    if size is WIDE:
        release_link = page.get_by_test_id("stPageLink").filter(has_text="Release topics")
        expect(release_link).to_be_in_viewport()


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


def test_epsilon_slider_after_eight_presses_is_eight_steps_away(tab) -> None:
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
