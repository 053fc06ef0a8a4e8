"""Every page, in both themes and at three widths: nothing serious by axe, nothing cut off."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.web.conftest import Site

PAGES = {
    "library": "/",
    "study": "/study/turn?line=x",
    "study of a game": "/study/game:hu_20",
    "flop of a game": "/study/game:hu_20?line=r2.5+c&next=QsJh2h",
    "build": "/build?from=turn",
    "jobs": "/jobs",
    "reports": "/reports",
    "compare": "/compare?a=turn&b=turn",
    "train": "/train",
    "review": "/review",
    "routes": "/routes",
}
WIDTHS = {"phone": 390, "tablet": 820, "desktop": 1280}


@pytest.mark.parametrize("path", PAGES.values(), ids=PAGES)
def test_a_page_is_for_everybody(page: Page, site: Site, path: str) -> None:
    page.goto(site.address + path)
    page.wait_for_load_state("networkidle")
    page.wait_for_selector("main :not(.loading)")
    for _ in ("light", "dark"):
        found = Axe().run(page).response["violations"]
        serious = [one for one in found if one["impact"] in ("serious", "critical")]
        told = [f"{one['id']}: {one['nodes'][0]['html'][:200]}" for one in serious]
        assert not told, page.locator("html").get_attribute("data-theme")
        page.get_by_test_id("theme").click()
    for name, width in WIDTHS.items():
        page.set_viewport_size({"width": width, "height": 800})
        page.wait_for_timeout(100)  # what is drawn by size is drawn anew
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= width, f"{name}: {wide} pixels wide"
