"""Lock and exploit in place, walked through as a player would."""

import re

from playwright.sync_api import Page, expect

from poker_solver.postflop.solution.solution import Solution
from tests.web.conftest import Site


def test_a_frequency_and_painted_hands_are_locked_and_solved(page: Page, site: Site):
    page.goto(f"{site.address}/study/turn?line=b100&tab=lock")
    panel = page.get_by_test_id("lock-panel")
    panel.get_by_test_id("lock-share-f").fill("60")
    panel.get_by_test_id("lock-share-f").blur()
    expect(panel.get_by_test_id("lock-share-f")).to_have_value("60")
    shares = panel.locator("input[type=number]")
    values = [int(shares.nth(n).input_value()) for n in range(shares.count())]
    assert values[0] == 60
    assert sum(values) == 100
    panel.get_by_role("slider").first.press("ArrowRight")
    expect(panel.get_by_test_id("lock-share-f")).to_have_value("61")
    panel.get_by_test_id("lock-way-hands").check()
    panel.get_by_test_id("lock-matrix").locator("[data-hand=JJ]").click()
    panel.get_by_test_id("lock-matrix").locator("[data-hand=JJ]").press("ArrowRight")
    expect(panel.get_by_test_id("lock-hands")).to_have_value("JJ")
    panel.get_by_test_id("lock-add").click()
    expect(panel.get_by_test_id("lock-list")).to_contain_text("b100 with JJ=f:61%")

    panel.get_by_test_id("lock-exploit").click()
    expect(panel.get_by_test_id("exploit-gain")).to_contain_text("% of the pot")
    expect(panel.get_by_test_id("exploit-gain")).to_be_in_viewport()

    panel.get_by_test_id("lock-solve").click()
    expect(panel.get_by_test_id("lock-solved")).to_be_visible(timeout=60_000)
    expect(panel.get_by_test_id("lock-solved")).to_be_in_viewport()
    panel.get_by_test_id("lock-compare").click()
    expect(page).to_have_url(re.compile(r"/compare\?a=turn&b=.*locked.*&line=b100"))
    expect(page.get_by_test_id("compare-differs")).to_contain_text("JJ")
    locked = re.findall("b=([^&]+)", page.url)[0]
    page.goto(f"{site.address}/study/{locked}?line=b100&tab=lock")
    expect(page.get_by_test_id("lock-solve")).to_be_disabled()
    page.get_by_role("button", name="Remove the lock at b100").click()
    expect(page.get_by_test_id("lock-solve")).to_be_enabled()

    page.goto(f"{site.address}/study/turn?line=b100&tab=lock")
    page.get_by_test_id("lock-panel").get_by_test_id("lock-way-hands").check()
    page.get_by_test_id("lock-hands").fill("22")
    page.get_by_test_id("lock-add").click()
    expect(page.get_by_test_id("lock-problem")).to_contain_text("is not in ip's range")
    page.problems.clear()  # type: ignore[attr-defined]


def test_a_best_response_shows_gains_and_first_mixes(page: Page, site: Site):
    page.goto(f"{site.address}/study/turn?tab=exploit")
    panel = page.get_by_test_id("exploit-panel")
    panel.get_by_test_id("exploit-player").select_option("oop")
    panel.get_by_test_id("exploit-find").click()
    expect(panel.get_by_test_id("exploit-first")).to_contain_text("What OOP does first")
    expect(panel.get_by_test_id("exploit-matrix").locator("[data-hand=QQ]")).to_have_attribute(
        "aria-label", re.compile("gains")
    )
    cut = panel.get_by_test_id("exploit-matrix").evaluate(
        """matrix => [...matrix.querySelectorAll("span")].filter((text) =>
            text.getBoundingClientRect().left < text.parentElement.getBoundingClientRect().left
        ).map((text) => text.textContent)"""
    )
    assert not cut  # a plus without its upright would be read as a minus
    panel.get_by_test_id("gains-hands").click()
    expect(panel.get_by_test_id("gains").locator("tbody tr").first).to_contain_text("+")


def test_without_rivers_it_says_what_to_do(page: Page, site: Site):
    whole = Solution.load(site.folder / "turn.pks")
    whole.save(site.folder / "short.pks", rivers=False)
    page.goto(f"{site.address}/study/short?tab=exploit")
    page.get_by_test_id("exploit-find").click()
    expect(page.get_by_test_id("exploit-problem")).to_contain_text("keep the rivers")
    expect(page.get_by_test_id("exploit-again")).to_be_enabled()
    page.problems.clear()  # type: ignore[attr-defined]
