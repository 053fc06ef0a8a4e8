"""Two solutions side by side, walked through as a player would."""

import re

import pytest
from playwright.sync_api import Page, expect

from poker_solver.cfr.options import SolveOptions
from poker_solver.config.spot import Spot
from poker_solver.postflop.solve.solver import solve_spot
from tests.web.conftest import TURN, Site


@pytest.fixture(scope="module", autouse=True)
def second(library_folder):
    spot = Spot.from_mapping({**TURN, "locks": [{"line": "x", "strategy": {"b100": 1}}]})
    solve_spot(spot, SolveOptions(target=1)).save(library_folder / "other.pks", rivers=True)


def test_two_solutions_are_chosen_and_compared(page: Page, site: Site):
    page.goto(f"{site.address}/compare")
    page.get_by_test_id("compare-a").select_option("turn")
    page.get_by_test_id("compare-b").select_option("other")
    expect(page.get_by_test_id("compare-totals")).to_contain_text("OOP")
    expect(page.get_by_test_id("compare-differs")).to_contain_text("locks")
    matrix = page.get_by_test_id("compare-matrix")
    expect(matrix.locator("[data-hand=QQ]")).to_have_class(re.compile("gain|loss"))
    expect(matrix.locator("[data-hand='72o']")).to_have_attribute("aria-disabled", "true")

    matrix.locator("[data-hand=QQ]").focus()
    page.keyboard.press("Enter")
    hands = page.get_by_test_id("compare-hands").locator("tbody tr")
    expect(hands.first).to_have_attribute("data-hand", re.compile("Q.Q."))
    expect(hands).to_have_count(3)
    page.get_by_test_id("compare-all").click()

    page.get_by_test_id("compare-actions").get_by_role("link", name="Compare after x").click()
    expect(page).to_have_url(re.compile("line=x"))
    expect(page.get_by_test_id("compare-actions")).to_contain_text("IP acts")
    page.get_by_test_id("view-strategy").click()
    page.get_by_test_id("by-hand").click()
    page.get_by_test_id("compare-sort").select_option("strategy")
    moved = [int(text.rstrip(" %")) for text in hands.locator("td:nth-child(6)").all_inner_texts()]
    assert moved == sorted(moved, reverse=True)
    assert moved[0] > 0
    page.go_back()
    expect(page.get_by_test_id("compare-actions")).to_contain_text("OOP acts")


def test_what_cannot_be_compared_is_said(page: Page, site: Site):
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto(f"{site.address}/compare?a=turn&b=flop")
    expect(page.get_by_test_id("compare-problem")).to_contain_text("different board")
    page.problems.clear()  # type: ignore[attr-defined]
    page.goto(f"{site.address}/compare?a=turn&b=other&line=x")
    expect(page.get_by_test_id("comparison")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
