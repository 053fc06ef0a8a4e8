"""The public betting tree without cards, on any of the four streets: one class, one builder.

Betting does not depend on which card falls, so one node stands for all the boards of its street.
Nodes are numbered level by level from the root, 0: a parent comes before its children, and the
children of a node are consecutive, in the order of its actions: fold, check or call first, then
amounts from small to large.

Many nodes share one state of the betting. States are explored once; nodes are counted before they
are made, and what is known of a state is looked up by its number when it is first asked for.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from poker_solver.cards import card_to_string
from poker_solver.config.lines.text import LineWord, is_card, read_line
from poker_solver.config.problems import Problem
from poker_solver.errors import (
    ConfigError,
    InputError,
    LineError,
    MemoryPlanError,
    PokerSolverError,
)
from poker_solver.games.betting import (
    DEAL,
    DECISION,
    NONE,
    PLAYERS,
    PREFLOP,
    Betting,
    BettingRules,
    Step,
    action_label,
    describe_legal,
)
from poker_solver.games.notation import live_card
from poker_solver.games.overrides import problems
from poker_solver.trees.axes import check_axes

if TYPE_CHECKING:
    from poker_solver.config.spot import PostflopBetting

Int = NDArray[np.integer[Any]]

MOST_NODES = 2_000_000
"""Where building gives up after the flop: on a flop such a tree would need terabytes."""

MOST_STEPS = 200_000
"""Of all different states together, after the flop: refused while they are counted, in some two
seconds. Spots that people solve have a thousand or fewer."""

MOST_PREFLOP_STEPS = 1_000_000
"""Likewise where the tree begins before the flop; some ten seconds."""

MOST_PREFLOP_NODES = 50_000_000
"""Where building gives up before the flop: such a tree needs over 100 GB to be solved."""


@dataclass(frozen=True, eq=False)
class BettingTree:
    """What two players can do from some state on. N nodes, L levels, S states."""

    rules: BettingRules
    states: tuple[Betting, ...]  # the S different ones; many nodes share one
    steps: tuple[tuple[Step, ...], ...]  # what may follow each
    state: Annotated[Int, "N"]  # of each node
    parent: Annotated[Int, "N"]  # NONE at the root
    first_child: Annotated[Int, "N"]  # NONE at a FOLD or SHOWDOWN
    level_start: Annotated[Int, "L+1"]  # level l holds nodes level_start[l]:level_start[l+1]

    def __post_init__(self) -> None:
        check_axes(self)

    @cached_property
    def kind(self) -> NDArray[np.int8]:
        """[N] DECISION, DEAL, FOLD or SHOWDOWN."""
        return self.by_state(lambda state: state.kind, np.int8)

    @cached_property
    def actor(self) -> NDArray[np.int8]:
        """[N] OOP or IP at a DECISION; NONE elsewhere."""
        return self.by_state(lambda state: state.actor, np.int8)

    @cached_property
    def street(self) -> NDArray[np.int8]:
        """[N] a `Street`; at a DEAL the one before the card."""
        return self.by_state(lambda state: state.street, np.int8)

    @cached_property
    def num_children(self) -> NDArray[np.int32]:
        """[N] exactly 1 at a DEAL, 0 at a FOLD or SHOWDOWN."""
        return np.array([len(steps) for steps in self.steps], np.int32)[self.state]

    @cached_property
    def committed(self) -> NDArray[np.int32]:
        """[N, 2] chips OOP and IP have put in, on top of the pot at the start."""
        return self.by_state(lambda state: [state.paid + bet for bet in state.bets], np.int32)

    @cached_property
    def folder(self) -> NDArray[np.int8]:
        """[N] who folded; NONE elsewhere."""
        return self.by_state(lambda state: state.folder, np.int8)

    @cached_property
    def amount(self) -> NDArray[np.int32]:
        """[N] what the action into a node bets or raises to; 0 if nothing."""
        steps = (step.amount for state in self.state.tolist() for step in self.steps[state])
        return np.array([0, *steps], np.int32)

    @cached_property
    def label(self) -> tuple[str, ...]:
        """The action into each node: x, c, f, b94, r250, a; empty after a DEAL."""
        return "", *(step.token for state in self.state.tolist() for step in self.steps[state])

    @property
    def num_nodes(self) -> int:
        """All nodes, deals and ends included."""
        return len(self.state)

    def by_state(self, value: Callable[[Betting], Any], dtype: DTypeLike) -> NDArray[Any]:
        """[N, ...] something that follows from the state of each node."""
        return np.array([value(state) for state in self.states], dtype)[self.state]

    def betting(self, node: int) -> Betting:
        """Bets and turn at a node."""
        return self.states[int(self.state[node])]

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
        return range(first, first + len(self.steps[int(self.state[node])]))

    def actions(self, node: int) -> tuple[str, ...]:
        """The labels of a decision's actions; none elsewhere."""
        steps = self.steps[int(self.state[node])]
        return tuple(step.token for step in steps if step.token)

    def labels(self, node: int) -> tuple[str, ...]:
        """The actions as people read them: `x`, `b182 (33 %)`, `a (910, 55 %)`."""
        here = self.betting(node)
        return tuple(
            step.token
            if here.street == PREFLOP or not step.amount
            else action_label(step.token, step.amount, self.rules.share(here, step.amount))
            for step in self.steps[int(self.state[node])]
            if step.token
        )

    def pot_chips(self, node: int) -> int:
        """All that lies in the middle, uncalled chips included."""
        return self.rules.pot + int(self.committed[node].sum())

    def won_chips(self, node: int) -> int:
        """What the winner of a FOLD or SHOWDOWN takes, before rake: uncalled chips went back."""
        return self.rules.pot + 2 * int(self.committed[node].min())

    def step(self, node: int, token: str) -> int:
        """The child an action leads to.

        `b910` or `r910` for an all-in of 910 is understood, and `b33%` for a third of the pot.
        """
        here, steps = self.betting(node), self.steps[int(self.state[node])]
        index = self.rules.find(here, steps, token)
        if index is not None:
            return self.children(node)[index]
        if here.kind == DEAL:
            raise LineError(f"{token!r}: a card is dealt here, as in 7d")
        names = self.labels(node) if token.endswith("%") else self.actions(node)
        raise LineError(f"{token!r}: {describe_legal(here, names)}")

    def deal(self, node: int, token: str) -> int:
        """The node after a card; which one it is makes no difference to the betting."""
        if self.betting(node).kind == DEAL:
            return int(self.first_child[node])
        legal = self.actions(node)
        here = f"the actions are {', '.join(legal)}" if legal else "the hand is over"
        raise LineError(f"{token!r}: no card is dealt here; {here}")

    def walk(
        self, line: str | Sequence[str], board: Sequence[int] = (), *, every_card: str = ""
    ) -> tuple[int, list[int]]:
        """The node a line leads to and the cards that fell, as in `x b94 c 7d x x As`.

        Args:
            line: tokens, every card where it falls.
            board: the cards of the spot, which cannot fall again.
            every_card: a token that stands for all cards, NONE among those that fell.
        """
        dealt: list[int] = []

        def fall(token: str) -> None:
            dealt.append(NONE if token == every_card else live_card(token, [*board, *dealt]))

        return self._follow(line, fall, every_card), dealt

    def node_at(self, line: str | Sequence[str]) -> int:
        """The node a line leads to; its cards do not matter and may be left out."""
        return self._follow(line, None, "")

    def _follow(
        self, line: str | Sequence[str], fall: Callable[[str], None] | None, every_card: str
    ) -> int:
        """Walk a line; cards go to `fall`, or may be left out if there is none."""
        node = 0
        words = read_line(line) if isinstance(line, str) else [LineWord(token) for token in line]
        for number, (token, seat, _) in enumerate(words, 1):
            try:
                if is_card(token) or token == every_card:
                    node = self.deal(node, token)
                    if fall is not None:
                        fall(token)
                    continue
                node = node if fall else self.skip_deals(node)
                if seat is not None and self.is_decision[node] and seat != self.actor[node]:
                    raise LineError(f"{token!r}: it is {PLAYERS[1 - seat].upper()}'s turn")
                node = self.step(node, token)
            except InputError as error:
                raise LineError(f"token {number} {error}") from None
        return node

    def skip_deals(self, node: int) -> int:
        """The node after the cards that fall here: itself unless it is a DEAL."""
        while self.betting(node).kind == DEAL:
            node = int(self.first_child[node])
        return node

    def history(self, node: int) -> tuple[str, ...]:
        """The actions from the root to a node."""
        tokens: list[str] = []
        while node > 0:
            parent = int(self.parent[node])
            step = self.steps[int(self.state[parent])][node - int(self.first_child[parent])]
            tokens.append(step.token)
            node = parent
        return tuple(reversed(tokens))

    def line_of(self, node: int, dealt: Sequence[int] = ()) -> str:
        """The tokens from the root to a node, with these cards where they fall, or without."""
        cards = [card_to_string(card) for card in dealt]
        tokens = [token or (cards.pop(0) if cards else "") for token in self.history(node)]
        return " ".join(filter(None, tokens))


