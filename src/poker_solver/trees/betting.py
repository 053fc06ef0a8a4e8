"""The public betting tree after the flop without cards: the template every board shares.

Betting does not depend on which card falls, so one node stands for all the boards of its street.
Nodes are numbered level by level from the root, 0: a parent comes before its children, and the
children of a node are consecutive, in the order of its actions: fold, check or call first, then
amounts from small to large.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Annotated, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from poker_solver.cards import RANKS, SUITS, card_from_string, card_to_string
from poker_solver.config.spot import PostflopBetting
from poker_solver.errors import InputError, LineError, MemoryPlanError
from poker_solver.games.betting import (
    DEAL,
    DECISION,
    FOLD,
    IP,
    NONE,
    OOP,
    RIVER,
    SHOWDOWN,
    board_street,
)
from poker_solver.trees.axes import check_axes
from poker_solver.trees.bet_sizes import Limits, Spread, amounts

Int = NDArray[np.integer[Any]]

MOST_NODES = 2_000_000
"""Where building gives up: on a flop such a tree would need terabytes."""


@dataclass(frozen=True, eq=False)
class BettingTree:
    """What two players can do from a spot on. N nodes, L levels."""

    kind: Annotated[Int, "N"]  # DECISION, DEAL, FOLD or SHOWDOWN
    actor: Annotated[Int, "N"]  # OOP or IP at a DECISION; NONE elsewhere
    street: Annotated[Int, "N"]  # a `Street`; at a DEAL the one before the card
    parent: Annotated[Int, "N"]  # NONE at the root
    first_child: Annotated[Int, "N"]  # NONE at a FOLD or SHOWDOWN
    num_children: Annotated[Int, "N"]  # exactly 1 at a DEAL
    committed: Annotated[Int, "N 2"]  # chips OOP and IP have put in, on top of the spot's pot
    folder: Annotated[Int, "N"]  # who folded; NONE elsewhere
    amount: Annotated[Int, "N"]  # what the action into this node bets or raises to; 0 if none
    level_start: Annotated[Int, "L+1"]  # level l holds nodes level_start[l]:level_start[l+1]
    label: tuple[str, ...]  # action into each node: x, c, f, b94, r250, a; empty after a DEAL
    pot: int  # chips in the middle at the root
    stack: int  # chips behind at the root, each

    def __post_init__(self) -> None:
        sizes = check_axes(self)
        if len(self.label) != sizes["N"]:
            raise ValueError(f"label: has {len(self.label)} entries, wants {sizes['N']}")

    @property
    def num_nodes(self) -> int:
        """All nodes, deals and ends included."""
        return len(self.label)

    @property
    def num_levels(self) -> int:
        """The longest path, the root included."""
        return len(self.level_start) - 1

    @property
    def first_street(self) -> int:
        """The street the spot starts on."""
        return int(self.street[0])

    @cached_property
    def is_decision(self) -> NDArray[np.bool_]:
        """[N] somebody acts."""
        found: NDArray[np.bool_] = self.kind == DECISION
        return found

    def children(self, node: int) -> range:
        """Where each action leads; where the card leads at a DEAL."""
        first = int(self.first_child[node])
        return range(first, first + int(self.num_children[node]))

    def actions(self, node: int) -> tuple[str, ...]:
        """The labels of a decision's actions; none elsewhere."""
        if not self.is_decision[node]:
            return ()
        return tuple(self.label[child] for child in self.children(node))

    def pot_chips(self, node: int) -> int:
        """All that lies in the middle, uncalled chips included."""
        return self.pot + int(self.committed[node].sum())

    def won_chips(self, node: int) -> int:
        """What the winner of a FOLD or SHOWDOWN takes, before rake: uncalled chips went back."""
        return self.pot + 2 * int(self.committed[node].min())

    def step(self, node: int, token: str) -> int:
        """The child an action leads to; `b910` or `r910` for an all-in of 910 is understood."""
        legal = self.actions(node)
        if token in legal:
            return self.children(node)[legal.index(token)]
        if legal and legal[-1] == "a":
            all_in = self.children(node)[-1]
            if token in (f"b{self.amount[all_in]}", f"r{self.amount[all_in]}"):
                return all_in
        if legal:
            raise LineError(f"{token!r}: the actions here are {', '.join(legal)}")
        if self.kind[node] == DEAL:
            raise LineError(f"{token!r}: a card is dealt here, as in 7d")
        raise LineError(f"{token!r}: the hand is over")

    def deal(self, node: int, token: str) -> int:
        """The node after a card; which one it is makes no difference to the betting."""
        if self.kind[node] == DEAL:
            return int(self.first_child[node])
        legal = self.actions(node)
        here = f"the actions are {', '.join(legal)}" if legal else "the hand is over"
        raise LineError(f"{token!r}: no card is dealt here; {here}")

    def walk(self, line: str | Sequence[str], board: Sequence[int] = ()) -> tuple[int, list[int]]:
        """The node a line leads to and the cards that fell, as in `x b94 c 7d x x As`.

        Args:
            line: tokens, every card where it falls.
            board: the cards of the spot, which cannot fall again.
        """
        node, dealt = 0, list[int]()
        for place, token in enumerate(_tokens(line), 1):
            try:
                if is_card(token):
                    node = self.deal(node, token)
                    dealt.append(live_card(token, [*board, *dealt]))
                else:
                    node = self.step(node, token)
            except InputError as error:
                raise LineError(f"token {place} {error}") from None
        return node, dealt

    def node_at(self, line: str | Sequence[str]) -> int:
        """The node a line leads to; its cards do not matter and may be left out."""
        node = 0
        for place, token in enumerate(_tokens(line), 1):
            try:
                if is_card(token):
                    node = self.deal(node, token)
                else:
                    node = self.step(self.skip_deals(node), token)
            except LineError as error:
                raise LineError(f"token {place} {error}") from None
        return node

    def skip_deals(self, node: int) -> int:
        """The node after the cards that fall here: itself unless it is a DEAL."""
        while self.kind[node] == DEAL:
            node = int(self.first_child[node])
        return node

    def line_of(self, node: int, dealt: Sequence[int] = ()) -> str:
        """The tokens from the root to a node, with these cards where they fall, or without."""
        path = [node]
        while path[-1] > 0:
            path.append(int(self.parent[path[-1]]))
        cards = [card_to_string(card) for card in dealt]
        tokens = [
            self.label[here] or (cards.pop(0) if cards else "") for here in reversed(path[:-1])
        ]
        return " ".join(filter(None, tokens))

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """The line of every node, cards left out."""
        found = [""] * self.num_nodes
        for node in range(1, self.num_nodes):
            before, label = found[int(self.parent[node])], self.label[node]
            found[node] = f"{before} {label}" if before and label else before or label
        return tuple(found)


