"""The postflop kernels against their float64 reference: ends, decisions, whole passes."""

from typing import Any, NamedTuple

import numpy as np
import pytest
from numba import njit

from poker_solver.kernels.postflop import BEST, LANES, LEARN, MEAN, River, reference
from poker_solver.kernels.postflop.cpu import Reach, Rows, State
from poker_solver.kernels.postflop.cpu.river_tables import ROW
from poker_solver.kernels.postflop.cpu.rows import (
    Decision,
    add,
    best,
    learn,
    match,
    mix,
    play,
    record,
)
from poker_solver.kernels.postflop.cpu.simd.denormals import IS_X86
from poker_solver.kernels.postflop.cpu.simd.lanes import (
    met_to_slots,
    raked_to_slots,
    scan,
    slots_to_lanes,
    tally,
    won_to_slots,
)
from poker_solver.kernels.postflop.cpu.simd.sums import (
    met_at_slots,
    raked_shown_to_slots,
    run_sums,
    shown_to_slots,
)
from poker_solver.kernels.postflop.cpu.terminals import fold_above
from poker_solver.kernels.regret import Weights
from poker_solver.postflop.engines.cpu import PostflopEngine
from poker_solver.postflop.engines.scratch import aligned
from poker_solver.postflop.layout.layout import Layout, lay_out
from tests.support.postflop_pass import run_pass
from tests.support.postflop_spots import small_spot
from tests.support.postflop_states import strengths

BUDGET = 4e-6
RAKE: dict[str, Any] = {"rake": {"rate": 0.05, "cap": 9.5}}
WEIGHTS = np.array([0.9, 0.5, 0.8], np.float32)

ENDS = {
    "every strength": small_spot("Ks9s4h2s", "22+,A2s+,KTs+,76s", "22+,AT+,KQ,98s,9h8h"),
    "mostly ties": small_spot("AsKsQhJd", "Tc9c,55,33,Ts8s,6c2c", "TT,77,33,5c5d,4c3c"),
    "few hands": small_spot("KsQh7d2c", "AA", "KhQs,22,AcAd"),
}


def within(got: Any, want: Any, scale: float | None = None) -> bool:
    """Whether numbers are in the budget: that of the largest of them, if no scale is given."""
    return bool(np.abs(got - want).max() <= BUDGET * (scale or np.abs(want).max()))


class Places(NamedTuple):
    """A player's hands as `simd.lanes` reads them."""

    hands: Any  # [H]
    order: Any  # [R, H] by strength


def as_places(hands: Any) -> Places:
    """Of `Hands`."""

    def packed(order: Any) -> Any:
        cards = hands.cards.astype(np.int32)[order]
        return order | cards[..., 0] << 16 | cards[..., 1] << 24

    return Places(packed(np.arange(len(hands.cards), dtype=np.int32)), packed(hands.order))


class Batch(NamedTuple):
    """Scratch and one batch of terminals, as rivers have them."""

    lanes: Any
    won: Any
    sums: Any
    running: Any
    source: Any
    target: Any
    payoff: Any


