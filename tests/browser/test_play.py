"""Play in a browser: both sides follow the slider, and a bet leads to the number."""

import re

from playwright.sync_api import Page, WebSocket, expect

from dplda.lessons.play.game import game_data
from dplda.lessons.play.page import render_page
from dplda.lessons.play.picture import picture_data
from dplda.lessons.play.shipped_numbers import shipped_numbers
from tests.browser.test_access import findings

DATA = picture_data(shipped_numbers())
STOPS = {stop["name"]: stop for stop in DATA["stops"]}


def bet_three_times(page: Page, name: str) -> int:
    """Say "with it" of three stars; returns how many were right."""
    for star in (1, 2, 3):
        expect(page.get_by_text(f"star {star} of 3: was the letter in?")).to_be_visible()
        page.get_by_role("button", name="● With it").click()
    return sum(was_in for _, was_in in STOPS[name]["stars"][:3])


def expect_dots(page: Page) -> None:
    """Expect a hundred dots in either heap; the outline of each begins with an M."""
    for heap in (".with.dots", ".without.dots"):
        expect(page.locator(heap)).to_have_attribute("d", re.compile("^(M[^M]+){100}$"))


def expect_number(page: Page, name: str, prefix: str = "") -> None:
    stop = STOPS[name]
    number = f"{prefix}The best attacker: {stop['attacker']} in 100. {stop['promise']}"
    expect(page.locator(".play:not(.game) .said")).to_contain_text(number)
    expect(page.locator(".meaning")).to_have_text(stop["meaning"])


def test_play_asks_for_a_bet_before_it_shows_the_number(tab) -> None:
    page = tab.open()
    expect(page.get_by_text("The best attacker")).to_have_count(0)
    page.get_by_role("button", name="Run the method 200 times").click()
    expect_dots(page)
    right = bet_three_times(page, "1")
    expect_number(page, "1", f"You: {right} of 3. ")
    page.get_by_role("button", name="Less privacy: ε = 10").click()
    expect_number(page, "10")
    tab.expect_in_address("play", "10")
    page.get_by_role("button", name="No noise at all").click()
    expect_number(page, "no noise")
    expect(page.get_by_role("img", name="of 100 runs with the letter, 0 look like")).to_be_visible()
    remaining_sections = page.locator(".section:not(.lost)")
    expect(remaining_sections).to_have_count(6)
    page.get_by_role("button", name="Take it out").click()
    expect(page.locator(".finding")).to_contain_text(
        "without the letter, 30 of 30 words are the same"
    )


def test_keyboard_stays_at_the_next_step_from_the_runs_to_no_noise(tab) -> None:
    page = tab.open()
    page.get_by_role("button", name="Run the method 200 times").press("Enter")
    for button in ("● With it",) * 3 + ("Less privacy: ε = 10", "No noise at all"):
        expect(page.get_by_role("button", name=button)).to_be_focused()
        page.keyboard.press("Enter")
    expect_number(page, "no noise")


def test_play_page_without_a_server_equals_the_dashboard(tab, offline_page, tmp_path) -> None:
    """From a file and in a sandboxed frame, without a request, open to all in both themes."""
    file = tmp_path / "play.html"
    file.write_text(render_page(), "utf-8")
    requests, errors = [], []
    offline_page.on("request", lambda request: requests.append(request.url))
    offline_page.on("pageerror", lambda error: errors.append(str(error)))
    offline_page.on("console", lambda message: errors.append(message.text))
    offline_page.goto(file.as_uri())
    pages_shown = []
    for page in (tab.open("?play=1"), offline_page):
        page.get_by_role("button", name="Run the method 200 times").click()
        bet_three_times(page, "1")
        page.get_by_role("button", name="More privacy: ε = 0.1").click()
        expect_number(page, "0.1")
        picture = page.locator(".play:not(.game)")
        pages_shown.append((picture.inner_text(), picture.aria_snapshot()))
    assert pages_shown[0] == pages_shown[1]
    for scheme in ("light", "dark"):
        offline_page.emulate_media(color_scheme=scheme)
        assert findings(offline_page) == []
    offline_page.emulate_media(media="print")
    expect(offline_page.locator(".play :is(button, input)").locator("visible=true")).to_have_count(
        0
    )
    expect(offline_page.get_by_text("The best attacker: 50 in 100")).to_be_visible()
    offline_page.emulate_media(media="screen")
    assert requests == [file.as_uri()]
    frame_file = tmp_path / "course.html"
    frame_file.write_text('<iframe src="play.html" sandbox="allow-scripts"></iframe>')
    offline_page.goto(frame_file.as_uri())
    frame = offline_page.frame_locator("iframe")
    for _ in range(10):
        frame.get_by_role("button", name="“rain rain rain”").click()
    stars = game_data()["matches"][0]["stars"][:10]
    right = sum(was_first for _, was_first in stars)
    expect(frame.locator(".game .said")).to_contain_text(f"You: {right} of 10. The best attacker")
    assert errors == []


def test_play_follows_the_slider_before_anything_is_sent(tab) -> None:
    sent: list[str | bytes] = []

    def note_frames(socket: WebSocket) -> None:
        socket.on("framesent", lambda frame: sent.append(frame))

    tab.page.once("websocket", note_frames)
    page = tab.open("?play=1")
    slider = page.get_by_role("slider", name="Privacy budget")
    box = slider.bounding_box()
    assert box is not None
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] * 4 / 7, middle)
    page.mouse.down()
    n_sent_before = len(sent)
    for stop in (3, 2, 1, 0):
        page.mouse.move(box["x"] + box["width"] * stop / 7 + 4, middle, steps=3)
    expect(page.locator(".epsilon")).to_have_text("ε = 0.1")
    n_found = sum(section["found"] for section in STOPS["0.1"]["with"])
    expect(page.locator(".section:not(.lost)")).to_have_count(n_found)
    expect_dots(page)
    assert len(sent) == n_sent_before
    page.mouse.up()
    tab.expect_in_address("play", re.escape("0.1"))
    expect(slider).to_have_attribute("aria-valuetext", f"ε = 0.1, {n_found} of 6 sections found")
