"""Turns and rivers that are drawn: each as likely as any other, and right on average."""

from collections import Counter
from itertools import product
from typing import Any

import numpy as np
import pytest

from poker_solver.cfr.schedules import DCFR
from poker_solver.fullgame.training.drawn_boards import DrawnBoards, draw_cards
from poker_solver.fullgame.training.row_engine import RowEngine
from poker_solver.fullgame.training.row_tables import KeptTables, row_tables
from poker_solver.fullgame.training.sampled import SampledTrunk
from poker_solver.fullgame.training.shared_rows import Sharing
from poker_solver.fullgame.training.trunk import Preflop
from poker_solver.kernels.postflop import LEARN
from poker_solver.postflop.layout.layout import lay_out
from poker_solver.trees.runouts import Runouts
from tests.fullgame.training import test_sampled
from tests.fullgame.training.test_sampled import SCHEDULE
from tests.fullgame.training.test_shared_rows import CLASSES, FLOPS, own_rows, shared_rows
from tests.fullgame.training.test_trunk import small_game

ONE = np.ones(3, np.float32)
SHARED = (False, True, True)


class Fixed:
    """In place of a generator: suits in one order, and every draw begins at a given place."""

    def __init__(self, turn: int, river: int) -> None:
        self.begin = {49: turn, 48: river}

    def random(self, size: int) -> Any:
        return np.arange(size) * 0.37 % 1

    def integers(self, size: int) -> int:
        return self.begin[size]


def rows(runouts: Runouts) -> list[Any]:
    """The flop has rows of its own, turn and river those of all boards."""
    return [
        (own_rows if street == 1 else shared_rows)(runouts.boards(street)) for street in (1, 2, 3)
    ]


def engine(drawn: DrawnBoards) -> RowEngine:
    layouts = [lay_out(spot) for spot in FLOPS]
    tables = KeptTables(layouts, rows, 1, drawn=drawn, most_drawn=1)
    return taught(RowEngine(layouts, tables, CLASSES, DCFR, sharing=Sharing(SHARED, (4, 12))))


def taught(found: RowEngine) -> RowEngine:
    """With some reach."""
    rng = np.random.default_rng(7)
    for player in (0, 1):
        found.set_reach(player, rng.random(169))
    return found


@pytest.mark.parametrize(("size", "count"), [(49, 1), (49, 6), (49, 48), (48, 5), (48, 24)])
def test_every_card_is_drawn_as_often(size: int, count: int) -> None:
    ranks, found = np.sort(np.arange(size) % 13), Counter[int]()
    for begin in range(size):
        cards = draw_cards(ranks, count, Fixed(begin, begin))  # type: ignore[arg-type]
        assert len(set(cards.tolist())) == count
        found.update(cards.tolist())
    assert [found[card] for card in range(size)] == [count] * size


def test_cards_are_drawn_evenly_over_ranks_and_of_any_suits() -> None:
    ranks, suits = np.arange(3, 52) // 4, Counter[int]()
    for seed in range(200):
        cards = draw_cards(ranks, 12, np.random.default_rng(seed))
        assert np.bincount(ranks[cards], minlength=13).max() <= 2
        suits.update(((cards + 3) % 4).tolist())
    assert min(suits.values()) > 500


@pytest.mark.parametrize("seed", range(4))
def test_what_is_drawn_are_boards_of_the_flop(seed: int) -> None:
    layout, some = lay_out(FLOPS[seed % 2]), DrawnBoards(5, 7)
    whole, found = layout.runouts, some.of(layout, np.random.default_rng(seed))
    part, boards = found.runouts, found.boards
    assert part.turn_weight.sum() == 5
    assert (np.bincount(part.river_turn, part.river_weight) == 7).all()
    assert {*map(tuple, part.boards(3).tolist())} <= {*map(tuple, whole.boards(3).tolist())}
    assert boards.turn_share == pytest.approx(49 / 5 / 45)
    assert boards.river_share == pytest.approx(48 / 7 / 44)
    for turn in np.flatnonzero(part.turn_index >= 0).tolist():
        (t, way), (u, same) = part.locate([turn]), whole.locate([turn])
        assert (part.turn_card[t], way) == (whole.turn_card[u], same)


