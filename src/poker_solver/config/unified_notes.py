"""What sizes before the flop come to where they are not played as they are written."""

from collections.abc import Iterator
from itertools import islice

from poker_solver.config.base import bb_text
from poker_solver.config.bet_sizes import Situation, amount
from poker_solver.config.preflop import PreflopBetting

MOST_NOTES = 12
"""Of raises; nobody reads more."""

MOST_SITUATIONS = 10_000
"""Where looking for them ends: deep stacks that are raised in small steps have any number."""


def preflop_notes(betting: PreflopBetting) -> Iterator[str]:
    """Sizes that are too small or larger than the stack, and lists that nobody can use."""
    found: dict[str, None] = {}
    used, sees_flop = set(), betting.limp
    for at, increment in _raise_situations(betting):
        limped = at.own == at.bet
        used.add(at.num_raises)
        for chips in betting.raises(at, increment):
            sees_flop |= chips < at.all_in
        for size in betting.sizes(at.num_raises, limped=limped):
            wanted, least = amount(size, at), at.bet + increment
            what = f"preflop: {raise_name(at.num_raises, limped)} {size} over {bb_text(at.bet)}bb"
            if wanted < least:
                means = "all-in" if least >= at.all_in else "minimum raise"
                found[f"{what} is the {means}, to {bb_text(min(least, at.all_in))}bb"] = None
            elif wanted > at.all_in and size.kind == "to":
                found[f"{what} is the all-in, to {bb_text(at.all_in)}bb"] = None
    yield from islice(found, MOST_NOTES)
    if len(found) > MOST_NOTES:
        yield f"preflop: {len(found) - MOST_NOTES:,} more raises like these"
    for number, sizes in enumerate(betting.raise_sizes):
        if sizes and number not in used:
            yield f"preflop: {raise_name(number)} is never played, nobody can raise so often"
    if not sees_flop:
        yield "preflop: no line sees a flop with chips behind, the game is push or fold"


def raise_name(num_raises: int, limped: bool = False) -> str:
    """What the next raise is called."""
    if limped:
        return "raise over a limp"
    return "open" if num_raises == 0 else f"{num_raises + 2}-bet"


def _raise_situations(betting: PreflopBetting) -> Iterator[tuple[Situation, int]]:
    """Every decision at which a raise is allowed, with the last increment; alike ones once."""
    small, big = betting.blind_chips
    todo = [(0, small, big, big)] + ([(0, big, big, big)] if betting.limp else [])
    seen = set(todo)
    for num_raises, own, bet, increment in todo:  # grows as it is walked
        at = Situation(
            pot=2 * (bet + betting.ante_chips),
            bet=bet,
            own=own,
            all_in=betting.all_in_chips,
            streets_left=4,
            num_raises=num_raises,
        )
        raises = betting.raises(at, increment)
        if raises:
            yield at, increment
        after = [(num_raises + 1, 0, chips, chips - bet) for chips in raises if chips < at.all_in]
        todo += [one for one in after if one not in seen and len(todo) < MOST_SITUATIONS]
        seen.update(after)
