"""The Privacy page in the browser: edges by mouse and by keyboard, leaks, locks, links that restore a plan."""

import re
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from dplda.methods.configurations import REGISTRY
from dplda.methods.registry import parse_method
from dplda.ui.shell.sidebar import SCALINGS

SMALL = "v=1&corpus=simulated_2000_60_4_1_60_poisson_0.1_0&k=4&alpha0=1&epsilon=8"
MARKER = """([graph, edge]) => {
    const trace = graph._fullData.findIndex(one => one.name === 'edges');
    const index = graph._fullData[trace].text.indexOf(edge);
    const layout = graph._fullLayout, box = graph.getBoundingClientRect(), point = graph.calcdata[trace][index];
    const x = layout._size.l + layout.xaxis.c2p(point.x), y = layout._size.t + layout.yaxis.c2p(point.y);
    return [box.left + x, box.top + y];
}"""


def experiment_line(page: Page):
    return page.get_by_test_id("stMain").get_by_text("noise seed")


def pill(page: Page, edge: str):
    return page.get_by_test_id("stMain").get_by_role("button", name=re.compile(rf"^{edge} ·"))


def graph(page: Page):
    return page.locator(".js-plotly-plot").first


def click_edge(tab, edge: str) -> None:
    """Click a marker of the graph, once it stands still and Plotly has noticed the pointer on it."""
    page = tab.page
    tab.settle()
    graph(page).scroll_into_view_if_needed()
    x, y = tab.at_rest(lambda: page.evaluate(MARKER, [graph(page).element_handle(), edge]))
    page.mouse.move(x - 4, y)
    page.mouse.move(x, y)
    expect(page.locator(".hoverlayer .hovertext").filter(has_text=f"{edge}:")).to_be_visible()
    page.mouse.click(x, y)
    page.mouse.move(5, 5)


def noised(page: Page):
    return graph(page).locator(".annotation-text", has_text="≈ noise")


def test_edges_are_clicked_until_they_are_another_configuration(tab) -> None:
    page = tab.open(f"privacy?{SMALL}")
    expect(noised(page)).to_have_count(2)
    click_edge(tab, "e6")
    leak = page.get_by_test_id("stAlert").filter(has_text="Not private")
    expect(leak).to_contain_text("without meeting noise")
    expect(graph(page).locator(".annotation-text", has_text="leak").first).to_be_visible()
    expect(page.get_by_text("The numbers below stay those of Adaptive")).to_be_visible()
    click_edge(tab, "e3")
    expect(experiment_line(page)).to_contain_text("Shared moment")
    expect(page.get_by_test_id("stAlert").filter(has_text="These edges are a cut")).to_be_visible()
    expect(leak).to_have_count(0)
    tab.expect_in_address("configuration", "shared-moment")
    click_edge(tab, "e3")
    expect(leak).to_be_visible()
    click_edge(tab, "e3")
    expect(leak).to_have_count(0)


def test_edges_are_reached_by_keyboard_and_set_by_the_sidebar(tab) -> None:
    page = tab.open(f"privacy?{SMALL}")
    expect(noised(page)).to_have_count(2)
    pill(page, "e0").focus()
    for _ in range(2):
        page.keyboard.press("ArrowRight")
    expect(pill(page, "e2")).to_be_focused()
    page.keyboard.press("Space")
    expect(page.get_by_test_id("stAlert").filter(has_text="Not private")).to_be_visible()
    expect(noised(page)).to_have_count(1)
    tab.settle()
    pill(page, "e8").focus()
    page.keyboard.press("Space")
    expect(experiment_line(page)).to_contain_text("Configuration 2, corrected")
    expect(noised(page)).to_have_count(2)
    tab.settle()
    choose(tab, "Method", "1 · noise on both moments")
    expect(noised(page)).to_have_count(3)
    expect(page.get_by_test_id("stSidebar").get_by_role("combobox", name="Calibration")).to_be_visible()


