"""One point of a solved spot: strategy, ranges, EVs and equities of real hands on real cards.

Solved boards stand for others that differ in the names of suits; here the names are put back.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from poker_solver.cards import NUM_COMBOS, cards_to_string, combo_to_string
from poker_solver.cards.equity import range_equity
from poker_solver.errors import InputError
from poker_solver.games.betting import DEAL, FOLD, IP, OOP, PLAYERS
from poker_solver.postflop.solution.values import Evaluator

Float = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class PlayerNode:
    """One player's range at a node; H hands that the board leaves."""

    name: str  # oop or ip
    combos: NDArray[np.int32]  # [H] of the 1,326
    reach: Float  # [H] how often the hand is held and its own actions lead here
    met: Float  # [H] reach of the opponent's hands it can meet
    ev: Float  # [H] chips; NaN where no opponent gets here
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
    def mean_ev(self) -> float:
        """Chips, over the deals that get here; NaN if none does."""
        return self.mean(self.ev)

    @property
    def mean_equity(self) -> float:
        """Of the range; NaN if no deal gets here."""
        return self.mean(self.equity)

    def mean(self, values: NDArray[np.floating]) -> float:
        """[H] values averaged over the deals that get here; NaN if none does."""
        held = self.share > 0
        if not held.any():
            return float("nan")
        return float(self.share[held] @ values[held].astype(np.float64))


@dataclass(frozen=True, eq=False)
class SolutionNode:
    """A node of a solved spot; A actions, H hands of the player to act; none where nobody acts."""

    line: str
    board: str
    kind: str  # decision, deal, fold or showdown
    player: str | None  # oop or ip; None where nobody acts
    pot: int  # in the middle, what is not called included
    behind: tuple[int, int]  # OOP, IP
    actions: tuple[str, ...]
    amounts: tuple[int, ...]  # [A] chips each action bets or raises to; 0 if it does not
    strategy: Float  # [A, H]; uniform where the hand never gets here
    ev_actions: Float  # [A, H] chips; NaN where no opponent gets here
    players: tuple[PlayerNode, PlayerNode]
    locked: NDArray[np.bool_]  # [H] the hand's strategy here was fixed, not solved

    @property
    def acting(self) -> PlayerNode:
        """Who is to act."""
        if self.player is None:
            raise InputError(f"nobody acts after {self.line!r}: {self.kind}")
        return self.players[PLAYERS.index(self.player)]

    @property
    def hands(self) -> tuple[str, ...]:
        """[H] of the player to act."""
        return self.acting.hands

    @property
    def reach(self) -> Float:
        """[H] likewise."""
        return self.acting.reach

    @property
    def ev(self) -> Float:
        """[H] likewise, chips."""
        return self.acting.ev

    @property
    def equity(self) -> Float:
        """[H] likewise."""
        return self.acting.equity

    @property
    def frequency(self) -> NDArray[np.float64]:
        """[A] over the deals that get here; NaN if none does."""
        found: NDArray[np.float64] = (self.strategy * self.acting.share).sum(axis=1)
        return found


def read_node(values: Evaluator, line: str | Sequence[str]) -> SolutionNode:
    """The node a line of actions and real cards leads to."""
    tree, ranges, game = values.tree, values.ranges, values.layout.game
    node, dealt = tree.walk(line, game.cards)
    board, renaming = values.layout.runouts.locate(dealt)
    players = _players(values, node, board)
    order = [ranges.moved(player, renaming) for player in (OOP, IP)]
    live = [ranges.live(p, int(tree.street[node]))[board][order[p]] for p in (OOP, IP)]
    places = [moved[held] for moved, held in zip(order, live, strict=True)]
    acts = bool(tree.is_decision[node])
    actor = int(tree.actor[node]) if acts else OOP
    strategy, ev_actions = _actions(values, node, board) if acts else (np.empty((0, 0)),) * 2
    kept = places[actor] if acts else slice(0)
    paid = tree.committed[node].tolist()
    return SolutionNode(
        line=tree.line_of(node, dealt),
        board=cards_to_string((*game.cards, *dealt)),
        kind="decision" if acts else _ends(int(tree.kind[node])),
        player=PLAYERS[actor] if acts else None,
        pot=tree.pot_chips(node),
        behind=(game.stack - paid[OOP], game.stack - paid[IP]),
        actions=tree.actions(node),
        amounts=tuple(int(tree.amount[child]) for child in tree.children(node) if acts),
        strategy=strategy[:, kept].astype(np.float32),
        ev_actions=ev_actions[:, kept].astype(np.float32),
        players=(
            players[OOP].on(places[OOP], values.layout.combos[OOP][live[OOP]]),
            players[IP].on(places[IP], values.layout.combos[IP][live[IP]]),
        ),
        locked=_locked(values, node, dealt)[values.layout.combos[actor][live[actor]]][
            : strategy.shape[1]
        ],
    )


