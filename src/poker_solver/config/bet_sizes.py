"""What bet sizes come to in chips at one decision: one language, three sets of rules; no tree.

Every amount is "to" on this street, in whole chips. After the flop (`amounts`) a size is at least a
call on top of the call (an opening bet, the smallest that is allowed) and at most the all-in;
before it one that is too small a raise is left out (`legal_raises`) or is the minimum raise
(`lifted_raises`). Arithmetic is exact.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from poker_solver.config.sizes import Size


class Limits(NamedTuple):
    """The three thresholds, exact, as fractions of a pot; 0 turns one off."""

    add_allin: Fraction = Fraction(0)
    force_allin: Fraction = Fraction(0)
    merge: Fraction = Fraction(0)


NO_LIMITS = Limits()


@dataclass(frozen=True)
class Situation:
    """What a bet is sized by. Chips; bets are those of this street."""

    pot: int  # P, the pot after the player to act has called
    bet: int  # B, what the opponent has bet; 0 if nothing
    own: int  # what the player to act has bet
    all_in: int  # the bet that puts the stack in
    streets_left: int  # 3 on the flop, 1 on the river
    num_raises: int = 0  # made on this street, the opening bet not counted
    min_bet: int = 1  # the least that may be opened for after the flop, unless it is all-in


def amounts(sizes: Sequence[Size], at: Situation, limits: Limits = NO_LIMITS) -> tuple[int, ...]:
    """What may be bet or raised to after the flop, ascending; none where no size is given."""
    if not sizes or at.bet >= at.all_in:
        return ()
    least = max(2 * at.bet - at.own, at.min_bet)  # the bet plus the call: the last raise again
    found = {min(max(amount(size, at), least), at.all_in) for size in sizes}
    if limits.add_allin and at.all_in <= at.bet + limits.add_allin * at.pot:
        found.add(at.all_in)
    if limits.force_allin:
        found = {_forced(chips, at, limits.force_allin) for chips in found}
    return tuple(sorted(_merged(found, at, limits.merge)))


def amount(size: Size, at: Situation) -> int:
    """One size in chips, whether the rules allow it or not."""
    if size.kind == "allin":
        return at.all_in
    if size.kind == "to":
        return int(size.value)
    if size.kind == "times":
        return round_half_away(size.value * at.bet)
    if size.kind != "geometric":
        share = size.value * at.pot if size.kind == "pot" else size.value
        return at.bet + round_half_away(share)
    streets = max((size.streets or at.streets_left) - at.num_raises, 1)
    more = geometric_chips(at.pot, at.all_in - at.bet, streets)
    return at.bet + (more if size.cap is None else min(more, round_half_away(size.cap * at.pot)))


def legal_raises(sizes: Sequence[Size], at: Situation, increment: int) -> tuple[int, ...]:
    """What a bet may be raised to before the flop, ascending.

    At least the bet plus `increment`; a size at or above the stack is the all-in, once, however
    small the raise. Without sizes, the all-in only. Where sizes are given but none is legal, twice
    the bet, if that leaves chips behind.
    """
    if at.bet >= at.all_in:
        return ()
    if not sizes:
        return (at.all_in,)
    found = {min(amount(size, at), at.all_in) for size in sizes}
    legal = {chips for chips in found if chips >= at.bet + increment or chips == at.all_in}
    if not legal and 2 * at.bet < at.all_in:
        return (2 * at.bet,)
    return tuple(sorted(legal))


def lifted_raises(sizes: Sequence[Size], at: Situation, increment: int) -> tuple[int, ...]:
    """What a bet may be raised to before the flop, ascending; none where no size is given.

    A size below the minimum raise, the bet plus `increment`, is the minimum raise; one at or above
    the stack is the all-in.
    """
    least = at.bet + increment
    return tuple(sorted({min(max(amount(size, at), least), at.all_in) for size in sizes}))


def geometric_chips(pot: int, stack: int, streets: int) -> int:
    """The bet r P, rounded: made on each of so many streets and called, it puts the stack in.

    With w = pot + 2 r pot, the n-th power of w is (pot + 2 stack) pot^(n-1). The float only
    says where to look; whole numbers decide, so no platform rounds differently.
    """
    goal: int = (pot + 2 * stack) * pot ** (streets - 1)

    def is_enough(chips: int) -> bool:  # r x pot >= chips - 1/2
        power: int = (pot + 2 * chips - 1) ** streets
        return power <= goal

    chips: int = round((float(1 + Fraction(2 * stack, pot)) ** (1 / streets) - 1) / 2 * pot)
    while is_enough(chips + 1):
        chips += 1
    while chips > 0 and not is_enough(chips):
        chips -= 1
    return chips


def round_half_away(value: Fraction) -> int:
    """Whole chips of a positive amount; a half goes up."""
    return int(value + Fraction(1, 2))


def _forced(chips: int, at: Situation, threshold: Fraction) -> int:
    pot_if_called = at.pot + 2 * (chips - at.bet)
    return at.all_in if at.all_in <= chips + threshold * pot_if_called else chips


def _merged(found: Iterable[int], at: Situation, threshold: Fraction) -> list[int]:
    kept: list[int] = []
    for chips in sorted(found, reverse=True):
        if (
            not threshold
            or not kept
            or kept[-1] - at.bet + at.pot > (1 + threshold) * (chips - at.bet + at.pot)
        ):
            kept.append(chips)
    return kept
