"""One point of a solved spot: strategy, ranges, EVs and equities of real hands on real cards.

Solved boards stand for others that differ in the names of suits; here the names are put back.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import SupportsIndex

import numpy as np
from numpy.typing import NDArray

from poker_solver.cards import (
    NUM_COMBOS,
    cards_from_string,
    cards_to_string,
    combo_from_string,
    combo_to_string,
)
from poker_solver.cards.equity import range_equity
from poker_solver.cards.isomorphism import Permutation, combo_permutation, permute_cards
from poker_solver.config.lines.text import is_card
from poker_solver.errors import InputError
from poker_solver.games.betting import DEAL, DECISION, FOLD, IP, OOP, PLAYERS, SHOWDOWN
from poker_solver.postflop.game import PostflopGame
from poker_solver.postflop.solution.ranges import per_deal
from poker_solver.postflop.solution.strategy import F64, Pair
from poker_solver.postflop.solution.values import Evaluator

Float = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class PlayerNode:
    """One player's range at a node; H hands that the board leaves."""

    name: str  # oop or ip
    combos: NDArray[np.int32]  # [H] of the 1,326
    reach: Float  # [H] how often the hand is held and its own actions lead here
    met: Float  # [H] reach of the opponent's hands it can meet
    ev_chips: Float  # [H] NaN where no opponent gets here
    equity: Float  # [H] if the hand were checked down from here; NaN likewise

    @cached_property
    def hands(self) -> tuple[str, ...]:
        """[H] `AhKh`."""
        return tuple(combo_to_string(int(combo)) for combo in self.combos)

    @cached_property
    def share(self) -> NDArray[np.float64]:
        """[H] of all deals that get here, those where the hand is held; NaN if none does."""
        deals = self.reach.astype(np.float64) * self.met
        total = deals.sum()
        return deals / total if total > 0 else np.full(len(deals), np.nan)

    @property
    def num_combos(self) -> float:
        """Combos that get here, each by its reach."""
        return float(self.reach.sum(dtype=np.float64))

    @property
    def ev(self) -> Float:
        """[H] `ev_chips`, the short name that scripts use."""
        return self.ev_chips

    @property
    def mean_ev(self) -> float:
        """Chips, over the deals that get here; NaN if none does."""
        return self.mean(self.ev_chips)

    @property
    def mean_equity(self) -> float:
        """Of the range; NaN if no deal gets here."""
        return self.mean(self.equity)

    def mean(self, values: NDArray[np.floating]) -> float:
        """[H] values averaged over the deals that get here; NaN if none does."""
        comes = self.share > 0
        if not comes.any():
            return float("nan")
        return float(self.share[comes] @ values[comes].astype(np.float64))


class HandNames(tuple[str, ...]):
    """Names of hands, found in either order of their cards: `JdKd` is `KdJd`."""

    __slots__ = ()

    def index(self, hand: str, *bounds: SupportsIndex) -> int:
        """Where a hand is; an `InputError` where it is not."""
        name = _hand_name(hand)
        if not tuple.__contains__(self, name):
            raise InputError(f"{hand} is not among the {len(self)} hands here")
        return tuple.index(self, name, *bounds)

    def __contains__(self, hand: object) -> bool:
        return isinstance(hand, str) and tuple.__contains__(self, _hand_name(hand))


def _hand_name(hand: str) -> str:
    try:
        return combo_to_string(combo_from_string(hand))
    except InputError:
        return hand


@dataclass(frozen=True, eq=False)
class SolutionNode:
    """A node of a solved spot; A actions, H hands of the player to act; none where nobody acts."""

    line: str
    board: str
    kind: str  # decision, deal, fold or showdown
    player: str | None  # oop or ip; None where nobody acts
    pot: int  # chips in the middle, what is not called included
    behind: tuple[int, int]  # chips of OOP and IP
    actions: tuple[str, ...]
    amounts: tuple[int, ...]  # [A] chips each action bets or raises to; 0 if it does not
    strategy: Float  # [A, H]; uniform where the hand never gets here
    ev_actions: Float  # [A, H] chips; NaN where no opponent gets here
    players: tuple[PlayerNode, PlayerNode]
    locked: NDArray[np.bool_]  # [H] the hand's strategy here was fixed, not solved
    labels: tuple[str, ...] = ()  # [A] the actions with their shares of the pot: b182 (33 %)

    def __repr__(self) -> str:
        """One line; the arrays are attributes."""
        where = f"{self.line!r} on {self.board}, pot {self.pot}"
        if self.player is None:
            return f"<{self.kind} after {where}>"
        pairs = zip(self.labels or self.actions, self.frequency.tolist(), strict=True)
        mix = ", ".join(f"{action} {100 * share:.1f} %" for action, share in pairs)
        return f"<{self.player} acts after {where}: {mix}; {len(self.hands)} hands>"

    @property
    def acting(self) -> PlayerNode:
        """Who is to act."""
        if self.player is None:
            raise InputError(f"nobody acts after {self.line!r}: {self.kind}")
        return self.players[PLAYERS.index(self.player)]

    @property
    def hands(self) -> tuple[str, ...]:
        """[H] of the player to act; `index` and `in` take the two cards in either order."""
        return HandNames(self.acting.hands)

    @property
    def reach(self) -> Float:
        """[H] likewise."""
        return self.acting.reach

    @property
    def ev(self) -> Float:
        """[H] likewise, chips."""
        return self.acting.ev_chips

    @property
    def equity(self) -> Float:
        """[H] likewise."""
        return self.acting.equity

    @property
    def frequency(self) -> NDArray[np.float64]:
        """[A] over the deals that get here; NaN if none does."""
        frequency: F64 = (self.strategy * self.acting.share).sum(axis=1)
        return frequency


