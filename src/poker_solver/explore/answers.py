"""Answers to what is asked with something behind it; where we are does not change."""

from pathlib import Path
from typing import TYPE_CHECKING

from poker_solver.config.lines.text import tokens_of
from poker_solver.errors import InputError
from poker_solver.explore.asks import GROUPS, Ask, seat_of
from poker_solver.explore.shown import (
    Say,
    ShowComparison,
    ShowExploit,
    ShowGroups,
    Shown,
    ShowPicked,
    ShowRange,
    ShowRunouts,
    ShowTexts,
    WriteNode,
)
from poker_solver.explore.spots import write_spot
from poker_solver.query.filters import filtered, parse_filter
from poker_solver.query.groups import by_kind, together
from poker_solver.query.node import NodeView
from poker_solver.query.ranges import range_text
from poker_solver.query.runouts import ANY_CARD

if TYPE_CHECKING:
    from poker_solver.explore.session import Explored

MOST_HANDS = 12
"""Hands that `exploit` lists if no number is given."""

_ON_MAP = {"eq": "equity", "bets": "bet", "raise": "bet", "raises": "bet"}


def answer_ask(ask: Ask, game: "Explored", view: NodeView, last: Shown | None) -> Shown:
    """What to show; `last` was shown before."""
    match ask.verb:
        case "look":
            return ShowRange(view, view.players[_seat(ask, view)], ask.rest)
        case "groups":
            return groups_of(view, _seat(ask, view), ask.rest)
        case "pick":
            return _picked(view, _seat(ask, view), ask.rest)
        case "runouts":
            return _runouts(game, view, ask.rest)
        case "map":
            return _map(game, view, ask.rest, last)
        case "range":
            return _ranges(view, ask)
        case "spot":
            path = Path(ask.rest)
            return Say(f"wrote {path}: {write_spot(game.solution, view.history, path)}")
        case "export" | "png":
            return _file(ask, last)
        case "save":
            return Say(game.save(Path(ask.rest)))
        case "compare":
            return ShowComparison(game.compare(Path(ask.rest), view))
        case _:
            return _exploit(game, view, ask.rest)


def groups_of(view: NodeView, seat: int, name: str) -> ShowGroups:
    """Hands of a player by what they have (`made`) or draw to (`draws`)."""
    if not view.board:
        raise InputError("there is no board yet to have or to draw to")
    title = GROUPS[name]
    return ShowGroups(view, title, by_kind(view, title, seat), view.players[seat].name)


def _seat(ask: Ask, view: NodeView) -> int:
    seat = view.actor if ask.seat is None else ask.seat
    if seat is None:
        names = " or ".join(player.name.lower() for player in view.players)
        raise InputError(f"nobody acts here; say whose hands: {names}")
    return seat


def _picked(view: NodeView, seat: int, text: str) -> ShowPicked:
    wanted = parse_filter(text)
    if not view.board:
        raise InputError("filters are for hands after the flop")
    hands, player = filtered(view, seat, wanted), view.players[seat]
    if not hands:
        raise InputError(f"{player.name} has no such hand here: {wanted}")
    actions = view.actions if seat == view.actor else ()
    return ShowPicked(view, player, str(wanted), hands, together("together", hands, actions))


def _runouts(game: "Explored", view: NodeView, rest: str) -> ShowRunouts:
    """Cards at the star of a line that goes on from here, or from the start where it says so."""
    first, _, more = rest.partition(" ")
    is_anew = first.lower() in ("start", "root")
    parts = [tokens_of(part) for part in (more if is_anew else rest).split(ANY_CARD)]
    if len(parts) == 1 and view.kind == "deal" and not is_anew:
        parts.insert(0, ())
    line = f" {ANY_CARD} ".join(" ".join(part) for part in parts)
    return runouts_of(game, view, line if is_anew else f"{view.line} {line}")


def runouts_of(game: "Explored", view: NodeView, line: str) -> ShowRunouts:
    """Cards at the star of a line from the start; how often they are bet stands on the map."""
    found = game.runouts(line)
    return ShowRunouts(view, found, "bet" if _bets(found.actions) else "equity", "")


def _bets(actions: tuple[str, ...]) -> bool:
    return any(action[0] in "bra" for action in actions)


def _map(game: "Explored", view: NodeView, rest: str, last: Shown | None) -> ShowRunouts:
    """One number for each card of the runouts shown last, or of those here."""
    shown = last if isinstance(last, ShowRunouts) else _runouts(game, view, "")
    what, player = shown.what, ""
    for word in rest.split():
        if (seat := seat_of(word, view)) is not None:
            player = view.players[seat].name
        else:
            what = _ON_MAP.get(word.lower(), word)
    shown.found.numbers(what, player)  # refused here where there is none
    return ShowRunouts(shown.view, shown.found, what, player, is_map=True)


def _ranges(view: NodeView, ask: Ask) -> ShowTexts:
    seat = ask.seat if ask.seat is not None else seat_of(ask.rest, view)
    if seat is None:
        names = " or ".join(player.name.lower() for player in view.players)
        raise InputError(f"{ask.rest!r} is no player here; want {names}")
    player = view.players[seat]
    return ShowTexts(((player.name, range_text(player)),))


def _file(ask: Ask, last: Shown | None) -> WriteNode:
    path = Path(ask.rest)
    if ask.verb == "png" and path.suffix.lower() != ".png":
        path = path.with_name(f"{path.name}.png")
    return WriteNode(path, last if isinstance(last, ShowRunouts) else None)


def _exploit(game: "Explored", view: NodeView, rest: str) -> ShowExploit:
    words = rest.lower().split()
    numbers = [int(word) for word in words if word.isdecimal()]
    players = [seat_of(word, view) for word in words if not word.isdecimal()]
    if len(players) != 1 or players[0] is None or len(numbers) > 1:
        raise InputError("exploit wants a player and may have a number, as in exploit ip 40")
    found = game.exploit(view.players[players[0]].name.lower())
    return ShowExploit(found, *(numbers or [MOST_HANDS]))
