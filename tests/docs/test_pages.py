"""What README.md and the pages show is what happens: code runs, commands print that."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import poker_solver as ps
from poker_solver.fullgame.shipped import shipped_games
from tests.docs.sessions import Session, blocks, differs, sessions
from tests.support.terminal import Terminal

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()
FULL_GAME = (ROOT / "docs" / "full-game.md").read_text()
PAGES = ["README.md", *(f"docs/{path.name}" for path in sorted((ROOT / "docs").glob("*.md")))]
CODE = [page for page in PAGES if blocks((ROOT / page).read_text(), "python")]
SESSIONS = [session for page in PAGES for session in sessions((ROOT / page).read_text())]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the reader of README.md is: `spot.yaml` of its session, solved to `spot.pks`."""
    made = tmp_path_factory.mktemp("session")
    (text,) = blocks(README, "yaml")
    (made / "spot.yaml").write_text(text)
    ps.solve(ps.Spot.load(made / "spot.yaml"), target_pct=0.15).save(made / "spot.pks")
    return made


@pytest.mark.parametrize("page", CODE)
def test_the_python_of_a_page_runs(page, folder, monkeypatch):
    monkeypatch.chdir(folder)
    turn = ps.named_spot("turn_example")
    names = {"ps": ps, "spot": turn, "spots": [ps.named_spot("river_example")]}
    for code in blocks((ROOT / page).read_text(), "python"):
        exec(compile(code, page, "exec"), names)


def test_the_full_games_of_their_page_are_games():
    games = [ps.UnifiedConfig.from_yaml(text) for text in blocks(FULL_GAME, "yaml")]
    assert [game.stack_bb for game in games] == [50, 20]


@pytest.mark.parametrize("name", shipped_games())
def test_the_games_that_come_solved_are_as_their_page_says(name):
    solution = ps.UnifiedSolution.load(name)
    record, proof = solution.record, solution.certificate
    (row,) = (line for line in FULL_GAME.splitlines() if line.startswith(f"| `{name}` | limp"))
    certified = "not yet"
    if proof is not None:
        flops = "all 1,755" if proof.num_flops == 1755 else proof.num_flops
        certified = f"{proof.exploitability_mbb:.2f} mbb over {flops} flops"
    assert [cell.strip() for cell in row.split("|")][4:-1] == [
        f"{record.num_flops} flops",
        f"{record.exploitability_mbb:.2f} mbb",
        certified,
        f"{1000 * solution.value_bb[1]:+.1f} mbb",
    ]


@pytest.mark.parametrize("session", SESSIONS, ids=lambda s: s.command)
def test_a_page_shows_what_a_session_prints(session: Session, folder, monkeypatch):
    if session.typed:
        monkeypatch.chdir(folder)
        with Terminal(*shlex.split(session.command), columns=100, LINES="200") as terminal:
            _type(session, terminal)
        return
    done = subprocess.run(
        [sys.executable, "-m", "poker_solver", *shlex.split(session.command)],
        capture_output=True,
        text=True,
        cwd=folder,
        env={**os.environ, "COLUMNS": "100"},
    )
    assert done.returncode == 0, done.stderr
    printed = done.stdout or done.stderr
    assert not (why := differs("\n".join(session.printed), printed)), f"{why}\n{printed}"


def _type(session: Session, terminal: Terminal) -> None:
    _must_show(session.printed, terminal.wait_for("> "))
    for line, shown in session.typed:
        _must_show(shown, terminal.ask(line, "> "))


def _must_show(shown: tuple[str, ...], printed: str) -> None:
    assert not (why := differs("\n".join(("...", *shown, "...")), printed)), why
