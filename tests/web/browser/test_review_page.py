"""A review as a person does it: paste, wait, open the worst hand; files; what is refused."""

from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.support.histories import GG, PHH, STARS, TOURNAMENT
from tests.web.conftest import Site

MINUTE = 60_000


def serious(page: Page) -> list[str]:
    found = Axe().run(page).response["violations"]
    return [one["id"] for one in found if one["impact"] in ("serious", "critical")]


def pasted(page: Page, site: Site, text: str) -> None:
    page.goto(f"{site.address}/review")
    page.get_by_test_id("paste").fill(text)
    page.get_by_test_id("start").click()


def test_paste_wait_and_open_the_worst(page: Page, site: Site) -> None:
    omaha = "\n\nPoker Hand #HD9: Omaha Pot Limit ($1/$2) - 2026/01/01\n"
    pasted(page, site, "\n\n".join([STARS, TOURNAMENT, GG]) + omaha)
    expect(page.get_by_test_id("hands")).to_be_visible(timeout=MINUTE)
    expect(page.get_by_test_id("progress")).to_have_count(0, timeout=MINUTE)
    expect(page.get_by_test_id("open-hand")).to_have_count(3)
    expect(page.get_by_test_id("skipped")).to_contain_text("1 hand was left out")
    assert float(page.get_by_test_id("per-100").inner_text()) >= 0
    page.get_by_test_id("open-hand").first.click()
    expect(page.get_by_test_id("decision").first).to_contain_text("preflop")
    expect(page.get_by_test_id("study-link").first).to_be_visible()
    assert "hand=0" in page.url
    assert not serious(page)
    page.reload()
    expect(page.get_by_test_id("decision").first).to_be_visible()
    page.go_back()
    expect(page.get_by_test_id("decision")).to_have_count(0)
    page.goto(f"{site.address}/review")
    expect(page.get_by_test_id("reviews")).to_contain_text("Review of 3 hands")


def test_files(page: Page, site: Site, tmp_path: Path) -> None:
    paths = [tmp_path / f"{number}.phh" for number in (1, 2)]
    for path in paths:
        path.write_text(PHH.replace('"d dh p1 AhKh"', '"d dh p1 ????"').replace("hand = 77", ""))
    page.goto(f"{site.address}/review")
    page.get_by_test_id("files").set_input_files(paths)
    expect(page.get_by_test_id("open-hand")).to_have_count(4, timeout=MINUTE)  # both were shown


def test_what_is_refused_stays_on_the_page(page: Page, site: Site) -> None:
    pasted(page, site, "hello")
    expect(page.get_by_test_id("problem")).to_contain_text("no hand was found")
    expect(page.get_by_test_id("bring")).to_contain_text("Nothing leaves this machine")
    page.problems.clear()  # type: ignore[attr-defined]


@pytest.mark.parametrize("width", [390, 820, 1280])
def test_nothing_sticks_out(page: Page, site: Site, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    pasted(page, site, STARS)
    expect(page.get_by_test_id("open-hand")).to_have_count(1, timeout=MINUTE)
    page.get_by_test_id("open-hand").click()
    expect(page.get_by_test_id("decision").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
