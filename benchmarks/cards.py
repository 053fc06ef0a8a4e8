"""How fast hands are ranked and equities counted; one core unless a row says otherwise."""

from collections.abc import Iterator

import numpy as np

from benchmarks.rows import Row, once, seconds
from poker_solver.cards import parse_board, parse_range
from poker_solver.cards.equity import range_equity
from poker_solver.cards.isomorphism import canonical_boards
from poker_solver.cards.make.equity_table import make
from poker_solver.cards.strength import board_strengths_into
from poker_solver.cards.strength_tables import strength_tables

NUM_BOARDS = 5_000


def run() -> Iterator[Row]:
    """Hand strength, equities, and what must be built before them."""
    yield ranking()
    everything, flop = parse_range("random"), parse_board("Td9d6h")
    took = seconds(lambda: range_equity(everything, everything, flop))
    yield Row("flop, every combo against every combo, all runouts", took, "s", "under 1")
    took = seconds(lambda: range_equity(everything, everything))
    yield Row("preflop, every combo against every combo", took, "s")
    yield Row("build the strength tables", seconds(strength_tables.__wrapped__), "s")
    yield Row("list the canonical rivers", seconds(lambda: canonical_boards.__wrapped__(5)), "s")
    took = once(lambda: make(2, lambda _: None))
    yield Row("count the preflop tables from nothing, 2 threads", took, "s", "under 120")


def ranking() -> Row:
    """Evaluations per second of hands that share a board."""
    rng = np.random.default_rng(1)
    tables = strength_tables()
    boards = np.argsort(rng.random((NUM_BOARDS, 52)), axis=1)[:, :5].astype(np.uint8)
    by_board = np.empty((NUM_BOARDS, 1326), np.int16)
    took = seconds(lambda: board_strengths_into(tables, boards, by_board))
    rate = NUM_BOARDS * 1081 / took / 1e6  # the hands that the board leaves
    return Row("hands that share a board", rate, "M evaluations/s", "at least 50")
