"""Topics in the browser: ε moves them, links restore them, files of them parse."""

import csv
import json
import re
from pathlib import Path

from playwright.sync_api import Page, WebSocketRoute, expect

from tests.browser.conftest import Tab

TITLES = '[class*="st-key-lane-titles"] .still'
SMALL = "corpus=simulated_2000_60_4_1_60_poisson_0.1_0&k=4&alpha0=1"


def drawn(page: Page, epsilon: str) -> None:
    """The titles above both columns of private topics show this ε."""
    heading = re.compile(rf"^private, ε = {re.escape(epsilon)}$")
    titles = page.locator(TITLES).locator("b").filter(has_text=heading)
    expect(titles).to_have_count(2)


def places_of_words(page: Page) -> list[tuple[int, int]]:
    """Left and upper edges of the figures of words, in the order of topics."""
    charts = page.locator('[class*="st-key-topics-words-"] .js-plotly-plot')
    expect(charts).to_have_count(4)
    boxes = [chart.bounding_box() for chart in charts.all()]
    return [(round(box["x"]), round(box["y"])) for box in boxes if box is not None]


def test_words_of_topics_read_in_rows_on_a_wide_screen(tab) -> None:
    page = tab.open(f"explore?view=topics&v=1&{SMALL}&epsilon=10&seed=9")
    drawn(page, "10")
    first_place, second, third, fourth = places_of_words(page)
    assert (first_place[1], third[1]) == (second[1], fourth[1]), (
        "1 and 2 side by side, then 3 and 4"
    )
    assert (first_place[0], second[0]) == (third[0], fourth[0])
    assert first_place[0] < second[0]
    assert first_place[1] < third[1]


def test_words_of_topics_read_in_order_on_a_phone(tab) -> None:
    page = tab.page
    page.set_viewport_size({"width": 400, "height": 800})
    tab.open(f"explore?view=topics&v=1&{SMALL}&epsilon=10&seed=9")
    drawn(page, "10")
    places = places_of_words(page)
    assert len({left_edge for left_edge, _ in places}) == 1
    assert places == sorted(places, key=lambda place: place[1])
    expect(page.locator(TITLES).filter(visible=True)).to_have_count(1)


def experiment_line(page: Page):
    return page.get_by_test_id("stMain").get_by_text("noise seed")


def test_downloaded_run_card_restores_the_experiment(
    tab, new_tab, shared_address, tmp_path
) -> None:
    page = tab.open(f"explore?view=topics&v=1&{SMALL}&epsilon=10&seed=9")
    drawn(page, "10")
    page.get_by_role("slider", name="Privacy budget").press("ArrowLeft")
    drawn(page, "8")
    page.get_by_test_id("stExpander").get_by_text("Download", exact=True).click()
    rows = list(csv.DictReader(downloaded(page, "Topics (CSV)").splitlines()))
    assert {row["topic"] for row in rows} == {"1", "2", "3", "4"}
    assert [
        topic["topic"] for topic in json.loads(downloaded(page, "Topics (JSON)"))["topics"]
    ] == [1, 2, 3, 4]

    wanted_line = experiment_line(page).inner_text()
    page.get_by_role("button", name="Share and repeat").click()
    with page.expect_download() as download:
        page.get_by_test_id("stPopoverBody").get_by_role("button", name="Save run card").click()
    card = tmp_path / "card.json"
    download.value.save_as(card)
    assert json.loads(card.read_text("utf-8"))["plan"]["epsilon"] == 8

    other_page = new_tab(shared_address).open("explore?view=noise")
    other_page.get_by_role("button", name="Share and repeat").click()
    other_page.get_by_test_id("stPopoverBody").locator('input[type="file"]').set_input_files(card)
    expect(experiment_line(other_page)).to_have_text(wanted_line)
    expect(other_page).to_have_url(re.compile(r"epsilon=8\b"))


def downloaded(page: Page, button: str) -> str:
    with page.expect_download() as download:
        page.get_by_test_id("stMain").get_by_test_id("stDownloadButton").get_by_role(
            "button", name=button
        ).click()
    return Path(download.value.path()).read_text("utf-8")


def test_download_pressed_before_a_rerun_arrives_is_served(page, shared_address) -> None:
    """The browser shows a button of the run before, which the server has replaced."""
    with page.context.new_page() as own_page:
        slow_line = SlowLine(own_page)
        tab = Tab(own_page, shared_address)
        tab.open(f"explore?view=topics&v=1&{SMALL}&epsilon=10&seed=9")
        drawn(own_page, "10")
        own_page.get_by_test_id("stExpander").get_by_text("Download", exact=True).click()
        button = own_page.get_by_test_id("stDownloadButton").get_by_role(
            "button", name="Topics (JSON)"
        )
        button.wait_for()
        tab.settle()
        slow_line.hold()
        own_page.get_by_role("slider", name="Privacy budget").press("ArrowLeft")
        slow_line.wait_until_the_server_has_said_all()
        with own_page.expect_download() as download:
            button.click()
            slow_line.let_go()
        topics = json.loads(Path(download.value.path()).read_text("utf-8"))["topics"]
        assert len(topics) == 4


class SlowLine:
    """What the server says to a page arrives when the line lets go of it."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._is_held = False
        self._messages: list[str | bytes] = []
        page.route_web_socket(re.compile("_stcore/stream"), self._connect)

    def hold(self) -> None:
        self._is_held = True

    def let_go(self) -> None:
        self._is_held = False
        for message in self._messages:
            self._socket.send(message)

    def wait_until_the_server_has_said_all(self) -> None:
        n_before = 0
        while not (n_before and n_before == len(self._messages)):
            n_before = len(self._messages)
            self._page.wait_for_timeout(2_000)

    def _connect(self, socket: WebSocketRoute) -> None:
        self._socket = socket
        socket.connect_to_server().on_message(self._pass_on)

    def _pass_on(self, message: str | bytes) -> None:
        if self._is_held:
            self._messages.append(message)
        else:
            self._socket.send(message)


def test_choices_of_views_are_not_clipped_beside_the_sidebar(tab) -> None:
    page = tab.page
    page.set_viewport_size({"width": 1024, "height": 800})
    tab.open(f"explore?view=topics&v=1&{SMALL}&epsilon=10&seed=9")
    drawn(page, "10")
    clipped = """groups => groups.filter(group =>
        [...group.querySelectorAll('button')].some(button =>
            button.getBoundingClientRect().right > group.getBoundingClientRect().right + 1)).length"""
    groups = page.get_by_test_id("stMain").get_by_test_id("stButtonGroup").filter(visible=True)
    groups.filter(has_text="Cards and names").wait_for()
    assert groups.evaluate_all(clipped) == 0
