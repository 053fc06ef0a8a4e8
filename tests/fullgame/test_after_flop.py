"""Points after the flop: looked up or solved again, for any suits, down to the river."""

from functools import cache

import numpy as np
import pytest

import poker_solver as ps
from poker_solver.cards import cards_from_string
from poker_solver.cards.isomorphism import Permutation, combo_permutation, permute_cards
from poker_solver.cfr.options import SolveOptions
from poker_solver.errors import InputError, LineError
from poker_solver.fullgame.after_flop import AfterFlop, Point
from poker_solver.trees.betting import build_betting_tree
from tests.support.full_games import small, solution_file

LINE = 1  # SBr2 BBc
RENAMED: Permutation = (2, 3, 1, 0)


@cache
def own() -> ps.UnifiedSolution:
    """In which only the tests of this file solve flops."""
    return ps.UnifiedSolution.load(solution_file())


def point(flop: str, line: str = "") -> Point:
    return own().after_flop.point(LINE, cards_from_string(flop), line.split())


def test_a_flop_with_rows_is_looked_up_and_one_without_is_solved() -> None:
    looked, solved = point("AsTh5d"), point("QsJh2h")
    assert looked.solved is None
    assert solved.solved is not None
    for found in (looked, solved):
        node = found.node
        assert (node.kind, node.player, node.actions) == ("decision", "oop", ("x", "a"))
        assert (node.pot, node.behind) == (400, (400, 400))
        assert sum(p.mean_ev for p in node.players) == pytest.approx(400, abs=0.01)
        assert sum(p.mean_equity for p in node.players) == pytest.approx(1)


def test_looked_up_and_solved_agree() -> None:
    full = small()
    rowless = ps.UnifiedSolution(
        full.config, full.sums, full.leaf_values, full.record, full.certificate, full.hands
    )
    options = SolveOptions(target=0.02, threads=1)
    flop = cards_from_string("AsTh5d")
    solved, looked = AfterFlop(rowless, options), AfterFlop(full, options)
    for line in ("", "x", "a", "x a", "x x", "a c", "a f", "x x 7d", "a c 7d", "a c 7d 7h"):
        mine, theirs = (one.point(LINE, flop, line.split()).node for one in (looked, solved))
        assert (mine.line, mine.board, mine.kind, mine.player) == (
            theirs.line, theirs.board, theirs.kind, theirs.player,
        )  # fmt: skip
        assert (mine.pot, mine.behind, mine.actions, mine.amounts) == (
            theirs.pot, theirs.behind, theirs.actions, theirs.amounts,
        )  # fmt: skip
        for own, other in zip(mine.players, theirs.players, strict=True):
            assert np.array_equal(own.combos, other.combos)
            assert own.num_combos == pytest.approx(other.num_combos, rel=0.1)
            assert own.mean_equity == pytest.approx(other.mean_equity, abs=0.02)
            if line not in ("x", "a", "x a", "x x"):  # looked up: EVs are not known there
                assert own.mean_ev == pytest.approx(other.mean_ev, abs=12)
        if mine.player is not None:
            np.testing.assert_allclose(mine.frequency, theirs.frequency, atol=0.1)


@pytest.mark.parametrize("line", ["", "x", "a c 7d", "x x 7d x"])
def test_other_suits_are_the_same_renamed(line: str) -> None:
    flop, to = cards_from_string("KsJs7h"), combo_permutation(RENAMED)

    def renamed(tokens: str) -> list[str]:
        return [_renamed(token) if len(token) == 2 else token for token in tokens.split()]

    after_flop = AfterFlop(small(), SolveOptions(target=0.01))  # so that mixes are settled
    one = after_flop.point(LINE, flop, line.split()).node
    two = after_flop.point(LINE, permute_cards(flop, RENAMED), renamed(line)).node
    for own, other in zip(one.players, two.players, strict=True):
        place = np.argsort(other.combos)
        at = place[np.searchsorted(other.combos, to[own.combos], sorter=place)]
        np.testing.assert_allclose(other.reach[at], own.reach, atol=0.02)
        np.testing.assert_allclose(other.equity[at], own.equity, atol=0.01)
    if one.player is not None:
        np.testing.assert_allclose(two.frequency, one.frequency, atol=0.02)


def _renamed(card: str) -> str:
    suits = "cdhs"
    return card[0] + suits[RENAMED[suits.index(card[1])]]


def test_a_turn_is_the_game_that_the_flop_leads_to() -> None:
    found = point("AsTh5d", "x x 7d x x 2c")
    assert found.solved is not None
    assert (found.node.line, found.own_line) == ("x x 7d x x 2c", "x x 2c")
    game, whole = found.solved.game, small().spot_game(LINE, cards_from_string("AsTh5d")).tree
    after_card = int(whole.first_child[whole.node_at("x x")])
    below = build_betting_tree(game.betting)
    assert below.actions(0) == whole.actions(after_card)
    assert (game.pot, game.stack, game.board) == (400, 400, "AsTh5d7d")
    before = point("AsTh5d", "x x").node
    for player, held in enumerate(before.players):
        free = held.combos[game.weights[player][held.combos] > 0]
        want = dict(zip(held.combos.tolist(), held.reach.tolist(), strict=True))
        got = game.weights[player][free]
        np.testing.assert_allclose(got, [want[c] for c in free.tolist()], rtol=1e-6)
    assert found.solved.exploitability_pct <= 0.3
    again = point("AsTh5d", "x x 7d")
    assert again.solved is found.solved  # kept


def test_shares_of_the_pot_are_read_in_lines() -> None:
    assert point("AsTh5d", "x b100%").node.line == "x a"


def test_what_cannot_be_played_is_said() -> None:
    with pytest.raises(LineError, match="the actions here are x, a"):
        point("AsTh5d", "b90")
    with pytest.raises(LineError, match="already on the board"):
        point("AsTh5d", "x x 5d")
    full = small()
    nobody = full.sums.copy()
    nobody[full.game.tree.node_at(("r2",))] = 0.0
    nobody[full.game.tree.node_at(("f",))] = 1.0
    empty = ps.UnifiedSolution(full.config, nobody, full.leaf_values, full.record, hands=full.hands)
    with pytest.raises(InputError, match="nobody comes to SBr2 BBc"):
        empty.after_flop.point(LINE, cards_from_string("AsTh5d"), ())