def _locked(values: Evaluator, node: int, dealt: Sequence[int]) -> NDArray[np.bool_]:
    """[1326] whether a lock holds the hand at this node, on these cards."""
    found = np.zeros(NUM_COMBOS, bool)
    for lock in values.layout.locks:
        if lock.node == node and lock.holds_on(dealt):
            found |= lock.hands
    return found


def _ends(kind: int) -> str:
    return "deal" if kind == DEAL else "fold" if kind == FOLD else "showdown"


@dataclass(frozen=True, eq=False)
class _Side:
    """A player at a node on the representative board, all hands of the layout."""

    name: str
    reach: NDArray[np.float64]
    met: NDArray[np.float64]
    ev: NDArray[np.float64]
    equity: NDArray[np.float64]

    def on(self, places: NDArray[np.int64], combos: NDArray[np.int32]) -> PlayerNode:
        """The same for real hands: hand h is found at places[h]."""
        rows = (self.reach, self.met, self.ev, self.equity)
        reach, met, ev, equity = (row[places].astype(np.float32) for row in rows)
        return PlayerNode(self.name, combos, reach, met, ev, equity)


def _players(values: Evaluator, node: int, board: int) -> tuple[_Side, _Side]:
    tree = values.tree
    ranges = values.ranges
    reach, cfv = ranges.reach_at(node, board), values.values_at(node, board)
    street = int(tree.street[node])
    shown = values.layout.runouts.boards(street)[board].tolist()
    sides = []
    for player in (OOP, IP):
        met = ranges.met(player, reach[1 - player])
        base = tree.pot / 2 + int(tree.committed[node, player])
        equity = _equity(values, player, reach[1 - player], street, board, shown)
        sides.append(
            _Side(PLAYERS[player], reach[player], met, _ev(cfv[player], met, base), equity)
        )
    return sides[0], sides[1]


def _ev(cfv: NDArray[np.float64], met: NDArray[np.float64], base: float) -> NDArray[np.float64]:
    """[H] chips per deal that gets here, on top of what the player has put in; NaN for none."""
    found = np.full_like(cfv, np.nan)
    np.divide(cfv, met, out=found, where=met > 0)
    return found + base


def _actions(
    values: Evaluator, node: int, board: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """[A, H] strategy and EVs of the player to act."""
    tree = values.tree
    actor = int(tree.actor[node])
    met = values.ranges.met(actor, values.ranges.reach_at(node, board)[1 - actor])
    base = tree.pot / 2 + int(tree.committed[node, actor])
    evs = [_ev(values.values_at(child, board)[actor], met, base) for child in tree.children(node)]
    return values.ranges.mix(node, board), np.stack(evs)


def _equity(
    values: Evaluator,
    player: int,
    opponent: NDArray[np.float64],
    street: int,
    board: int,
    cards: list[int],
) -> NDArray[np.float64]:
    """[H] of each hand against the opponent's range, whether or not it gets here itself."""
    combos = values.layout.combos
    own, other = np.zeros(NUM_COMBOS), np.zeros(NUM_COMBOS)
    own[combos[player]] = values.ranges.live(player, street)[board]
    other[combos[1 - player]] = np.minimum(opponent, 1.0)
    try:
        found = range_equity(own, other, cards).players[0].equity_by_combo[combos[player]]
    except InputError:  # nobody gets here, or every hand blocks every other
        return np.full(len(combos[player]), np.nan)
    return found