def renamed_node(node: SolutionNode, suits: Permutation) -> SolutionNode:
    """The same point with suit s called suits[s] in cards and hands."""
    to = combo_permutation(suits)
    moved = [to[player.combos].astype(np.int32) for player in node.players]
    orders = [np.argsort(combos) for combos in moved]
    oop, ip = (
        PlayerNode(
            player.name, combos[order], player.reach[order], player.met[order],
            player.ev_chips[order], player.equity[order],
        )
        for player, combos, order in zip(node.players, moved, orders, strict=True)
    )  # fmt: skip
    acts = slice(None) if node.player is None else orders[PLAYERS.index(node.player)]
    words = [_in_suits(word, suits) if is_card(word) else word for word in node.line.split()]
    return replace(
        node,
        line=" ".join(words),
        board=_in_suits(node.board, suits),
        strategy=node.strategy[:, acts],
        ev_actions=node.ev_actions[:, acts],
        players=(oop, ip),
        locked=node.locked[acts],
    )


def _in_suits(cards: str, suits: Permutation) -> str:
    return cards_to_string(permute_cards(cards_from_string(cards), suits))


KINDS = {DECISION: "decision", DEAL: "deal", FOLD: "fold", SHOWDOWN: "showdown"}


def read_node(values: Evaluator, line: str | Sequence[str]) -> SolutionNode:
    """The node a line of actions and real cards leads to."""
    tree, game = values.tree, values.layout.game
    node, dealt = tree.walk(line, game.cards)
    board, renaming = values.layout.runouts.locate(dealt)
    here = _Here(values, node, board, values.ranges.reach_at(node, board))
    hands = [here.hands(player, renaming) for player in (OOP, IP)]
    acts = bool(tree.is_decision[node])
    actor = int(tree.actor[node]) if acts else OOP
    strategy, ev_actions, locked = np.empty((0, 0)), np.empty((0, 0)), np.empty(0, bool)
    if acts:
        index, combos = hands[actor]
        strategy = values.ranges.mix(node, board)[:, index]
        ev_actions = np.stack([here.ev(actor, child)[index] for child in tree.children(node)])
        locked = _locked(game, node, dealt)[combos]
    paid = tree.committed[node].tolist()
    return SolutionNode(
        line=tree.line_of(node, dealt),
        board=cards_to_string((*game.cards, *dealt)),
        kind=KINDS[int(tree.kind[node])],
        labels=tree.labels(node),
        player=PLAYERS[actor] if acts else None,
        pot=tree.pot_chips(node),
        behind=(game.stack - paid[OOP], game.stack - paid[IP]),
        actions=tree.actions(node),
        amounts=tuple(int(tree.amount[child]) for child in tree.children(node) if acts),
        strategy=strategy.astype(np.float32),
        ev_actions=ev_actions.astype(np.float32),
        players=(here.player(OOP, *hands[OOP]), here.player(IP, *hands[IP])),
        locked=locked,
    )


def _locked(game: PostflopGame, node: int, dealt: Sequence[int]) -> NDArray[np.bool_]:
    """[1326] whether a lock holds the hand at this node, on these cards."""
    locked = np.zeros(NUM_COMBOS, bool)
    for lock in game.locks:
        if lock.node == node and lock.holds_on(dealt):
            locked |= lock.hands
    return locked


@dataclass(frozen=True, eq=False)
class _Here:
    """A node on the representative board; rows have all hands of the layout."""

    values: Evaluator
    node: int
    board: int
    reach: Pair

    @property
    def street(self) -> int:
        return int(self.values.tree.street[self.node])

    def hands(
        self, player: int, renaming: Permutation
    ) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """[H] where real hands are found here once suits are renamed, and their combos."""
        ranges = self.values.ranges
        moved = ranges.moved(player, renaming)
        live = ranges.live(player, self.street)[self.board][moved]
        return moved[live], self.values.layout.combos[player][live]

    def player(
        self, player: int, index: NDArray[np.int64], combos: NDArray[np.int32]
    ) -> PlayerNode:
        """One player with real hands, found at `index`."""
        meets = self.values.ranges.met(player, self.reach[1 - player])
        rows = (self.reach[player], meets, self.ev(player, self.node), self.equity(player))
        reach, met, ev, equity = (row[index].astype(np.float32) for row in rows)
        return PlayerNode(PLAYERS[player], combos, reach, met, ev, equity)

    def ev(self, player: int, node: int) -> F64:
        """[H] chips per deal that gets here if play goes on at `node`; NaN for none.

        On top of what the player has put in here.
        """
        tree, cfv = self.values.tree, self.values.values_at(node, self.board)[player]
        met = self.values.ranges.met(player, self.reach[1 - player])
        return per_deal(cfv, met) + tree.rules.pot / 2 + int(tree.committed[self.node, player])

    def equity(self, player: int) -> F64:
        """[H] of each hand against the opponent's range, whether or not it gets here itself."""
        layout, combos = self.values.layout, self.values.layout.combos
        own, other = np.zeros(NUM_COMBOS), np.zeros(NUM_COMBOS)
        own[combos[player]] = self.values.ranges.live(player, self.street)[self.board]
        other[combos[1 - player]] = np.minimum(self.reach[1 - player], 1.0)
        cards = layout.runouts.boards(self.street)[self.board].tolist()
        try:
            shares = range_equity(own, other, cards).players[0].equity_by_combo[combos[player]]
        except InputError:  # nobody gets here, or every hand blocks every other
            return np.full(len(combos[player]), np.nan)
        return shares
