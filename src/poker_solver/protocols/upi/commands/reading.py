"""Commands that read a tree: its nodes, strategies, ranges, EVs, equities, frequencies."""

from collections.abc import Sequence

import numpy as np

from poker_solver.cards import NUM_COMBOS, card_to_string, combo_to_string, unblocked
from poker_solver.cards.equity import range_equity
from poker_solver.errors import InputError
from poker_solver.games.betting import OOP
from poker_solver.protocols.upi import numbers as per_hand
from poker_solver.protocols.upi.client import Client
from poker_solver.protocols.upi.ids import FIRST, START, RealNode
from poker_solver.protocols.upi.running import result_lines
from poker_solver.protocols.upi.text import number_text, numbers_text, seat
from poker_solver.protocols.upi.tree import Tree
from poker_solver.version import VERSION

Words = Sequence[str]

DIALECT = "3.9.0"


def show_hand_order(client: Client, words: Words) -> list[str]:
    """Which hand each of 1,326 numbers is of."""
    return [" ".join(map(combo_to_string, range(NUM_COMBOS)))]


def show_version(client: Client, words: Words) -> list[str]:
    """Of the PioSOLVER whose UPI this is; clients look at the first number."""
    return [DIALECT]


def show_build_version(client: Client, words: Words) -> list[str]:
    """Our own."""
    return [f"poker-solver {VERSION}"]


def show_board_no_iso(client: Client, words: Words) -> list[str]:
    """The cards of the tree."""
    return [" ".join(map(card_to_string, client.built().first.cards))]


def show_effective_stack(client: Client, words: Words) -> list[str]:
    """Chips of each player when the hand began."""
    tree = client.built()
    return [str(tree.first.stack + tree.put_in)]


def is_tree_present(client: Client, words: Words) -> list[str]:
    """`true` or `false`."""
    return [str(client.tree is not None).lower()]


def show_node(client: Client, words: Words) -> list[str]:
    """Six lines about a node."""
    tree = client.built()
    if list(words) == [START]:
        return [START, "ROOT", *_describe(tree, RealNode(0, ()))[2:4], "1 children", "flags:"]
    return _describe(tree, client.place(words))


def show_children(client: Client, words: Words) -> list[str]:
    """The same about every child."""
    tree = client.built()
    is_start = list(words) == [START]
    children = [RealNode(0, ())] if is_start else tree.ids.children(client.place(words))
    return [
        line
        for index, child in enumerate(children)
        for line in (f"child {index}:", *_describe(tree, child), "")
    ]


def _describe(tree: Tree, place: RealNode) -> list[str]:
    ids, game = tree.ids, tree.first
    betting, cards = tree.betting, [*game.cards, *place.dealt]
    if ids.is_end(place):
        kind, flags = "END_NODE", "flags:"
    elif ids.is_split(place):
        kind, flags = "SPLIT_NODE", "flags:"
    else:
        kind = "OOP_DEC" if betting.actor[place.node] == OOP else "IP_DEC"
        flags = "flags: PIO_CFR" + (" LOCKED" if place in tree.locks else "")
    put_in = [tree.put_in + int(chips) for chips in betting.committed[place.node]]
    return [
        ids.name(place),
        kind,
        " ".join(map(card_to_string, cards)),
        f"{put_in[0]} {put_in[1]} {game.pot - 2 * tree.put_in}",
        f"{len(ids.children(place))} children",
        flags,
    ]


def show_all_lines(client: Client, words: Words) -> list[str]:
    """Every decision, cards left out."""
    tree = client.built()
    nodes = np.flatnonzero(tree.betting.is_decision).tolist()
    return sorted(map(tree.ids.without_cards, nodes))


def show_strategy(client: Client, words: Words) -> list[str]:
    """A line for each child."""
    tree, place = client.built(), client.decision(words)
    policy = per_hand.strategy_at(tree.now(), place)
    return [numbers_text(policy[action]) for action in tree.ids.actions(place.node)]


def show_range(client: Client, words: Words) -> list[str]:
    """`show_range OOP r:0:c`; without a node what was set."""
    if len(words) == 1:
        return [numbers_text(client.settings.ranges[seat(words[0])])]
    player, place = _of(client, words)
    return [numbers_text(per_hand.range_at(client.built().now(), place, player))]


def calc_ev(client: Client, words: Words) -> list[str]:
    """EVs, and matchups."""
    player, place = _of(client, words)
    found = per_hand.ev_at(client.built().now(), place, player)
    return [numbers_text(found.value), numbers_text(found.matchups)]


def calc_eq_node(client: Client, words: Words) -> list[str]:
    """Equities, matchups, and the equity of the range."""
    player, place = _of(client, words)
    found = per_hand.equity_at(client.built().now(), place, player)
    return [numbers_text(found.value), numbers_text(found.matchups), number_text(found.mean)]


def calc_ev_pp(client: Client, words: Words) -> list[str]:
    """EVs for people: a line for each hand that gets there, then the EV of the range."""
    player, place = _of(client, words)
    return _listed("EV", per_hand.ev_at(client.built().now(), place, player))


def calc_eq_pp(client: Client, words: Words) -> list[str]:
    """Equities likewise."""
    player, place = _of(client, words)
    return _listed("Equity", per_hand.equity_at(client.built().now(), place, player))


def _listed(name: str, found: per_hand.PerHand) -> list[str]:
    hands = [
        f"{combo_to_string(hand)}: {numbers_text((found.value[hand], found.matchups[hand]))}"
        for hand in np.flatnonzero(found.matchups).tolist()
    ]
    return [*hands, f"{name}: {number_text(found.mean)}"]


def calc_eq(client: Client, words: Words) -> list[str]:
    """The same of the ranges and the board that were set."""
    return _equities(client, words, client.settings.board)


def calc_eq_preflop(client: Client, words: Words) -> list[str]:
    """The same of the ranges that were set, before any card."""
    return _equities(client, words, ())


def _equities(client: Client, words: Words, board: tuple[int, ...]) -> list[str]:
    if len(words) != 1:
        raise InputError("want OOP or IP")
    player = seat(words[0])
    own, other = (client.settings.ranges[p] * unblocked(board) for p in (player, 1 - player))
    found = range_equity(own, other, board).players[0]
    matchups = np.nan_to_num(found.weight * found.opponents)
    return [numbers_text(found.equity_by_combo), numbers_text(matchups), number_text(found.equity)]


def calc_global_freq(client: Client, words: Words) -> list[str]:
    """How often the cards of a node fall and play gets there."""
    return [number_text(per_hand.global_frequency(client.built().now(), client.place(words)))]


def calc_line_freq(client: Client, words: Words) -> list[str]:
    """How often play gets to a node if its cards fall."""
    return [number_text(per_hand.line_frequency(client.built().now(), client.place(words)))]


def calc_matchups_line(client: Client, words: Words) -> list[str]:
    """Weighted pairs of hands that get to a node."""
    return [number_text(per_hand.deals(client.built().now(), client.place(words)))]


def calc_results(client: Client, words: Words) -> list[str]:
    """EVs, best responses, exploitability."""
    return result_lines(client.built().results())


def _of(client: Client, words: Words) -> tuple[int, RealNode]:
    if len(words) != 2:
        raise InputError(f"want a player and a node, as in OOP {FIRST}")
    return seat(words[0]), client.place(words[1:])
