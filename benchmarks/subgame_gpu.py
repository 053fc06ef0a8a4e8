"""Searches on a CUDA GPU: whole flops, turns, and a thousand rivers at a time.

    python -m benchmarks subgame_gpu       the table of a GPU
    python -m benchmarks.subgame_gpu cpu   turns and some rivers on the CPU: does it still run?

Games are those that a search meets: whole ranges as `hu_20` leads to them, from its own tree. A
time is from the ranges as arrays to the strategy in the host's memory, the quickest of three after
one that compiles; the part of it that iterates and measures stands beside it.
"""

import sys
from collections.abc import Iterator
from random import Random
from time import perf_counter
from typing import cast

import torch

from benchmarks.rows import Row
from benchmarks.subgame import FLOPS, TURNS, street_game
from poker_solver.cards import cards_to_string
from poker_solver.cfr.options import SolveOptions
from poker_solver.config.spot import Spot
from poker_solver.errors import SpotError
from poker_solver.postflop.game import PostflopGame
from poker_solver.postflop.many.scheduler import solve_each
from poker_solver.postflop.solve.solver import solve_spot
from poker_solver.subgame.solver import SubgameSolver
from poker_solver.subgame.stored import load_stored

GAME = "hu_20"
TARGET_PCT = 0.5
WANTED = {"flop": "under 500", "turn": "under 50"}


def run() -> Iterator[Row]:
    """Everything on the GPU; nothing without one."""
    if torch.cuda.is_available():
        yield from searches("cuda", FLOPS, "flop")
        yield from searches("cuda", TURNS, "turn")
        yield from rivers("cuda", 1000)


def searches(device: str, lines: list[str], street: str) -> Iterator[Row]:
    """Each line's last street to its target."""
    solver = SubgameSolver(load_stored(GAME))
    how = SolveOptions(target=TARGET_PCT, device=device)
    for line in lines:
        _, game = street_game(solver, line)
        times = []
        for _ in range(4):
            began = perf_counter()
            found = solve_spot(game, how)
            times.append(
                (perf_counter() - began, found.record.solve_seconds, found.record.iterations)
            )
        whole, iterating, iterations = min(times[1:])
        label = f"{line} to {TARGET_PCT} %, {device}"
        yield Row(label, 1e3 * whole, "ms", WANTED[street])
        yield Row(f"{label}: iterating and measuring", 1e3 * iterating, "ms")
        yield Row(f"{label}: iterations", iterations, "iterations")
        yield Row(f"{label}: left", found.exploitability_pct, "% of pot")


def rivers(device: str, count: int) -> Iterator[Row]:
    """So many rivers, each with its own board and so its own ranges, solved together."""
    games = river_games(count)
    how = SolveOptions(target=TARGET_PCT, device=device)
    for some in (games[:20], games):  # the first ones compile
        began = perf_counter()
        left = [pct for _, pct in solve_each(some, _left, how)]
        seconds = perf_counter() - began
    label = f"{len(games):,} rivers to {TARGET_PCT} %, {device}"
    yield Row(label, len(games) / seconds, "rivers/s", "at least 1,000")
    yield Row(f"{label}: the worst", max(pct for pct in left if isinstance(pct, float)), "% of pot")
    yield Row(f"{label}: not solved", sum(isinstance(pct, SpotError) for pct in left), "rivers")


def _left(_: int, found: object) -> float:
    return float(found.exploitability_pct)  # type: ignore[attr-defined]


def river_games(count: int) -> list[Spot]:
    """Checked down to random rivers after a raise and a call."""
    solver, draw = SubgameSolver(load_stored(GAME)), Random(1)
    found: dict[str, PostflopGame] = {}
    while len(found) < count:
        cards = draw.sample(range(52), 5)
        flop, turn, river = (cards_to_string(part) for part in (cards[:3], cards[3:4], cards[4:]))
        line = f"SBr2.5 BBc | {flop} x x {turn} x x {river}"
        found[line] = street_game(solver, line)[1]
    return cast("list[Spot]", list(found.values()))  # engines take games as they take spots


def main() -> None:
    """A dry run on another device."""
    device = sys.argv[1] if len(sys.argv) > 1 else "cpu"
    for rows in (searches(device, TURNS[:1], "turn"), rivers(device, 40)):
        for row in rows:
            print(f"{row.case:<72}{row.value:>12,.4g} {row.unit}", flush=True)


if __name__ == "__main__":
    main()
