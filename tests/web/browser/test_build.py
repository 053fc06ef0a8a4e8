"""Building a spot as a player does: paint, paste, pick, type, look at the tree, solve, go on."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import Site


def yaml_of(page: Page) -> str:
    return page.get_by_test_id("yaml").input_value()


def has_yaml(page: Page, text: str) -> None:
    expect(page.get_by_test_id("yaml")).to_have_value(re.compile(re.escape(text)))


@pytest.fixture
def build(page: Page, site: Site) -> Page:
    page.goto(f"{site.address}/build?spot=turn_example")
    expect(page.get_by_test_id("tree-memory")).to_contain_text("MB")
    return page


def test_a_range_is_painted_pasted_weighed_and_named(build: Page) -> None:
    oop = build.get_by_test_id("range-oop")
    oop.get_by_test_id("clear-range").click()
    expect(oop.get_by_test_id("range-read")).to_contain_text("0 combos")
    grid = build.get_by_test_id("paint-oop")
    grid.locator("[data-hand=AA]").hover()
    build.mouse.down()
    for hand in ("AKs", "AQs", "AJs"):
        grid.locator(f"[data-hand={hand}]").hover()
    build.mouse.up()
    has_yaml(build, "range: AA,AJs+\n")
    expect(oop.get_by_test_id("range-read")).to_contain_text("18 combos")

    oop.get_by_label("Weight 50 %").click()
    grid.locator("[data-hand=KK]").click()
    has_yaml(build, "range: AA,KK:0.5,AJs+\n")
    grid.locator("[data-hand=KK]").click()  # a second time takes it away again
    has_yaml(build, "range: AA,AJs+\n")

    grid.locator("[data-hand=AA]").focus()
    for key in ("ArrowRight", "ArrowRight", "Space"):
        build.keyboard.press(key)
    has_yaml(build, "range: AA,AKs,AQs:0.5,AJs\n")
    suits = oop.get_by_test_id("suits")
    expect(suits).to_have_attribute("aria-label", "Suits of AQs")
    suits.get_by_label("ace of hearts and queen of hearts").click()
    expect(build.get_by_test_id("text-oop")).to_have_value("AA,AKs,AsQs:0.5,AdQd:0.5,AcQc:0.5,AJs")

    build.get_by_test_id("text-oop").fill("QQ+, [50]AKs,AQs[/50]; A5s-A2s@25, 10♠9♠")
    expect(oop.get_by_test_id("range-read")).to_contain_text("27 combos · 2.0 %")
    expect(grid.locator("[data-hand=A5s]")).to_have_attribute("aria-label", "A5s 25 %")
    build.get_by_test_id("text-oop").fill("QQ+, AKz")
    expect(oop).to_contain_text("range token 'AKz'")

    build.get_by_test_id("text-oop").fill("QQ+,AK")
    oop.get_by_test_id("save-range").click()
    build.get_by_test_id("ask-text").fill("tight")
    build.get_by_test_id("ask-yes").click()
    build.get_by_test_id("range-ip").get_by_test_id("named").select_option("tight")
    expect(build.get_by_test_id("text-ip")).to_have_value("QQ+,AK")


def test_form_and_yaml_are_one_spot(build: Page) -> None:
    build.get_by_test_id("field-pot").fill("240")
    has_yaml(build, "pot: 240\n")
    build.get_by_test_id("unit-bb").click()
    has_yaml(build, "pot: 2.4bb\n")
    expect(build.get_by_test_id("field-stack")).to_have_value("9bb")

    yaml = build.get_by_test_id("yaml")
    yaml.fill(yaml_of(build).replace("stack: 9bb", "stack: 12bb"))
    expect(build.get_by_test_id("field-stack")).to_have_value("12bb")
    yaml.fill(yaml_of(build).replace("stack: 12bb", "stack: -1").replace("Td9d6hQc", "Td9dTd"))
    problems = build.get_by_test_id("problems")
    expect(problems).to_contain_text("stack")
    expect(problems).to_contain_text("board")
    expect(build.get_by_test_id("solve")).to_be_disabled()
    build.get_by_test_id("field-stack").fill("10bb")
    build.get_by_test_id("board").fill("")
    for card in ("ten of diamonds", "nine of diamonds", "six of hearts", "queen of clubs"):
        build.get_by_test_id("board-cards").get_by_label(
            card.replace("nine", "9").replace("six", "6")
        ).click()
    has_yaml(build, "board: Td9d6hQc\n")
    expect(build.get_by_test_id("solve")).to_be_enabled()
    build.reload()  # what was written is still there
    expect(build.get_by_test_id("field-stack")).to_have_value("10bb")


def test_sizes_are_typed_taken_from_presets_and_given_to_lines(build: Page) -> None:
    build.get_by_test_id("field-oop.turn.bet").fill("50")
    expect(build.get_by_test_id("sizes")).to_contain_text("size '50' is not a size")
    build.get_by_test_id("preset-oop.turn").select_option(label="33 / 75")
    has_yaml(build, "turn: {bet: '33%,75%', raise: 60%}")
    build.get_by_test_id("field-oop.river.donk").fill("none")
    has_yaml(build, "donk: ''")
    before = build.get_by_test_id("tree-memory").inner_text()

    build.get_by_test_id("lines").locator("summary").click()
    build.get_by_test_id("add-line").click()
    build.get_by_test_id("field-overrides[0].at").fill("x b99%")
    build.get_by_test_id("field-overrides[0].add").fill("5x")
    expect(build.get_by_test_id("lines")).to_contain_text("is no line of this tree")
    expect(build.get_by_test_id("solve")).to_be_disabled()
    build.get_by_test_id("field-overrides[0].at").fill("x b60%")
    has_yaml(build, "overrides:\n- {at: x b60%, add: 5x}")
    expect(build.get_by_test_id("outline")).to_contain_text("raise 600 (109 %)")
    expect(build.get_by_test_id("tree-memory")).not_to_have_text(before)


def test_a_solve_is_watched_stopped_and_gone_on_with(build: Page) -> None:
    build.get_by_test_id("text-oop").fill("QQ+,AK,KQs")
    build.get_by_test_id("text-ip").fill("TT+,AQ+")
    build.get_by_test_id("target").fill("0.000001")
    build.get_by_test_id("name").fill("Tight turn")
    build.get_by_test_id("tags").fill("test, turn")
    build.get_by_test_id("rivers").select_option("keep")
    build.get_by_test_id("solve").click()
    expect(build).to_have_url(re.compile("/jobs/"))
    job = build.request.get(build.url.replace("/jobs/", "/api/jobs/")).json()
    assert job["wanted"]["rivers"] is True
    expect(build.get_by_test_id("exploitability")).to_contain_text("%", timeout=30_000)
    expect(build.get_by_test_id("status")).to_have_text("running")
    build.get_by_test_id("stop").click()
    expect(build.get_by_test_id("status")).to_have_text("stopped")
    assert "Exploitability" in (
        build.get_by_test_id("curve").locator("svg").get_attribute("aria-label") or ""
    )
    first = build.get_by_test_id("iteration").inner_text()
    build.get_by_test_id("go-on-target").fill("99")
    build.get_by_test_id("go-on-yes").click()
    expect(build.get_by_test_id("status")).to_have_text("done", timeout=30_000)
    expect(build.get_by_test_id("iteration")).not_to_have_text(first)
    build.get_by_role("link", name="All jobs").click()
    expect(build.get_by_test_id("jobs")).to_contain_text("Tight turn")
    build.get_by_role("link", name="Open Tight turn").click()
    expect(build).to_have_url(re.compile("/study/Tight-turn"))


def test_a_spot_is_built_from_a_solution(page: Page, site: Site) -> None:
    page.goto(f"{site.address}/build?from=turn&line=x%20x%202c")
    expect(page.get_by_test_id("board")).to_have_value("Td9d6hQc2c")
    expect(page.get_by_test_id("field-oop.river.bet")).to_have_value("50%")
    expect(page.get_by_test_id("field-oop.turn.bet")).to_have_count(0)
    page.goto(f"{site.address}/build?from=game:hu_20&line=SBr2.5%20BBc&board=Ks7h2d")
    expect(page.get_by_test_id("board")).to_have_value("Ks7h2d")
    assert "No flop yet" not in yaml_of(page)
    expect(page.get_by_test_id("solve")).to_be_enabled()


def test_half_written_yaml_leaves_the_form_whole(build: Page) -> None:
    whole, yaml = yaml_of(build), build.get_by_test_id("yaml")
    for text in (
        "oop: 5",
        "overrides: [null, 3]",
        "locks: [null]",
        "rake: 5\nlines: x",
        "board: [",
    ):
        yaml.fill(text)
        expect(build.get_by_test_id("problems").locator("li").first).to_be_visible()
        expect(build.get_by_test_id("board")).to_be_visible()
    yaml.fill(whole)
    expect(build.get_by_test_id("solve")).to_be_enabled()
