"""The words of the explorer of a solved spot."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from poker_solver.cfr.options import SolveOptions
from poker_solver.config.locks import Lock, parse_lock
from poker_solver.errors import InputError
from poker_solver.explore.input import COMMANDS, Grammar
from poker_solver.explore.session import Explored
from poker_solver.postflop.solution.solution import Solution
from poker_solver.query.compare import Comparison, compare
from poker_solver.query.exploit import ExploitView, exploit_view
from poker_solver.query.node import NodeView
from poker_solver.query.runouts import CardReport, runouts
from poker_solver.query.view import node_view
from poker_solver.store.files import file_size
from poker_solver.terminal import figures

LEAST_TARGET_PCT = 0.1
"""What a spot is solved to again, % of its pot, at the most exact."""


class ExploredSpot(Explored):
    """A solved spot."""

    name = "postflop"
    solution: Solution
    grammar = Grammar(
        {
            **COMMANDS,
            "oop": "oop", "ip": "ip",
            "s": "strategy", "strategy": "strategy", "ev": "ev", "eq": "equity", "equity": "equity",
            "made": "made", "m": "made", "draws": "draws", "draw": "draws", "d": "draws",
            "runouts": "runouts", "r": "runouts", "map": "map", "has": "has",
            "lock": "lock", "unlock": "unlock", "exploit": "exploit",
            "compare": "compare",
        },
        "",
        "an action (x, b94), nor a card (7d), nor a hand (AKs, AhKh), nor a command (b, ev, made)",
    )  # fmt: skip

    def __init__(self, solution: Solution) -> None:
        self.solution = solution

    def view(self, history: Sequence[str]) -> NodeView:
        """The node a line leads to."""
        return node_view(self.solution, history)

    def runouts(self, line: str) -> CardReport:
        """Every card that can fall at the star of a line, or at its end."""
        return runouts(self.solution, line)

    def save(self, path: Path) -> str:
        """Write the solution; what to say of it."""
        self.solution.save(path)
        what = "" if self.solution.keeps_rivers else ": flop and turn, without rivers"
        return f"wrote {path}, {file_size(path)}{what}"

    def compare(self, path: Path, view: NodeView) -> Comparison:
        """A node beside the same one of the solution in a file."""
        return compare(self.solution, Solution.load(path), view.history)

    def exploit(self, player: str) -> ExploitView:
        """What the best response of `oop` or `ip` gains."""
        from poker_solver.postflop.solve.exploit import max_exploit  # a compiler

        return exploit_view(max_exploit(self.solution, player), self.solution)

    def relock(self, line: str, mix: str) -> "tuple[ExploredSpot, str]":
        """Solved again with this mix at a line; with none, without the locks there."""
        from poker_solver.postflop.solve.solver import solve_spot  # a compiler

        spot = self.solution.spot
        kept = [lock for lock in spot.locks if lock.line != line]
        if not mix and len(kept) == len(spot.locks):
            raise InputError("nothing is locked here")
        wanted = [parse_lock(f"{line}={mix}")] if mix else []
        locks: list[Mapping[str, Any] | Lock] = [*(spot.locks if mix else kept), *wanted]
        target = max(self.solution.exploitability_pct, LEAST_TARGET_PCT)
        options = SolveOptions(target=target, progress=True)
        solved = ExploredSpot(solve_spot(spot.with_locks(locks), options))
        if solved.solution.record.stopped == "interrupted":
            raise KeyboardInterrupt
        big, evs = spot.betting.big_blind, solved.solution.record.ev_chips
        oop, ip = (f"{ev:,.1f}" if big is None else f"{ev / big:.3f} bb" for ev in evs)
        gap = figures(solved.solution.exploitability_pct, 2)
        return solved, f"solved again to {gap} % of the pot: EV {oop} for OOP, {ip} for IP"
