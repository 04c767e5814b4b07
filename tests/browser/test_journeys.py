"""Three people who come with a question and leave with a file."""

import ast

from playwright.sync_api import expect

from tests.browser.test_corpus import GOOD, declare, read, visit


def saved(page, label: str) -> str:
    """What a download button gives."""
    with page.expect_download() as waited:
        page.get_by_test_id("stDownloadButton").get_by_role("button", name=label).click()
    return waited.value.path().read_text("utf-8")


def test_a_researcher_reproduces_a_figure_of_the_paper(tab) -> None:
    page = tab.open("error_curves")
    expect(page.get_by_role("combobox", name="What to show")).to_have_value(
        "Figure 2a: error against ε at α₀ = 0.1, N = 100,000"
    )
    claim = page.get_by_role("listitem").filter(has_text="configuration 2 beats configuration 1")
    expect(claim).to_contain_text("undecided")
    tab.settle()
    script = saved(page, "Script (Python)")
    ast.parse(script)
    assert "n_documents = 100000" in script
    assert saved(page, "Numbers (CSV)").count("\n") > 300
    page.locator(".js-plotly-plot").first.hover()
    with page.expect_download() as waited:
        page.locator(".js-plotly-plot").first.locator('[data-title^="Download plot"]').click()
    assert waited.value.path().read_bytes().startswith(b"\x89PNG")


def test_an_owner_leaves_with_a_report_and_a_stakeholder_reads_it_offline(tab, offline_page, tmp_path) -> None:
    """A table of texts becomes topics of public words, and these a file that asks for nothing."""
    rows = [f'{number},"{line}"' for number, line in enumerate(GOOD.splitlines())]
    file = tmp_path / "fruit.csv"
    file.write_text("\n".join(["id,text", *rows]))
    declare(tab, "public")
    read(tab, file, tab.page.get_by_test_id("stMain").get_by_text("60 documents are read"))
    visit(tab, "Topics")
    report = tmp_path / "report.html"
    report.write_text(saved(tab.page, "Report (HTML)"), "utf-8")
    asked = []
    offline_page.on("request", lambda request: asked.append(request.url))
    offline_page.goto(report.as_uri())
    expect(offline_page.get_by_role("heading", level=1)).to_be_visible()
    expect(offline_page.locator("body")).to_contain_text("Vocabulary from the documents: not private")
    expect(offline_page.locator("body")).to_contain_text("Not readable at this ε")  # 60 documents carry nothing
    assert asked == [report.as_uri()]
