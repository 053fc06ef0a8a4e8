"""CFR by row: the reference on paper, and the kernels of the CPU against it, whole passes."""

from typing import Any

import numpy as np
import pytest

from poker_solver.abstraction.river_rows import river_rows
from poker_solver.abstraction.rows import StreetRows, exact_rows
from poker_solver.config.spot import Spot
from poker_solver.config.unified_fields import RowRule
from poker_solver.fullgame.training.row_engine import RowEngine
from poker_solver.fullgame.training.row_tables import row_tables
from poker_solver.games.betting import RIVER
from poker_solver.kernels.postflop import BEST, LEARN, MEAN
from poker_solver.kernels.postflop.reference import pack
from poker_solver.kernels.regret import Weights
from poker_solver.kernels.row_cfr import reference
from poker_solver.postflop.engines.classes import class_index
from poker_solver.postflop.layout.layout import Layout, lay_out
from tests.support.postflop_spots import small_spot
from tests.support.row_pass import RowWalk, run_row_pass

BUDGET = 4e-6
WEIGHTS = np.array([0.9, 0.5, 0.8], np.float32)
CLASSES = np.arange(169, dtype=np.int32)
RAKE: dict[str, Any] = {"rake": {"rate": 0.05, "cap": 9.5}}

SPOTS = {
    "turn": small_spot("Ks9s4h2s", "22+,A2s+,KTs+,76s", "99,AT,KQ,98s", bet="50%", raise_="a"),
    "turn, same hands, rake": small_spot(
        "KsQh7d7c", "77+,AT+,98s", "77+,AT+,98s", bet="50%", stack=150, **RAKE
    ),
    "turn, one bet": small_spot("AsKsQhJd", "TT,55,98s", "TT,77", bet="a"),
    "flop": small_spot("Ks9s4s", "AA,76s", "KQs,98s", bet="a", stack=150),
}


KINDS = {"quantiles": RowRule("quantiles", 5), "strength": RowRule("strength"), "any": None}


def test_a_decision_learns_what_its_rows_come_to() -> None:
    """Two hands share row 0, a third has row 2 to itself, a fourth is not there."""
    row = np.array([0, 2, 0, -1], np.int16)
    regret = np.array([[3.0, -1.0, 0.0], [1.0, -1.0, -4.0]])
    values = np.array([[10.0, 4.0, -2.0, 99.0], [2.0, 8.0, 6.0, 99.0]])
    reach = np.array([1.0, 0.5, 0.0, 0.0])
    cfv, new, sums = reference.learn(
        regret, np.ones((2, 3)), values, reach, row, Weights(0.5, 0.25, 0.1)
    )
    assert cfv[:3].tolist() == [8.0, 6.0, 0.0]  # policy 3/4, 1/4; even; the first row again
    told = np.array([[10 - 0.2, 0.0, 0.55 * 4], [2 + 0.6, 0.0, 0.55 * 8]])  # by 1, 0.55 and 0.1
    value = np.array([0.75 * 9.8 + 0.25 * 2.6, 0.0, 0.55 * 6])
    kept = np.array([[1.5, -0.25, 0.0], [0.5, -0.25, -1.0]])
    np.testing.assert_allclose(new, kept + told - value, atol=1e-12)
    np.testing.assert_allclose(sums, 0.1 + np.array([[0.75, 0, 0.25], [0.25, 0, 0.25]]), atol=1e-12)


def test_hands_with_rows_of_their_own_all_weigh_1() -> None:
    row = np.array([1, -1, 0], np.int16)
    assert reference.weigh(np.array([0.5, 0.0, 0.0]), row).tolist() == [1.0, 1.0, 1.0]


def any_rows(boards: Any, rng: np.random.Generator, most: int) -> StreetRows:
    """Rows in no order at all, another number of them on every board."""
    count = rng.integers(1, most, len(boards), dtype=np.int32, endpoint=True)
    drawn = (rng.random((len(boards), 1326)) * count[:, None]).astype(np.int16)
    is_live = exact_rows(boards).row >= 0 if boards.shape[1] < 5 else _is_live(boards)
    return StreetRows(np.where(is_live, drawn, -1).astype(np.int16), count)


def _is_live(boards: Any) -> Any:
    return river_rows(RowRule("strength"), boards).row >= 0


def rows_of(layout: Layout, kind: str, rng: np.random.Generator) -> tuple[StreetRows, ...]:
    """Of every street of a spot; rivers as `kind` says."""
    first = layout.tree.first_street
    upper = [any_rows(layout.runouts.boards(s), rng, 7) for s in range(first, RIVER)]
    rivers = layout.runouts.boards(RIVER)
    rule = KINDS[kind]
    return *upper, river_rows(rule, rivers) if rule else any_rows(rivers, rng, 20)


def drawn_engine(
    spot: Spot, kind: str, rng: np.random.Generator, **options: Any
) -> tuple[RowEngine, tuple[StreetRows, ...]]:
    """With any regrets and sums, some of them 0, and any ranges."""
    layout = lay_out(spot)
    streets = rows_of(layout, kind, rng)
    engine = RowEngine([layout], [row_tables(layout, streets)], CLASSES, **options)
    state = {name: array.copy() for name, array in engine.stored().items()}
    if engine.precision == "int16":
        state["regret"][:] = rng.integers(-32767, 32767, len(state["regret"]), dtype=np.int16)
        state["scale"][:] = 0.001 * rng.random(len(state["scale"]))
    else:
        state["regret"][:] = rng.normal(size=len(state["regret"]))
    state["regret"][rng.random(len(state["regret"])) < 0.2] = 0
    state["policy_sum"][:] = rng.exponential(size=len(state["policy_sum"]))
    engine.restore(state, 3)
    for player in (0, 1):
        engine.set_reach(player, rng.random(169) * (rng.random(169) > 0.3))
    return engine, streets


