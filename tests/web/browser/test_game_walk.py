"""A full game walked from the blinds over a flop to the river, as a person would."""

import re
import shutil
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.support.full_games import solution_file
from tests.web.browser.test_study import at_line, study
from tests.web.conftest import Site


@pytest.fixture(scope="module", autouse=True)
def _game(library_folder: Path) -> None:
    shutil.copy(solution_file(), library_folder / "small.pks")


def pick_flop(page: Page, *cards: str) -> None:
    for card in cards:
        page.get_by_test_id("flop-chooser").get_by_role("button", name=card).click()


def test_a_flop_is_solved_walked_and_found_again(page: Page, site: Site) -> None:
    study(page, site, "small")
    page.get_by_role("link", name="raise 2").click()
    at_line(page, "r2")
    page.get_by_role("link", name="call").click()
    at_line(page, "r2 c")
    pick_flop(page, "queen of spades", "jack of hearts", "2 of hearts")
    expect(page.get_by_test_id("next-seconds")).to_contain_text("about")
    page.get_by_test_id("next-target").select_option("1")
    page.get_by_test_id("next-solve").click()
    at_line(page, "r2 c QsJh2h")  # by itself, once it is solved
    expect(page.get_by_test_id("facts")).to_contain_text("4.00 bb")
    expect(page.get_by_test_id("actions")).to_contain_text("all-in 4 bb (100 %)")
    page.get_by_test_id("action").first.get_by_role("link").click()
    at_line(page, "r2 c QsJh2h x")
    page.get_by_test_id("action").first.get_by_role("link").click()
    page.get_by_test_id("card-picker").get_by_role("button", name="7 of diamonds").click()
    at_line(page, "r2 c QsJh2h x x 7d")
    page.goto(f"{site.address}/study/small?line=r2+c+QsJh2h+x+x+7d+x+x+2c")
    at_line(page, "r2 c QsJh2h x x 7d x x 2c")
    expect(page.get_by_test_id("step")).to_have_count(9)
    page.go_back()
    page.go_back()
    page.go_back()
    page.go_back()
    at_line(page, "r2 c QsJh2h")
    page.go_back()
    at_line(page, "r2 c")
    expect(page.get_by_test_id("solved-flops").get_by_role("button", name="QsJh2h")).to_be_visible()
    page.get_by_test_id("flop-text").fill("QdJc2c")  # the same in other suits: at once
    at_line(page, "r2 c QdJc2c")
    page.get_by_test_id("tools").locator("summary").click()
    page.get_by_test_id("to-solve").click()
    expect(page.get_by_test_id("tab-lock")).to_be_visible()
    page.goto(site.address)
    expect(page.get_by_role("link", name="Small SBr2 BBc | QsJh2h").first).to_be_visible()


def test_a_stored_flop_is_there_at_once_and_its_turns(page: Page, site: Site) -> None:
    study(page, site, "small?line=r2+c")
    pick_flop(page, "ace of diamonds", "ten of clubs", "5 of hearts")
    at_line(page, "r2 c AdTc5h")
    study(page, site, "small?line=r2+c+AdTc5h+x+x")
    page.get_by_test_id("card-picker").get_by_role("button", name="7 of spades").click()
    at_line(page, "r2 c AdTc5h x x 7s")
    page.go_back()
    at_line(page, "r2 c AdTc5h x x")


def test_a_flop_that_is_typed_is_offered_to_be_solved(page: Page, site: Site) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{site.address}/study/small?line=c+x+9s9h2d+x")
    expect(page.get_by_test_id("next-solve")).to_be_visible()
    expect(page).to_have_url(re.compile(r"line=c\+x&next=9s9h2d"))
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    pick_flop(page, "2 of diamonds")  # not this one after all
    expect(page.get_by_test_id("next-solve")).to_have_count(0)
    page.problems.clear()  # type: ignore[attr-defined]
