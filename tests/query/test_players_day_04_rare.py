"""How much of its range a player brings to a node, and which EVs that leaves without support."""

from dataclasses import replace

import pytest

from poker_solver.query.node import RARE
from poker_solver.query.view import node_view
from tests.support.solved import solved


def test_everybody_arrives_at_the_start() -> None:
    view = node_view(solved("turn_example"))
    assert [player.arrived for player in view.players] == pytest.approx([1.0, 1.0])
    assert view.rare is None


def test_who_acted_arrives_with_what_he_played() -> None:
    solution = solved("turn_example")
    root, bet = node_view(solution), node_view(solution, "b120")
    combos = sum(hand.reach * hand.mix.frequency[1] for hand in root.combos)
    assert bet.players[0].arrived == pytest.approx(combos / root.acting.num_combos, rel=1e-5)
    assert bet.players[1].arrived == pytest.approx(1.0)


def test_a_jam_that_nobody_makes_is_rare_and_its_evs_are_rough() -> None:
    solution = solved("turn_example")
    root, jam = node_view(solution), node_view(solution, "a")
    assert root.totals[-1].share < RARE
    assert "a" in root.rough_actions
    assert jam.rare is not None
    assert jam.rare.name == "OOP"
    assert jam.rough_actions == ("c",)  # folding is worth 0 against anybody


def test_a_called_all_in_needs_no_answer() -> None:
    solution = solved("turn_example")
    view = node_view(solution, "x b120 r300 a")
    assert view.opponent.behind_chips == 0
    first, second = (replace(player, arrived=0.03) for player in view.players)
    rare = replace(view, players=(first, second))
    assert rare.rough_actions == ()  # calling ends the hand


def test_a_hand_that_plays_worse_than_it_could_is_named() -> None:
    view = node_view(solved("turn_example"), "x b120")
    for hand in view.combos:
        best = max(hand.ev_actions_chips)
        found = view.better(hand)
        assert (found is not None) == (best - hand.ev_chips >= 0.01 * view.pot_chips)
        if found:
            assert hand.ev_actions_chips[view.actions.index(found[0])] == best
            assert found[1] == pytest.approx(best - hand.ev_chips)
    assert any(view.better(hand) for hand in view.combos if hand.reach == 0) or all(
        hand.reach > 0 for hand in view.combos
    )
