"""The CPU's programs and lanes, run step by step, against the walk that says what they mean."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from poker_solver.games.betting import FOLD, RIVER, SHOWDOWN
from poker_solver.kernels.postflop import LANES, OPPONENT, Lanes, Program, River
from poker_solver.postflop.layout.layout import Layout, lay_out
from poker_solver.trees.lines import Group
from tests.support.line_walks import NUM_HANDS, Pairs, interpret, random_pairs, random_rows
from tests.support.postflop_spots import random_spot, small_spot

Float = NDArray[np.float64]

MANY_ENDS = small_spot("KsQh7d2c", "AA", "KK", bet="20%,50%,a", raise_="2x,a", stack=900)
RAKED = small_spot("KsQh7d2c", "AA", "KK", "50%", "a", rake={"rate": 0.05, "cap": 9.5})
SPOTS = {
    "many ends": MANY_ENDS,
    "raked": RAKED,
    **{f"random {seed}": random_spot(seed, 4) for seed in range(4)},
}


class Machine:
    """One river group on one board: a row of hands for each slot, NaN until it is written."""

    def __init__(self, layout: Layout, g: int, player: int, state: list[Float]) -> None:
        self.river, self.g, self.player, self.state = layout.river, g, player, state
        self.width = layout.width
        rows = int(np.diff(self.river.group_start).max()) + 1
        self.reach = [np.full((rows, hands), np.nan) for hands in NUM_HANDS]
        self.cfv = np.full((rows, NUM_HANDS[player]), np.nan)
        self.gain: dict[int, Float] = {}
        self.played: dict[int, Float] = {}

    def steps(self, program: Program, player: int) -> list[list[int]]:
        first, last = program.start[player, self.g : self.g + 2]
        found: list[list[int]] = program.steps[first:last].tolist()
        return found

    def policy(self, player: int, count: int, offset: int) -> Float:
        """[A, H] where a step says that the rows of a decision are; offsets are in widths."""
        rows = self.state[player][offset : offset + count * self.width[player]]
        return rows.reshape(count, -1)[:, : NUM_HANDS[player]]

    def down(self, player: int, above: Float, program: Program) -> None:
        reach = self.reach[player]
        for deal, slot in self.steps(self.river.entries, player):
            reach[slot // LANES] = above[deal]
        for count, offset, source, below in self.steps(program, player):
            played = self.policy(player, count, offset) * reach[source // LANES]
            reach[below // LANES : below // LANES + count] = played

    def end(self, lanes: Lanes, pairs: Pairs, *, shown: bool) -> None:
        first, last = lanes.batch_start[self.player, self.g : self.g + 2]
        for k in range(first, last):
            for lane in range(LANES):
                source, target = (
                    int(of[self.player, k, lane]) for of in (lanes.source, lanes.target)
                )
                win, lose, tie = lanes.payoff[self.player, k, :, lane].tolist()
                chips = np.choose(pairs.order.astype(int) + 1, [lose, tie, win]) if shown else win
                reach = self.reach[1 - self.player][source // LANES]
                self.cfv[target // LANES] = (chips * pairs.meet) @ reach

    def folds(self, pairs: Pairs) -> dict[int, Float]:
        """What folds pay by slot, from opponents met at showdowns alone."""
        show, player = self.river.show, self.player
        met = np.full_like(self.cfv, np.nan)
        for k in range(*show.batch_start[player, self.g : self.g + 2]):
            for source in (show.source[player, k] // LANES).tolist():
                met[source] = pairs.meet @ self.reach[1 - player][source]
        for count, slot, before, others in self.steps(self.river.rests, player):
            total = met[others // LANES : others // LANES + count].sum(0)
            met[slot // LANES] = total if before < 0 else met[before // LANES] - total
        payoff = self.river.payoff.ravel()
        return {
            slot // LANES: payoff[place] * met[source // LANES]
            for slot, source, place in self.steps(self.river.folds, player)
        }

    def up(self) -> None:
        for count, offset, slot, below, own in self.steps(self.river.ups, self.player):
            actions = count % OPPONENT
            values = self.cfv[below // LANES : below // LANES + actions]
            if count >= OPPONENT:
                self.cfv[slot // LANES] = values.sum(0)
                continue
            policy = self.policy(self.player, actions, offset)
            self.cfv[slot // LANES] = (policy * values).sum(0)
            self.gain[offset] = values - self.cfv[slot // LANES]
            self.played[offset] = self.reach[self.player][own // LANES] * policy


def as_state(layout: Layout, group: Group, policy: list[Float]) -> tuple[list[Float], list[int]]:
    """A board's state of each player with the policies of one group, and where it begins."""
    begin = int(layout.river.part_start[0])
    size = int(layout.river.part_start[-1]) - begin
    states = []
    for player in (0, 1):
        state = np.full(size + layout.width[player], np.nan)
        for _, decision in group.decisions_of(player):
            for row, action in enumerate(decision.rows):
                at = int(layout.offset[decision.node]) - begin + row * layout.width[player]
                state[at : at + NUM_HANDS[player]] = policy[player][action]
        states.append(state)
    return states, [begin]


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("name", SPOTS)
def test_programs_find_what_the_walk_finds(name: str, player: int) -> None:
    layout, rng = lay_out(SPOTS[name]), np.random.default_rng(1)
    river, groups = layout.river, layout.shape.groups[RIVER]
    for g, group in enumerate(groups):
        policy, reach = random_rows(rng, group)
        pairs = random_pairs(rng)[player]
        state, (begin,) = as_state(layout, group, policy)
        machine = Machine(layout, g, player, state)
        above = []
        for q in (0, 1):
            rows = np.full((max(group.entry_deals) + 1, NUM_HANDS[q]), np.nan)
            rows[list(group.entry_deals)] = reach[q]
            above.append(rows)

        machine.down(1 - player, above[1 - player], river.plays)
        machine.down(player, above[player], river.again)
        machine.end(river.show, pairs, shown=True)
        machine.end(river.fold, pairs, shown=False)
        folds = machine.folds(pairs)
        assert sorted(folds) == [i for i, _ in group.ends(FOLD)]
        for i, found in folds.items():
            np.testing.assert_allclose(found, machine.cfv[i], rtol=0, atol=1e-9)
        machine.up()

        want = interpret(group, player, policy, reach, pairs)
        scale = np.abs(want.values).max()
        for i in range(len(group.nodes)):
            np.testing.assert_allclose(machine.cfv[i], want.values[i], rtol=0, atol=1e-6 * scale)
        for _, decision in group.decisions_of(player):
            offset, mine = int(layout.offset[decision.node]) - begin, list(decision.rows)
            gain, played = machine.gain[offset], machine.played[offset]
            np.testing.assert_allclose(gain, want.gain[mine], rtol=0, atol=1e-6 * scale)
            np.testing.assert_allclose(played, want.played[mine], rtol=0, atol=1e-12)


