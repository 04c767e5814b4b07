"""A report opened from disk by somebody who has nothing else: no network, no scripts, a phone, a printer."""

from dataclasses import replace
from io import BytesIO

import pytest
from playwright.sync_api import Page
from pypdf import PdfReader

import dplda
from dplda.privacy.release import Caveat
from dplda.release.publication.officer import render_officer_page
from tests.release.test_arrangement import five_topics


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    corpus = dplda.simulate(
        n_documents=3000, n_words=30, n_topics=4, alpha0=0.5, mean_length=30, seed=0
    )
    words = ("x" * 80, "<script>document.title='caught'</script>", *corpus.vocabulary[2:])
    model = dplda.RefinedLDA(4, alpha0=0.5, epsilon=3.0).fit(corpus)
    path = tmp_path_factory.mktemp("report") / "report.html"
    path.write_text(
        dplda.report_html(model, words, documents="letters", names=("a" * 60, None, None, None)),
        "utf-8",
    )
    return path


@pytest.fixture
def opened(offline_page: Page, report):
    """The page with scripts allowed, and every request it makes."""
    requests: list[str] = []
    offline_page.on("request", lambda request: requests.append(request.url))
    offline_page.goto(report.as_uri())
    yield offline_page, requests
    offline_page.emulate_media(media="screen", color_scheme="light")
    offline_page.goto("about:blank")


WIDER = """() => [...document.querySelectorAll('body *')].filter(
    e => !e.closest('.wide') && !e.closest('svg') && e.getBoundingClientRect().right > innerWidth + 1
).map(e => e.outerHTML.slice(0, 80))"""
CLIPPED_TABLES = """() => [...document.querySelectorAll('.wide')]
    .filter(e => e.scrollWidth > e.clientWidth).map(e => e.innerText.slice(0, 80))"""
CONTRAST = """() => {
    const parts = c => c.match(/[\\d.]+/g).map(Number);
    const light = ([r, g, b]) => [r, g, b].map(v => v / 255).map(
        v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4
    ).reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
    const ground = e => {
        const under = e.parentElement ? ground(e.parentElement) : [255, 255, 255];
        const [r, g, b, a = 1] = parts(getComputedStyle(e).backgroundColor);
        return [r, g, b].map((v, i) => a * v + (1 - a) * under[i]);
    };
    const words = [...document.querySelectorAll('body *')].filter(
        e => !e.closest('svg') && [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim())
    );
    return Math.min(...words.map(e => {
        const [a, b] = [light(parts(getComputedStyle(e).color)), light(ground(e))].sort((x, y) => y - x);
        return (a + 0.05) / (b + 0.05);
    }));
}"""


def test_report_with_hostile_words_requests_nothing(opened, report) -> None:
    page, requests = opened
    assert requests == [report.as_uri()]
    assert page.title() == "Topics of letters"
    assert page.get_by_role("img", name="Map of topics").is_visible()
    assert page.get_by_role("article").count() >= 2


@pytest.mark.parametrize("width", [320, 1280])
def test_report_is_no_wider_than_the_screen(width, opened) -> None:
    page, _ = opened
    page.set_viewport_size({"width": width, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate(CLIPPED_TABLES) == []
    assert page.evaluate(WIDER) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_report_text_has_enough_contrast(scheme, opened) -> None:
    page, _ = opened
    page.emulate_media(media="screen", color_scheme=scheme)
    assert page.evaluate(CONTRAST) >= 4.5


def test_report_prints_on_white_within_the_paper(opened) -> None:
    page, _ = opened
    page.emulate_media(media="print", color_scheme="dark")
    page.set_viewport_size({"width": 700, "height": 1000})  # of A4 between its margins
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert page.evaluate("document.documentElement.scrollWidth") <= 700
    assert page.evaluate(CONTRAST) >= 7


@pytest.fixture
def protection_page(offline_page: Page, tmp_path):
    """The page for a data protection officer of a release with as long assumptions as there are."""
    topics = five_topics()
    rests_on = ("An assumption of the proof, in plain words. " * 8,) * 5
    guarantee = replace(topics.guarantee, rests_on=rests_on, caveats=(Caveat.LOOKED,))
    path = tmp_path / "protection.html"
    path.write_text(render_officer_page(replace(topics, guarantee=guarantee)), "utf-8")
    offline_page.goto(path.as_uri())
    yield offline_page
    offline_page.emulate_media(media="screen", color_scheme="light")
    offline_page.goto("about:blank")


def test_data_protection_page_prints_on_one_sheet(protection_page) -> None:
    protection_page.emulate_media(media="print")  # the page may show what is for a screen
    sheets = PdfReader(BytesIO(protection_page.pdf(prefer_css_page_size=True))).pages
    assert len(sheets) == 1


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_data_protection_page_can_be_read_on_a_phone(scheme, protection_page) -> None:
    protection_page.emulate_media(media="screen", color_scheme=scheme)
    protection_page.set_viewport_size({"width": 320, "height": 800})
    assert protection_page.evaluate("document.documentElement.scrollWidth") <= 320
    assert protection_page.evaluate(WIDER) == []
    assert protection_page.evaluate(CONTRAST) >= 4.5


def test_figures_are_saved_as_svg(tab) -> None:
    page = tab.open(
        "explore?view=topics&look=map&corpus=simulated_2000_60_4_1_60_poisson_0.1_0&k=4&epsilon=8"
    )
    figure = page.locator(".js-plotly-plot").first
    download_button = figure.locator(
        '.modebar-btn[data-title="Download plot"]'
    )  # where it saves a PNG, its title says so
    page.get_by_test_id("stExpander").get_by_text("Download", exact=True).click()
    tab.press(page.get_by_role("radio", name="SVG"), download_button)
    tab.settle()
    figure.hover()
    with page.expect_download() as download:
        download_button.click()
    assert download.value.suggested_filename.endswith(".svg")
