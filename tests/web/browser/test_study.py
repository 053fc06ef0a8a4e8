"""The study page, walked through as a person would."""

import csv
import io
import re
from pathlib import Path

from playwright.sync_api import Page, expect

from poker_solver.cards import HAND_NAMES
from poker_solver.postflop.solution.solution import Solution
from poker_solver.query.view import node_view
from tests.web.conftest import Site


def study(page: Page, site: Site, rest: str) -> None:
    page.goto(f"{site.address}/study/{rest}")
    expect(page.get_by_test_id("breadcrumb")).to_be_visible()


def at_line(page: Page, line: str) -> None:
    """Both the address and what is drawn say where we are."""
    wanted = re.escape(line.replace(" ", "+"))
    end = r"(?:[&].*)?$"
    expect(page).to_have_url(re.compile((rf"\?line={wanted}" if line else r"/study/[^?]*") + end))
    expect(page.locator("[data-line]")).to_have_attribute("data-line", line)


def test_a_line_is_walked_by_clicks_and_back_by_the_browser(page: Page, site: Site) -> None:
    study(page, site, "turn")
    expect(page.get_by_test_id("exploitability")).to_contain_text("% of the starting pot")
    page.get_by_role("link", name="check", exact=False).first.click()
    at_line(page, "x")
    page.get_by_test_id("actions").get_by_role("link", name="bet 100 (50 %)").click()
    at_line(page, "x b100")
    expect(page.get_by_test_id("reached")).to_contain_text(re.compile("%|1 in"))
    page.reload()
    at_line(page, "x b100")
    page.go_back()
    at_line(page, "x")
    page.go_back()
    at_line(page, "")


def test_a_step_shows_what_else_could_have_been_played(page: Page, site: Site) -> None:
    study(page, site, "turn?line=x+b100")
    page.get_by_role("button", name="What else than bet 100 (50 %)").click()
    menu = page.get_by_test_id("siblings")
    expect(menu.get_by_role("link")).to_have_count(2)
    expect(menu).to_contain_text(re.compile(r"check\s*\d+\.\d %"))
    page.keyboard.press("Escape")
    expect(menu).to_be_hidden()
    page.get_by_role("button", name="What else than bet 100 (50 %)").click()
    menu.get_by_role("link", name="check").click()
    at_line(page, "x x")


def test_a_card_is_picked_and_changed(page: Page, site: Site) -> None:
    study(page, site, "turn?line=x+x")
    picker = page.get_by_test_id("card-picker")
    expect(picker.get_by_role("button", name="queen of clubs")).to_be_disabled()
    picker.get_by_role("button", name="seven of spades").or_(
        picker.get_by_role("button", name="7 of spades")
    ).click()
    at_line(page, "x x 7s")
    page.keyboard.press("1")
    at_line(page, "x x 7s x")
    page.get_by_role("button", name="Another card than 7s").click()
    page.get_by_test_id("siblings").get_by_role("button", name="ace of hearts").click()
    at_line(page, "x x Ah x")


def test_the_keys_walk_the_line(page: Page, site: Site) -> None:
    study(page, site, "turn")
    for key, line in [
        ("1", "x"), ("2", "x b100"), ("ArrowLeft", "x x"), ("ArrowRight", "x b100"),
        ("ArrowUp", "x"), ("Backspace", ""),
    ]:  # fmt: skip
        page.keyboard.press(key)
        at_line(page, line)
    page.keyboard.press("?")
    expect(page.get_by_test_id("help")).to_contain_text("one step back")
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("help")).to_be_hidden()
    page.keyboard.press("v")
    expect(page).to_have_url(re.compile("view=both"))
    expect(page.get_by_test_id("fill")).to_be_visible()  # cells are still filled by weight
    page.keyboard.press("v")
    expect(page).to_have_url(re.compile("view=ev"))
    page.keyboard.press("p")
    expect(page).to_have_url(re.compile("player=ip"))


def test_a_line_is_typed(page: Page, site: Site) -> None:
    study(page, site, "turn")
    page.keyboard.press("/")
    box = page.get_by_test_id("line-text")
    box.fill("x b33 1")
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("line-box").get_by_role("alert")).to_contain_text("b33")
    box.fill("x b50% c 7d")
    page.keyboard.press("Enter")
    at_line(page, "x b100 c 7d")
    page.problems.clear()  # type: ignore[attr-defined]


