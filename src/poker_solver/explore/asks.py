"""What is typed with something behind it: `made flush-draw`, `ip ev`, `runouts * x`, `png a.png`.

A line of play, a hand or a single word is none of these: `explore.input` reads those.
"""

from dataclasses import dataclass

from poker_solver.cards import RANKS
from poker_solver.config.lines.text import SEATS
from poker_solver.errors import InputError
from poker_solver.query.filters import WORDS as FILTERS
from poker_solver.query.node import NodeView

LOOK_WORDS = {
    "s": "strategy", "strategy": "strategy", "ev": "ev", "eq": "equity", "equity": "equity",
}  # fmt: skip
GROUP_WORDS = {"made": "made", "m": "made", "draws": "draws", "draw": "draws", "d": "draws"}
GROUPS = {"made": "made hand", "draws": "draw"}
OPPONENT = ("o", "opp", "opponent")

NEEDS = {
    "runouts": "a line, as in runouts * x",
    "map": "an action, bet, ev or eq, as in map b94",
    "range": "a player, as in range oop",
    "spot": "the name of a file, as in spot turn.yaml",
    "export": "the name of a file, as in export node.csv",
    "png": "the name of a file, as in png node.png",
    "save": "the name of a file, as in save spot.pks",
    "lock": "a mix, as in lock f:0.6,c:0.4",
    "exploit": "a player, as in exploit ip",
    "compare": "another solution, as in compare other.pks",
}
"""Words that want something behind them, and what."""


@dataclass(frozen=True)
class Ask:
    """A word, whose hands it is about, and what was typed behind it."""

    verb: str  # hands, look, groups, pick, or one of NEEDS
    seat: int | None = None  # who acts if not given
    rest: str = ""


def read_ask(typed: str, view: NodeView) -> Ask | None:
    """What was typed, in single spaces, if it is of this kind."""
    first, _, rest = typed.partition(" ")
    if not rest:
        return None
    word = first.lower()
    if word in NEEDS:
        return Ask(word, rest=rest)
    if (seat := seat_of(word, view)) is not None:
        return _about(seat, rest)
    return Ask("pick", rest=typed) if word in FILTERS else None


def seat_of(word: str, view: NodeView) -> int | None:
    """The player that a word names, `o` for who waits; None if it names nobody."""
    word = word.lower()
    if word in OPPONENT:
        if view.actor is None:
            raise InputError("nobody acts here; name the player whose hands you want to see")
        return 1 - view.actor
    return SEATS.get(word)


def _about(seat: int, rest: str) -> Ask | None:
    """What is asked about a player's hands; None where a player's action follows, `BB r8`."""
    word, _, more = rest.lower().partition(" ")
    if not more:
        if word in LOOK_WORDS:
            return Ask("look", seat, LOOK_WORDS[word])
        if word in GROUP_WORDS:
            return Ask("groups", seat, GROUP_WORDS[word])
        if word == "range":
            return Ask("range", seat)
    if word in FILTERS:
        return Ask("pick", seat, rest)
    is_hand = len(rest) in (2, 3, 4) and rest[0].upper() in RANKS
    return Ask("hands", seat, rest) if is_hand else None
