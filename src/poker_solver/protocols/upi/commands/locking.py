"""Commands that set and hold strategies."""

from collections.abc import Sequence

from poker_solver.cards import NUM_COMBOS
from poker_solver.errors import InputError
from poker_solver.protocols.upi.client import Client
from poker_solver.protocols.upi.numbers import Float, strategy_at
from poker_solver.protocols.upi.text import floats, hands, seat
from poker_solver.protocols.upi.tree import as_shares, exploiting

Words = Sequence[str]


def set_strategy(client: Client, words: Words) -> None:
    """`set_strategy r:0 ...`: 1,326 numbers for each child, in the order of `show_children`.

    What a hand is given counts in proportion; one that is given nothing keeps what it had.
    """
    if not words:
        raise InputError("want a node and its strategy")
    tree, place = client.built(), client.decision(words[:1])
    order = tree.ids.actions(place.node)
    given = floats(words[1:], "strategy", NUM_COMBOS * len(order)).reshape(-1, NUM_COMBOS)
    policy = given[[order.index(action) for action in range(len(order))]]
    _put(client, words[0], policy)


def set_equal_strats(client: Client, words: Words) -> None:
    """All actions alike at a node."""
    tree, place = client.built(), client.decision(words)
    count = int(tree.betting.num_children[place.node])
    held = tree.held(place).astype(float)
    _put(client, words[0], held[None].repeat(count, axis=0))


def _put(client: Client, name: str, policy: Float) -> None:
    tree = client.built()
    place = tree.ids.find(name)
    before = strategy_at(tree.now(), place)
    tree.set_strategy(place, as_shares(policy, before, tree.held(place)))


def lock_node(client: Client, words: Words) -> None:
    """Hold what is played at a node."""
    client.built().lock(client.decision(words))


def combo_lock_node(client: Client, words: Words) -> None:
    """`combo_lock_node r:0 1 0 ...`: hold it for some of the 1,326 hands."""
    if not words:
        raise InputError("want a node and 1,326 times 1 or 0")
    client.built().lock(client.decision(words[:1]), hands(words[1:], "hands") > 0)


def unlock_node(client: Client, words: Words) -> None:
    """Let it learn again."""
    client.built().unlock(client.decision(words))


def set_mes(client: Client, words: Words) -> None:
    """`set_mes OOP`: he plays his best response."""
    if len(words) != 1:
        raise InputError("want OOP or IP")
    tree = client.built()
    tree.play(exploiting(tree, seat(words[0])))
