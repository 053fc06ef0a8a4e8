"""River boards that a block of a GPU does one after the other: what is added up stays the same."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from poker_solver.config.named_spots import named_spot
from poker_solver.config.spot import Spot
from poker_solver.games.betting import RIVER, TURN
from poker_solver.kernels.postflop import LEARN
from poker_solver.kernels.postflop.cuda.structs import MOST_RUN
from poker_solver.postflop.engines.cpu import PostflopEngine
from poker_solver.postflop.engines.cuda import runs as postflop_runs
from poker_solver.postflop.engines.cuda.engine import CudaEngine
from poker_solver.postflop.engines.cuda.runs import Runs, river_runs
from poker_solver.postflop.engines.cuda.tables import SpotGroup, group_spots
from poker_solver.postflop.layout.layout import lay_out
from tests.support.cuda_on_host import COMPILER, HostMachine
from tests.support.postflop_oracle import Oracle, normalised
from tests.support.postflop_spots import small_spot
from tests.support.postflop_states import cfv_gaps, first_iterations_gap, places, read

needs_compiler = pytest.mark.skipif(COMPILER is None, reason="no C++ compiler")

RAKED = small_spot(
    "Ks7h2d9c", "AhAd,KdQd,8s8h", "QhQc,AsKh,7s6s", "75%", "a", rake={"rate": 0.05, "cap": 3.0}
)
ISOMORPHIC = small_spot(
    "Ks7s2sTs", "AcAd,KcQc,KdQd,KhQh,AhAd,AcAh", "7c7d,7d7h,7c7h", "a", stack=90
)
FLOPS = [
    small_spot("Ks7s2s", "AA,QQ", "76s,KJs:0.5", "", stack=90),
    small_spot("KsKh2d", "AA", "QQ,76s", "", stack=90),
    small_spot("Kc7c2c", "AA,QQ", "76s,KJs:0.5", "", stack=90),  # other suits are alike
]


@pytest.fixture
def long_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs as long as they may be, however small the spot."""
    monkeypatch.setattr(postflop_runs, "BLOCKS", 1)


def grouped(spots: Sequence[Spot]) -> SpotGroup:
    return group_spots([lay_out(spot) for spot in spots])


def on_host(spot: Spot, **how: Any) -> CudaEngine:
    given = {"machine": HostMachine(), "threads": 32, "upper_threads": 32}
    return CudaEngine(lay_out(spot), **{**given, **how})


def added_up(runs: Runs, values: Any, moved: Any) -> Any:
    """[turns, H] what the summands of each board of the turn come to."""
    by_run = np.stack([values[row[row >= 0]].sum(axis=0) for row in runs.boards])
    start, run, move = runs.added
    return np.stack(
        [
            sum(by_run[r][moved[m]] for r, m in zip(run[a:b], move[a:b], strict=True))
            for a, b in pairwise(start)
        ]
    )


@pytest.mark.parametrize("spots", [[ISOMORPHIC], FLOPS], ids=["turn", "flops"])
def test_runs_add_up_to_all_cards(spots: list[Spot], long_runs: None) -> None:
    group = grouped(spots)
    runs, above = river_runs(group), group.boards_above(RIVER)
    boards = runs.boards[runs.boards >= 0]
    assert sorted(boards.tolist()) == list(range(group.num_boards(RIVER)))
    assert 1 < runs.boards.shape[1] <= MOST_RUN
    for row in runs.boards:
        count = int((row >= 0).sum())
        assert count > 0
        assert (row[:count] >= 0).all()
        assert len({int(above[board]) for board in row[:count]}) == 1
    moved = group.players[0].upper["moved"].astype(np.int64)
    values = np.random.default_rng(0).integers(0, 1000, (len(boards), moved.shape[1]))
    start, board, move = group.cards_after(TURN)
    for turn, got in enumerate(added_up(runs, values, moved)):
        cards = range(start[turn], start[turn + 1])
        assert (got == sum(values[board[k]][moved[move[k]]] for k in cards)).all()


def test_runs_of_a_spot_are_what_they_are_alone(long_runs: None) -> None:
    group = grouped(FLOPS)
    together, first = river_runs(group), 0
    for spot, begin in zip(FLOPS, group.first_board[RIVER], strict=False):
        alone = river_runs(grouped([spot]))
        part = together.boards[first : first + len(alone), : alone.boards.shape[1]]
        assert (np.where(part < 0, part, part - begin) == alone.boards).all()
        first += len(alone)
    assert first == len(together)


def test_only_spots_with_many_blocks_have_runs() -> None:
    for spot in (RAKED, small_spot("Ks7h2d9c4s", "AA,KQ,77", "QQ,AK,76s", "50%,a", "a")):
        group = grouped([spot])
        assert river_runs(group).boards.tolist() == [[b] for b in range(group.num_boards(RIVER))]
    runs = river_runs(grouped([named_spot("3betpot_fast")]))
    assert runs.boards.shape[1] == MOST_RUN
    assert len(runs) * 8 < 1.2 * 1429


def test_what_a_pass_reads_of_a_board(long_runs: None) -> None:
    group = grouped([ISOMORPHIC])
    runs, chunks = river_runs(group), np.arange(group.num_boards(RIVER), dtype=np.int32)
    table = runs.tables(group, 1, chunks)
    for got, board in zip(table.ravel(), runs.boards.ravel(), strict=True):
        assert got["board"] == board
        if board >= 0:
            assert got["chunks"] == board
            assert got["opp_live"] == group.players[0].live[board]
            assert got["own_live"] == group.players[1].live[board]
            assert got["opp_base"] == group.places[0].base[board]
            assert got["own_base"] == group.places[1].base[board]


@needs_compiler
@pytest.mark.parametrize("most_rows", [32, 0])
def test_first_iterations_are_the_oracles(most_rows: int, long_runs: None) -> None:
    engine = on_host(RAKED, most_rows=most_rows)
    assert engine.group._runs.boards.shape[1] == MOST_RUN
    assert first_iterations_gap(engine, Oracle(RAKED), 2) <= 1


@needs_compiler
def test_isomorphic_cards_are_added_up(long_runs: None) -> None:
    engine, oracle = on_host(ISOMORPHIC), Oracle(ISOMORPHIC)
    engine.train(2)
    policy = normalised(read(engine.policy_sum, places(engine.layout, oracle)))
    assert max(cfv_gaps(engine, oracle, policy)) <= 1


@needs_compiler
def test_regrets_of_16_bits_do_not_depend_on_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    cpu = PostflopEngine(lay_out(RAKED), precision="int16")
    cpu.train(2)
    engines = []
    for blocks in (postflop_runs.BLOCKS, 1):
        monkeypatch.setattr(postflop_runs, "BLOCKS", blocks)
        engines.append(on_host(RAKED, precision="int16"))
        engines[-1].restore(cpu.stored(), cpu.iteration)
        engines[-1].run_pass(0, LEARN, np.array(cpu.schedule.at(3), np.float32))
    one, many = engines
    assert (one.policy_sum == many.policy_sum).all()
    river = one.layout.shape.num_upper
    assert (one.regret[river:] == many.regret[river:]).all()
    apart = one.regret[:river].astype(np.int64) - many.regret[:river]
    assert (np.abs(apart) <= 1).all()  # sums over the cards of the turn round otherwise
