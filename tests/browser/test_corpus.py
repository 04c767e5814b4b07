"""Corpora in the browser: files good and bad, sensitive ones, a way out of long work."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import Tab
from tests.browser.test_house import expect_named, expect_whole

SMALL = "v=1&corpus=simulated_2000_60_4_1_60_poisson_0.1_0&k=2&alpha0=1"
CANARY = "zanzibarcanary"
WORDS = ("apple", "banana", "cherry", "stone", "river", "mountain", CANARY, "cloud")
GOOD = "\n".join(" ".join(WORDS[(i * j) % len(WORDS)] for j in range(1, 12)) for i in range(60))


def read(tab, file: Path, words: str, effect: Locator, declared: str = "sensitive") -> None:
    """Bring a file and have it read over some words, until what should come of it is seen."""
    page = tab.page
    main = page.get_by_test_id("stMain")
    tab.press(
        page.get_by_role("radio", name="Read a file"),
        page.get_by_text("Still needed: a file, and who may see"),
    )
    page.get_by_role("radiogroup", name="These documents are").get_by_text(
        declared, exact=True
    ).click()
    expect(page.get_by_text("Still needed: a file.")).to_be_visible()
    main.locator('input[type="file"]').set_input_files(file)
    option = page.get_by_role("option", name=words)
    tab.press(page.get_by_role("combobox", name="Words to count"), option)
    option.click()
    tab.settle()
    expect(page.get_by_role("button", name="Read the documents")).to_be_enabled()
    tab.press(page.get_by_role("button", name="Read the documents"), effect)


@pytest.fixture
def curator(tab, tmp_path) -> Tab:
    """A tab in which sensitive documents were read, so many that there are topics whatever the draw, a secret one."""
    file = tmp_path / "letters.txt"
    file.write_text("\n".join([GOOD] * 50))
    page = tab.open(f"explore?view=documents&{SMALL}&epsilon=10")
    effect = page.get_by_test_id("stMain").get_by_text("3,000 documents are read")
    read(tab, file, "most common words", effect)
    return tab


def test_sensitive_corpus_marks_every_page_for_its_curator(curator) -> None:
    page = curator.page
    for name in ("Documents", "Noise", "Topics"):
        curator.visit(name)
        banner = page.get_by_test_id("stAlert").filter(has_text="Curator view: not a release")
        expect(banner.first).to_be_visible()
        expect(page.locator(".js-plotly-plot").first).to_be_visible()
        expect(
            page.locator(".js-plotly-plot .annotation-text", has_text="Curator view").first
        ).to_be_visible()
        expect(page.get_by_test_id("stDownloadButton")).to_have_count(0)
        expect(page.locator(".js-plotly-plot .modebar-btn")).to_have_count(0)
        expect(page.get_by_test_id("stDataFrame")).to_have_count(0)
    expect_whole(page)
    expect_named(page, "Explore")


def test_sensitive_corpus_leaves_nothing_beyond_its_session(curator, new_tab, log_folder) -> None:
    page, addresses = curator.page, [curator.page.url]
    for name in ("Noise", "Topics"):
        curator.visit(name)
        addresses.append(page.url)
    expect(page.locator(".js-plotly-plot text", has_text=CANARY).first).to_be_visible()
    page.get_by_role("button", name="Share and repeat").click()
    addresses.append(page.get_by_test_id("stPopoverBody").get_by_test_id("stCode").inner_text())
    (log,) = (path.read_text("utf-8", "replace") for path in log_folder.glob("server-*.log"))
    assert "dplda runs at" in log
    for text in (*addresses, log):
        assert CANARY not in text
        assert "letters" not in text
    other_page = new_tab(curator.address).open("explore?view=topics")
    expect(other_page.get_by_test_id("stMain").get_by_text("An invented newspaper")).to_be_visible()


def test_long_work_that_is_canceled_leaves_the_last_documents(tab) -> None:
    page = tab.open(f"explore?view=documents&{SMALL}")
    page.get_by_role("radio", name="Simulate").click()
    page.get_by_role("spinbutton", name="Documents N").fill("200000")
    page.get_by_role("spinbutton", name="Mean length L").fill("120")
    page.get_by_role("button", name="Simulate", exact=True).click()
    cancel = page.get_by_role("button", name="Cancel")
    expect(cancel).to_be_visible()
    expect(page.get_by_test_id("stProgress")).to_contain_text("Drawing 200,000 documents")
    cancel.click()
    expect(page.get_by_text("Canceled.", exact=True)).to_be_visible()
    expect(cancel).to_have_count(0)
    expect(page.get_by_test_id("stMain").get_by_text(re.compile("N 2,000"))).to_be_visible()
