"""The library as a player uses it: find, name, tag, compare, bring in, delete, and begin."""

import re
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import uvicorn
from playwright.sync_api import Page, expect

from poker_solver.web.app import create_app
from poker_solver.web.parts import ServerSettings
from tests.web.conftest import Site


def test_a_solve_is_found_named_and_tagged(page: Page, site: Site) -> None:
    page.goto(site.address)
    rows = page.get_by_test_id("entry")
    expect(rows.filter(has_text="shipped").first).to_be_visible()
    page.get_by_test_id("board-filter").fill("K 2d")
    expect(rows).to_have_count(1)
    rows.get_by_test_id("edit").click()
    expect(page.get_by_test_id("edit-name")).to_be_focused()
    page.get_by_test_id("edit-name").fill("Dry king")
    page.get_by_test_id("edit-tags").fill("dry, srp")
    page.get_by_test_id("edit-save").click()
    expect(rows).to_contain_text("Dry king")
    page.get_by_test_id("board-filter").fill("")
    page.get_by_test_id("tag-filter").select_option("dry")
    expect(page).to_have_url(re.compile("tag=dry"))
    expect(rows).to_have_count(1)
    page.reload()
    expect(rows).to_have_count(1)
    expect(rows.get_by_test_id("study")).to_have_attribute("href", "/study/flop")
    expect(rows.get_by_test_id("build-from")).to_have_attribute("href", "/build?from=flop")
    page.get_by_test_id("search").fill("nobody has this")
    expect(page.get_by_test_id("nothing")).to_be_visible()


def test_two_are_compared_and_columns_are_sorted(page: Page, site: Site) -> None:
    page.goto(site.address)
    page.get_by_test_id("kind-filter").select_option("spot")
    rows = page.get_by_test_id("entry")
    page.get_by_role("button", name="Size").click()
    head = page.get_by_role("columnheader", name="Size")
    expect(head).to_have_attribute("aria-sort", "ascending")
    first = rows.first.inner_text()
    page.get_by_role("button", name="Size").click()
    expect(head).to_have_attribute("aria-sort", "descending")
    expect(rows.first).not_to_have_text(first)
    for row in (0, 1):
        rows.nth(row).get_by_role("checkbox").check()
    expect(page.get_by_test_id("compare")).to_have_attribute("href", re.compile(r"a=.+&b=.+"))


def test_files_come_in_go_out_and_are_deleted(
    page: Page, site: Site, solved: Path, tmp_path: Path
) -> None:
    page.goto(site.address)
    rows = page.get_by_test_id("entry")
    expect(rows.first).to_be_visible()
    before = rows.count()
    page.get_by_test_id("import").set_input_files(
        {"name": "brought.pks", "mimeType": "", "buffer": (solved / "turn.pks").read_bytes()}
    )
    expect(rows).to_have_count(before + 1)
    with page.expect_download() as got:
        page.get_by_label(re.compile("Download Td9d6hQc")).first.click()
    got.value.save_as(tmp_path / "out.pks")
    assert (tmp_path / "out.pks").read_bytes() == (solved / "turn.pks").read_bytes()

    page.get_by_test_id("import").set_input_files(
        {"name": "torn.pks", "mimeType": "", "buffer": b"not a save"}
    )
    expect(page.locator(".notice.error")).to_contain_text("torn.pks")
    page.problems.clear()  # type: ignore[attr-defined]

    row = rows.filter(has=page.locator("a[href='/study/brought']"))
    row.get_by_test_id("delete").click()
    page.get_by_test_id("confirm").get_by_text("Cancel").click()
    expect(row).to_have_count(1)
    row.get_by_test_id("delete").click()
    page.get_by_test_id("confirm-yes").click()
    expect(row).to_have_count(0)
    assert not (site.folder / "brought.pks").exists()


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[str]:
    """A server over a library in which nothing was solved."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        port = listening.getsockname()[1]
        config = uvicorn.Config(
            create_app(ServerSettings(tmp_path, port=port)),
            log_level="warning", timeout_graceful_shutdown=1,
        )  # fmt: skip
        server = uvicorn.Server(config)
        running = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        running.start()
        yield f"http://127.0.0.1:{port}"
        server.should_exit = True
        running.join()


def test_the_first_visit_solves_an_example(page: Page, empty: str) -> None:
    page.goto(empty)
    page.get_by_test_id("solve-example").click()
    expect(page).to_have_url(re.compile("/jobs/"))
    expect(page.get_by_test_id("open")).to_be_visible(timeout=60_000)
    page.get_by_role("link", name="Library", exact=True).click()
    expect(page.get_by_test_id("entry").first).to_contain_text("An example turn")
    expect(page.get_by_test_id("first")).to_have_count(0)
