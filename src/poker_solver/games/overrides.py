"""Lines of a spot that have sizes of their own, followed action by action; see `Spot.overrides`.

How far each line has been followed is the branch of a betting state: a number of actions for each
override, OFF where play has left its line. When all are off the branch is None, so that states
which differ in nothing are one.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from poker_solver.config.bet_sizes import amounts
from poker_solver.config.lines.overrides import ANY_AMOUNT, LineSizes
from poker_solver.config.sizes import Size

if TYPE_CHECKING:
    from poker_solver.games.betting import Betting, BettingRules, Step

OFF = -1

Branch = tuple[int, ...] | int | None
"""Of `Betting.branch`: of overrides a tuple; 0 at the start; None off all lines."""


def progress(overrides: Sequence[LineSizes], branch: Branch) -> tuple[int, ...]:
    """How many actions of each line have been played."""
    if isinstance(branch, tuple):
        return branch
    return (0 if branch == 0 else OFF,) * len(overrides)


def holding(overrides: Sequence[LineSizes], branch: Branch) -> list[LineSizes]:
    """The overrides that hold where a branch has come to."""
    places = zip(overrides, progress(overrides, branch), strict=True)
    return [one for one, place in places if place == len(one.at)]


def still_ahead(overrides: Sequence[LineSizes], branch: Branch) -> tuple[LineSizes, ...]:
    """Those that can still come to hold, with the rest of their lines: for a game from here on."""
    places = zip(overrides, progress(overrides, branch), strict=True)
    return tuple(one._replace(at=one.at[place:]) for one, place in places if place != OFF)


def followed(
    rules: "BettingRules", here: "Betting", steps: list["Step"], overrides: Sequence[LineSizes]
) -> list["Step"]:
    """The steps of a decision, each with the branch that it leads to."""
    places = progress(overrides, here.branch)
    wanted = [
        meant(rules, here, steps, one.at[place]) if 0 <= place < len(one.at) else ()
        for one, place in zip(overrides, places, strict=True)
    ]
    found = []
    for number, step in enumerate(steps):
        pairs = zip(places, wanted, strict=True)
        after = tuple(place + 1 if number in own else OFF for place, own in pairs)
        branch = None if set(after) == {OFF} else after
        found.append(step._replace(after=step.after._replace(branch=branch)))
    return found


def meant(
    rules: "BettingRules", here: "Betting", steps: Sequence["Step"], token: str
) -> tuple[int, ...]:
    """Which steps an action of a line stands for: one, none, or all of a kind."""
    if token in ANY_AMOUNT:
        is_raise = here.bets[1 - here.actor] > 0
        if is_raise != (token == "r"):
            return ()
        return tuple(number for number, step in enumerate(steps) if step.amount)
    index = rules.find(here, steps, token)
    return () if index is None else (index,)


def own_sizes(
    found: Sequence[LineSizes], sizes: tuple[Size, ...], *, is_raise: bool
) -> tuple[Size, ...]:
    """What may be bet where these overrides hold; `sizes` are those of the street."""
    for one in found:
        given = one.raise_ if is_raise else one.bet
        sizes = (*(sizes if given is None else given), *one.add)
    return sizes


def kept(
    rules: "BettingRules", here: "Betting", steps: list["Step"], found: Sequence[LineSizes]
) -> list["Step"]:
    """The steps that no override takes away; what one adds it does not take."""
    gone: set[int] = set()
    for one in found:
        added = amounts(one.add, rules.situation(here))
        for token in one.remove:
            taken = meant(rules, here, steps, token)
            gone |= {number for number in taken if steps[number].amount not in added}
    return [step for number, step in enumerate(steps) if number not in gone]


def problems(
    rules: "BettingRules", overrides: Sequence[LineSizes], states: Sequence["Betting"]
) -> Iterator[tuple[str, str]]:
    """What is wrong with overrides, given all states of the tree: the place, and why."""
    held: list[list[Betting]] = [[] for _ in overrides]
    for state in states:
        if state.actor >= 0:
            for one in holding(overrides, state.branch):
                held[overrides.index(one)].append(state)
    for number, (one, found) in enumerate(zip(overrides, held, strict=True)):
        place, line = f"overrides[{number}]", " ".join(one.at)
        if not found:
            yield f"{place}.at", f"{line!r} is no line of this tree; {_where_it_ends(rules, one)}"
            continue
        here = found[0]
        facing = here.bets[1 - here.actor] > 0
        if facing and one.bet is not None:
            yield f"{place}.bet", f"there is a bet at {line!r}: give raise"
        if not facing and one.raise_ is not None:
            yield f"{place}.raise", f"nobody has bet at {line!r}: give bet"
        if not facing and any(size.kind == "times" for size in one.add):
            yield f"{place}.add", f"nobody has bet at {line!r}: there is no bet to multiply"
        steps = rules.all_steps(here)
        for token in one.remove:
            if not meant(rules, here, steps, token):
                legal = ", ".join(step.token for step in steps)
                yield f"{place}.remove", f"{token!r} is not offered at {line!r}; {legal} are"
        if not rules.steps(here):
            yield f"{place}.remove", f"no action is left at {line!r}"


def _where_it_ends(rules: "BettingRules", one: LineSizes) -> str:
    """The first action that cannot be played, and what can."""
    here = rules.first
    for number, token in enumerate(one.at, 1):
        while here.kind == 2:  # a card falls
            here = rules.steps(here)[0].after
        steps = rules.steps(here)
        numbers = meant(rules, here, steps, token)
        if not numbers:
            legal = ", ".join(step.token for step in steps)
            return f"action {number}, {token!r}: " + (
                f"the actions there are {legal}" if legal else "the hand is over"
            )
        here = steps[numbers[0]].after
    return "nobody acts there"
