"""An engine's regrets and sums as the oracle lays them out, and back: by real cards and hands."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np
import pytest
from numpy.typing import NDArray

from poker_solver.cards.isomorphism import Permutation, permute_cards, suit_symmetries
from poker_solver.cards.strength import board_strengths
from poker_solver.config.spot import Spot
from poker_solver.errors import InputError
from poker_solver.games.betting import RIVER
from poker_solver.kernels.postflop import BEST, LEARN, MEAN
from poker_solver.postflop.engines.cpu import PostflopEngine
from poker_solver.postflop.engines.cuda.engine import CudaEngine
from poker_solver.postflop.engines.torch import TorchEngine
from poker_solver.postflop.layout.layout import Layout
from tests.support.postflop_oracle import EPS, Float, Oracle, Table, normalised
from tests.support.postflop_spots import small_spot

Engine = PostflopEngine | CudaEngine | TorchEngine
AnyEngine = TypeVar("AnyEngine", bound=Engine)

Places = dict[int, NDArray[np.int64]]
"""Decision node -> [B, A, H] where in the engine's arrays each number stands."""

NO_WEIGHTS = np.zeros(3, np.float32)


def strengths(layout: Layout) -> tuple[Any, Any]:
    """[R, H] of each player; 0 for dead hands and those that fill up a row."""
    known = board_strengths(layout.runouts.boards(RIVER))
    first, second = (
        np.pad(known[:, combos], ((0, 0), (0, width - len(combos))))
        for combos, width in zip(layout.combos, layout.width, strict=True)
    )
    return first, second


def places(layout: Layout, oracle: Oracle) -> Places:
    """Where the engine keeps what it says about each real board and hand."""
    found: dict[tuple[int, int], tuple[NDArray[np.int64], NDArray[np.int64]]] = {}
    for street, boards in oracle.boards.items():
        spots = [layout.runouts.locate(board[len(oracle.spot.cards) :]) for board in boards]
        index = np.array([where for where, _ in spots])
        for player in (0, 1):
            place = {int(combo): i for i, combo in enumerate(layout.combos[player])}
            moved = [
                [place[_combo(*permute_cards(hand, way))] for hand in oracle.hands[player]]
                for _, way in spots
            ]
            found[street, player] = index, np.array(moved)
    out = {}
    for n in oracle.decisions:
        player = int(oracle.tree.actor[n])
        index, hands = found[int(oracle.tree.street[n]), player]
        begin = layout.offset[n] + index * layout.stride[n]  # [B]
        rows = np.arange(int(oracle.tree.num_children[n])) * layout.width[player]  # [A]
        out[n] = begin[:, None, None] + rows[None, :, None] + hands[:, None, :]
    return out


def _combo(first: int, second: int) -> int:
    high, low = max(first, second), min(first, second)
    return high * (high - 1) // 2 + low


def read(array: NDArray[np.floating], where: Places) -> Table:
    """The engine's numbers, board by board."""
    return {n: array[place].astype(np.float64) for n, place in where.items()}


def write(table: Table, array: NDArray[np.floating], where: Places) -> None:
    """The table's numbers into the engine's array."""
    for n, place in where.items():
        array[place] = table[n]


def largest_gap(oracle: Oracle, got: Table, want: Table, budget: Table) -> float:
    """The largest |got - want| in units of the budget, hands that the board blocks left out."""
    worst = 0.0
    for n in oracle.decisions:
        alive = oracle.alive(int(oracle.tree.street[n]), int(oracle.tree.actor[n]))[:, None]
        worst = max(worst, float((np.abs(got[n] - want[n]) * alive / budget[n]).max()))
    return worst


def regret_budget(oracle: Oracle, player: int, regret: Table) -> Table:
    """What float32 may cost each regret in one pass: two cfv's, and the old regret rounded."""
    cfv = oracle.budget_cfv(player)
    return {
        n: 2 * cfv * oracle.chance(int(oracle.tree.street[n])) + 2 * EPS * np.abs(old)
        for n, old in regret.items()
    }


def sum_budget(oracle: Oracle, policy_sum: Table) -> Table:
    """The same for policy sums: a product of at most one policy per level, each normalised."""
    roundings = (int(oracle.tree.num_children.max()) + 2) * (len(oracle.tree.level_start) - 1)
    weight = max(float(w.max()) for w in oracle.weight)
    return {n: roundings * EPS * (weight + np.abs(old)) for n, old in policy_sum.items()}


def symmetrised(oracle: Oracle, table: Table, group: Sequence[Permutation]) -> Table:
    """The mean over a group of suit renamings: what holds for a hand holds for its image."""
    dealt = len(oracle.spot.cards)
    total = {n: np.zeros_like(values) for n, values in table.items()}
    for way in group:
        boards, hands = {}, []
        for street, known in oracle.boards.items():
            index = {(frozenset(b[:dealt]), *b[dealt:]): i for i, b in enumerate(known)}
            moved = [permute_cards(board, way) for board in known]
            boards[street] = [index[(frozenset(b[:dealt]), *b[dealt:])] for b in moved]
        for held in oracle.hands:
            place = {_combo(*hand): i for i, hand in enumerate(held)}
            hands.append([place[_combo(*permute_cards(hand, way))] for hand in held])
        for n, values in table.items():
            player, street = int(oracle.tree.actor[n]), int(oracle.tree.street[n])
            total[n] += values[boards[street]][:, :, hands[player]]
    return {n: values / len(group) for n, values in total.items()}