def test_a_class_opens_into_combos_with_their_evs(page: Page, site: Site) -> None:
    view = node_view(Solution.load(site.folder / "turn.pks"), "")
    study(page, site, "turn")
    matrix = page.get_by_test_id("matrix-0")
    matrix.focus()
    for key in ("ArrowDown", "ArrowDown", "ArrowRight", "ArrowRight"):
        page.keyboard.press(key)
    expect(matrix.get_by_role("gridcell")).to_contain_text(re.compile(r"OOP QQ: 3 combos, bet 100"))
    page.keyboard.press("Enter")
    hands = page.get_by_test_id("hands")
    expect(hands).to_contain_text("OOP QQ")
    expect(hands.locator("tbody tr")).to_have_count(3)
    hands.get_by_role("button").filter(has_text="Q♠").filter(has_text="Q♥").hover()
    one = next(hand for hand in view.combos if hand.name == "QsQh")
    told = page.get_by_test_id("one-hand")
    for part, ev in zip(one.mix.frequency, one.ev_actions_chips, strict=True):
        expect(told).to_contain_text(f"{100 * part:.1f} %")
        expect(told).to_contain_text(f"{round(ev, 1):,g}")
    page.keyboard.press("Escape")
    page.mouse.move(0, 0)
    expect(hands).to_contain_text("OOP: all hands")


def test_views_have_numbers_and_a_legend(page: Page, site: Site) -> None:
    study(page, site, "turn?line=x")
    scales = {
        "ev": "EV from", "equity": "Equity from 0 % to 100 %",
        "eqr": "EQR from 40 % to 160 %", "reach": "Reach from 0 % to 100 %",
    }  # fmt: skip
    for view, told in scales.items():
        page.get_by_test_id(f"view-{view}").click()
        expect(page.get_by_role("img", name=told)).to_be_visible()
        expect(page).to_have_url(re.compile(f"view={view}"))


def test_cells_are_as_high_as_asked(page: Page, site: Site) -> None:
    study(page, site, "example:3bet-pot?line=x+b743")
    drawn = page.get_by_test_id("matrix-0").locator("canvas")
    seen = {drawn.evaluate("canvas => canvas.toDataURL()")}
    for fill in ("relative", "full"):
        page.get_by_test_id("fill").click()
        expect(page.get_by_test_id("fill")).to_have_text(f"Height: {fill}")
        expect(page).to_have_url(re.compile(f"fill={fill}"))
        seen.add(drawn.evaluate("canvas => canvas.toDataURL()"))
    assert len(seen) == 3
    page.keyboard.press("h")
    expect(page.get_by_test_id("fill")).to_have_text("Height: weight")


def test_filters_act_on_everything_and_stay_in_the_address(page: Page, site: Site) -> None:
    study(page, site, "turn?line=x")
    combos = page.get_by_test_id("player-1").locator("dd").nth(3)
    whole = combos.inner_text()
    page.get_by_test_id("filter-open").click()
    panel = page.get_by_test_id("filter-panel")
    panel.get_by_role("button", name="top pair").click()
    panel.get_by_role("button", name="ace of hearts").click()
    panel.get_by_role("button", name="Done").click()
    expect(page.get_by_test_id("chip")).to_have_text(["top pair×", "has Ah×"])
    expect(page).to_have_url(re.compile(r"filter=made\+top\+pair\+has\+Ah"))
    expect(combos).not_to_have_text(whole)
    page.reload()
    expect(page.get_by_test_id("chip")).to_have_count(2)
    page.get_by_role("button", name="Remove has Ah").click()
    expect(page.get_by_test_id("chip")).to_have_count(1)
    page.get_by_test_id("tab-groups").click()
    expect(page.get_by_test_id("groups").locator("tbody").first).to_have_text(
        re.compile("^top pair")
    )
    page.get_by_test_id("filter-clear").click()
    expect(combos).to_have_text(whole)
    page.get_by_test_id("groups").get_by_role("button", name="set").click()
    expect(page.get_by_test_id("chip")).to_have_text("set×")


def test_every_kind_of_hand_and_draw_can_be_picked(page: Page, site: Site) -> None:
    study(page, site, "turn?line=x")
    page.get_by_test_id("filter-open").click()
    kinds = page.get_by_test_id("filter-panel").locator("fieldset:nth-of-type(-n+2) button")
    names = kinds.all_inner_texts()
    assert {"flush draw", "no draw"} <= {*names}
    for kind in kinds.all():
        kind.click()
        expect(kind).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_test_id("chip")).to_have_text([f"{name}×" for name in names])
    page.reload()
    expect(page.get_by_test_id("chip")).to_have_text([f"{name}×" for name in names])


def test_groups_fit_their_panel(page: Page, site: Site) -> None:
    study(page, site, "example:3bet-pot?tab=groups")
    expect(page.get_by_test_id("groups")).to_contain_text("flush and straight draw")
    wide, seen = page.locator("#tab-panel").evaluate("one => [one.scrollWidth, one.clientWidth]")
    assert wide <= seen