def is_card(token: str) -> bool:
    """A card, and not an action: `As`, not `a`."""
    return len(token) == 2 and token[0].upper() in RANKS and token[1].lower() in SUITS


def _tokens(line: str | Sequence[str]) -> Sequence[str]:
    return line.split() if isinstance(line, str) else line


def live_card(token: str, dead: Sequence[int]) -> int:
    """The card, refused if it is among the dead."""
    card = card_from_string(token)
    if card in dead:
        raise LineError(f"{token!r}: this card is already on the board")
    return card


class _Situation(NamedTuple):
    """All that decides what can be played from here on."""

    kind: int
    actor: int
    street: int
    paid: int  # by each player on earlier streets
    bets: tuple[int, int]  # on this street
    num_raises: int  # on this street, the opening bet not counted
    oop_called: bool  # on the previous street
    folder: int = NONE


class _Step(NamedTuple):
    label: str
    amount: int
    then: _Situation


class _Rules:
    """What can be played in a situation, by the sizes that are allowed."""

    def __init__(self, betting: PostflopBetting) -> None:
        self.pot, self.stack = betting.pot, betting.stack
        self.max_raises, self.sizes = betting.max_raises, betting.sizes
        self.limits = Limits(*betting.thresholds.exact)
        self._known: dict[_Situation, tuple[_Step, ...]] = {}

    def steps(self, here: _Situation) -> tuple[_Step, ...]:
        """Every action or card from here, and what it leads to."""
        if here not in self._known:
            self._known[here] = tuple(self._find(here))
        return self._known[here]

    def _find(self, here: _Situation) -> list[_Step]:
        if here.kind in (FOLD, SHOWDOWN):
            return []
        if here.kind == DEAL:
            return [_Step("", 0, self._after_the_card(here))]
        me, other = here.actor, 1 - here.actor
        if here.bets[other] > here.bets[me]:
            folded = here._replace(kind=FOLD, actor=NONE, folder=me)
            passive = [_Step("f", 0, folded), _Step("c", 0, self._call(here))]
        else:
            passive = [_Step("x", 0, self._check(here))]
        return passive + [self._bet(here, amount) for amount in self._amounts(here)]

    def _amounts(self, here: _Situation) -> tuple[int, ...]:
        me, other = here.actor, 1 - here.actor
        facing, allowed = here.bets[other], self.sizes[me][here.street]
        if facing == 0:
            is_donk = me == OOP and here.oop_called
            sizes = allowed.donks if is_donk else allowed.bets
        elif self.max_raises is not None and here.num_raises >= self.max_raises:
            return ()
        else:
            sizes = allowed.raises
        spread = Spread(
            pot=self.pot + 2 * (here.paid + facing),
            bet=facing,
            own=here.bets[me],
            all_in=self.stack - here.paid,
            streets_left=RIVER + 1 - here.street,
            num_raises=here.num_raises,
        )
        return amounts(sizes, spread, self.limits)

    def _bet(self, here: _Situation, amount: int) -> _Step:
        me, other = here.actor, 1 - here.actor
        is_raise = here.bets[other] > 0
        letter = "r" if is_raise else "b"
        label = "a" if amount == self.stack - here.paid else f"{letter}{amount}"
        bets = (amount, here.bets[IP]) if me == OOP else (here.bets[OOP], amount)
        then = here._replace(actor=other, bets=bets, num_raises=here.num_raises + is_raise)
        return _Step(label, amount, then)

    def _check(self, here: _Situation) -> _Situation:
        if here.actor == OOP:
            return here._replace(actor=IP)
        return self._street_over(here, oop_called=False)

    def _call(self, here: _Situation) -> _Situation:
        bet = max(here.bets)
        return self._street_over(here._replace(bets=(bet, bet)), oop_called=here.actor == OOP)

    def _street_over(self, here: _Situation, *, oop_called: bool) -> _Situation:
        kind = SHOWDOWN if here.street == RIVER else DEAL
        return here._replace(kind=kind, actor=NONE, oop_called=oop_called, num_raises=0)

    def _after_the_card(self, here: _Situation) -> _Situation:
        paid, street = here.paid + here.bets[OOP], here.street + 1
        kind, actor = DECISION, OOP
        if paid == self.stack:
            kind, actor = SHOWDOWN if street == RIVER else DEAL, NONE
        return here._replace(kind=kind, actor=actor, street=street, paid=paid, bets=(0, 0))