def test_a_lock_keeps_a_share(tab) -> None:
    page = tab.open(f"privacy?{SMALL}")
    locks = page.get_by_test_id("stCheckbox")
    expect(locks).to_have_count(6)
    sliders = page.get_by_test_id("stMain").get_by_role("slider")
    locks.nth(5).locator("label").click()
    expect(sliders.nth(5)).to_be_disabled()
    tab.settle()
    sliders.nth(3).focus()
    for wanted in ("64.9", "64.8", "64.7", "64.6", "64.5"):
        page.keyboard.press("ArrowLeft")
        expect(experiment_line(page)).to_contain_text("own split")
        expect(sliders.nth(3)).to_have_value(wanted)
        tab.expect_in_address("split", rf"(\d+_){{3}}{wanted.replace('.', '')}_\d+_250")  # the server has it
        tab.settle()  # a key pressed while the page is redrawn is lost
    values = tab.at_rest(lambda: [float(sliders.nth(i).input_value()) for i in range(6)])
    assert values[5] == 25
    assert values[3] == pytest.approx(64.5)
    assert sum(values) == pytest.approx(100)


def test_a_link_restores_the_plan_in_a_new_session(tab, new_tab, shared_address) -> None:
    page = tab.open(f"privacy?{SMALL}&configuration=config-2&calibration=published")
    expect(experiment_line(page)).to_contain_text("Configuration 2, as published")
    sliders = page.get_by_test_id("stMain").get_by_role("slider")
    sliders.nth(1).focus()
    page.keyboard.press("ArrowRight")
    expect(experiment_line(page)).to_contain_text("own split")
    tab.settle()
    wanted = experiment_line(page).inner_text()
    values = [sliders.nth(i).input_value() for i in range(3)]
    page.get_by_role("button", name="Share and repeat").click()
    link = page.get_by_test_id("stPopoverBody").get_by_test_id("stCode").inner_text().strip()
    tab.expect_in_address("split", parse_qs(urlsplit(link).query)["split"][0])

    other = new_tab(shared_address)
    other.page.goto(link)
    expect(experiment_line(other.page)).to_have_text(wanted)
    other.settle()
    restored = other.page.get_by_test_id("stMain").get_by_role("slider")
    assert [restored.nth(i).input_value() for i in range(3)] == values
    expect(noised(other.page)).to_have_count(2)


def test_the_plan_survives_a_walk_through_the_pages(tab) -> None:
    page = tab.open(f"privacy?{SMALL}&configuration=config-1&calibration=published&split=300_300_400")
    expect(experiment_line(page)).to_contain_text("own split")
    wanted = experiment_line(page).inner_text()
    for name in ("Topics", "Start", "Privacy"):
        page.get_by_test_id("stSidebarNavLink").filter(has_text=name).click()
        expect(page.get_by_test_id("stSidebarNavLink").filter(has_text=name)).to_have_attribute("aria-current", "page")
        expect(experiment_line(page)).to_have_text(wanted)
        tab.settle()
        tab.expect_in_address("split", "300_300_400")


def test_a_bad_plan_in_a_link_is_said(tab) -> None:
    bad = {"split": "1_2_3", "calibration": "wishful", "configuration": "config-9"}
    page = tab.open(f"privacy?{SMALL}&" + "&".join(f"{name}={value}" for name, value in bad.items()))
    notice = page.get_by_test_id("stAlert").filter(has_text="out of range")
    for name, value in bad.items():
        expect(notice).to_contain_text(name)
        expect(page).not_to_have_url(re.compile(value))
    expect(experiment_line(page)).to_contain_text("Refined")


def test_every_configuration_on_topics(tab) -> None:
    """One after another, as somebody who compares them."""
    page = tab.open(f"topics?{SMALL}&configuration=adaptive")
    for name, known in REGISTRY.items():
        choose(tab, "Method", parse_method(name).label)
        for scaling, variant in known.variants.items():
            if len(known.variants) > 1:
                choose(tab, "Calibration", SCALINGS[scaling])
            expect(experiment_line(page)).to_contain_text(known.title)
            tab.settle()
            expect(page.get_by_test_id("stException")).to_have_count(0)
            said = "Mechanism proven" if variant.status == "proven" else "As published"
            expect(page.get_by_test_id("stPopover").filter(has_text=said)).to_be_visible()
            found = page.get_by_role("heading", name=re.compile("rise above the noise|as they come|No topics"))
            expect(found.first).to_be_visible()


def choose(tab, label: str, option: str) -> None:
    tab.choose(tab.page.get_by_test_id("stSidebar").get_by_role("combobox", name=label), option, exact=True)
