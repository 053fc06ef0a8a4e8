"""Lines and groups: what they hold, and what the walk that all others are compared with finds."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from poker_solver.config.base import Rake
from poker_solver.games.betting import DEAL, FOLD, RIVER, SHOWDOWN
from poker_solver.trees.betting import build_betting_tree
from poker_solver.trees.lines import (
    Deal,
    Decision,
    Rest,
    Source,
    Terminal,
    chip_payoffs,
    deal_numbers,
    in_batches,
    in_fours,
    make_groups,
    street_lines,
)
from tests.support.line_walks import NUM_HANDS, Pairs, interpret, random_pairs, random_rows
from tests.support.postflop_spots import random_spot, small_spot

SEEDS = range(6)


def built(spot, street=RIVER, together=None):
    """The tree of a spot and one group of a street's lines, or several."""
    tree = build_betting_tree(spot.betting)
    lines = street_lines(tree, street)
    payoff = chip_payoffs(tree, spot.rake)
    return tree, make_groups(tree, payoff, [lines] if together is None else together(lines))


def chips(tree, spot, policy_of, node, player, hands, order):
    """What a player's hand wins from a node on against another, told from the tree alone."""
    kind = tree.kind[node]
    if kind in (FOLD, SHOWDOWN):
        stake = spot.pot / 2 + int(tree.committed[node].min())
        rake = spot.rake.taken(spot.pot + 2 * int(tree.committed[node].min()))
        sign = order if kind == SHOWDOWN else -1 if tree.folder[node] == player else 1
        return sign * stake - rake * (1 + sign) / 2
    policy = policy_of[node][:, hands[tree.actor[node]]]
    after = [chips(tree, spot, policy_of, c, player, hands, order) for c in tree.children(node)]
    return float(policy @ np.array(after))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("player", [0, 1])
def test_values_are_what_every_pair_of_hands_wins(seed, player):
    spot, rng = random_spot(seed, 5), np.random.default_rng(seed)
    tree, (group,) = built(spot)
    policy, reach = random_rows(rng, group)
    pairs = random_pairs(rng)
    policy_of = {d.node: policy[d.player][list(d.rows)] for _, d in group.decisions}

    found = interpret(group, player, policy, reach, pairs[player])

    for h in range(NUM_HANDS[player]):
        want = 0.0
        for o in range(NUM_HANDS[1 - player]):
            hands = (h, o) if player == 0 else (o, h)
            order = int(pairs[player].order[h, o])
            won = chips(tree, spot, policy_of, 0, player, hands, order)
            want += pairs[player].meet[h, o] * reach[1 - player][0, o] * won
        assert found.values[0][h] == pytest.approx(want, abs=1e-9)


def test_check_or_all_in_by_hand():
    """OOP checks or bets 200 into 100, IP folds or calls; one hand each, IP's is the better one."""
    spot = small_spot("KsQh7d2c4h", "AA", "KK", oop_bet="a", ip_bet="")
    _, (group,) = built(spot)
    first, second = (decision for _, decision in group.decisions if len(decision.rows) == 2)
    assert (first.player, second.player) == (0, 1)
    policy = [np.array([[0.25], [0.75]]), np.zeros((group.num_rows[1], 1))]
    policy[1][list(second.rows)] = [[0.4], [0.6]]
    (alone,) = (d for _, d in group.decisions if len(d.rows) == 1)
    policy[1][list(alone.rows)] = 1  # after a check IP can only check
    reach = [np.array([[0.5]]), np.array([[2.0]])]
    met = Pairs(np.ones((1, 1)), -np.ones((1, 1)))

    oop = interpret(group, 0, policy, reach, met)
    checks, bets = 2 * -50, 2 * (0.4 * 50 + 0.6 * -250)
    value = 0.25 * checks + 0.75 * bets
    assert oop.values[0] == pytest.approx(value)
    assert oop.gain[:, 0] == pytest.approx([checks - value, bets - value])
    assert oop.played[:, 0] == pytest.approx([0.5 * 0.25, 0.5 * 0.75])

    ip = interpret(group, 1, policy, reach, Pairs(met.meet, -met.order))
    folds, calls = 0.5 * 0.75 * -50, 0.5 * 0.75 * 250
    value = 0.4 * folds + 0.6 * calls
    assert ip.gain[list(second.rows), 0] == pytest.approx([folds - value, calls - value])
    assert ip.played[list(second.rows), 0] == pytest.approx([2 * 0.4, 2 * 0.6])
    best = interpret(group, 1, policy, reach, Pairs(met.meet, -met.order), best=True)
    assert best.values[0] == pytest.approx(0.5 * 0.25 * 50 + calls)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("player", [0, 1])