@njit
def fill(own: Any, other: Any, board: int, reach: Any, batch: Batch, found: Any) -> None:
    """Showdowns without and with rake, and opponents met; reach and these are [H / 16, ..]."""
    num_own, num_other = len(own.cards), len(other.cards)
    lanes, sums, running = batch.lanes, own.sums, batch.running
    for h in range(0, num_other, LANES):
        slots_to_lanes(lanes, h, reach[h // LANES], batch.source)
    begin, (even, raked, met) = board * sums.counted.shape[1], found
    run_sums(lanes, sums.counted, sums.rows, begin, num_other, sums.fours, running)
    for h in range(0, num_own, LANES):
        block, place, held, seen = h // LANES, board * num_own + h, sums.held, sums.seen
        shown_to_slots(even[block], batch.target, running, held, h, seen, place, batch.payoff)
        raked_shown_to_slots(
            raked[block], batch.target, running, held, h, seen, place, lanes, own.twin_lane,
            batch.payoff,
        )  # fmt: skip
        met_at_slots(met[block], batch.target, running, held, h, lanes, own.twin_lane)


@njit
def fill_by_places(
    own: Any, other: Any, mine: Places, his: Places, board: int, reach: Any, batch: Batch,
    found: Any,
) -> None:  # fmt: skip
    """Showdowns without and with rake, by scanning; reach and what is found are [H / 16, ..]."""
    num_own, num_other = len(own.cards), len(other.cards)
    lanes, sums, won = batch.lanes, batch.sums, batch.won
    for h in range(0, num_other, LANES):
        slots_to_lanes(lanes, h, reach[h // LANES], batch.source)
    scan(
        lanes, his.order, board * num_other, other.num_live[board], mine.order, board * num_own,
        own.steps, own.step_start[board], own.step_start[board + 1], sums, won, num_own,
    )  # fmt: skip
    even, raked = found
    for h in range(0, num_own, LANES):
        block = h // LANES
        won_to_slots(even[block], batch.target, won, h, mine.hands, sums, batch.payoff)
        raked_to_slots(
            raked[block], batch.target, won, h, mine.hands, lanes, own.twin_lane, sums,
            batch.payoff,
        )  # fmt: skip


@njit
def fill_folds(
    own: Any, other: Any, mine: Places, his: Places, reach: Any, batch: Batch, out: Any
) -> None:
    """Folds of one batch."""
    lanes, sums = batch.lanes, batch.sums
    for h in range(0, len(other.cards), LANES):
        slots_to_lanes(lanes, h, reach[h // LANES], batch.source)
    tally(lanes, his.hands, 0, len(other.cards), sums)
    for h in range(0, len(own.cards), LANES):
        met_to_slots(
            out[h // LANES], batch.target, lanes, h, mine.hands, own.twin_lane, sums, batch.payoff
        )


@njit
def fill_fold_above(own: Any, other: Any, row: Any, payoff: float, out: Any) -> None:
    """One fold, as above the river."""
    fold_above(own, other, row, payoff, np.zeros(53), out)


def in_slots(rows: Any) -> Any:
    """[H / 16, 16 R] of [R, H]: sixteen hands of every row stand together."""
    blocks = rows.reshape(len(rows), -1, LANES).transpose(1, 0, 2)
    return np.ascontiguousarray(blocks.reshape(len(blocks), -1))


def in_rows(slots: Any) -> Any:
    """[R, H] of [H / 16, 16 R]."""
    return slots.reshape(len(slots), -1, LANES).transpose(1, 0, 2).reshape(-1, len(slots) * LANES)


def random_batch(layout: Layout, rng: Any, filled: int) -> Batch:
    """So many terminals of sixteen; win, lose and tie are those of a raked pot."""
    width, spare = max(layout.width), LANES
    payoff = np.zeros((3, LANES), np.float32)
    stake, rake = 20 + 200 * rng.random(filled), 9 * rng.random(filled)
    payoff[:, :filled] = stake - rake, -stake, -rake / 2
    target = np.full(LANES, LANES * spare, np.int32)
    target[:filled] = LANES * rng.permutation(LANES)[:filled]
    source = np.full(LANES, LANES * 3, np.int32)
    source[:filled] = LANES * rng.integers(0, 6, filled)  # some terminals share their reach
    most = max(int(hands.sums.rows.max()) // ROW for hands in layout.ranked.hands)
    lanes, won, sums, running = (aligned(rows, LANES) for rows in (width + 1, width, 53, most + 1))
    for scratch in (lanes[:width], won, sums, running):
        scratch[:] = np.nan  # what an earlier batch left there must not matter
    return Batch(lanes, won, sums, running, source, target, payoff)


def out_shape(layout: Layout) -> tuple[int, int]:
    """Of what is found, in slots: sixteen terminals and a spare one."""
    return max(layout.width) // LANES, LANES * (LANES + 1)


def random_reach(layout: Layout, rng: Any, player: int, is_live: Any) -> Any:
    """[6, H] of which a third is 0."""
    reach = aligned(6, max(layout.width))
    some = rng.random((6, layout.width[player]))
    some[rng.random(some.shape) < 0.3] = 0
    reach[:, : layout.width[player]] = some * is_live
    return reach


@pytest.mark.parametrize("filled", [16, 5])
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("name", ENDS)
def test_showdowns_are_those_of_every_pair(name: str, player: int, filled: int) -> None:
    layout, rng = lay_out(ENDS[name]), np.random.default_rng(filled)
    own, other = layout.ranked.hands[player], layout.ranked.hands[1 - player]
    strength, met = strengths(layout), reference.meets(own.cards, other.cards)
    for board in rng.choice(len(layout.runouts.river_card), 6, replace=False).tolist():
        reach = random_reach(layout, rng, 1 - player, other.is_live_river[board])
        batch = random_batch(layout, rng, filled)
        slots = tuple(np.full(out_shape(layout), np.nan, np.float32) for _ in range(5))
        fill(own, other, board, in_slots(reach), batch, slots[:3])
        places = as_places(own), as_places(other)
        fill_by_places(own, other, *places, board, in_slots(reach), batch, slots[3:])
        even, raked, opponents, scanned, scanned_raked = map(in_rows, slots)
        live = np.flatnonzero(own.is_live_river[board])
        for k in range(filled):
            row = reach[batch.source[k] // LANES, : layout.width[1 - player]]
            win, lose, tie = batch.payoff[:, k].tolist()
            scale, slot = -lose * float(row.sum()), batch.target[k] // LANES
            for ways, payoff in (
                ((even, scanned), (win, -win, 0.0)),
                ((raked, scanned_raked), (win, lose, tie)),
            ):
                want = reference.showdown(
                    met, strength[player][board], strength[1 - player][board],
                    row.astype(np.float64), *payoff,
                )  # fmt: skip
                assert all(within(out[slot, live], want[live], scale) for out in ways)
            want = reference.fold(met, row.astype(np.float64), 1.0)
            assert within(opponents[slot, live], want[live], float(row.sum()))
        untouched = np.setdiff1d(np.arange(LANES), batch.target // LANES)
        for out in (even, raked, opponents, scanned, scanned_raked):
            assert np.isnan(out[untouched]).all()


@pytest.mark.parametrize("filled", [16, 5])
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("name", ENDS)
def test_folds_are_those_of_every_pair(name: str, player: int, filled: int) -> None:
    layout, rng = lay_out(ENDS[name]), np.random.default_rng(filled)
    own, other = layout.ranked.hands[player], layout.ranked.hands[1 - player]
    num_own, num_other = len(layout.combos[player]), layout.width[1 - player]
    met = reference.meets(own.cards, other.cards)
    reach = random_reach(layout, rng, 1 - player, other.is_live_river[3])
    batch = random_batch(layout, rng, filled)
    slots = np.full(out_shape(layout), np.nan, np.float32)
    fill_folds(own, other, as_places(own), as_places(other), in_slots(reach), batch, slots)
    out = in_rows(slots)
    for k in range(filled):
        payoff, row = float(batch.payoff[0, k]), reach[batch.source[k] // LANES, :num_other]
        want = reference.fold(met, row.astype(np.float64), payoff)[:num_own]
        alone = np.full(max(layout.width), np.nan, np.float32)
        fill_fold_above(own, other, row, batch.payoff[0, k], alone)
        for got in (out[batch.target[k] // LANES], alone):
            assert within(got[:num_own], want, payoff * float(row.sum()))
    assert np.isnan(out[np.setdiff1d(np.arange(LANES), batch.target // LANES)]).all()


def test_ends_have_ties_twins_and_dead_hands() -> None:
    layout = lay_out(ENDS["mostly ties"])
    own, other = layout.ranked.hands
    assert (own.twin >= 0).any()
    assert (own.twin[: len(layout.combos[0])] < 0).any()
    assert (own.num_live < len(layout.combos[0])).any()
    assert (other.num_live > 0).all()
    mine, his = strengths(layout)
    assert (np.diff(np.sort(mine[0])) == 0).any()
    assert np.isin(mine[0][mine[0] > 0], his[0]).any()


@njit
def decide(state: Any, weights: Any, at: Decision, is_live: Any, rows: Rows, scratch: Any) -> None:
    """All that `rows` does with stored numbers at one decision."""
    width = len(is_live)
    match(state.stored, at.offset, at.num_actions, width, rows.policy, at.first)
    play(state.stored, at.offset, at.num_actions, width, rows.reach, at.node, at.first)
    learn(state, weights, at, is_live, rows, scratch)


def random_state(
    rng: Any, kind: str, offset: int, num_actions: int, width: int, scale: float
) -> State:
    """One decision's regrets, among them none above 0 and, in float32, too little to divide by."""
    size = num_actions * width
    regret = (3000 * rng.normal(size=offset + size + 16)).astype(kind)
    regret[rng.random(len(regret)) < 0.2] = 0
    here = regret[offset : offset + size].reshape(-1, width)
    here[:, :4] *= -1 if num_actions == 1 else 0
    if kind == "float32":
        here[:, 8:12] = [[1e-40]] + [[0]] * (num_actions - 1)
    scales = np.full(3 if kind == "int16" else 0, scale, np.float32)
    return State(regret, regret, scales, aligned(len(regret)))


@pytest.mark.parametrize("kind", ["float32", "int16"])
@pytest.mark.parametrize("num_actions", range(1, 7))
def test_decisions_are_those_of_the_reference(num_actions: int, kind: str) -> None:
    width, offset, pitch = 48, 32, 64
    rng = np.random.default_rng(num_actions)
    size, scale = num_actions * width, 0.003
    state = random_state(rng, kind, offset, num_actions, width, scale)
    regret = state.regret
    state.policy_sum[:] = rng.random(len(regret))
    is_live = (np.arange(width) % 7 > 0).astype(np.float32)
    policy, reach, cfv, own = (aligned(8, pitch) for _ in range(4))
    for filled in (policy, reach, cfv, own):
        filled[:] = rng.random(filled.shape)
    cfv[:] = 20 * cfv - 10
    here = slice(offset, offset + size)
    before: list[Any] = [array.copy() for array in (regret, state.policy_sum, reach, cfv)]
    old, old_sum = (array[here].reshape(-1, width).astype(np.float64) for array in before[:2])
    below = slice(1, 1 + num_actions), slice(0, width)
    scratch = aligned(6 * pitch)
    none = aligned(1, pitch)
    rows = Rows(reach, own, policy, cfv, Reach(none, none), none)
    at = Decision(offset, scale_at=1, num_actions=num_actions, node=0, first=1)
    decide(state, WEIGHTS, at, is_live, rows, scratch)

    np.testing.assert_allclose(policy[below], reference.policy(old), rtol=3e-7)
    want_reach = reference.play(before[2][0, :width].astype(np.float64), old)
    np.testing.assert_allclose(reach[below], want_reach, rtol=5e-7)
    numbers = (
        old if kind == "float32" else reference.unpack(before[0][here], float(np.float32(scale)))
    )
    chips, new, new_sum = reference.learn(
        numbers.reshape(-1, width), old_sum, before[3][below].astype(np.float64),
        own[0, :width].astype(np.float64), Weights(*WEIGHTS.tolist()),
    )  # fmt: skip
    assert within(cfv[0, :width], chips)
    assert within(state.policy_sum[here].reshape(-1, width), new_sum)
    got = regret[here].reshape(-1, width)
    if kind == "float32":
        assert within(got, new)
    else:
        packed, new_scale = reference.pack(new, is_live)
        assert state.scale[1] == pytest.approx(new_scale, rel=1e-6)
        assert np.abs(got.astype(int) - packed).max() <= 1  # halves may fall to either side
        assert (got != packed).mean() < 0.02
        assert (state.scale[[0, 2]] == np.float32(scale)).all()
    for array, was in ((regret, before[0]), (state.policy_sum, before[1])):
        assert (array[:offset] == was[:offset]).all()
        assert (array[offset + size :] == was[offset + size :]).all()


def test_nothing_to_pack_is_packed_as_nothing() -> None:
    packed, scale = reference.pack(np.ones((2, 3)), np.zeros(3))
    assert scale == 0
    assert (packed == 0).all()
    packed, scale = reference.pack(np.array([[-2.0, 1.0], [0.0, 9.0]]), np.array([1, 0]))
    assert packed.tolist() == [[-32767, 0], [0, 0]]
    assert reference.unpack(packed, scale).tolist() == [[-2.0, 0.0], [0.0, 0.0]]


@njit
def value(cfv: Any, policy: Any, num_actions: int, width: int, found: Any, played: Any) -> None:
    """The sum, the mix and the best of the actions at 1; the best one written from 32 on."""
    add(cfv, 0, 1, num_actions, width)
    found[0] = cfv[0]
    mix(cfv, 0, policy, 1, num_actions, width)
    found[1] = cfv[0]
    best(cfv, 0, 1, num_actions, width)
    found[2] = cfv[0]
    record(played, 32, width, num_actions, width, cfv, 1)


@pytest.mark.parametrize("num_actions", [1, 2, 5])
def test_values_of_a_decision_are_those_of_the_reference(num_actions: int) -> None:
    width, rng = 16, np.random.default_rng(num_actions)
    cfv = np.rint(3 * rng.normal(size=(8, 32))).astype(np.float32)  # rounded: some are equal
    cfv[1 : 1 + num_actions, 0] = 2
    policy = aligned(8, 32)
    policy[:] = rng.random(policy.shape)
    below = slice(1, 1 + num_actions), slice(0, width)
    wide, shares = cfv[below].astype(np.float64), policy[below].astype(np.float64)
    found, played = aligned(3, 32), np.full(64 + num_actions * width, -1, np.float32)
    value(cfv, policy, num_actions, width, found, played)
    assert within(found[0, :width], wide.sum(axis=0))
    assert within(found[1, :width], reference.mix(shares, wide))
    assert (found[2, :width] == reference.best(wide)).all()
    assert (played[32:-32].reshape(-1, width) == reference.record(wide)).all()
    assert (played[:32] == -1).all()
    assert (played[-32:] == -1).all()


MANY_HANDS = "22+,A2s+,KTs+,76s", "99,AT,KQ,9h8h"
SOME_HANDS = "AA,KhQh,9s8s,8h8c,5d5c:0.5,76s", "KQs,99,Ah8h,8h8c,2c2d,T9s:0.3"
FEW_HANDS = "AA,76s,98s", "KQs,98s:0.5"
FLOP = small_spot("Ks9s4s", *FEW_HANDS, bet="a", raise_="a", stack=150, **RAKE)
FLOP_LOCKS = [
    {"line": "x", "strategy": {"x": 0.75, "a": 0.25}},
    {"line": "x x * x", "strategy": {"x": 1.0}},
    {"line": "x x * x x *", "strategy": {"x": 0.25, "a": 0.75}},
]
PASSES = {
    "river, rake": small_spot(
        "Ks9s4h2sJd", *MANY_HANDS, bet="33%,75%,120%,a", raise_="2x,a", **RAKE
    ),
    "turn": small_spot("Ks9s4h2s", *SOME_HANDS, bet="50%", raise_="a", stack=300),
    "flop, renamed, locked": FLOP.with_locks(FLOP_LOCKS),
}


def state_rows(layout: Layout, player: int) -> list[tuple[Any, Any, Any]]:
    """Each of the player's decisions on each board: where it stands, live hands, street."""
    hands, found = layout.ranked.hands[player], []
    parts: list[Any] = [*layout.streets, layout.river]
    for depth, part in enumerate(parts):
        if isinstance(part, River):
            live = hands.is_live_river > 0
        else:
            live = hands.is_live > 0 if depth else hands.cards[None, :, 0] < 52
        for n in np.flatnonzero(part.kind == player).tolist():
            size = int(part.num_children[n]) * layout.width[player]
            for board in range(len(live)):
                begin = int(part.offset[n] + board * part.stride[n])
                found.append((slice(begin, begin + size), live[board], depth))
    return found


def random_engine(name: str) -> PostflopEngine:
    """An engine whose state has the size that it has in a solve, but no symmetry at all."""
    engine, rng = PostflopEngine(lay_out(PASSES[name])), np.random.default_rng(1)
    engine.train(3)
    for array in (engine.regret, engine.policy_sum):
        array *= 0.5 + rng.random(len(array), dtype=np.float32)
        array[rng.random(len(array)) < 0.2] = 0
    engine.restore(engine.stored(), 3)  # locked hands get theirs back
    return engine


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("name", PASSES)
def test_values_of_a_pass_are_those_of_the_reference(name: str, player: int) -> None:
    engine = random_engine(name)
    layout = engine.layout
    for mode in (BEST, MEAN):
        weights = Weights(*WEIGHTS.tolist())
        want = run_pass(layout, player, mode, weights, engine.regret, engine.policy_sum)
        assert within(engine.run_pass(player, mode, WEIGHTS), want.cfv)
        assert (want.regret == engine.regret).all()
        assert (want.policy_sum == engine.policy_sum).all()


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("name", PASSES)
def test_what_a_pass_learns_is_that_of_the_reference(name: str, player: int) -> None:
    engine = random_engine(name)
    layout = engine.layout
    weights = Weights(*WEIGHTS.tolist())
    want = run_pass(layout, player, LEARN, weights, engine.regret, engine.policy_sum)
    untouched = np.ones(layout.num_elements, bool)
    before = engine.regret.copy(), engine.policy_sum.copy()
    assert within(engine.run_pass(player, LEARN, WEIGHTS), want.cfv)
    fixed = np.full(layout.num_elements, np.nan, np.float32)
    engine.lay_locks(player, fixed)
    is_free = np.isnan(fixed)
    assert is_free.all() == (not layout.game.locks)
    gaps: dict[int, list[float]] = {}
    for where, live, street in state_rows(layout, player):
        untouched[where] = False
        shape = (-1, layout.width[player])
        counts = is_free[where].reshape(shape) & live
        gap = np.abs(engine.regret[where] - want.regret[where]).reshape(shape)[counts]
        most = np.abs(want.regret[where].reshape(shape)[counts])
        known = gaps.setdefault(street, [0.0, 0.0])
        gaps[street] = [max([known[0], *gap]), max([known[1], *most])]
        sums = [(array[where] * is_free[where]) for array in (engine.policy_sum, want.policy_sum)]
        np.testing.assert_allclose(sums[0], sums[1], rtol=1e-5, atol=1e-6)
    for gap, most in gaps.values():
        assert most > 0
        assert gap <= BUDGET * most
    for state, was in zip((engine.regret, engine.policy_sum), before, strict=True):
        assert (state[untouched] == was[untouched]).all()
        assert (state[~is_free] == fixed[~is_free]).all()


def test_passes_have_long_rows_several_batches_and_groups() -> None:
    layout = lay_out(PASSES["river, rake"])
    assert min(layout.width) > LANES
    assert layout.width[0] > layout.width[1]
    assert set(layout.river.num_children.tolist()) >= {2, 3, 4, 5}
    assert (layout.river.show.batch_start[:, -1] > 1).all()
    assert (layout.river.fold.batch_start[:, -1] > 1).all()
    assert len(lay_out(PASSES["turn"]).river.group_start) > 2


def test_passes_have_folds_in_lanes_of_showdowns_and_in_their_own() -> None:
    joined = [lay_out(spot).river.joined for spot in PASSES.values()]
    assert any(groups.any() for groups in joined)
    assert not all(groups.all() for groups in joined)


def test_passes_rename_suits_and_hold_locks() -> None:
    layout = lay_out(PASSES["flop, renamed, locked"])
    assert len(layout.runouts.turn_card) < 49
    assert len(layout.ranked.hands[0].moved) > 1
    parts: list[Any] = [*layout.streets, layout.river]
    assert [bool((part.locks.node >= 0).any()) for part in parts] == [True] * 3


@pytest.mark.skipif(not IS_X86, reason="small numbers cost nothing elsewhere")
def test_what_fades_away_is_zero_and_only_inside_kernels() -> None:
    engine = PostflopEngine(lay_out(PASSES["river, rake"]))
    engine.train(1500)
    tiny = np.finfo(np.float32).tiny
    for numbers in (engine.regret, engine.policy_sum):
        assert (numbers[np.abs(numbers) < tiny] == 0).all()
    assert np.float32(tiny) * np.float32(0.5) > 0
