"""Topics in the browser: ε moves them, links restore them, files of them parse."""

import csv
import json
import re
import statistics
import time
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from dplda.corpus import python_docs
from dplda.methods.registry import parse_method
from tests.asking import fitted_by, settings_of
from tests.yardstick import slowness

SMALL = "corpus=simulated_2000_60_4_1_60_poisson_0.1_0&k=4&alpha0=1"
STEPS = ["2.5", "2", "1.5"]
GATE = 3  # times the fit alone: median from key press to new topics on the screen


def drawn(page: Page, epsilon: str) -> None:
    """Both halves of the private topics show this ε."""
    heading = re.compile(rf"^private, ε = {re.escape(epsilon)}$")
    lanes = page.locator(".js-plotly-plot .annotation-text").filter(has_text=heading)
    expect(lanes).to_have_count(2)


def experiment_line(page: Page):
    return page.get_by_test_id("stMain").get_by_text("noise seed")


def seconds_of_a_fit(epsilon: float) -> float:
    """What the embedded corpus' default topics take at this ε without a page around them, here and now."""
    settings = settings_of(parse_method("refined"), n_topics=10, alpha0=1.0, epsilon=epsilon, delta=1e-7)
    corpus = python_docs()
    started = time.perf_counter()
    fitted_by(settings, corpus)
    return time.perf_counter() - started


@pytest.mark.timing
def test_epsilon_moves_topics_in_little_more_than_their_fit(tab) -> None:
    page = tab.open()
    drawn(page, "3")
    page.get_by_test_id("stMain").get_by_role("slider").first.focus()
    times = []
    for step in STEPS:
        started = time.perf_counter()
        page.keyboard.press("ArrowLeft")
        drawn(page, step)
        times.append(time.perf_counter() - started)
    tab.settle()
    median, fit = statistics.median(times), statistics.median(seconds_of_a_fit(float(step)) for step in STEPS)
    print(f"\nε to new topics of the embedded corpus: median {median:.2f} s of {len(times)}; the fit alone {fit:.2f} s")
    assert median < GATE * fit


@pytest.mark.timing
def test_a_newcomer_sees_topics_at_once(tab) -> None:
    tab.open()  # the server has read the corpus by now
    started = time.perf_counter()
    tab.page.reload()
    drawn(tab.page, "3")
    assert time.perf_counter() - started < 10 * slowness()


def test_a_link_restores_the_experiment_in_a_new_session(tab, new_tab, shared_address) -> None:
    page = tab.open(f"topics?v=1&{SMALL}&epsilon=8")
    drawn(page, "8")
    page.get_by_test_id("stSidebar").get_by_role("slider", name="Privacy loss ε").focus()
    page.keyboard.press("ArrowLeft")
    drawn(page, "6")
    tab.settle()
    page.get_by_role("button", name="Re-roll the noise").click()
    expect(experiment_line(page)).to_contain_text("noise seed 1")
    tab.expect_in_address("seed", "1")
    tab.settle()
    wanted = experiment_line(page).inner_text()
    page.get_by_role("button", name="Share and repeat").click()
    link = page.get_by_test_id("stPopoverBody").get_by_test_id("stCode").inner_text().strip()
    assert parse_qs(urlsplit(link).query)["v"] == ["2"]
    assert parse_qs(urlsplit(page.url).query).items() <= parse_qs(urlsplit(link).query).items()

    other = new_tab(shared_address)
    other.page.goto(page.url)
    expect(experiment_line(other.page)).to_have_text(wanted)
    drawn(other.page, "6")


def test_settings_survive_a_walk_through_the_pages(tab) -> None:
    page = tab.open(f"?v=1&{SMALL}&epsilon=8&seed=3")
    drawn(page, "8")
    wanted = experiment_line(page).inner_text()
    for name, lines in (("Topics", [wanted]), ("Corpus", []), ("Start", [wanted])):  # Corpus shows documents alone
        page.get_by_test_id("stSidebarNavLink").filter(has_text=name).click()
        expect(page.get_by_test_id("stSidebarNavLink").filter(has_text=name)).to_have_attribute("aria-current", "page")
        expect(experiment_line(page)).to_have_text(lines)
        tab.settle()
        tab.expect_in_address("epsilon", "8")


def test_a_bad_link_is_said_and_defaults_are_used(tab) -> None:
    page = tab.open(f"topics?v=1&{SMALL}&epsilon=nan&seed=-5")
    expect(page.get_by_test_id("stAlert").first).to_contain_text("epsilon, seed out of range")
    drawn(page, "3")


def test_downloads_parse_and_a_saved_run_card_restores_the_experiment(tab, new_tab, shared_address, tmp_path) -> None:
    page = tab.open(f"topics?v=1&{SMALL}&epsilon=8&seed=9")
    drawn(page, "8")
    rows = list(csv.DictReader(downloaded(page, "Topics (CSV)").splitlines()))
    assert {row["topic"] for row in rows} == {"1", "2", "3", "4"}
    assert [topic["topic"] for topic in json.loads(downloaded(page, "Topics (JSON)"))["topics"]] == [1, 2, 3, 4]
    assert json.loads(downloaded(page, "Run card"))["plan"]["epsilon"] == 8

    wanted = experiment_line(page).inner_text()
    page.get_by_role("button", name="Share and repeat").click()
    with page.expect_download() as download:
        page.get_by_test_id("stPopoverBody").get_by_role("button", name="Save run card").click()
    card = tmp_path / "card.json"
    download.value.save_as(card)

    other = new_tab(shared_address).open("privacy")
    other.get_by_role("button", name="Share and repeat").click()
    other.get_by_test_id("stPopoverBody").locator('input[type="file"]').set_input_files(card)
    expect(experiment_line(other)).to_have_text(wanted)
    expect(other).to_have_url(re.compile(r"epsilon=8\b"))


def downloaded(page: Page, button: str) -> str:
    with page.expect_download() as download:
        page.get_by_test_id("stMain").get_by_test_id("stDownloadButton").get_by_role("button", name=button).click()
    return Path(download.value.path()).read_text("utf-8")


def test_private_variational_inference_is_chosen_in_the_sidebar(tab, new_tab, shared_address) -> None:
    page = tab.open(f"topics?{SMALL}")
    drawn(page, "3")
    tab.choose(page.get_by_test_id("stSidebar").get_by_role("combobox", name="Method"), "DP variational inference")
    expect(experiment_line(page)).to_contain_text("DP variational inference, corrected")
    drawn(page, "3")
    tab.settle()
    expect(page.get_by_test_id("stMain").get_by_text("4 topics, taken as they come")).to_be_visible()
    expect(page.get_by_test_id("stTable")).to_contain_text("mean statistic of a minibatch")
    tab.expect_in_address("configuration", "dp-vi")
    there = new_tab(shared_address).open(f"privacy?{urlsplit(page.url).query}")
    expect(there.locator(".js-plotly-plot .annotation-text", has_text="minibatch")).to_be_visible()
