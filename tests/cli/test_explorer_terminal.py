"""The whole program on a pseudo-terminal: solve, explore, leave."""

import io
from pathlib import Path

import pytest
from rich.console import Console

from poker_solver.cli.pages.explorer import InteractiveSession
from poker_solver.cli.prompt import run
from tests.support.terminal import Terminal
from tests.support.views import InventedSource

SOLVE = ("hunl", "--config", "push_fold_10", "--iterations", "300", "--device", "cpu")


def test_a_session_from_solving_to_leaving() -> None:
    with Terminal(*SOLVE) as terminal:
        first = terminal.wait_for("SB> ")
        assert "Push or fold 10BB · stack 10 bb · pot 1.5 bb · SB to act" in first
        assert "Exact: no flop is seen with chips behind." in first
        assert "\x1b[1;38;2" in terminal.raw or "\x1b[1;38;5" in terminal.raw
        hand = terminal.ask("AcKh", "SB [SB holds AcKh]> ")
        assert "AcKh (AKo), SB to act · gets here 100.0 %" in hand
        assert "fold          0.0 %     +0.000" in hand
        opponent = terminal.ask("o", "holds AcKh]> ")
        assert "BB's range, SB's opponent" in opponent
        assert "1,225 of 1,225 combos" in opponent
        assert "SB may play f, a" in terminal.ask("r3", "holds AcKh]> ")
        assert "line SBa" in terminal.ask("all-in", "BB [SB holds AcKh]> ")
        assert "All-in and called" in terminal.ask("c", "end [SB holds AcKh]> ")
        assert "line SBa " in terminal.ask("b", "BB [SB holds AcKh]> ")
        assert "(without" not in terminal.ask("-", "BB> ")
        assert "back by one action" in terminal.ask("?", "BB> ")
        terminal.type("q\n")
        assert terminal.wait_for_end() == 0
        assert "Traceback" not in terminal.text


def test_ctrl_c_drops_the_line_history_brings_it_back_and_ctrl_d_leaves() -> None:
    with Terminal(*SOLVE, NO_COLOR="1") as terminal:
        terminal.wait_for("SB> ")
        assert "\x1b[1;38" not in terminal.raw
        terminal.type("foldd")
        terminal.wait_for("foldd")
        terminal.interrupt("SB> ")
        assert "as played" in terminal.ask("77", "SB> ")
        terminal.type("\x1b[A\n")
        assert "77, SB to act" in terminal.wait_for("rake.\nSB> ")
        terminal.type("sta\t\n")
        assert "first decision" in terminal.wait_for("SB> ")
        terminal.type("\x04")
        assert terminal.wait_for_end() == 0
        assert "Traceback" not in terminal.text


def test_another_stack_is_solved_from_the_prompt() -> None:
    with Terminal(*SOLVE, "--quiet", columns=60) as terminal:
        terminal.wait_for("SB> ")
        assert "stack 8 bb" in terminal.ask("8bb SBa", "BB> ")
        assert "it is BB's turn" in terminal.ask("12bb SBa SBf", "BB> ")
        assert "stack 10 bb" in terminal.ask("10bb", "SB> ")
        terminal.type("quit\n")
        assert terminal.wait_for_end() == 0
        assert max(map(len, terminal.text.splitlines())) <= 60


def test_ctrl_c_while_solving_opens_the_explorer_with_what_there_is() -> None:
    endless = ("--iterations", "1000000000", "--device", "cpu")
    with Terminal("hunl", "--config", "push_fold_10", *endless, columns=100) as terminal:
        terminal.wait_for("exploitability")
        terminal.type("\x03")
        assert "stopped by Ctrl-C after" in terminal.wait_for("SB> ")
        terminal.type("q\n")
        assert terminal.wait_for_end() == 0


def test_what_is_said_of_a_file_stands_on_a_line_of_its_own(tmp_path: Path) -> None:
    file = tmp_path / "node.csv"
    with Terminal("explore", "hu_10", "--line", "SBr2", "--export", str(file)) as terminal:
        terminal.wait_for("node.csv")
        assert terminal.wait_for_end() == 0
        assert "\x1b[2Kwrote " in terminal.raw, "the line of waiting is taken away before"


def test_a_reply_is_laid_out_for_the_width_at_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    console = Console(file=io.StringIO(), width=100, color_system=None)
    typed = iter(["", "q"])

    def resize_and_type(prompt: str) -> str:
        console.width = 48
        return next(typed)

    monkeypatch.setattr("builtins.input", resize_and_type)
    session = InteractiveSession(InventedSource(), width=100, color=False)
    run(session, console)
    assert isinstance(console.file, io.StringIO)
    page = InteractiveSession(InventedSource(), width=48, color=False).page()
    assert console.file.getvalue().endswith(page.plain)
