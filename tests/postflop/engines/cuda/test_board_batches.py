"""River boards that a block of a GPU does one after the other: what is added up stays the same."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from poker_solver.cards import COMBO_CARDS
from poker_solver.config.named_spots import named_spot
from poker_solver.config.spot import Spot
from poker_solver.games.betting import RIVER, TURN
from poker_solver.kernels.postflop import LEARN
from poker_solver.kernels.postflop.cuda.structs import MOST_BATCH
from poker_solver.postflop.engines.cpu import PostflopEngine
from poker_solver.postflop.engines.cuda import board_batches as batches_module
from poker_solver.postflop.engines.cuda.board_batches import BoardBatches, board_batches
from poker_solver.postflop.engines.cuda.engine import CudaEngine
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
def long_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """BoardBatches as long as they may be, however small the spot."""
    monkeypatch.setattr(batches_module, "BLOCKS", 1)


def grouped(spots: Sequence[Spot]) -> SpotGroup:
    return group_spots([lay_out(spot) for spot in spots])


def on_host(spot: Spot, **how: Any) -> CudaEngine:
    given = {"machine": HostMachine(), "threads": 32, "upper_threads": 32}
    return CudaEngine(lay_out(spot), **{**given, **how})


def added_up(batches: BoardBatches, values: Any, moved: Any) -> Any:
    """[turns, H] what the summands of each board of the turn come to."""
    by_batch = np.stack([values[row[row >= 0]].sum(axis=0) for row in batches.boards])
    start, batch, move = batches.added
    return np.stack(
        [
            sum(by_batch[r][moved[m]] for r, m in zip(batch[a:b], move[a:b], strict=True))
            for a, b in pairwise(start)
        ]
    )


@pytest.mark.parametrize("spots", [[ISOMORPHIC], FLOPS], ids=["turn", "flops"])
def test_batches_add_up_to_all_cards(spots: list[Spot], long_batches: None) -> None:
    group = grouped(spots)
    batches, above = board_batches(group), group.boards_above(RIVER)
    boards = batches.boards[batches.boards >= 0]
    assert sorted(boards.tolist()) == list(range(group.num_boards(RIVER)))
    assert 1 < batches.boards.shape[1] <= MOST_BATCH
    for row in batches.boards:
        count = int((row >= 0).sum())
        assert count > 0
        assert (row[:count] >= 0).all()
        assert len({int(above[board]) for board in row[:count]}) == 1
    moved = group.players[0].upper["moved"].astype(np.int64)
    values = np.random.default_rng(0).integers(0, 1000, (len(boards), moved.shape[1]))
    start, board, move = group.cards_after(TURN)
    for turn, got in enumerate(added_up(batches, values, moved)):
        cards = range(start[turn], start[turn + 1])
        assert (got == sum(values[board[k]][moved[move[k]]] for k in cards)).all()


def test_batches_of_a_spot_are_what_they_are_alone(long_batches: None) -> None:
    group = grouped(FLOPS)
    together, first = board_batches(group), 0
    for spot, begin in zip(FLOPS, group.first_board[RIVER], strict=False):
        alone = board_batches(grouped([spot]))
        part = together.boards[first : first + len(alone), : alone.boards.shape[1]]
        assert (np.where(part < 0, part, part - begin) == alone.boards).all()
        first += len(alone)
    assert first == len(together)


def test_only_spots_with_many_blocks_have_batches() -> None:
    for spot in (RAKED, small_spot("Ks7h2d9c4s", "AA,KQ,77", "QQ,AK,76s", "50%,a", "a")):
        group = grouped([spot])
        assert board_batches(group).boards.tolist() == [[b] for b in range(group.num_boards(RIVER))]
    batches = board_batches(grouped([named_spot("3betpot_fast")]))
    assert batches.boards.shape[1] == MOST_BATCH
    assert len(batches) * 8 < 1.2 * 1429


def test_what_a_pass_reads_of_a_board(long_batches: None) -> None:
    """Hands that the board leaves, counted by hand, and state of one board after the other."""
    group = grouped([ISOMORPHIC])
    layout, tree = group.layouts[0], group.layouts[0].tree
    chunks = np.arange(group.num_boards(RIVER), dtype=np.int32)
    table = board_batches(group).tables(group, 1, chunks).ravel()
    rows = table[table["board"] >= 0]
    assert (rows["above"] == 0).all()  # the one board of the turn
    assert (rows["chunks"] == rows["board"]).all()
    for who, player in (("opp", 0), ("own", 1)):
        hands = COMBO_CARDS[layout.combos[player]]
        boards = layout.runouts.boards(RIVER)[rows["board"]]
        live = np.array([(~np.isin(hands, cards).any(axis=1)).sum() for cards in boards])
        assert (rows[f"{who}_live"] == live).all()
        acts = (tree.actor == player) & (tree.street == RIVER)
        size = int(tree.num_children[acts].sum()) * -(-live // 8) * 8
        base = rows[f"{who}_base"]
        order = np.argsort(base)
        assert (base[order][1:] == (base + size)[order][:-1]).all()
        assert (base % 8 == 0).all()


@needs_compiler
@pytest.mark.parametrize("most_rows", [32, 0])
def test_first_iterations_are_the_oracles(most_rows: int, long_batches: None) -> None:
    engine = on_host(RAKED, most_rows=most_rows)
    assert engine.group.batches.boards.shape[1] == MOST_BATCH
    assert first_iterations_gap(engine, Oracle(RAKED), 2) <= 1


@needs_compiler
def test_isomorphic_cards_are_added_up(long_batches: None) -> None:
    engine, oracle = on_host(ISOMORPHIC), Oracle(ISOMORPHIC)
    engine.train(2)
    policy = normalised(read(engine.policy_sum, places(engine.layout, oracle)))
    assert max(cfv_gaps(engine, oracle, policy)) <= 1


@needs_compiler
def test_regrets_of_16_bits_do_not_depend_on_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    cpu = PostflopEngine(lay_out(RAKED), precision="int16")
    cpu.train(2)
    engines = []
    for blocks in (batches_module.BLOCKS, 1):
        monkeypatch.setattr(batches_module, "BLOCKS", blocks)
        engines.append(on_host(RAKED, precision="int16"))
        engines[-1].restore(cpu.stored(), cpu.iteration)
        engines[-1].run_pass(0, LEARN, np.array(cpu.schedule.at(3), np.float32))
    one, many = engines
    assert (one.policy_sum == many.policy_sum).all()
    river = one.layout.shape.num_upper
    assert (one.regret[river:] == many.regret[river:]).all()
    apart = one.regret[:river].astype(np.int64) - many.regret[:river]
    assert (np.abs(apart) <= 1).all()  # sums over the cards of the turn round otherwise
