"""Betting before the flop, one state at a time: what may be done and where it leads; no cards.

Heads-up, the small blind is the button: first to act before the flop, last after it. Actions
are tokens: `f` fold, `c` call, `x` check (the big blind after a limp), `r2.5` raise to 2.5 bb,
`a` all-in.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum

from poker_solver.config import CHIPS_PER_BB, Config, bb_text
from poker_solver.errors import LineError

OOP, IP = 0, 1
"""The players: out of position acts first on flop, turn and river."""
PLAYERS = ("oop", "ip")

BB, SB = OOP, IP
"""Their names before the flop, when the small blind, on the button, acts first."""
POSITIONS = ("BB", "SB")

NONE = -1
"""Nobody, no node, no card."""

DECISION, DEAL, FOLD, SHOWDOWN = 1, 2, 3, 4
"""Somebody acts; the next card falls; somebody folded; hands are shown."""


class Street(IntEnum):
    """When a bet is made; one more card falls after each street from the flop on."""

    PREFLOP = 0
    FLOP = 1
    TURN = 2
    RIVER = 3


PREFLOP, FLOP, TURN, RIVER = Street


def board_street(num_cards: int) -> Street:
    """The street that 3, 4 or 5 cards are the board of."""
    return Street(num_cards - 2)


ALL_IN, RAISE = "a", "r"


@dataclass(frozen=True, slots=True)
class Betting:
    """Bets in front of both players and whose turn it is."""

    bets: tuple[int, int]  # chips of BB and SB, antes not counted
    increment: int  # by how much the larger bet was last raised, in chips
    to_act: int  # BB, SB, or NONE once the betting is over
    folded: int = NONE

    @property
    def bet(self) -> int:
        """The larger bet."""
        return max(self.bets)

    @property
    def is_over(self) -> bool:
        """Somebody folded, or a call or check ended it."""
        return self.to_act == NONE


def start(config: Config) -> Betting:
    """The blinds are posted and the small blind is to act."""
    small, big = config.blind_chips
    return Betting(bets=(big, small), increment=big, to_act=SB)


def legal_actions(config: Config, betting: Betting) -> tuple[str, ...]:
    """Fold, call or check, then raises from small to large; nothing once it is over."""
    if betting.is_over:
        return ()
    if betting.bets[SB] == betting.bets[BB]:
        passive: tuple[str, ...] = ("x",)
    elif _may_limp(config, betting) and not config.limp:
        passive = ("f",)
    else:
        passive = ("f", "c")
    sizes = config.legal_raise_chips(betting.bet, betting.increment)
    return passive + tuple(raise_token(config, chips) for chips in sizes)


def act(config: Config, betting: Betting, action: str) -> Betting:
    """Where a legal action leads."""
    actor = betting.to_act
    other = 1 - actor
    if action == "f":
        return Betting(betting.bets, betting.increment, NONE, folded=actor)
    if action == "x":
        return Betting(betting.bets, betting.increment, NONE)
    if action == "c":
        next_to_act = other if _may_limp(config, betting) else NONE
        return Betting((betting.bet, betting.bet), betting.increment, next_to_act)
    raised = raise_chips(config, action)
    bets = (raised, betting.bets[SB]) if actor == BB else (betting.bets[BB], raised)
    return Betting(bets, raised - betting.bet, other)


def raise_token(config: Config, chips: int) -> str:
    """`r2.5`, or `a` where it takes the whole stack."""
    return ALL_IN if chips >= config.all_in_chips else RAISE + bb_text(chips)


def raise_chips(config: Config, action: str) -> int:
    """What a raise or an all-in raises to."""
    if action == ALL_IN:
        return config.all_in_chips
    return round(float(action.removeprefix(RAISE)) * CHIPS_PER_BB)


def replay(config: Config, history: Iterable[str]) -> Betting:
    """The betting after these actions; an illegal one is named, with what is legal there."""
    betting = start(config)
    for position, action in enumerate(history, 1):
        legal = legal_actions(config, betting)
        if action not in legal:
            raise LineError(f"action {position} {action!r}: {describe_legal(betting, legal)}")
        betting = act(config, betting, action)
    return betting


def describe_legal(betting: Betting, legal: Sequence[str]) -> str:
    """What could have been played instead, for an error message."""
    if betting.is_over:
        return "the betting is over, nothing may follow"
    return f"not legal here; {POSITIONS[betting.to_act]} may play {', '.join(legal)}"


def _may_limp(config: Config, betting: Betting) -> bool:
    return betting.to_act == SB and betting.bets == config.blind_chips[::-1]
