"""What each card that can fall brings, as plain values."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import nan

from poker_solver.cards import NUM_CARDS, card_to_string, cards_from_string
from poker_solver.errors import InputError
from poker_solver.postflop.solution.solution import Solution
from poker_solver.query.view import num_deals


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
    deals = [num_deals(node) for node in after]
    total = sum(deals)
    return tuple(
        Runout(
            card=card_to_string(card),
            share=here / total if total > 0 else nan,
            player=(node.player or "").upper(),
            equity=(node.players[0].mean_equity, node.players[1].mean_equity),
            ev_chips=(node.players[0].mean_ev, node.players[1].mean_ev),
            actions=node.actions,
            frequency=tuple(node.frequency.tolist()) if node.player else (),
        )
        for card, node, here in zip(cards, after, deals, strict=True)
    )
