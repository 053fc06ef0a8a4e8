"""Practice as a person does it: by mouse, by keys, after a reload, a mistake once more."""

import re
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.web.conftest import Site


def serious(page: Page) -> list[str]:
    found = Axe().run(page).response["violations"]
    return [
        f"{one['id']}: {one['nodes'][0]['html'][:200]}"
        for one in found
        if one["impact"] in ("serious", "critical")
    ]


def begin(
    page: Page, site: Site, solution: str = "turn", line: str = "", seat: str = "both"
) -> None:
    page.goto(f"{site.address}/train")
    page.get_by_test_id("solution").select_option(solution)
    page.get_by_test_id("line").fill(line)
    page.get_by_test_id("seat").select_option(seat)
    page.get_by_test_id("start").click()
    expect(page.get_by_test_id("question")).to_be_visible()


def go_on(page: Page) -> None:
    """To the next question, over the end of a hand if it comes."""
    graded, ended = page.get_by_test_id("grade"), page.get_by_test_id("ended")
    page.keyboard.press("Enter")
    page.wait_for_function(
        "() => document.querySelector('[data-testid=ended]')"
        " || !document.querySelector('[data-testid=grade]')"
    )
    if ended.count():
        expect(ended).to_contain_text("The opponent held")
        page.keyboard.press("Enter")
    expect(graded).to_have_count(0)


def answer_first(page: Page) -> None:
    page.keyboard.press("1")
    expect(page.get_by_test_id("grade")).to_be_visible()


def test_a_hand_by_mouse_and_by_keys(page: Page, site: Site) -> None:
    begin(page, site)
    expect(page.get_by_test_id("hole").get_by_role("img")).to_have_count(2)
    expect(page.get_by_test_id("board").get_by_role("img")).to_have_count(4)
    expect(page.get_by_test_id("mix")).to_have_count(0)  # nothing is told before the answer
    page.get_by_role("group", name="Actions").get_by_role("button").first.click()
    expect(page.get_by_test_id("verdict")).to_be_visible()
    expect(page.get_by_test_id("mix")).to_contain_text("%")
    expect(page.get_by_test_id("scores")).to_contain_text("1")
    assert not serious(page)
    hand = page.get_by_test_id("hole").inner_text()
    page.reload()  # the address is the state
    expect(page.get_by_test_id("verdict")).to_be_visible()
    assert page.get_by_test_id("hole").inner_text() == hand
    for _ in range(6):
        go_on(page)
        answer_first(page)
    expect(page.get_by_test_id("study-link")).to_have_attribute("href", re.compile("/study/turn"))


def test_a_mistake_is_kept_and_repeated(page: Page, site: Site, library_folder: Path) -> None:
    begin(page, site, seat="ip")
    for _ in range(40):
        answer_first(page)
        if page.get_by_test_id("mistakes").count():
            break
        go_on(page)
    assert (library_folder / ".training.json").exists()
    page.get_by_test_id("repeat").first.click()
    expect(page.get_by_test_id("question")).to_contain_text("You have been wrong here before")
    page.get_by_role("button", name="Forget mistakes and statistics").click()
    expect(page.get_by_test_id("mistakes")).to_have_count(0)


def test_a_full_game_before_the_flop(page: Page, site: Site) -> None:
    begin(page, site, "game:hu_20", "SBr2.5", "bb")
    expect(page.get_by_test_id("board")).to_contain_text("before the flop")
    page.get_by_test_id("act-c").click()
    page.get_by_test_id("next").click()
    expect(page.get_by_test_id("ended")).to_contain_text("what follows is not played here")


def test_what_cannot_be_trained_says_why(page: Page, site: Site) -> None:
    page.goto(f"{site.address}/train?solution=game%3Ahu_20&line=SBr3")
    page.get_by_test_id("start").click()
    expect(page.get_by_test_id("problem")).to_contain_text("r3")
    page.goto(f"{site.address}/train?practice=0123")
    expect(page.get_by_role("status").filter(has_text="has ended")).to_be_visible()
    page.problems.clear()  # type: ignore[attr-defined]


@pytest.mark.parametrize("width", [390, 820, 1280])
def test_nothing_sticks_out(page: Page, site: Site, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    begin(page, site)
    answer_first(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
