"""The Privacy page in the browser: edges by mouse and by keyboard, leaks, locks, links that restore a plan."""

from playwright.sync_api import Page, expect

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
    return page.get_by_test_id("stMain").get_by_role("button", name=edge, exact=True)


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
    return graph(page).locator(".annotation-text", has_text="noise")


def test_edges_are_clicked_until_they_are_another_configuration(tab) -> None:
    page = tab.open(f"explore?view=noise&{SMALL}")
    expect(noised(page)).to_have_count(2)
    click_edge(tab, "e6")
    leak = page.get_by_test_id("stAlert").filter(has_text="Not private")
    expect(leak).to_contain_text("without meeting noise")
    expect(graph(page).locator(".annotation-text", has_text="leak").first).to_be_visible()
    expect(page.get_by_text("The numbers are still those of Adaptive")).to_be_visible()
    click_edge(tab, "e3")
    expect(experiment_line(page)).to_contain_text("Shared moment")
    expect(page.get_by_test_id("stAlert").filter(has_text="These edges are a cut")).to_be_visible()
    expect(leak).to_have_count(0)
    tab.expect_in_address("configuration", "shared-moment")
    click_edge(tab, "e3")
    expect(leak).to_be_visible()
    click_edge(tab, "e3")
    expect(leak).to_have_count(0)


def test_noised_edges_follow_keyboard_or_sidebar(tab) -> None:
    page = tab.open(f"explore?view=noise&{SMALL}")
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
    expect(experiment_line(page)).to_contain_text("Configuration 2 ")
    expect(noised(page)).to_have_count(2)
    tab.settle()
    sidebar = page.get_by_test_id("stSidebar")
    tab.choose(
        sidebar.get_by_role("combobox", name="Method"),
        "Configuration 1 · noise on pairs and triples",
        exact=True,
    )
    expect(noised(page)).to_have_count(3)
    expect(sidebar.get_by_role("radio", name="As published")).to_be_visible()


def test_typing_config_finds_the_paper_s_four_under_their_names(tab) -> None:
    page = tab.open(f"explore?view=noise&{SMALL}")
    methods = page.get_by_test_id("stSidebar").get_by_role("combobox", name="Method")
    methods.fill("config")
    options = page.get_by_role("option")
    expect(options).to_have_count(4)
    for number in range(1, 5):
        expect(options.filter(has_text=f"Configuration {number} · noise")).to_have_count(1)
    options.filter(has_text="Configuration 4").click()
    tab.settle()
    expect(experiment_line(page)).to_contain_text("Configuration 4, as published")


def test_heading_in_the_list_of_methods_picks_its_first_one(tab) -> None:
    page = tab.open(f"explore?view=noise&{SMALL}")
    methods = page.get_by_test_id("stSidebar").get_by_role("combobox", name="Method")
    methods.click()
    page.get_by_role("option", name="Rivals").click()
    tab.settle()
    expect(experiment_line(page)).to_contain_text("DP variational inference")
