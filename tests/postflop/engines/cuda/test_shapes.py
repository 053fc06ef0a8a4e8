"""River groups as kernels of their own, compiled for the host and run without an engine."""

from itertools import product
from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from poker_solver.cards import COMBO_CARDS
from poker_solver.cards.strength import board_strengths
from poker_solver.config.spot import Spot
from poker_solver.games.betting import RIVER
from poker_solver.kernels.postflop import BEST, LEARN, MEAN
from poker_solver.kernels.postflop.cuda.structs import Pass
from poker_solver.postflop.engines.cuda.board_batches import board_batches
from poker_solver.postflop.engines.cuda.hands import rank_hands
from poker_solver.postflop.engines.cuda.river_kernels import written_groups, written_sources
from poker_solver.postflop.engines.cuda.shapes import shape_of
from poker_solver.postflop.engines.cuda.tables import SpotGroup, group_spots
from poker_solver.postflop.layout.layout import lay_out
from poker_solver.runtime.cuda import DeviceArray
from poker_solver.trees.lines import Group, in_fours, make_groups, street_lines
from tests.support.cuda_on_host import COMPILER, HostMachine
from tests.support.line_walks import Pairs, interpret
from tests.support.postflop_spots import small_spot

RAKE = {"rate": 0.05, "cap": 3.0}
BOARD = "Ks7h2d9c4s"
SPOTS = {
    "check or bet": small_spot(BOARD, "AA,KQ,77", "QQ,AK", "a", stack=75),
    "raked raises": small_spot(BOARD, "AA,KQ,77:0.5", "QQ,AK,76s", "50%,a", "a", rake=RAKE),
}
Float = NDArray[np.float64]


def river_group(spots: SpotGroup) -> Group:
    layout = spots.layouts[0]
    payoff = layout.shape.payoff.astype(np.float32)
    (group,) = make_groups(layout.tree, payoff, in_fours(street_lines(layout.tree, RIVER)))
    return group


def pairs(spots: SpotGroup, player: int) -> Pairs:
    """How the hands meet, by an evaluator that is not the kernels'."""
    strength = board_strengths(spots.layouts[0].runouts.boards(RIVER))[0]
    own, opp = (spots.players[p].combos for p in (player, 1 - player))
    shared = (COMBO_CARDS[own][:, None, :, None] == COMBO_CARDS[opp][None, :, None, :]).any((2, 3))
    order = np.sign(strength[own].astype(np.int64)[:, None] - strength[opp].astype(np.int64)[None])
    return Pairs((~shared).astype(float), order.astype(float))


class Played(NamedTuple):
    """One launch of a group's kernel: what it was given and left, hands in natural order."""

    stored: list[Float]  # [K, H] of each player: what policies are made of
    sums: Float  # [K, H] of the player, before
    out: Float  # [H]
    regret: Float  # [K, H] after
    new_sums: Float


def range_row(spots: SpotGroup, player: int) -> NDArray[np.float32]:
    row = np.zeros(spots.players[player].pad, np.float32)
    row[: spots.players[player].num_hands] = spots.layouts[0].reach[player]
    return row


def launched(spots: SpotGroup, player: int, mode: int, weights: NDArray[np.float32]) -> Played:
    machine, other = HostMachine(), 1 - player
    hands = rank_hands(spots, machine, threads=32)
    both = written_groups(spots, hands, machine, 32, False)
    (written,) = both[player]
    machine.load(written_sources(both, (mode,)))
    rng = np.random.default_rng(5)
    state = [
        machine.put(rng.uniform(-1, 1, x.num_floats).astype(np.float32)) for x in spots.offsets
    ]
    sums = machine.put(rng.uniform(0, 1, spots.offsets[player].num_floats).astype(np.float32))
    before = machine.get(sums)
    stored = [machine.get(state[0]), machine.get(state[1])]
    if mode != LEARN:
        stored[player] = before
    reach = [machine.put(range_row(spots, p)) for p in (0, 1)]
    own, opp = spots.players[player], spots.players[other]
    batches = board_batches(spots)
    boards = batches.tables(spots, player, hands.chunks[other])
    out = machine.zeros(own.pad)
    kept = [machine.put(boards), machine.put(weights)]
    given = Pass(
        boards=kept[0].pointer, per_batch=boards.shape[1], weights=kept[1].pointer,
        opp_above=reach[other].pointer, own_above=reach[player].pointer, rows_above_opp=1,
        rows_above_own=1, opp_stored=state[other].pointer, own_regret=state[player].pointer,
        own_sum=sums.pointer, out=out.pointer, own_order=hands.tables[player].order.pointer,
        look=hands.tables[player].look.pointer, list=hands.tables[other].list.pointer,
        list_pad=opp.list_pad, opp_pad=opp.pad, own_pad=own.pad, num_entries=1, share=1.0,
    )  # fmt: skip
    machine.launch([written.launch(mode, given, len(batches))])

    def rows(p: int, flat: NDArray[np.float32]) -> Float:
        """[K, H] of a player's state, from the order of strength to the natural one."""
        tables, pitch = spots.players[p], int(spots.offsets[p].pitch[0])
        order = machine.get(hands.tables[p].order)[: tables.num_hands]
        ranked = flat[: spots.offsets[p].num_rows[RIVER] * pitch].reshape(-1, pitch)
        found = np.zeros((len(ranked), tables.num_hands))
        found[:, order] = ranked[:, : tables.num_hands]
        return found

    def left(p: int, array: DeviceArray) -> Float:
        return rows(p, machine.get(array))

    return Played(
        [rows(p, stored[p]) for p in (0, 1)], rows(player, before),
        machine.get(out)[: own.num_hands].astype(float), left(player, state[player]),
        left(player, sums),
    )  # fmt: skip