def test_all_boards_drawn_are_the_flop_bit_for_bit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(DrawnBoards, "are_all", False)
    whole, drawn = engine(DrawnBoards()), engine(DrawnBoards(49, 48))
    for number in range(3):
        for player in (0, 1):
            want = whole.run_some([0, 1], player, LEARN, ONE)
            assert np.array_equal(drawn.run_some([0, 1], player, LEARN, ONE, number), want)
    for name, array in whole.stored().items():
        assert np.array_equal(array, drawn.stored()[name]), name


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("turns", "rivers"), [(7, 0), (0, 6), (7, 24)])
def test_the_mean_over_all_draws_is_the_whole_walk(player: int, turns: int, rivers: int) -> None:
    """Of values at the root and of what regrets learn; sums count the boards that were drawn."""
    layout, drawn = lay_out(FLOPS[1]), DrawnBoards(turns, rivers)
    starts = product(range(0, 49, turns or 49), range(0, 48, rivers or 48))
    given = [drawn.of(layout, Fixed(*start)) for start in starts]  # type: ignore[arg-type]
    values, states = [], list[dict[str, Any]]()
    for one in (layout, *given):
        tables = [row_tables(one, rows(one.runouts))]
        walked = taught(RowEngine([layout], tables, CLASSES, DCFR, sharing=Sharing(SHARED, (1,))))
        values.append(walked.run_some([0], player, LEARN, ONE))
        states.append(walked.stored())
    whole = states.pop(0)
    means = {name: np.mean([state[name] for state in states], axis=0) for name in whole}
    near(np.mean(values[1:], axis=0), values[0])
    for name in ("regret", "policy_sum", "shared_regret"):
        near(means[name], whole[name])
    part_of_turns = (turns or 49) / 49
    of_turns = walked.shared.num_actions[1] * walked.shared.num_rows[1]
    near(means["shared_sum"][:of_turns], part_of_turns * whole["shared_sum"][:of_turns])
    near(means["shared_sum"][of_turns:], drawn.share * whole["shared_sum"][of_turns:])


def near(found: Any, want: Any) -> None:
    assert np.abs(want).max() > 0
    np.testing.assert_allclose(found, want, rtol=1e-4, atol=1e-5 * np.abs(want).max())


def trunk(drawn: DrawnBoards, batch_size: int = 2, **options: Any) -> SampledTrunk:
    """Five flops under one preflop tree."""
    layouts, weights = test_sampled.layouts(), test_sampled.FLOPS.weights
    tables = KeptTables(layouts, rows, 1, drawn=drawn, most_drawn=batch_size)
    sharing, classes = Sharing(SHARED, weights), small_game().classes
    found = RowEngine(layouts, tables, classes, SCHEDULE, sharing=sharing, **options)
    before = Preflop(small_game(), SCHEDULE)
    return SampledTrunk(before, test_sampled.FLOPS, [found], SCHEDULE, batch_size)


def test_a_resumed_training_draws_the_same_on_any_threads() -> None:
    drawn = DrawnBoards(4, 12)
    through, stopped, resumed = trunk(drawn), trunk(drawn), trunk(drawn, threads=3)
    through.train(8)
    stopped.train(4)
    stopped.estimate(4)  # changes nothing, and walks all boards
    resumed.restore({name: array.copy() for name, array in stopped.stored().items()}, 4)
    resumed.train(4)
    test_sampled.agree(through, resumed)
    assert through.estimate(4).bounds_mbb == resumed.estimate(4).bounds_mbb
    other = trunk(DrawnBoards())
    other.train(8)
    sums = [one.preflop.state.policy_sum for one in (through, other)]
    assert not np.array_equal(sums[0], sums[1])


def test_drawn_boards_learn_the_game() -> None:
    """Beside the same rows with all boards in every visit, per iteration."""
    all_boards, some = trunk(DrawnBoards()), trunk(DrawnBoards(12, 24))
    for one in (all_boards, some):
        one.train(60)
    want, found = (one.estimate(5).upper_mbb for one in (all_boards, some))
    assert found < 1.5 * want
