"""The board of configurations in the browser: by keyboard, from a link, on a phone."""

from playwright.sync_api import Page, expect

from tests.browser.conftest import PATIENCE

BOARD = "explore?view=configurations&v=3"
PHONE = {"width": 400, "height": 860}
DRAWN = "image => image.complete && image.naturalWidth > 0"
FITS = "() => document.documentElement.scrollWidth <= window.innerWidth"
SWIPES = "board => board.scrollWidth > board.clientWidth"
N_METHODS = 4


def flows(page: Page):
    return page.locator(".st-key-board img.small-flow")


def test_board_card_opened_by_keyboard_shows_its_topics(tab) -> None:
    page = tab.open(BOARD)
    expect(flows(page)).to_have_count(N_METHODS)
    assert flows(page).evaluate_all(f"images => images.every({DRAWN})")
    button = page.locator(".st-key-board-card-config-2").get_by_role("button")
    button.focus()
    page.keyboard.press("Enter")
    tab.expect_in_address("configuration", "config-2")
    heading = page.get_by_test_id("stMain").get_by_role("heading", name="Topics are")
    expect(heading).to_be_visible(timeout=PATIENCE)


def test_board_link_restores_its_choices(tab) -> None:
    page = tab.open(f"{BOARD}&form=as-published&topic=2&beside=refined&epsilon=1")
    expect(flows(page)).to_have_count(N_METHODS + 1)
    for name in ("As published", "2"):
        expect(page.get_by_role("radio", name=name, exact=True)).to_be_checked()
    page.get_by_role("radio", name="Across ε").click()
    rows = page.locator(".across tbody tr")
    expect(rows).to_have_count(N_METHODS + 1)
    page.reload()
    expect(rows).to_have_count(N_METHODS + 1)


def test_board_on_a_phone_is_swiped_within_the_page(tab) -> None:
    tab.page.set_viewport_size(PHONE)
    page = tab.open(BOARD)
    expect(flows(page)).to_have_count(N_METHODS)
    assert page.evaluate(FITS)
    assert page.locator(".st-key-board").evaluate(SWIPES)