class _States:
    """The different states of the betting, numbered as they are met, and where steps lead."""

    def __init__(self, rules: BettingRules, most: int) -> None:
        self.rules, self.most = rules, most
        self.states: list[Betting] = []
        self.steps: list[tuple[Step, ...]] = []
        self.after: list[list[int]] = []  # numbers of the states that the steps lead to
        self._number: dict[Betting, int] = {}
        self._num_steps = 0
        self._find(rules.first)
        for steps, after in zip(self.steps, self.after, strict=True):  # grows as it is walked
            after += [self._find(step.after) for step in steps]

    def _find(self, state: Betting) -> int:
        if state not in self._number:
            if len(self.states) == self.most:
                raise _too_large(self.rules, self.most, None)
            self._number[state] = len(self.states)
            self.states.append(state)
            self.steps.append(tuple(self.rules.steps(state)))
            self._num_steps += len(self.steps[-1])
            most = MOST_STEPS if self.rules.preflop is None else MOST_PREFLOP_STEPS
            if self._num_steps > most:
                raise _too_large(self.rules, self.most, None)
            self.after.append([])
        return self._number[state]

    def num_nodes(self) -> int:
        """Of the whole tree, which is not made: every step adds chips, or passes the turn on."""

        def progress(number: int) -> tuple[int, int, int, int]:
            state = self.states[number]
            return state.street, sum(state.bets), state.kind, state.actor

        size = [0] * len(self.states)
        for s in sorted(range(len(size)), key=progress, reverse=True):
            size[s] = 1 + sum(size[after] for after in self.after[s])
        return size[0]