def policies(group: Group, stored: list[Float]) -> list[Float]:
    found = [np.zeros_like(rows) for rows in stored]
    for _, decision in group.decisions:
        rows, p = list(decision.rows), decision.player
        clipped = np.maximum(stored[p][rows], 0)
        total = clipped.sum(axis=0)
        even = np.full_like(clipped, 1 / len(rows))
        found[p][rows] = np.divide(clipped, total, out=even, where=total > 0)
    return found


CASES = list(product(SPOTS, (0, 1), (LEARN, BEST, MEAN)))


@pytest.mark.skipif(COMPILER is None, reason="no C++ compiler")
@pytest.mark.parametrize(("name", "player", "mode"), CASES)
def test_a_kernel_does_what_the_group_means(name: str, player: int, mode: int) -> None:
    spots = group_spots([lay_out(SPOTS[name])])
    group, weights = river_group(spots), np.array([0.75, 0.5, 0.25], np.float32)
    played = launched(spots, player, mode, weights)
    layout = spots.layouts[0]
    reach = [layout.reach[p][None].astype(float) for p in (0, 1)]
    policy = policies(group, played.stored)
    want = interpret(group, player, policy, reach, pairs(spots, player), best=mode == BEST)
    stake = layout.game.pot / 2 + layout.game.stack
    budget = 4e-6 * stake * reach[1 - player].sum()  # as the kernels' docstring promises
    np.testing.assert_allclose(played.out, want.values[group.entries[0]], rtol=0, atol=budget)
    if mode == LEARN:
        old = played.stored[player]
        faded = old * np.where(old > 0, weights[0], weights[1])
        np.testing.assert_allclose(played.regret, faded + want.gain, rtol=0, atol=2 * budget)
        summed = played.sums * weights[2] + want.played
        np.testing.assert_allclose(played.new_sums, summed, rtol=1e-6, atol=1e-6)
    else:
        np.testing.assert_array_equal(played.new_sums, played.sums)


def test_factors_are_what_terminals_pay() -> None:
    """Check or bet all-in for a pot of 100 and 75 behind: half the pot, and what was put in."""
    shape, factors = shape_of(river_group(group_spots([lay_out(SPOTS["check or bet"])])), 0, False)
    assert shape.num_factors == len(factors)
    assert sorted(set(map(abs, factors))) == [50, 125]
    assert factors.count(-50) == 1  # OOP's fold to a bet


def test_what_terminals_pay_is_no_part_of_a_shape() -> None:
    """Twice the chips: the same lines with other factors, and one kernel for both."""
    twice = small_spot(BOARD, "AA,KQ,77", "QQ,AK", "a", stack=150, pot=200)
    (small, factors), (large, doubled) = (
        shape_of(river_group(group_spots([lay_out(spot)])), 0, False)
        for spot in (SPOTS["check or bet"], twice)
    )
    assert small == large
    assert [2 * factor for factor in factors] == list(doubled)


def test_groups_of_one_shape_are_one_launch() -> None:
    spot: Spot = small_spot("Ks7h2d9c", "AA,KQ", "QQ,AK", "75%", "a", stack=900)
    spots, machine = group_spots([lay_out(spot)]), HostMachine()
    for player, groups in enumerate(spots.streets[-1].written):
        assert len({group.shape for group in groups}) < len(groups)
        if COMPILER is not None:
            hands = rank_hands(spots, machine, threads=32)
            written = written_groups(spots, hands, machine, None, False)[player]
            assert sum(each.num_groups for each in written) == len(groups)
            assert len(written) == len({group.shape for group in groups})
