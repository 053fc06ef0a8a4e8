"""A player at an ACPC dealer's table."""

import socket
from collections.abc import Callable
from dataclasses import dataclass

from poker_solver.errors import InputError, PokerSolverError
from poker_solver.games.betting import POSITIONS
from poker_solver.play.player import Player
from poker_solver.protocols.acpc.lines import (
    END,
    VERSION_LINE,
    action_of,
    is_comment,
    read_state,
    send_at_once,
)


@dataclass
class SeenMatch:
    """What a client has seen of a match."""

    hands: int = 0  # that ended
    won_chips: int = 0  # where both hands, or a fold, were seen
    refused: int = 0  # lines that could not be read


def play_at(
    host: str,
    port: int,
    player: Player,
    *,
    stack_chips: int = 20_000,
    tell: Callable[[str], None] = lambda _: None,
    timeout_s: float | None = None,
) -> SeenMatch:
    """Connect, answer until the dealer leaves, and tell what was played."""
    try:
        with socket.create_connection((host, port), timeout=timeout_s or 30) as wire:
            wire.settimeout(timeout_s)
            send_at_once(wire)
            wire.sendall((VERSION_LINE + END).encode())
            return _answer_all(wire, player, stack_chips, tell)
    except OSError as error:
        raise PokerSolverError(f"dealer at {host}:{port}: {error.strerror or error}") from error


def _answer_all(
    wire: socket.socket, player: Player, stack_chips: int, tell: Callable[[str], None]
) -> SeenMatch:
    found = SeenMatch()
    with wire.makefile("r", encoding="ascii", errors="replace", newline="\n") as lines:
        for line in lines:
            received = line.rstrip("\r\n")
            if is_comment(received):
                continue
            try:
                state = read_state(received, stack_chips)
            except InputError as error:
                found.refused += 1
                tell(f"could not read what the dealer sent: {error}")
                continue
            if state.is_my_turn and state.hand.holes[state.seat] is not None:
                player.see(POSITIONS[state.seat], state.hand)
                action = action_of(state.hand, player.act().action)
                wire.sendall(f"{received}:{action}{END}".encode())
            elif state.hand.is_over:
                found.hands += 1
                if state.hand.is_folded or None not in state.hand.holes:
                    found.won_chips += state.hand.won_chips(state.seat)
    return found