@pytest.mark.parametrize("name", SPOTS)
def test_every_terminal_has_one_lane(name: str) -> None:
    layout = lay_out(SPOTS[name])
    river = layout.river
    spare = LANES * int(np.diff(river.group_start).max())
    for lanes, kind in ((river.show, SHOWDOWN), (river.fold, FOLD)):
        for player in (0, 1):
            for g, group in enumerate(layout.shape.groups[RIVER]):
                first, last = lanes.batch_start[player, g : g + 2]
                targets = lanes.target[player, first:last].ravel()
                real = sorted(targets[targets != spare].tolist())
                assert real == [LANES * i for i, _ in group.ends(kind)]


def test_folds_share_the_lanes_of_showdowns_with_the_same_reach() -> None:
    river = lay_out(small_spot("KsQh7d2c4h", "AA", "KK", "50%")).river
    assert river.joined.all()
    for player, g in np.argwhere(river.joined).tolist():
        show, fold = (of.batch_start[player, g] for of in (river.show, river.fold))
        assert np.array_equal(river.show.source[player, show], river.fold.source[player, fold])


def test_parts_are_the_state_of_each_group_and_player() -> None:
    layout = lay_out(MANY_ENDS)
    river: River = layout.river
    for g, group in enumerate(layout.shape.groups[RIVER]):
        for player in (0, 1):
            first, last = river.part_start[2 * g + player : 2 * g + player + 2].tolist()
            offsets = [int(layout.offset[d.node]) for _, d in group.decisions_of(player)]
            assert all(first <= offset < last for offset in offsets)
            assert last - first == group.num_rows[player] * layout.width[player]
    assert river.part_start[-1] - river.part_start[0] == river.stride[0]


def test_columns_lead_down_and_up_again() -> None:
    layout = lay_out(MANY_ENDS)
    parts: list[Any] = [*layout.streets, layout.river]
    for part in parts:
        for n, (kind, child, count) in enumerate(
            zip(part.kind, part.first_child, part.num_children, strict=True)
        ):
            if kind < 2:
                assert (part.parent[child : child + count] == n).all()
            assert (part.parent[n] < 0) == (part.entry[n] >= 0)