def ranges(engine: RowEngine) -> tuple[Any, Any]:
    """[H] what each player's hands weigh, as float32 has it."""
    index = class_index(engine.layouts, CLASSES)
    oop, ip = (
        engine.class_reach[player][index[player][0]].astype(np.float32).astype(np.float64)
        for player in (0, 1)
    )
    return oop, ip


PASSES = [("flop", "any", 0)] + [
    (name, kind, player)
    for name in SPOTS if name != "flop" for kind in KINDS for player in (0, 1)
]  # fmt: skip


@pytest.mark.parametrize(("name", "kind", "player"), PASSES)
def test_passes_are_those_of_the_reference(name: str, kind: str, player: int) -> None:
    engine, streets = drawn_engine(SPOTS[name], kind, np.random.default_rng(player))
    layout, state = engine.layouts[0], {n: a.copy() for n, a in engine.stored().items()}
    reach, before = ranges(engine), (state["regret"], state["policy_sum"])
    for mode in (BEST, MEAN, LEARN):
        engine.run_pass(player, mode, WEIGHTS)
        weights = Weights(*WEIGHTS.tolist())
        want = run_row_pass(layout, streets, player, mode, weights, reach, before)
        scale = float(np.abs(want.cfv).max())
        assert np.abs(engine.root_values(player)[0] - want.cfv).max() <= BUDGET * scale
        got = engine.stored()
        if mode != LEARN:
            assert all(np.array_equal(got[n], state[n]) for n in state)
            continue
        most = len(reach[player])  # hands of a row, at most
        assert np.abs(got["regret"] - want.regret).max() <= BUDGET * scale * most
        np.testing.assert_allclose(got["policy_sum"], want.policy_sum, rtol=BUDGET, atol=BUDGET)


def test_regrets_of_16_bits_are_those_of_the_reference_rounded() -> None:
    rng = np.random.default_rng(0)
    engine, streets = drawn_engine(
        SPOTS["turn"], "quantiles", rng, precision="int16", river_average=False
    )
    layout, state = engine.layouts[0], {n: a.copy() for n, a in engine.stored().items()}
    wide, walk = np.zeros(len(state["regret"])), places(layout, streets)
    for decision, (place, scale_at) in enumerate(walk):
        wide[place] = float(state["scale"][scale_at]) * state["regret"][place]
        assert decision == scale_at
    sums = np.zeros(len(wide))
    sums[: len(state["policy_sum"])] = state["policy_sum"]
    engine.run_pass(1, LEARN, WEIGHTS)
    weights = Weights(*WEIGHTS.tolist())
    want = run_row_pass(layout, streets, 1, LEARN, weights, ranges(engine), (wide, sums))
    got, wrong = engine.stored(), 0
    assert np.allclose(got["policy_sum"], want.policy_sum[: len(got["policy_sum"])], rtol=BUDGET)
    changed = [(p, k) for p, k in walk if not np.array_equal(want.regret[p], wide[p])]
    assert changed
    for place, scale_at in changed:
        packed, scale = pack(want.regret[place], np.ones(place.shape[1]))
        assert got["scale"][scale_at] == pytest.approx(scale, rel=1e-4)
        off = np.abs(got["regret"][place].astype(int) - packed)
        assert off.max() <= 2
        wrong += int((off > 0).sum())
    assert wrong < 0.05 * len(wide)


def places(layout: Layout, streets: tuple[StreetRows, ...]) -> list[tuple[Any, int]]:
    """[A, R] where every decision of every board stands, and its scale, in the order of scales."""
    walk = RowWalk(layout, streets, 0, BEST, Weights(1, 1, 1), (np.zeros(0), np.zeros(0)))
    found = []
    for street, (part, at) in enumerate(zip(walk.templates, walk.at, strict=True)):
        acts = np.flatnonzero(part.kind < 2)
        for board in range(len(at.start)):
            first = int(at.scale_start + board * at.num_decisions)
            scales = sorted((first + int(part.scale_at[n]), int(n)) for n in acts)
            found += [(walk.state_of(street, n, board), scale) for scale, n in scales]
    return found


def test_without_an_average_the_rivers_regrets_are_played() -> None:
    with_sums, _ = drawn_engine(SPOTS["turn"], "any", np.random.default_rng(5))
    without, _ = drawn_engine(SPOTS["turn"], "any", np.random.default_rng(5), river_average=False)
    state = {name: array.copy() for name, array in with_sums.stored().items()}
    upper = len(without.stored()["policy_sum"])
    state["policy_sum"][upper:] = state["regret"][upper:]
    with_sums.restore(state, 3)
    less = {**state, "policy_sum": state["policy_sum"][:upper]}
    without.restore(less, 3)
    for engine in (with_sums, without):
        for player in (0, 1):
            engine.set_reach(player, np.linspace(0.2, 1, 169))
    for mode in (BEST, MEAN, LEARN):
        for player in (0, 1):
            got, want = (one.run_pass(player, mode, WEIGHTS) for one in (without, with_sums))
            assert np.array_equal(got, want)
    assert np.array_equal(without.stored()["regret"], with_sums.stored()["regret"])
    assert np.array_equal(without.stored()["policy_sum"], with_sums.stored()["policy_sum"][:upper])
