"""Somebody who comes with a table and leaves with a report, and somebody who reads it."""

from playwright.sync_api import expect

from tests.browser.test_corpus import GOOD, read


def test_report_of_an_owner_is_readable_offline(tab, offline_page, tmp_path) -> None:
    """A table of texts becomes topics of public words, and these a file that asks for nothing."""
    rows = [f'{number},"{line}"' for number, line in enumerate(GOOD.splitlines())]
    file = tmp_path / "fruit.csv"
    file.write_text("\n".join(["id,text", *rows]))
    effect = (
        tab.open("explore?view=documents")
        .get_by_test_id("stMain")
        .get_by_text("60 documents are read")
    )
    read(tab, file, "most common words", effect, "public")
    expect(tab.page.get_by_role("heading", name="What came in")).to_be_visible()
    tab.visit("Topics")
    expect(tab.page.get_by_role("heading", name="than word frequencies")).to_be_visible()
    tab.page.get_by_test_id("stExpander").get_by_text("Download", exact=True).click()
    report = tmp_path / "report.html"
    with tab.page.expect_download() as waited:
        tab.page.get_by_test_id("stDownloadButton").get_by_role(
            "button", name="Report (HTML)"
        ).click()
    waited.value.save_as(report)
    requests = []
    offline_page.on("request", lambda request: requests.append(request.url))
    offline_page.goto(report.as_uri())
    expect(offline_page.get_by_role("heading", level=1)).to_be_visible()
    expect(offline_page.locator("body")).to_contain_text(
        "Vocabulary from the documents: not private"
    )
    expect(offline_page.locator("body")).to_contain_text(
        "Nothing found."
    )  # 60 documents carry nothing
    assert requests == [report.as_uri()]
    tab.page.get_by_role("button", name="Share and repeat").click()
    expect(
        tab.page.get_by_text("Documents and names of topics stay on this machine")
    ).to_be_visible()
    tab.page.reload()
    expect(tab.page.get_by_text("The documents of this address are gone")).to_be_visible()
