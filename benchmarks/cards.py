"""How fast hands are ranked and equities counted; one core unless a row says otherwise."""

from collections.abc import Callable
from time import perf_counter

import numpy as np

from poker_solver.cards import parse_board, parse_range
from poker_solver.cards.equity import range_equity
from poker_solver.cards.isomorphism import canonical_boards
from poker_solver.cards.make_equity_table import make
from poker_solver.cards.strength import board_strengths_into, strengths_into
from poker_solver.cards.strength_tables import strength_tables

NUM_HANDS = 1_000_000
NUM_BOARDS = 5_000

Row = dict[str, str | float]


def run() -> list[Row]:
    """Each row: case, value, unit, and the target where the project has one."""
    rng = np.random.default_rng(1)
    tables = strength_tables()
    hands = np.argsort(rng.random((NUM_HANDS, 52), np.float32), axis=1)[:, :7].astype(np.uint8)
    boards = np.ascontiguousarray(hands[:NUM_BOARDS, :5])
    ranked = np.empty(NUM_HANDS, np.int16)
    by_board = np.empty((NUM_BOARDS, 1326), np.int16)
    shared = best(lambda: board_strengths_into(tables, boards, by_board))
    random = best(lambda: strengths_into(tables, hands, ranked))
    everything, flop = parse_range("random"), parse_board("Td9d6h")
    return [
        row("hands that share a board", NUM_BOARDS * 1081 / shared / 1e6, "M evaluations/s", 50.0),
        row("random seven-card hands", NUM_HANDS / random / 1e6, "M evaluations/s", 20.0),
        row(
            "flop, every combo against every combo",
            best(lambda: range_equity(everything, everything, flop)),
            "s",
            1.0,
        ),
        row(
            "preflop, every combo against every combo",
            best(lambda: range_equity(everything, everything)),
            "s",
        ),
        row("build the strength tables", best(strength_tables.__wrapped__), "s"),
        row("list the canonical rivers", best(lambda: canonical_boards.__wrapped__(5)), "s"),
        row("count the preflop tables, 2 threads", timed(lambda: make(2, lambda _: None)), "s"),
    ]


def row(case: str, value: float, unit: str, target: float | None = None) -> Row:
    """One line of the result."""
    line: Row = {"case": case, "value": value, "unit": unit}
    return line if target is None else line | {"target": target}


def timed(call: Callable[[], object]) -> float:
    """Seconds of one call."""
    started = perf_counter()
    call()
    return perf_counter() - started


def best(call: Callable[[], object], repeats: int = 7) -> float:
    """The shortest of several, after one that may compile."""
    call()
    return min(timed(call) for _ in range(repeats))


if __name__ == "__main__":
    for line in run():
        target = f"  (target {line['target']:g})" if "target" in line else ""
        print(f"{line['case']:<42} {line['value']:>9.3f} {line['unit']}{target}")