def test_terms_and_rests_say_the_same_as_the_walk(seed, player):
    spot, rng = random_spot(seed, 4), np.random.default_rng(seed)
    _, groups = built(spot, together=in_fours)
    other, pairs = 1 - player, random_pairs(rng)[player]
    for group in groups:
        policy, reach = random_rows(rng, group)
        walked = interpret(group, player, policy, reach, pairs)
        rows = np.concatenate([reach[other], np.zeros_like(policy[other])])
        for _, decision in group.decisions_of(other):
            after = policy[other][list(decision.rows)] * rows[decision.reach[other]]
            rows[[len(reach[other]) + row for row in decision.rows]] = after
        met = {row: pairs.meet @ rows[row] for row in group.summed_rows(player)}
        won = {row: (pairs.meet * pairs.order) @ rows[row] for row in met}
        for rest in group.rests(player):
            assert rest.row not in met
            met[rest.row] = sum(met[r] for r in rest.plus) - sum(met[r] for r in rest.minus)
        source: dict[Source, Any] = {Source.MET: met, Source.WON: won, Source.VALUE: walked.values}
        for i in range(len(group.nodes)):
            terms = group.terms(i, player)
            total = sum(term.factor * source[term.source][term.key] for term in terms)
            np.testing.assert_allclose(total, walked.values[i], rtol=0, atol=1e-9)
        asked = {
            term.key for i, _ in group.terminals
            for term in group.terms(i, player) if term.source is Source.MET
        }  # fmt: skip
        assert asked == set(group.met_rows(player)) <= set(met)


def test_a_fold_leaves_what_neither_calls_nor_raises():
    spot = small_spot("KsQh7d2c4h", "AA", "KK", oop_bet="a", ip_bet="")
    _, (group,) = built(spot)
    ((_, bet),) = ((i, d) for i, d in group.decisions_of(1) if len(d.rows) == 2)
    fold, call = (1 + row for row in bet.rows)
    checked = group.ends(SHOWDOWN)[0][1].reach[1]
    assert group.shown_rows(0) == [checked, call]
    rests = group.rests(0)
    assert Rest(fold, (0,), (call,)) in rests, "IP comes with row 0"


def test_a_fold_that_follows_from_nothing_shown_is_summed_itself():
    spot = small_spot("KsQh7d2c4h", "AA", "KK", oop_bet="a", ip_bet="")
    tree = build_betting_tree(replace(spot.betting, played=("a",), only_played=True))
    payoff = chip_payoffs(tree, spot.rake)
    (group,) = make_groups(tree, payoff, [street_lines(tree, RIVER)])
    fold, call = group.met_rows(0)[0], group.shown_rows(0)[0]
    assert group.shown_rows(0) == [call]
    assert group.summed_rows(0) == [call, fold]
    assert Rest(0, (fold, call), ()) in group.rests(0) or Rest(0, (call, fold), ()) in group.rests(
        0
    )


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("street", [RIVER - 1, RIVER])
def test_groups_hold_every_node_once_and_rows_follow_each_other(seed, street):
    spot = random_spot(seed, 4)
    tree, groups = built(
        spot, street, lambda lines: in_batches(lines, 8, lambda line: line.num_shows)
    )
    nodes = [node.node for group in groups for node in group.nodes]
    assert sorted(nodes) == np.flatnonzero(tree.street == street).tolist()
    rows, decisions = [0, 0], [0, 0]
    for group in groups:
        assert group.rows_before == tuple(rows)
        assert group.decisions_before == tuple(decisions)
        for player in (0, 1):
            mine = [row for _, d in group.decisions_of(player) for row in d.rows]
            assert mine == list(range(group.num_rows[player]))
            rows[player] += len(mine)
            decisions[player] += len(group.decisions_of(player))


