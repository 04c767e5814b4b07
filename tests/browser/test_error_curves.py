"""Sweeps in the browser: started, watched, cancelled, resumed, and taken away as files."""

import ast
import csv
import itertools
import re
import time
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from dplda.experiments.sweeps import Sweep
from tests.browser.conftest import eventually
from tests.browser.test_house import expect_named, expect_whole

SMALL = "v=1&corpus=simulated_3000_120_3_0.1_60_poisson_0.1_0&k=3&alpha0=0.1&epsilon=3"
CELLS = 62  # two methods without noise, and four with it at five ε, three draws each
DONE = re.compile(r"^(\d+) of 62 runs")
DONE_ALL = f"All {CELLS} runs are done"


def main(page: Page):
    return page.get_by_test_id("stMain")


def pick(tab, text: str) -> None:
    tab.choose(main(tab.page).get_by_role("combobox", name="What to compare"), text)


def n_done(page: Page) -> int:
    progress_text = main(page).get_by_test_id("stProgress").inner_text().strip()
    match = DONE.match(progress_text)
    return int(match.group(1)) if match else 0


def wait_for_cells(page: Page, number: int) -> int:
    deadline = time.monotonic() + 60
    while (done := n_done(page)) < number:
        assert time.monotonic() < deadline, f"{done} cells after a minute"
        page.wait_for_timeout(100)
    return done


def started_sweep(tab, query: str) -> Page:
    """A page whose sweep has begun, with a few of its cells."""
    page = tab.open(f"compare?{query}")
    expect(main(page).get_by_text("Predicted for documents drawn from the model")).to_be_visible()
    tab.settle()
    main(page).get_by_role("button", name="Run it").click()
    expect(main(page).get_by_test_id("stProgress")).to_be_visible()
    wait_for_cells(page, 2)
    return page


def cancel(page: Page) -> None:
    main(page).get_by_role("button", name="Cancel").click()
    expect(main(page).get_by_test_id("stAlert").filter(has_text="Canceled")).to_be_visible()


def saved(page: Page, button: str, path: Path) -> Path:
    with page.expect_download() as download:
        main(page).get_by_test_id("stDownloadButton").get_by_role("button", name=button).click()
    download.value.save_as(path)
    return path


def test_sweep_under_way_is_shown_to_another_visitor_without_its_button(tab, new_tab) -> None:
    """Of documents of its own, so that the sweeps below find nothing kept."""
    own_documents = SMALL.replace("0.1_0&", "0.1_1&")
    visitor = new_tab(tab.address)
    other_page = visitor.open(f"compare?{own_documents}&seed=5")  # before the sweep
    expect_whole(other_page)
    expect_named(other_page, "Compare")
    page = started_sweep(tab, own_documents)
    pick(visitor, "Figure 2b")
    expect(
        main(other_page).get_by_test_id("stProgress").filter(has_text="Another run is under way")
    ).to_be_visible()
    expect(
        main(other_page).get_by_text("Only the visitor who started it can cancel it.")
    ).to_be_visible()
    expect(main(other_page).get_by_role("button", name="Cancel")).to_have_count(0)
    visitor.close()
    assert visitor.offsite == visitor.errors == []
    wait_for_cells(page, n_done(page) + 1)
    cancel(page)


def test_sweep_under_way_draws_its_curves_as_it_moves(tab) -> None:
    page = started_sweep(tab, SMALL.replace("0.1_0&", "0.1_2&"))
    n_cells = n_done(page)
    assert wait_for_cells(page, n_cells + 2) > n_cells
    expect(page.locator(".js-plotly-plot .gtitle").first).to_be_visible()
    cancel(page)


def test_sweep_that_is_canceled_resumes_to_all_its_cells(tab) -> None:
    page = started_sweep(tab, SMALL)
    cancel(page)
    expect(main(page).get_by_text("solid are measured, hollow predicted")).to_be_visible()
    resume = main(page).get_by_role("button", name=re.compile(rf"Resume: \d+ of {CELLS}"))
    expect(resume).to_be_visible()
    for name in ("Documents", "Error curves"):  # leaving loses nothing
        tab.visit(name)
    expect(resume).to_be_visible()
    tab.settle()
    resume.click()
    expect(resume).to_have_count(0)
    expect(main(page).get_by_text(DONE_ALL)).to_be_visible(timeout=240_000)


def test_sweep_that_is_done_is_downloaded_with_all_its_cells(tab, tmp_path) -> None:
    """The sweep of the test before, whose cells are kept; alone it computes them first."""
    page = tab.open(f"compare?{SMALL}")
    run = main(page).get_by_role("button", name=re.compile(f"Run it|Resume: .* of {CELLS}"))
    done = main(page).get_by_text(DONE_ALL)
    expect(run.or_(done)).to_be_visible()
    tab.settle()
    if run.is_visible():
        run.click()
    expect(done).to_be_visible(timeout=240_000)
    tab.settle()
    main(page).get_by_text("Download, or repeat elsewhere").click()
    with saved(page, "Numbers (CSV)", tmp_path / "frame.csv").open(
        newline="", encoding="utf-8"
    ) as file:
        assert len(list(csv.DictReader(file))) == CELLS
    script = saved(page, "Script (Python)", tmp_path / "sweep.py").read_text("utf-8")
    (spec,) = re.findall(r"(?s)^SPEC = (\(.*?^\))$", script, re.MULTILINE)
    assert Sweep.from_toml(ast.literal_eval(spec)).n_cells == CELLS


@pytest.mark.parametrize("width", [400, 1280])
def test_names_of_lines_stand_apart_beside_the_axes(tab, width) -> None:
    tab.page.set_viewport_size({"width": width, "height": 900})
    page = tab.open(f"compare?{SMALL}")
    pick(tab, "Figure 2b")
    tab.expect_in_address("shown", "figure-2b")
    graph = page.locator(".js-plotly-plot").first
    names = graph.locator(".annotation-text", has_text=re.compile("[●○]"))
    expect(names.first).to_be_visible()
    tab.settle()
    n_lines = "graph => graph._fullData.filter(each => each.mode === 'lines+markers').length"
    end = "graph => graph.getBoundingClientRect().left + graph._fullLayout._size.l + graph._fullLayout._size.w"

    def claims() -> None:
        boxes = tab.at_rest(
            lambda: [name.bounding_box(timeout=5_000) for name in [*names.all(), graph]]
        )
        assert None not in boxes
        *name_boxes, graph_box = boxes
        axes = graph.evaluate(end)
        assert len(name_boxes) == graph.evaluate(n_lines) > 0
        assert axes - graph_box["x"] > 0.6 * graph_box["width"], "the plot keeps most of the room"
        for box in name_boxes:
            assert box["x"] > axes
            assert box["x"] + box["width"] <= graph_box["x"] + graph_box["width"] + 1
        tops = sorted(box["y"] for box in name_boxes)
        assert all(below - above >= 12 for above, below in itertools.pairwise(tops))
        title = graph.locator(".gtitle .line")
        if title.count() == 0:  # a title of one line has no parts
            title = graph.locator(".gtitle")
        title_lines = [text for text in title.all_text_contents() if text.strip()]
        whole_title = graph.evaluate("graph => graph.layout.title.text").replace("<br>", " ")
        assert " ".join(title_lines) == re.sub("</?b>", "", whole_title)
        room = "line => line.ownerSVGElement.clientWidth - line.getComputedTextLength()"
        assert title.last.evaluate(room, timeout=5_000) > 0

    eventually(page, claims)
