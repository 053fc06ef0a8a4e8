"""Searches on a CUDA GPU: whole flops, turns, and a thousand rivers at a time.

    python -m benchmarks subgame_gpu       the table of a GPU
    python -m benchmarks.subgame_gpu cpu   turns and some rivers on the CPU: does it still run?

Games are those that a search meets: whole ranges as `hu_20` leads to them, from its own tree, as
they are and behind a gadget. The time of a search is from the ranges as arrays to the answer as
the cache keeps it, the quickest of five after one that compiles; its parts are those of another
five. What `warm_up` takes stands before them: kernels are compiled there once for a machine.
"""

import sys
import traceback
from collections.abc import Callable, Iterator
from functools import partial
from random import Random
from time import perf_counter
from typing import cast

import numpy as np
import torch

from benchmarks.rows import Row, once, seconds
from benchmarks.subgame import FLOPS, TURNS, street_game
from poker_solver.cards import NUM_COMBOS, cards_to_string
from poker_solver.cfr.options import SolveOptions
from poker_solver.config.spot import Spot
from poker_solver.kernels.postflop import MEAN
from poker_solver.postflop.game import PostflopGame
from poker_solver.postflop.many.scheduler import solve_each
from poker_solver.postflop.solution.solution import Solution, SolveRecord
from poker_solver.subgame.config import SubgameConfig
from poker_solver.subgame.result import StreetResult
from poker_solver.subgame.search import Budget, Searcher, Take, read_street
from poker_solver.subgame.solver import SubgameSolver
from poker_solver.subgame.stored import games_of_lines, load_stored

GAME = "hu_20"
TARGET_PCT = 0.5
WANTED = {"flop": "under 500", "turn": "under 50"}
PLENTY = 60.0
"""Seconds that a search may take: it stops at its target."""
PARTS = ("laying out", "opening the engine", "iterating and measuring", "reading")
REPEATS = 5


def run() -> Iterator[Row]:
    """Everything on the GPU; nothing without one."""
    if torch.cuda.is_available():
        yield from each_part(
            partial(searches, "cuda", TURNS, "turn"),
            partial(searches, "cuda", FLOPS, "flop"),
            partial(rivers, "cuda", 1000),
        )


def each_part(*parts: Callable[[], Iterator[Row]]) -> Iterator[Row]:
    """The rows of all parts; one that fails is shown and the others go on."""
    for part in parts:
        try:
            yield from part()
        except Exception:
            traceback.print_exc()


def searches(device: str, lines: list[str], street: str) -> Iterator[Row]:
    """Each line's last street to its target, as it is and behind a gadget."""
    solver = SubgameSolver(load_stored(GAME))
    config = SubgameConfig(device=device, target_pct=TARGET_PCT, time_budget_ms=1e3 * PLENTY)
    searcher = Searcher(config)
    games = [street_game(solver, line)[1] for line in lines]
    began = perf_counter()
    searcher.warm_up(games_of_lines(solver.stored.solution))
    yield Row(f"{street}: warming up, {device}", perf_counter() - began, "s")
    for line, game in zip(lines, games, strict=True):
        label = f"{line} to {TARGET_PCT} %, {device}"
        yield from each_part(
            partial(search, searcher, game, label, street),
            partial(search, searcher, game, f"{label}, behind a gadget", street, is_behind=True),
        )
    unknown = Searcher(config)
    unknown._shapes = set()  # as where betting is of a kind that warm_up has not met
    label = f"{lines[0]} to {TARGET_PCT} %, {device}, rivers by programs"
    yield from each_part(partial(search, unknown, games[0], label, street))


def search(
    searcher: Searcher, game: PostflopGame, label: str, street: str, *, is_behind: bool = False
) -> Iterator[Row]:
    """One search, whole and in its parts; the first one may still compile or load."""
    take = resolved(searcher, game) if is_behind else None

    def whole() -> StreetResult:
        return searcher.search(game, Budget(1e3 * PLENTY, perf_counter() + PLENTY), take)

    yield Row(f"{label}: the first", 1e3 * once(whole), "ms")
    yield Row(label, 1e3 * seconds(whole, REPEATS), "ms", WANTED[street])
    parts = np.min([in_parts(searcher, game, take) for _ in range(REPEATS)], axis=0)
    for name, part in zip(PARTS, parts.tolist(), strict=True):
        yield Row(f"{label}: {name}", 1e3 * part, "ms")
    record = whole().record
    yield Row(f"{label}: iterations", record.iterations, "iterations")
    yield Row(f"{label}: left", record.exploitability_pct, "% of pot")


def in_parts(searcher: Searcher, game: PostflopGame, take: Take | None) -> list[float]:
    """Seconds of each of `PARTS`."""
    times = [perf_counter()]
    searcher.lay_out(game)
    times.append(perf_counter())
    engine = searcher.open_engine(game, take)  # lays out once more
    times.append(perf_counter())
    searcher._iterate(engine, perf_counter() + PLENTY)
    times.append(perf_counter())
    read_street(engine)
    times.append(perf_counter())
    parts: list[float] = np.diff(times).tolist()
    return [parts[0], parts[1] - parts[0], *parts[2:]]


def resolved(searcher: Searcher, game: PostflopGame) -> Take:
    """IP may take, with each hand, what he has in a solve without the gadget."""
    engine = searcher.open_engine(game)
    searcher._iterate(engine, perf_counter() + PLENTY)
    cfv, weights = np.zeros(NUM_COMBOS), game.weights[1]
    cfv[engine.layout.combos[1]] = engine.run_pass(1, MEAN, np.zeros(3, np.float32))
    return Take(1, np.zeros(NUM_COMBOS), weights.astype(np.float64), cfv)


def rivers(device: str, count: int) -> Iterator[Row]:
    """So many rivers, each with its own board and so its own ranges, solved together."""
    games = river_games(count)
    how = SolveOptions(target=TARGET_PCT, device=device)
    for some in (games[:20], games):  # the first ones compile
        began = perf_counter()
        found = dict(solve_each(some, _record, how))
        taken = perf_counter() - began
    records = {i: each for i, each in found.items() if isinstance(each, SolveRecord)}
    label = f"{len(games):,} rivers to {TARGET_PCT} %, {device}"
    yield Row(label, len(games) / taken, "rivers/s", "at least 1,000")
    yield Row(f"{label}: all of it", 1e3 * taken, "ms")
    built = sum(each.build_seconds for each in records.values())
    yield Row(f"{label}: laying out and tables", 1e3 * built, "ms")
    solved = len(records) * max(each.solve_seconds for each in records.values())
    yield Row(f"{label}: iterating and measuring", 1e3 * solved, "ms")
    most = max(each.iterations for each in records.values())
    yield Row(f"{label}: most iterations", most, "iterations")
    left = [100 * each.exploitability_chips / games[i].pot for i, each in records.items()]
    yield Row(f"{label}: the worst", max(left), "% of pot")
    yield Row(f"{label}: not solved", len(games) - len(records), "rivers")


def _record(_: int, solution: Solution) -> SolveRecord:
    return solution.record


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
    parts = partial(searches, device, TURNS[:1], "turn"), partial(rivers, device, 40)
    for row in each_part(*parts):
        print(f"{row.case:<80}{row.value:>12,.4g} {row.unit}", flush=True)


if __name__ == "__main__":
    main()