def test_runouts_are_a_map_to_go_by(page: Page, site: Site) -> None:
    study(page, site, "turn?line=x+x+7s&tab=runouts")
    panel = page.get_by_test_id("runouts")
    expect(panel.get_by_label("Line")).to_have_value("x x *")
    expect(panel.locator("button.map-cell")).to_have_count(48)
    expect(panel.get_by_test_id("runouts-number")).to_contain_text("OOP bets or raises")
    page.get_by_test_id("runouts-what").select_option("ev-1")
    expect(panel.get_by_role("group", name="IP: EV on every card")).to_be_visible()
    expect(panel).to_contain_text("By kind of card")
    panel.get_by_role("button", name="ace of hearts").click()
    at_line(page, "x x Ah")


def test_graphs_say_what_they_show(page: Page, site: Site) -> None:
    study(page, site, "turn?line=x&tab=graphs")
    graphs = page.get_by_test_id("graphs")
    for name in ("Equity. Hands from the worst", "EV by hand.", "Convergence. Exploitability from"):
        expect(graphs.get_by_role("img", name=name)).to_be_visible()
    assert graphs.locator("path.graph-curve").count() == 5


def test_a_game_is_walked_to_a_flop_and_taken_to_the_builder(page: Page, site: Site) -> None:
    study(page, site, "game:hu_20")
    expect(page.get_by_test_id("exploitability")).to_contain_text("certified over all 1,755 flops")
    page.get_by_role("link", name="raise 2.5").click()
    at_line(page, "r2.5")
    page.get_by_role("link", name="call").click()
    at_line(page, "r2.5 c")
    page.get_by_test_id("flop-text").fill("Qsjh")
    page.get_by_test_id("flop-chooser").get_by_role("button", name="2 of hearts").click()
    expect(page.get_by_test_id("next-solve")).to_be_visible()
    page.get_by_role("link", name="take these ranges to the builder").click()
    expect(page).to_have_url(re.compile(r"/build\?from=game%3Ahu_20&line=r2\.5\+c&board=QsJh2h"))


def test_what_a_node_has_is_taken_along(page: Page, site: Site) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    study(page, site, "turn?line=x")
    page.get_by_test_id("tools").locator("summary").click()
    with page.expect_download() as saved:
        page.get_by_role("link", name="Hands as CSV").click()
    rows = list(csv.DictReader(io.StringIO(Path(saved.value.path()).read_text())))
    assert {row["player"] for row in rows} == {"ip"}
    page.get_by_test_id("tools").locator("summary").click()
    with page.expect_download() as saved:
        page.get_by_test_id("png").click()
    assert Path(saved.value.path()).read_bytes().startswith(b"\x89PNG")
    page.get_by_test_id("tools").locator("summary").click()
    page.get_by_role("button", name="Copy OOP's range").click()
    expect(page.get_by_text("OOP's range is in the clipboard.")).to_be_visible()
    assert "KdJd" in page.evaluate("navigator.clipboard.readText()")


def test_colours_are_chosen(page: Page, site: Site) -> None:
    study(page, site, "turn?line=x+b100")
    swatch = page.get_by_test_id("action").first.locator(".swatch")
    before = swatch.evaluate("one => getComputedStyle(one).backgroundColor")
    page.get_by_test_id("tools").locator("summary").click()
    page.get_by_test_id("palette").select_option("colour-blind")
    expect(swatch).not_to_have_css("background-color", before)
    page.get_by_test_id("palette").select_option("standard")
    expect(swatch).to_have_css("background-color", before)


def test_where_hardly_anybody_gets_is_said(page: Page, site: Site) -> None:
    assert node_view(Solution.load(site.folder / "turn.pks"), "x").rare
    study(page, site, "turn?line=x")
    expect(page.get_by_test_id("warning")).to_contain_text("Hardly anybody gets here")
    expect(page.get_by_test_id("player-0")).to_contain_text(re.compile(r"EV\s*[\d.]+\?"))


def test_what_is_wrong_is_said_with_a_way_back(page: Page, site: Site) -> None:
    page.goto(f"{site.address}/study/nothing")
    expect(page.get_by_test_id("problem")).to_contain_text("there is no solve 'nothing'")
    page.goto(f"{site.address}/study/turn?line=x+b33")
    expect(page.get_by_test_id("problem")).to_contain_text("b33")
    page.get_by_role("link", name="First decision").click()
    at_line(page, "")
    page.problems.clear()  # type: ignore[attr-defined]


def test_a_phone_shows_one_player_at_a_time(page: Page, site: Site) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    study(page, site, "turn?line=x")
    expect(page.get_by_test_id("matrix-1")).to_be_visible()
    expect(page.get_by_test_id("matrix-0")).to_be_hidden()
    page.get_by_role("group", name="Player").get_by_role("button", name="OOP").click()
    expect(page.get_by_test_id("matrix-0")).to_be_visible()
    expect(page.get_by_test_id("matrix-1")).to_be_hidden()


def test_cells_are_in_the_servers_order(page: Page, site: Site) -> None:
    study(page, site, "turn?line=x")
    names = page.evaluate(
        """async () => (await import("/static/js/components/matrix.js")).CLASSES"""
    )
    assert tuple(names) == tuple(HAND_NAMES)