@pytest.mark.parametrize("seed", SEEDS)
def test_nodes_are_those_of_the_tree(seed):
    tree, groups = built(random_spot(seed, 4), RIVER - 1, in_fours)
    numbers = deal_numbers(tree)
    for group in groups:
        at = [node.node for node in group.nodes]
        for i, node in enumerate(group.nodes):
            if node.parent >= 0:
                assert at[node.parent] == tree.parent[at[i]]
            else:
                assert i in group.entries
            match node:
                case Decision():
                    assert [at[child] for child in node.children] == list(tree.children(at[i]))
                    assert tree.actor[at[i]] == node.player
                case Deal():
                    assert tree.kind[at[i]] == DEAL
                    assert node.number == numbers[at[i]]
                case Terminal():
                    assert tree.kind[at[i]] == node.kind


def test_reach_changes_with_own_actions_only():
    _, groups = built(random_spot(1, 4), together=in_fours)
    for group in groups:
        for player in (0, 1):
            first = group.reach_nodes(player)
            assert [group.nodes[i].reach[player] for i in first] == list(range(len(first)))
            for node in group.nodes:
                if node.parent >= 0:
                    above = group.nodes[node.parent]
                    stays = above.reach[player] == node.reach[player]
                    assert stays == (above.player != player)


def test_lines_know_the_deal_that_leads_to_them():
    tree = build_betting_tree(small_spot("KsQh7d2c", "AA", "KK", "50%,a", "a").betting)
    numbers = deal_numbers(tree)
    lines = street_lines(tree, RIVER)
    assert [line.deal for line in lines] == [numbers[tree.parent[line.nodes[0]]] for line in lines]
    assert sorted(line.deal for line in lines) == list(range(len(lines)))
    assert street_lines(tree, RIVER - 1)[0].deal == 0


def test_batches_are_as_large_as_they_may_be():
    lines = street_lines(build_betting_tree(random_spot(3, 3).betting), RIVER)
    groups = in_batches(lines, 6, lambda line: line.num_shows)
    assert [line for group in groups for line in group] == lines
    sizes = [sum(line.num_shows for line in group) for group in groups]
    assert all(size <= 6 or len(group) == 1 for size, group in zip(sizes, groups, strict=True))
    for size, following in zip(sizes, groups[1:], strict=False):
        assert size + following[0].num_shows > 6


def test_fours_fill_up_with_lines_that_are_all_in():
    lines = street_lines(
        build_betting_tree(small_spot("KsQh7d2c", "AA", "KK", "a", "a").betting), RIVER
    )
    groups = in_fours(lines)
    assert sorted(line for group in groups for line in group) == sorted(lines)
    for group in groups:
        acting = [line for line in group if line.num_decisions]
        if not acting:
            assert len(group) <= 4
        else:
            assert len(acting) == 1
            assert len(group) == 1 or acting[0].num_shows % 4 == 3


def test_rake_is_paid_by_the_winner_and_shared_by_a_tie():
    spot = small_spot("KsQh7d2c4h", "AA", "KK", oop_bet="a", ip_bet="")
    tree = build_betting_tree(spot.betting)
    payoff = chip_payoffs(tree, Rake(rate=0.1, cap=30))
    check, fold, call = tree.node_at("x x"), tree.node_at("a f"), tree.node_at("a c")
    assert payoff[:, check].tolist() == [[40, -50, -5], [40, -50, -5]]
    assert payoff[:, fold].tolist() == [[40, 0, 0], [-50, 0, 0]]
    assert payoff[:, call].tolist() == [[220, -250, -15], [220, -250, -15]], "no more than the cap"


def test_only_decisions_above_another_of_the_player_act_below():
    _, (group,) = built(small_spot("KsQh7d2c4h", "AA", "KK", "50%", "a"))
    for player in (0, 1):
        below = group.acts_below(player)
        for i, _ in group.decisions_of(player):
            up = group.nodes[i].parent
            while up >= 0:
                assert up in below
                up = group.nodes[up].parent
        assert not below & {i for i, _ in group.terminals}
