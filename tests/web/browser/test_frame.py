from math import ceil

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


def test_any_panel_is_kept_as_a_picture(page: Page, site: Site) -> None:
    page.goto(f"{site.address}/study/turn?tab=graphs")
    panel = page.locator("section.panel.study-tabs")
    expect(panel).to_be_visible()
    box = panel.bounding_box()
    page.get_by_test_id("panel-picture").click()
    expect(page.locator("html.choosing-panel")).to_be_visible()
    with page.expect_download() as kept:
        panel.click(position={"x": 5, "y": 5})
    data = kept.value.path().read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    assert box is not None
    wide, high = (int.from_bytes(data[at : at + 4], "big") for at in (16, 20))
    assert (wide, high) == (2 * ceil(box["width"]), 2 * ceil(box["height"]))
    assert len(data) > 5_000  # drawn, not blank


def test_every_route_is_listed(page: Page, site: Site) -> None:
    found = page.request.get(f"{site.address}/api/openapi.json").json()
    page.goto(f"{site.address}/routes")
    for path, methods in found["paths"].items():
        for method in methods:
            expect(page.get_by_text(f"{method.upper()} {path}", exact=True)).to_be_visible()
    for name in found["components"]["schemas"]:
        expect(page.locator(f"#{name}")).to_be_attached()
