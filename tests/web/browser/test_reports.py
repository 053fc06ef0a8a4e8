"""Reports walked through as a player would: ask, watch, sort, filter, look, open a flop."""

import re

import httpx
import pytest
import yaml
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.web.conftest import Site
from tests.web.test_reports import SPOT, WANTED, until_done


@pytest.fixture(scope="module")
def address(site: Site) -> str:
    """Of a report that is done."""
    with httpx.Client(base_url=site.address, timeout=60) as client:
        id = client.post("/api/reports", json=WANTED).json()["id"]
        until_done(client, id)
    return f"{site.address}/reports/{id}"


def test_a_report_from_its_form_to_a_flop(page: Page, site: Site):
    page.goto(f"{site.address}/reports")
    form = page.get_by_test_id("new-report")
    form.get_by_test_id("report-spot").fill(yaml.safe_dump(SPOT))
    form.get_by_test_id("report-set").select_option("")
    form.get_by_test_id("report-flops").fill("KhQh2h:4, Ts9s3d:12, 7h7d2c:24")
    form.get_by_test_id("report-lines").fill("x\nx b60%")
    form.get_by_test_id("report-target").fill("5")
    form.get_by_test_id("report-name").fill("Three flops")
    form.get_by_test_id("report-look").click()
    expect(form.get_by_test_id("report-check")).to_contain_text("3 flops on cpu")
    form.get_by_test_id("report-start").click()
    expect(page.get_by_test_id("report-standing")).to_have_text("done", timeout=60_000)
    rows = page.get_by_test_id("flop-table").locator("tbody tr[data-flop]")
    expect(rows).to_have_count(3)

    page.get_by_test_id("line-x").click()
    expect(page.get_by_test_id("report-says")).to_contain_text("After x: IP acts")
    expect(page).to_have_url(re.compile("line=x"))
    page.get_by_role("button", name="Sort by IP EV, chips").click()
    header = page.get_by_test_id("flop-table").locator("th[data-column=ip_ev]")
    expect(header).to_have_attribute("aria-sort", "descending")
    evs = [float(text) for text in rows.locator("td:nth-child(6)").all_inner_texts()]
    assert evs == sorted(evs, reverse=True)

    page.get_by_test_id("report-where").fill("not paired")
    page.get_by_test_id("report-filter").click()
    expect(rows).to_have_count(2)
    expect(page.get_by_test_id("averages")).to_contain_text("unpaired")
    expect(page.get_by_test_id("scatter").locator("circle")).to_have_count(2)
    page.get_by_test_id("scatter-y").select_option("freq_x")
    page.reload()  # the address is the state
    expect(rows).to_have_count(2)
    expect(page.get_by_test_id("scatter-y")).to_have_value("freq_x")
    with page.expect_download() as csv:
        page.get_by_test_id("report-csv").click()
    assert csv.value.path().read_text().startswith("line,flop,weight,high")

    page.get_by_role("link", name="Study KhQh2h").click()
    expect(page).to_have_url(re.compile(r"/study/report%3A[0-9a-f]{12}%3AKhQh2h\?line=x"))


def test_what_is_wrong_is_said_in_place(page: Page, site: Site, address: str):
    page.goto(address)
    page.get_by_test_id("report-where").fill("pared")
    page.get_by_test_id("report-filter").click()
    expect(page.get_by_test_id("where-problem")).to_contain_text("want a comparison")
    page.goto(f"{site.address}/reports?from=flop")
    expect(page.get_by_test_id("report-spot")).to_have_value(re.compile("board: Ks7h2d"))
    page.get_by_test_id("report-lines").fill("x b9")
    page.get_by_test_id("report-start").click()
    expect(page.get_by_test_id("report-problem")).to_contain_text("the actions here are")
    page.problems.clear()  # type: ignore[attr-defined]


def test_it_fits_a_phone_and_everybody(page: Page, site: Site, address: str):
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto(f"{site.address}/reports")
    page.get_by_role("link", name="three", exact=True).click()
    expect(page).to_have_url(address)
    expect(page.get_by_test_id("flop-table")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    found = Axe().run(page).response["violations"]
    assert not [one["id"] for one in found if one["impact"] in ("serious", "critical")]
