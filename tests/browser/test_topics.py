"""Topics in the browser: ε moves them, links restore them, files of them parse."""

import csv
import json
import re
import statistics
import time
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from dplda.methods.registry import parse_method
from dplda.ui.state.link import TEACHING
from tests.asking import fitted_by, settings_of

SMALL = "corpus=simulated_2000_60_4_1_60_poisson_0.1_0&k=4&alpha0=1"
STEPS = ["2.5", "2", "1.5"]
GATE = 2  # times a fit and a picture of topics seen before: median from key press to new topics on the screen
LANES = """text => [...document.querySelectorAll(".js-plotly-plot .annotation-text")]
    .filter(lane => lane.textContent.trim() === text).length === 2"""


def drawn(page: Page, epsilon: str) -> None:
    """Both halves of the private topics show this ε."""
    heading = re.compile(rf"^private, ε = {re.escape(epsilon)}$")
    lanes = page.locator(".js-plotly-plot .annotation-text").filter(has_text=heading)
    expect(lanes).to_have_count(2)


def experiment_line(page: Page):
    return page.get_by_test_id("stMain").get_by_text("noise seed")


def seconds_of_a_fit(epsilon: float) -> float:
    """What the first topics that a visitor sees take at this ε without a page around them, here and now."""
    settings = settings_of(parse_method("refined"), n_topics=3, alpha0=0.1, epsilon=epsilon, delta=1e-7)
    corpus = TEACHING.draw()
    started = time.perf_counter()
    fitted_by(settings, corpus)
    return time.perf_counter() - started


@pytest.mark.timing
def test_epsilon_moves_topics_in_little_more_than_their_fit(tab) -> None:
    page = tab.open("explore?view=topics")
    drawn(page, "3")
    page.get_by_role("slider", name="Privacy budget").focus()

    def seconds(key: str, to: list[str]) -> float:
        times = []
        for step in to:
            started = time.perf_counter()
            page.keyboard.press(key)
            page.wait_for_function(LANES, arg=f"private, ε = {step}")  # at each frame; ``expect`` looks twice a second
            times.append(time.perf_counter() - started)
        return statistics.median(times)

    new = seconds("ArrowLeft", STEPS)
    seen = seconds("ArrowRight", [*STEPS[-2::-1], "3"])
    fit = statistics.median(seconds_of_a_fit(float(step)) for step in STEPS)
    assert new < GATE * (fit + seen)


def test_downloads_parse_and_a_saved_run_card_restores_the_experiment(tab, new_tab, shared_address, tmp_path) -> None:
    page = tab.open(f"explore?view=topics&v=1&{SMALL}&epsilon=8&seed=9")
    drawn(page, "8")
    page.get_by_test_id("stExpander").get_by_text("Download", exact=True).click()
    rows = list(csv.DictReader(downloaded(page, "Topics (CSV)").splitlines()))
    assert {row["topic"] for row in rows} == {"1", "2", "3", "4"}
    assert [topic["topic"] for topic in json.loads(downloaded(page, "Topics (JSON)"))["topics"]] == [1, 2, 3, 4]

    wanted = experiment_line(page).inner_text()
    page.get_by_role("button", name="Share and repeat").click()
    with page.expect_download() as download:
        page.get_by_test_id("stPopoverBody").get_by_role("button", name="Save run card").click()
    card = tmp_path / "card.json"
    download.value.save_as(card)
    assert json.loads(card.read_text("utf-8"))["plan"]["epsilon"] == 8

    other = new_tab(shared_address).open("explore?view=noise")
    other.get_by_role("button", name="Share and repeat").click()
    other.get_by_test_id("stPopoverBody").locator('input[type="file"]').set_input_files(card)
    expect(experiment_line(other)).to_have_text(wanted)
    expect(other).to_have_url(re.compile(r"epsilon=8\b"))


def downloaded(page: Page, button: str) -> str:
    with page.expect_download() as download:
        page.get_by_test_id("stMain").get_by_test_id("stDownloadButton").get_by_role("button", name=button).click()
    return Path(download.value.path()).read_text("utf-8")
