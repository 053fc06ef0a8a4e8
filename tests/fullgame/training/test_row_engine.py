"""Lines whose hands share rows, beside the exact engine: bits, debts, threads, certificates."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from poker_solver.abstraction.river_rows import river_rows
from poker_solver.abstraction.rows import StreetRows, exact_rows
from poker_solver.cards.strength import board_strengths
from poker_solver.config.unified_fields import RowRule
from poker_solver.errors import InputError
from poker_solver.fullgame.training.engines import LineEngines, Machine
from poker_solver.fullgame.training.row_engine import RowEngine
from poker_solver.fullgame.training.row_spots import RowSpots
from poker_solver.fullgame.training.row_tables import row_tables
from poker_solver.fullgame.training.trunk import Preflop, Trunk
from poker_solver.games.betting import FLOP, RIVER, TURN
from poker_solver.kernels.postflop import BEST, LEARN, MEAN, River, Street
from poker_solver.postflop.engines.classes import ClassEngine
from poker_solver.postflop.layout.layout import Layout
from tests.fullgame.training.test_trunk import FLOPS, SCHEDULE, small_game

EXACT = RowRule("exact")


def by_rank(boards: Any) -> StreetRows:
    """Hands of a street before the river whose ranks are the same."""
    row, ranks = exact_rows(boards).row, np.tril_indices(52, -1)
    together = (ranks[0] // 4 * 13 + ranks[1] // 4)[None] + np.zeros_like(row)
    found, num_rows = np.full(row.shape, -1, np.int16), np.zeros(len(row), np.int32)
    for b, is_live in enumerate(row >= 0):
        names, found[b, is_live] = np.unique(together[b, is_live], return_inverse=True)
        num_rows[b] = len(names)
    return StreetRows(found, num_rows)


def streets(layout: Layout, river: RowRule, *, turn: bool = False) -> list[StreetRows]:
    """Exact on the flop, and on the turn unless hands of the same ranks share rows there."""
    boards = layout.runouts.boards
    above = by_rank(boards(TURN)) if turn else exact_rows(boards(TURN))
    return [exact_rows(boards(FLOP)), above, river_rows(river, boards(RIVER))]


def layouts() -> list[Layout]:
    lines = LineEngines(small_game(), SCHEDULE, Machine(threads=1))
    return [lines.lay_out(flop)[0] for flop in FLOPS.flops]


def row_engine(river: RowRule, *, turn: bool = False, **options: Any) -> RowEngine:
    tables = [row_tables(one, streets(one, river, turn=turn)) for one in layouts()]
    return RowEngine(layouts(), tables, small_game().classes, SCHEDULE, **options)


def exact_engine() -> ClassEngine:
    lines = LineEngines(small_game(), SCHEDULE, Machine(threads=1))
    return lines.prepare(FLOPS.flops)[0]()


def hand_by_hand(engine: RowSpots, name: str, rows: Sequence[Sequence[StreetRows]]) -> Any:
    """What rows have as the exact engine keeps it; 0 for hands that a board blocks."""
    found, begin = [], 0
    for layout, of in zip(engine.layouts, rows, strict=True):
        out = np.zeros(layout.num_elements, np.float32)
        at = engine.shape.board_rows([street.num_rows for street in of])
        state = engine.stored()[name][begin:]
        parts: list[Street | River] = [*engine.shape.streets, engine.shape.river]
        for k, (part, street) in enumerate(zip(parts, of, strict=True)):
            nodes = layout.shape.nodes(layout.tree.first_street + k)
            for n in np.flatnonzero(part.kind < 2).tolist():
                combos, width = layout.combos[part.kind[n]], layout.width[part.kind[n]]
                for board in range(len(street.row)):
                    row = street.row[board, combos]
                    for a in range(part.num_children[n]):
                        first = at[k].start[board] + (part.offset[n] + a) * street.num_rows[board]
                        place = layout.offset[nodes[n]] + board * layout.stride[nodes[n]]
                        place += a * width
                        out[place : place + len(row)] = np.where(row >= 0, state[first + row], 0)
        begin += sum(engine.shape.num_elements([street.num_rows for street in of]))
        found.append(out)
    return np.concatenate(found)


def live_elements(layout: Layout) -> Any:
    """Which numbers of the exact engine are of hands that their board leaves."""
    found = np.zeros(layout.num_elements, bool)
    tree = layout.tree
    boards, live = layout.runouts.boards, dict[int, Any]()
    for street in range(tree.first_street, RIVER):
        live[street] = exact_rows(boards(street)).row + 1
    live[RIVER] = board_strengths(boards(RIVER))
    for node in np.flatnonzero(tree.is_decision).tolist():
        player, width = int(tree.actor[node]), layout.width[int(tree.actor[node])]
        for board, is_live in enumerate(live[int(tree.street[node])][:, layout.combos[player]] > 0):
            for a in range(int(tree.num_children[node])):
                begin = layout.offset[node] + board * layout.stride[node] + a * width
                found[begin : begin + len(is_live)] = is_live
    return found


PASS = 8e-6
"""Of the largest value, by which two passes from one state may differ: each has 4e-6."""


def near(got: Any, want: Any) -> None:
    """As near as two engines that add hands up in other orders have to be."""
    most = np.abs(want).max()
    assert most > 0
    np.testing.assert_allclose(got, want, rtol=0, atol=PASS * most)


def test_a_row_for_every_hand_is_the_exact_engine_pass_by_pass() -> None:
    exact, rows = exact_engine(), row_engine(EXACT)
    rng, one = np.random.default_rng(0), np.zeros(3, np.float32)
    live = np.concatenate([live_elements(layout) for layout in exact.layouts])
    given = [streets(layout, EXACT) for layout in exact.layouts]
    names = ("regret", "policy_sum")
    for iteration in range(1, 8):
        for player in (0, 1):
            state = {name: hand_by_hand(rows, name, given) for name in names}
            exact.restore(state, iteration - 1)
            reach = rng.random(small_game().num_classes)
            weights = np.array(SCHEDULE.at(iteration), np.float32)
            for engine in (exact, rows):
                engine.set_reach(player, reach)
            want, got = (engine.run_pass(player, LEARN, weights) for engine in (exact, rows))
            near(got, want)
            for name in names:
                near(hand_by_hand(rows, name, given)[live], exact.stored()[name][live])
    exact.restore({name: hand_by_hand(rows, name, given) for name in names}, 7)
    for mode in (BEST, MEAN):
        for player in (0, 1):
            want, got = (engine.run_pass(player, mode, one) for engine in (exact, rows))
            near(got, want)
    for spot, layout in enumerate(exact.layouts):
        upper = live_elements(layout)[: layout.shape.num_upper]
        assert np.array_equal(rows.read_sums(spot)[upper], exact.read_sums(spot)[upper])


@pytest.mark.parametrize("precision", ["float32", "int16"])
def test_threads_and_what_was_stored_change_nothing(precision: str) -> None:
    options: dict[str, Any] = {"turn": True, "precision": precision}
    rule = RowRule("quantiles", 4)
    through, threaded = row_engine(rule, **options), row_engine(rule, threads=3, **options)
    stopped, resumed = row_engine(rule, **options), row_engine(rule, **options)
    through.train(5)
    threaded.train(5)
    stopped.train(2)
    resumed.restore({name: array.copy() for name, array in stopped.stored().items()}, 2)
    resumed.train(3)
    for name, array in through.stored().items():
        assert np.array_equal(array, threaded.stored()[name]), name
        assert np.array_equal(array, resumed.stored()[name]), name
    assert through.iteration == resumed.iteration == 5


def test_a_batch_of_all_flops_is_a_sweep() -> None:
    sweep, batch = (row_engine(RowRule("strength"), turn=True) for _ in "sb")
    for iteration in (1, 2, 3):
        weights = np.array(SCHEDULE.at(iteration), np.float32)
        for player in (0, 1):
            want = sweep.run_pass(player, LEARN, weights)
            got = batch.run_some([1, 0], player, LEARN, weights)
            assert np.array_equal(got, want[[1, 0]])
    for name, array in sweep.stored().items():
        assert np.array_equal(array, batch.stored()[name]), name


def test_a_flop_that_was_left_out_pays_what_it_owes() -> None:
    """Visited at 1 and 4 only, its state fades by all of 2, 3 and 4 before it learns again."""
    some, paid = (row_engine(RowRule("quantiles", 4)) for _ in "sp")
    for iteration in range(1, 5):
        weights = SCHEDULE.at(iteration)
        for player in (0, 1):
            spots = [0, 1] if iteration in (1, 4) else [1]
            some.run_some(spots, player, LEARN, np.array(weights, np.float32))
    for iteration in (1, 4):
        factors = [np.array(SCHEDULE.at(t), np.float32).astype(float) for t in (2, 3, 4)]
        due = np.prod(factors, axis=0) if iteration == 4 else SCHEDULE.at(1)
        for player in (0, 1):
            paid.run_some([0], player, LEARN, np.array(due, np.float32))
    first = sum(some.shape.num_elements(some.tables[0].num_rows))
    for name in ("regret", "policy_sum"):
        assert np.array_equal(some.stored()[name][:first], paid.stored()[name][:first]), name
    assert (some.stored()["owed"] == 1).all()
    assert not (paid.stored()["owed"][:, 1] == 1).any()


def row_trunk(river: RowRule, *, turn: bool = False) -> Trunk:
    engine = row_engine(river, turn=turn)
    return Trunk(Preflop(small_game(), SCHEDULE), FLOPS, [engine], SCHEDULE)


def test_a_trunk_with_rows_comes_near_equilibrium_and_its_certificate_is_the_strategys() -> None:
    """The same strategy, hand by hand, is worth the same to the exact engine's best responses."""
    trunk = row_trunk(RowRule("strength"), turn=True)
    trunk.train(120)
    worth = trunk.worth()
    assert sum(worth.mean) == pytest.approx(0.0, abs=1e-7)
    assert worth.exploitability_bb < 5e-3
    engine = trunk.engines[0]
    assert isinstance(engine, RowEngine)
    again = Trunk(trunk.before, FLOPS, [exact_engine()], SCHEDULE)
    given = [streets(layout, RowRule("strength"), turn=True) for layout in engine.layouts]
    state = {name: hand_by_hand(engine, name, given) for name in ("regret", "policy_sum")}
    again.engines[0].restore(state, trunk.iteration)
    again.iteration = trunk.iteration
    found = again.worth()
    assert found.best == pytest.approx(worth.best, abs=1e-7)  # bb: float32 in other orders
    assert found.mean == pytest.approx(worth.mean, abs=1e-7)


def test_rows_of_other_boards_are_refused() -> None:
    first, second = layouts()
    with pytest.raises(InputError, match="its boards want"):
        row_tables(first, streets(second, EXACT))
