"""The betting tree: the amounts of the named spots, the rules on random ones, lines."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pokerkit import Automation, NoLimitTexasHoldem, State

from poker_solver.cards import card_from_string
from poker_solver.config.preflop import Config
from poker_solver.config.spot import Spot
from poker_solver.errors import LineError, MemoryPlanError
from poker_solver.games.betting import (
    DEAL,
    DECISION,
    FLOP,
    FOLD,
    IP,
    NONE,
    OOP,
    PREFLOP,
    RIVER,
    SHOWDOWN,
    TURN,
    BettingRules,
)
from poker_solver.trees import betting
from poker_solver.trees.betting import BettingTree, build_betting_tree
from tests.support.postflop_spots import small_spot
from tests.support.spots import NAMED, mappings, named_spot, river

ACTIONS = [
    ("river_full", "", ["x", "b33", "b75", "b150", "a200"]),
    ("river_full", "b75", ["f", "c", "r188", "a200"]),
    ("river_example", "", ["x", "b120", "a900"]),
    ("river_example", "b120", ["f", "c", "r300"]),
    ("river_example", "b120 r300", ["f", "c", "a900"]),  # 750 and the all-in are one by force
    ("turn_example", "", ["x", "b120", "b216", "a900"]),
    ("turn_example", "b120 c 7s", ["x", "b264", "a780"]),
    ("turn_example", "x b120 c 7s", ["x", "b220"]),  # called, so the donk size: half of 440
    ("turn_example", "x x 7s", ["x", "b120", "a900"]),
    ("flop_example", "", ["x", "b100"]),
    ("flop_example", "b100", ["f", "c", "r250"]),
    ("3betpot_fast", "", ["x", "b94"]),
    ("3betpot_fast", "b94", ["f", "c", "r260"]),  # 94 + 0.45 x 368
]


@pytest.mark.parametrize(
    ("name", "shares", "line"),
    [
        ("3betpot_fast", "b52% r45%", "b94 r260"),
        ("river_full", "x b33% c", "x b33 c"),
        ("turn_example", "b60% c 7s b60%", "b120 c 7s b264"),
        ("river_full", "b200%", "a"),
    ],
)
def test_a_line_may_say_shares_of_the_pot(name: str, shares: str, line: str) -> None:
    tree = build_betting_tree(named_spot(name).betting)
    assert tree.node_at(shares) == tree.node_at(line)
    with pytest.raises(LineError, match=r"token 1 'b7%': the actions here are"):
        tree.node_at("b7%")


@pytest.mark.parametrize(("name", "line", "actions"), ACTIONS, ids=str)
def test_actions_of_the_named_spots(name: str, line: str, actions: list[str]) -> None:
    tree = build_betting_tree(named_spot(name).betting)
    node = tree.node_at(line)
    node = tree.skip_deals(node)
    shown = [
        f"a{tree.amount[child]}" if tree.label[child] == "a" else tree.label[child]
        for child in tree.children(node)
    ]
    assert shown == actions


def tree_of(bet: str = "", raise_: str = "", **more: object) -> BettingTree:
    return build_betting_tree(Spot.from_mapping(river(bet, raise_, **more)).betting)


def lines_of(tree: BettingTree) -> tuple[str, ...]:
    return tuple(map(tree.line_of, range(tree.num_nodes)))


def test_check_down_is_three_nodes() -> None:
    tree = tree_of()
    assert tree.kind.tolist() == [DECISION, DECISION, SHOWDOWN]
    assert tree.actor.tolist() == [OOP, IP, NONE]
    assert lines_of(tree) == ("", "x", "x x")
    assert tree.committed.tolist() == [[0, 0]] * 3
    assert tree.won_chips(2) == 100


def test_half_pot_river_node_by_node() -> None:
    tree = tree_of("50%")
    assert ",".join(lines_of(tree)) == ",x,b50,x x,x b50,b50 f,b50 c,x b50 f,x b50 c"
    acts, fold, show = DECISION, FOLD, SHOWDOWN
    assert tree.kind.tolist() == [acts, acts, acts, show, acts, fold, show, fold, show]
    assert tree.actor.tolist() == [OOP, IP, IP, NONE, OOP, NONE, NONE, NONE, NONE]
    assert tree.parent.tolist() == [NONE, 0, 0, 1, 1, 2, 2, 4, 4]
    assert tree.first_child.tolist() == [1, 3, 5, NONE, 7, NONE, NONE, NONE, NONE]
    assert tree.num_children.tolist() == [2, 2, 2, 0, 2, 0, 0, 0, 0]
    assert tree.folder.tolist() == [NONE] * 5 + [IP, NONE, OOP, NONE]
    assert tree.committed.tolist() == [
        [0, 0], [0, 0], [50, 0], [0, 0], [0, 50], [50, 0], [50, 50], [0, 50], [50, 50],
    ]  # fmt: skip
    assert tree.amount.tolist() == [0, 0, 50, 0, 50, 0, 0, 0, 0]
    assert tree.level_start.tolist() == [0, 1, 3, 7, 9]
    assert [tree.won_chips(node) for node in (3, 5, 6)] == [100, 100, 200]
    assert tree.pot_chips(5) == 150  # the uncalled 50 still lies there


@pytest.mark.parametrize("limit", [0, 1, 2, 3])
def test_max_raises_counts_raises_not_bets(limit: int) -> None:
    tree = tree_of("1c", "2x", max_raises=limit)
    most = max(sum(token[0] == "r" for token in line.split()) for line in lines_of(tree))
    assert most == limit
    assert "b1" in tree.actions(0)


def test_raises_are_counted_anew_on_every_street() -> None:
    fields = named_spot("3betpot_fast").to_mapping()
    tree = build_betting_tree(Spot.from_mapping({**fields, "max_raises": 1}).betting)
    assert tree.actions(tree.node_at("b94 r260")) == ("f", "c")
    assert tree.actions(tree.node_at("b94 r260 c b385")) == ("f", "c", "a")
    assert tree.actions(tree.node_at("b94 c b202")) == ("f", "c", "r549")
    assert tree.actions(tree.node_at("b94 c b202 r549")) == ("f", "c")


def test_raises_go_on_to_the_all_in_without_a_limit() -> None:
    tree = tree_of("10c", "3x")
    line = "b10 r30 r90 a"
    assert tree.node_at(line) == tree.node_at("b10 r30 r90 r200")
    assert tree.actions(tree.node_at(line)) == ("f", "c")


def test_an_all_in_called_on_the_flop_runs_out() -> None:
    spot = named_spot("3betpot_fast").to_mapping()
    spot["oop"]["flop"] = {"bet": "a"}
    tree = build_betting_tree(Spot.from_mapping(spot).betting)
    node = tree.node_at("a c")
    kinds, streets = [], []
    while True:
        kinds.append(int(tree.kind[node]))
        streets.append(int(tree.street[node]))
        assert tree.committed[node].tolist() == [910, 910]
        if not tree.num_children[node]:
            break
        assert tree.num_children[node] == 1
        node = int(tree.first_child[node])
    assert kinds == [DEAL, DEAL, SHOWDOWN]
    assert streets == [FLOP, TURN, RIVER]
    assert tree.won_chips(node) == 180 + 2 * 910


def test_donk_sizes_need_a_call_on_the_street_before() -> None:
    spot = named_spot("3betpot_fast").to_mapping()
    spot["oop"]["turn"]["donk"] = "25%"
    spot["oop"]["river"]["donk"] = ""
    tree = build_betting_tree(Spot.from_mapping(spot).betting)

    def actions(line: str) -> tuple[str, ...]:
        return tree.actions(tree.skip_deals(tree.node_at(line)))

    assert actions("x b94 c") == ("x", "b92")  # a quarter of 368
    assert actions("x x") == ("x", "b99")  # 55 % of 180
    assert actions("b94 c") == ("x", "b202")  # he was called, he did not call
    assert actions("b94 r260 c") == ("x", "b175")  # a quarter of 700
    assert actions("x b94 c x b202 c") == ("x",)  # an empty list: no donk at all
    assert actions("x b94 c x x") == ("x", "b258")  # checked through: 70 % of 368


def test_omitted_lists_allow_nothing() -> None:
    spot = river("50%", thresholds={"add_allin": 99.0})
    spot["ip"] = {"range": "AA", "river": {}}
    tree = build_betting_tree(Spot.from_mapping(spot).betting)
    assert tree.actions(tree.node_at("x")) == ("x",)
    assert tree.actions(tree.node_at("b50")) == ("f", "c")


def test_a_tree_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(betting, "MOST_NODES", 500)
    with pytest.raises(MemoryPlanError, match=r"more than 500 nodes .* fewer sizes, or max_raises"):
        build_betting_tree(named_spot("3betpot_fast").betting)


@pytest.mark.parametrize("name", NAMED)
def test_lines_lead_back_to_their_node(name: str) -> None:
    tree = build_betting_tree(named_spot(name).betting)
    for node in range(tree.num_nodes):
        found = tree.node_at(tree.line_of(node))
        while found != node:  # a line ends before the card; nodes after it have the same line
            assert tree.kind[found] == DEAL
            found = int(tree.first_child[found])


@pytest.mark.parametrize("other", [{"pot": 120}, {"stack": 90}, {"max_raises": 1}], ids=str)
def test_spots_share_a_tree_if_only_their_cards_differ(other: dict[str, int]) -> None:
    fields = river("50%", "100%", board="Ks7h2d9c4s")
    tree = build_betting_tree(Spot.from_mapping(fields).betting)
    ranges = {"oop": {**fields["oop"], "range": "QQ,87s"}}
    same = Spot.from_mapping({**fields, **ranges, "board": "QsJh2h5c9d"})
    assert build_betting_tree(same.betting) is tree
    assert build_betting_tree(Spot.from_mapping({**fields, **other}).betting) is not tree


def test_walk_takes_cards_where_they_fall() -> None:
    spot = named_spot("3betpot_fast")
    tree = build_betting_tree(spot.betting)
    line = "x b94 c 7d x x As"
    node, dealt = tree.walk(line, spot.cards)
    assert dealt == [card_from_string("7d"), card_from_string("As")]
    assert (tree.actor[node], tree.street[node]) == (OOP, RIVER)
    assert tree.line_of(node, dealt) == line
    assert node == tree.node_at(line) == tree.skip_deals(tree.node_at("x b94 c x x"))
    assert tree.walk("") == (0, [])


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("x b95", "token 2 'b95': the actions here are x, b94"),
        ("7d", "token 1 '7d': no card is dealt here; the actions are x, b94"),
        ("x x x", "token 3 'x': a card is dealt here"),
        ("b94 f x", "token 3 'x': the hand is over"),
        ("b94 f 7d", "token 3 '7d': no card is dealt here; the hand is over"),
        ("x x Qs", "token 3 'Qs': this card is already on the board"),
        ("x x 7d x x 7d", "token 6 '7d': this card is already on the board"),
        ("hello", "token 1 'hello': 'hello' is no action"),
    ],
)
def test_wrong_lines_name_the_token(line: str, why: str) -> None:
    spot = named_spot("3betpot_fast")
    with pytest.raises(LineError) as caught:
        build_betting_tree(spot.betting).walk(line, spot.cards)
    assert str(caught.value).startswith(why)


@given(mappings())
@settings(max_examples=60, deadline=None)
def test_the_arrays_are_a_tree_in_level_order(fields: dict[str, object]) -> None:
    tree = build_betting_tree(Spot.from_mapping(fields).betting)
    nodes = np.arange(tree.num_nodes)
    inner = tree.num_children > 0
    assert ((tree.kind == FOLD) | (tree.kind == SHOWDOWN) == ~inner).all()
    assert (tree.first_child[~inner] == NONE).all()
    assert (tree.num_children[tree.kind == DEAL] == 1).all()
    assert ((tree.actor == NONE) == (tree.kind != DECISION)).all()
    # children are consecutive, and every node but the root is a child once
    first, num = tree.first_child[inner], tree.num_children[inner]
    assert first[0] == 1
    assert (first[1:] == first[:-1] + num[:-1]).all()
    assert first[-1:].sum() + num[-1:].sum() == tree.num_nodes
    assert (tree.parent[1:] == np.repeat(nodes[inner], num)).all()
    assert (tree.parent[1:] < nodes[1:]).all()
    level = np.repeat(np.arange(len(tree.level_start) - 1), np.diff(tree.level_start))
    assert (level[1:] == level[tree.parent[1:]] + 1).all()
    labels = [tree.actions(node) for node in nodes[tree.is_decision].tolist()]
    assert all(len(set(actions)) == len(actions) >= 1 for actions in labels)


@given(mappings())
@settings(max_examples=60, deadline=None)
def test_chips_and_streets_follow_the_rules(fields: dict[str, object]) -> None:
    spot = Spot.from_mapping(fields)
    tree = build_betting_tree(spot.betting)
    assert (tree.committed >= 0).all()
    assert (tree.committed <= spot.stack).all()
    for node in range(1, tree.num_nodes):
        parent, label = int(tree.parent[node]), tree.label[node]
        before, after = tree.committed[parent], tree.committed[node]
        if tree.kind[parent] == DEAL:
            assert label == ""
            assert tree.street[node] == tree.street[parent] + 1
            assert before.tolist() == after.tolist()
            assert after[0] == after[1]
            continue
        me = int(tree.actor[parent])
        assert tree.street[node] == tree.street[parent]
        assert before[1 - me] == after[1 - me]  # only who acts pays
        if label in ("x", "f"):
            assert before.tolist() == after.tolist()
            assert (before[me] < before[1 - me]) == (label == "f")
        elif label == "c":
            assert before[me] < before[1 - me] == after[me]
        else:
            assert after[me] > before[1 - me] or label == "a"
            assert (label == "a") == (after[me] == spot.stack)
        if tree.kind[node] == SHOWDOWN:
            assert tree.street[node] == RIVER
            assert after[0] == after[1]
        assert (tree.folder[node] == me) == (tree.kind[node] == FOLD)


AUTOMATIC = tuple(Automation)


def dealer(spot: Spot) -> State:
    """An independent referee at the first decision of a flop spot."""
    ante = spot.pot // 2 - 1
    chips = spot.stack + spot.pot // 2
    state = NoLimitTexasHoldem.create_state(AUTOMATIC, True, ante, (1, 1), 1, (chips, chips), 2)
    state.check_or_call()
    state.check_or_call()
    return state


@given(mappings(num_cards=3), st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_every_action_is_legal_poker(fields: dict[str, object], random: object) -> None:
    """Play a random line beside a referee that knows the rules, not our tree."""
    spot = Spot.from_mapping(fields)
    tree = build_betting_tree(spot.betting)
    state, node = dealer(spot), 0
    while tree.is_decision[node]:
        assert state.street_index == tree.street[node]
        assert state.actor_index == tree.actor[node]
        assert state.total_pot_amount == tree.pot_chips(node)
        low = state.min_completion_betting_or_raising_to_amount
        for child in tree.children(node):
            if tree.amount[child]:
                assert low <= tree.amount[child]
                assert state.can_complete_bet_or_raise_to(int(tree.amount[child]))
        child = random.choice(tree.children(node))  # type: ignore[attr-defined]
        label = tree.label[child]
        if label == "f":
            state.fold()
        elif label in ("x", "c"):
            state.check_or_call()
        else:
            state.complete_bet_or_raise_to(int(tree.amount[child]))
        node = tree.skip_deals(child)
    assert not state.status
    paid = tree.committed[node]
    if tree.kind[node] == FOLD:
        loser = int(tree.folder[node])
        won = tree.won_chips(node)
        assert state.stacks[loser] == spot.stack - paid[loser]
        assert state.stacks[1 - loser] == spot.stack - paid.min() + won
    else:
        assert sum(state.stacks) == 2 * (spot.stack - paid[0]) + tree.won_chips(node)


def test_one_tree_goes_from_the_blinds_to_the_river() -> None:
    """After any line that sees a flop it is the tree of the spot with that pot and stack."""
    config = Config(stack_depth=20, raise_sizes=[2.5, 8, 20], ante=0.25)
    spot = small_spot("KsQh7d", "AA", "KK", "50%,a", "60%")
    tree = build_betting_tree(BettingRules(config.betting, (spot.betting,)))
    before = build_betting_tree(BettingRules(config.betting))
    assert tree.first_street == PREFLOP
    seen = 0
    for end in np.flatnonzero(before.kind == SHOWDOWN).tolist():
        node = tree.node_at(before.history(end))
        assert (tree.kind[node], tree.street[node]) == (DEAL, PREFLOP)
        paid = int(before.committed[end, 0])
        assert tree.committed[node].tolist() == [paid, paid]
        if paid == tree.rules.stack:  # all-in: nobody acts, three more deals
            assert tree.kind[tree.skip_deals(node)] == SHOWDOWN
            continue
        seen += 1
        pot, stack = tree.pot_chips(node), tree.rules.stack - paid
        flop = tree.rules.flop_betting(tree.betting(node))
        assert flop == replace(spot.betting, pot=pot, stack=stack, min_bet=100)
        alone = build_betting_tree(flop)
        pairs = [(int(tree.first_child[node]), 0)]
        for here, there in pairs:  # grows as it is walked
            assert tree.actions(here) == alone.actions(there)
            assert tree.kind[here] == alone.kind[there]
            assert tree.actor[here] == alone.actor[there]
            assert tree.street[here] == alone.street[there]
            assert tree.pot_chips(here) == alone.pot_chips(there)
            pairs += zip(tree.children(here), alone.children(there), strict=True)
        assert len(pairs) == alone.num_nodes
    assert seen >= 3