def symmetrise(engine: PostflopEngine, oracle: Oracle, where: Places) -> tuple[Table, Table]:
    """Make an engine's state as symmetric as its spot; regrets and sums as they are then.

    Rounding drives hands apart that are each other's image under a renaming of suits, and regret
    matching amplifies it; only between such hands does an engine that deals representative cards
    differ from one that deals them all.
    """
    group = suit_symmetries(oracle.spot.cards, oracle.spot.weights)
    for array in (engine.regret, engine.policy_sum):
        write(symmetrised(oracle, read(array, where), group), array, where)
    return read(engine.regret, where), read(engine.policy_sum, where)


def with_another_range(make: Callable[[Spot], AnyEngine]) -> AnyEngine:
    """An engine given another range; it must say what one that began with it says."""
    spot, other = (
        small_spot("Ks7h2d9c4s", "AA,KQ", text, "75%") for text in ("QQ,AK", "QQ:0.5,AK:0.25")
    )
    engine, want = make(spot), make(other)
    engine.set_reach(1, want.layout.reach[1][None])
    assert engine.values()[0, 0] == want.values()[0, 0]
    with pytest.raises(InputError, match="weights have shape"):
        engine.set_reach(0, want.layout.reach[1][None, :3])
    return engine


def engine_cfv(engine: Engine, oracle: Oracle, player: int, mode: int) -> Float:
    """[H] at the root in the oracle's chips: the engine counts from half of the pot."""
    opponents = oracle.meets if player == 0 else oracle.meets.T
    met = opponents @ oracle.weight[1 - player]
    cfv: Float = engine.run_pass(player, mode, NO_WEIGHTS) + oracle.spot.pot / 2 * met
    return cfv


def cfv_gaps(engine: Engine, oracle: Oracle, policy: Table) -> list[float]:
    """Largest gap of mean and best cfv, player by player, in units of the float32 budget."""
    gaps = []
    for player in (0, 1):
        for mode, want in ((MEAN, oracle.mean_cfv), (BEST, oracle.best_cfv)):
            got = engine_cfv(engine, oracle, player, mode)
            gap = np.abs(got - want(player, policy)).max()
            gaps.append(float(gap) / oracle.budget_cfv(player))
    return gaps


def learn_gaps(
    engine: Engine,
    oracle: Oracle,
    where: Places,
    player: int,
    weights: NDArray[np.float32],
) -> tuple[float, float]:
    """Let the engine learn for one pass; largest gap of regrets and of sums, in their budgets."""
    regret, policy_sum = read(engine.regret, where), read(engine.policy_sum, where)
    want_regret, want_sum = oracle.step(player, regret, policy_sum, weights.tolist())
    engine.run_pass(player, LEARN, weights)
    got_regret, got_sum = read(engine.regret, where), read(engine.policy_sum, where)
    return (
        largest_gap(oracle, got_regret, want_regret, regret_budget(oracle, player, regret)),
        largest_gap(oracle, got_sum, want_sum, sum_budget(oracle, policy_sum)),
    )


def first_iterations_gap(engine: Engine, oracle: Oracle, iterations: int) -> float:
    """Largest gap of the first iterations, and of the values after them, in their budgets."""
    where, gaps = places(engine.layout, oracle), list[float]()
    for weights in engine.schedule.table(1, iterations).astype(np.float32):
        for player in (0, 1):
            gaps += learn_gaps(engine, oracle, where, player, weights)
    policy = normalised(read(engine.policy_sum, where))
    return max(*gaps, *cfv_gaps(engine, oracle, policy))


def plays_live_hands_only(engine: Engine, oracle: Oracle) -> bool:
    """Whether exactly the hands that hold no card of the board have played at every decision."""
    for n, summed in read(engine.policy_sum, places(engine.layout, oracle)).items():
        alive = oracle.alive(int(oracle.tree.street[n]), int(oracle.tree.actor[n])) > 0
        if not np.array_equal(summed.sum(axis=1) > 0, alive):
            return False
    return True


def owned(layout: Layout, player: int) -> NDArray[np.bool_]:
    """[elements] whether each belongs to a decision of the player."""
    owned = np.zeros(layout.num_elements, bool)
    tree = layout.tree
    for n in np.flatnonzero(tree.actor == player).tolist():
        size = int(tree.num_children[n]) * layout.width[player]
        for b in range(layout.runouts.num_boards[tree.street[n]]):
            begin = int(layout.offset[n] + b * layout.stride[n])
            owned[begin : begin + size] = True
    return owned
