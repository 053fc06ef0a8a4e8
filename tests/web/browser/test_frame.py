from playwright.sync_api import Page, expect

from tests.web.conftest import Site


def test_the_library_lists_what_is_there(page: Page, site: Site) -> None:
    page.goto(site.address)
    expect(page.get_by_role("heading", name="Library")).to_be_visible()
    expect(page.get_by_role("link", name="HU 20BB", exact=True)).to_be_visible()


def test_the_theme_is_remembered(page: Page, site: Site) -> None:
    page.goto(site.address)
    root = page.locator("html")
    before = root.get_attribute("data-theme")
    page.get_by_test_id("theme").click()
    assert root.get_attribute("data-theme") != before
    page.reload()
    assert root.get_attribute("data-theme") != before


def test_a_page_that_is_not_there_says_so(page: Page, site: Site) -> None:
    page.goto(f"{site.address}/nowhere")
    expect(page.get_by_role("alert")).to_contain_text("no page /nowhere")