def build_betting_tree(game: "BettingRules | PostflopBetting") -> BettingTree:
    """Everything that can be played, cards left out; after the flop, kept for the next call."""
    rules = game if isinstance(game, BettingRules) else BettingRules(postflop=(game,))
    if rules.preflop is None:
        return _kept(rules, MOST_NODES)
    return _build(rules, MOST_PREFLOP_NODES)


def _build(rules: BettingRules, most_nodes: int) -> BettingTree:
    found = _States(rules, most_nodes)
    if (total := found.num_nodes()) > most_nodes:
        raise _too_large(rules, most_nodes, total)
    _check_overrides(rules, found.states)
    num_steps = np.array([len(steps) for steps in found.steps])
    first_step = np.concatenate([[0], np.cumsum(num_steps)])
    after = np.array([s for numbers in found.after for s in numbers], np.int32)

    levels, parents, starts = [np.zeros(1, np.int32)], [np.full(1, NONE, np.int32)], [0]
    while len(levels[-1]):
        here = levels[-1]
        starts.append(starts[-1] + len(here))
        fan_out = num_steps[here]
        which = np.arange(fan_out.sum()) - np.repeat(np.cumsum(fan_out) - fan_out, fan_out)
        levels.append(after[np.repeat(first_step[here], fan_out) + which])
        parents.append(np.repeat(np.arange(starts[-2], starts[-1], dtype=np.int32), fan_out))
    state = np.concatenate(levels)
    children = num_steps[state].astype(np.int32)
    first = np.cumsum(children, dtype=np.int32) - children + 1
    return BettingTree(
        rules=rules,
        states=tuple(found.states),
        steps=tuple(found.steps),
        state=state,
        parent=np.concatenate(parents),
        first_child=np.where(children > 0, first, np.int32(NONE)),
        level_start=np.array(starts, np.int32),
    )


def _check_overrides(rules: BettingRules, states: Sequence[Betting]) -> None:
    """Refuse overrides at lines that nobody can play, or of actions that are not there."""
    given = rules.postflop[0].overrides if rules.postflop else ()
    wrong = tuple(problems(rules, given, states))
    if wrong:
        raise ConfigError("; ".join(str(Problem(*one)) for one in wrong), wrong)


_kept = lru_cache(maxsize=32)(_build)  # a full game has a tree for each of its lines


def _too_large(rules: BettingRules, most: int, total: int | None) -> PokerSolverError:
    if rules.preflop is None:
        return MemoryPlanError(
            f"the betting tree has more than {most:,} nodes before any card is dealt; "
            "give fewer sizes, or max_raises"
        )
    fewer = (
        "fewer sizes, or max_raises" if rules.postflop else "fewer raise_sizes, or min_raise: legal"
    )
    return InputError(
        f"{rules.preflop.name}: the betting tree has "
        + (f"{total:,} nodes, more than {most:,}" if total else "too many bets to be looked at")
        + f"; give {fewer}"
    )