def build_betting_tree(betting: PostflopBetting) -> BettingTree:
    """Everything that can be played, cards left out."""
    return _built(betting, MOST_NODES)


@lru_cache(maxsize=2)
def _built(betting: PostflopBetting, most_nodes: int) -> BettingTree:
    rules = _Rules(betting)
    street = board_street(betting.num_cards)
    root = _Situation(DECISION, OOP, street, 0, (0, 0), 0, oop_called=False)
    steps, parents = [_Step("", 0, root)], [NONE]
    first_child: list[int] = []
    num_children: list[int] = []
    level_start = [0]
    while level_start[-1] < len(steps):
        here = range(level_start[-1], len(steps))
        level_start.append(len(steps))
        for node in here:
            following = rules.steps(steps[node].then)
            first_child.append(len(steps) if following else NONE)
            num_children.append(len(following))
            parents += [node] * len(following)
            steps += following
            if len(steps) > most_nodes:
                raise MemoryPlanError(
                    f"the betting tree has more than {most_nodes:,} nodes before any card is "
                    "dealt; give fewer sizes, or max_raises"
                )
    nodes = [step.then for step in steps]
    paid = np.array([(node.paid, *node.bets) for node in nodes], np.int32)
    return BettingTree(
        kind=np.array([node.kind for node in nodes], np.int8),
        actor=np.array([node.actor for node in nodes], np.int8),
        street=np.array([node.street for node in nodes], np.int8),
        parent=np.array(parents, np.int32),
        first_child=np.array(first_child, np.int32),
        num_children=np.array(num_children, np.int32),
        committed=np.ascontiguousarray(paid[:, :1] + paid[:, 1:]),
        folder=np.array([node.folder for node in nodes], np.int8),
        amount=np.array([step.amount for step in steps], np.int32),
        level_start=np.array(level_start, np.int32),
        label=tuple(step.label for step in steps),
        pot=betting.pot,
        stack=betting.stack,
    )
