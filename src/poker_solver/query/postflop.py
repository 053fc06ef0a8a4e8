"""A solved spot node by node as plain values: combos, 169 classes, runouts."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import nan, prod

import numpy as np
from numpy.typing import NDArray

from poker_solver.cards import NUM_CARDS, card_to_string, cards_from_string
from poker_solver.errors import InputError
from poker_solver.postflop.solution.node import SolutionNode
from poker_solver.postflop.solution.solution import Solution
from poker_solver.query.groups import by_class
from poker_solver.query.node import (
    ActionDistribution,
    HandView,
    Kind,
    NodeView,
    PlayerView,
    SolveFacts,
)

_KINDS: dict[str, Kind] = {
    "decision": "decision", "deal": "deal", "fold": "fold", "showdown": "showdown",
}  # fmt: skip


def spot_view(solution: Solution, line: str | Sequence[str] = "") -> NodeView:
    """The node a line of actions and cards leads to."""
    node, game = solution.node(line), solution.game
    actor = None if node.player is None else (0 if node.player == "oop" else 1)
    hands = [_combos(node, seat, acts=seat == actor) for seat in (0, 1)]
    return NodeView(
        facts=SolveFacts(
            name="",
            stack_chips=game.stack,
            all_in_chips=game.stack,
            chips_per_bb=None,
            iterations=solution.iterations,
            exploitability_pct=solution.exploitability_pct,
        ),
        line=node.line,
        history=tuple(node.line.split()),
        board=node.board,
        kind=_KINDS[node.kind],
        actor=actor,
        pot_chips=node.pot_chips,
        reached=_deals(node) / solution.layout.num_pairs * _chance(game.cards, node.board),
        actions=node.actions,
        players=(_player(node, 0, hands[0]), _player(node, 1, hands[1])),
        num_locked=int(node.locked.sum()),
    )


def _deals(node: SolutionNode) -> float:
    """Pairs of hands that get here, each by its reach."""
    first = node.players[0]
    return float(first.reach.astype(np.float64) @ first.met)


def _chance(start: Sequence[int], board: str) -> float:
    """How likely the cards after the first ones are, if neither player has them."""
    return 1.0 / prod(NUM_CARDS - 4 - seen for seen in range(len(start), len(board) // 2))


def _player(node: SolutionNode, seat: int, combos: tuple[HandView, ...]) -> PlayerView:
    player = node.players[seat]
    return PlayerView(
        name=player.name.upper(),
        behind_chips=node.behind_chips[seat],
        hands=by_class(combos, combos[0].mix.actions if combos else ()),
        ev_chips=player.mean_ev_chips,
        equity=player.mean_equity,
        combos=combos,
    )


def _combos(node: SolutionNode, seat: int, *, acts: bool) -> tuple[HandView, ...]:
    player = node.players[seat]
    shares = np.nan_to_num(player.share).tolist()
    reach, ev, equity = player.reach.tolist(), player.ev_chips.tolist(), player.equity.tolist()
    hands = tuple(
        HandView(name, 1, reach[h], shares[h], ev[h], equity[h])
        for h, name in enumerate(player.hands)
    )
    if not acts:
        return hands
    mixes, evs = _exact(node.strategy).T.tolist(), node.ev_actions_chips.T.tolist()
    return tuple(
        replace(
            hand,
            mix=ActionDistribution(node.actions, tuple(mixes[h])),
            ev_actions_chips=tuple(evs[h]),
        )
        for h, hand in enumerate(hands)
    )


def _exact(shares: NDArray[np.float32]) -> NDArray[np.float64]:
    """[A, H] probabilities that sum to 1 in float64 too."""
    exact = shares.astype(np.float64)
    exact /= exact.sum(axis=0)
    return exact


@dataclass(frozen=True, slots=True)
class Runout:
    """What follows one card."""

    card: str
    share: float  # of the deals in which a card falls here
    player: str  # who acts then, or empty
    equity: tuple[float, float]  # OOP, IP
    ev_chips: tuple[float, float]  # likewise
    actions: tuple[str, ...]
    frequency: tuple[float, ...]


def runouts(solution: Solution, line: str | Sequence[str]) -> tuple[Runout, ...]:
    """Every card that can fall after a line, from the ace down, and what it brings."""
    start = solution.node(line)
    if start.kind != "deal":
        raise InputError(f"no card falls after {start.line!r}; runouts follow the end of a street")
    dead = cards_from_string(start.board)
    cards = [card for card in reversed(range(NUM_CARDS)) if card not in dead]
    after = [solution.node(f"{start.line} {card_to_string(card)}") for card in cards]
    deals = [_deals(node) for node in after]
    total = sum(deals)
    return tuple(
        Runout(
            card=card_to_string(card),
            share=here / total if total > 0 else nan,
            player=(node.player or "").upper(),
            equity=(node.players[0].mean_equity, node.players[1].mean_equity),
            ev_chips=(node.players[0].mean_ev_chips, node.players[1].mean_ev_chips),
            actions=node.actions,
            frequency=tuple(node.frequency.tolist()) if node.player else (),
        )
        for card, node, here in zip(cards, after, deals, strict=True)
    )
