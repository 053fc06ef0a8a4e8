"""Flops and turns of full games: taken from the library, or wanted as a job.

What was solved of a game is a save like any other. It is found again by what it is, the spot that
follows the line, so that nothing is solved twice: a flop of other suits neither, since the ranges
before it know no suits.
"""

from collections.abc import Sequence
from dataclasses import replace

from poker_solver.cards import cards_from_string
from poker_solver.cards.isomorphism import canonical_board
from poker_solver.cfr.options import POSTFLOP_TARGET_PCT
from poker_solver.config.base import CHIPS_PER_BB
from poker_solver.config.spot import Spot
from poker_solver.errors import InputError, NotFoundError
from poker_solver.explore.opening import tokens_at
from poker_solver.explore.spots import spot_of
from poker_solver.fullgame.after_flop import Missing
from poker_solver.fullgame.lines import FullLine
from poker_solver.fullgame.solution import UnifiedSolution
from poker_solver.jobs.estimate import estimated_seconds
from poker_solver.postflop.game import PostflopGame
from poker_solver.postflop.plan import plan
from poker_solver.postflop.solution.solution import Solution
from poker_solver.runtime.device import num_threads
from poker_solver.web.jobs.records import Job
from poker_solver.web.library import Library, spot_name
from poker_solver.web.opened import Open, Taken
from poker_solver.web.parts import Parts

QUICK_SECONDS = 1.0
"""A turn that takes no longer is solved while the page waits."""

_DIGITS = 6
"""Of the weights of a turn's ranges."""


class UnsolvedError(InputError):
    """A flop or turn that has to be solved before a line can be looked at."""

    def __init__(self, at: FullLine) -> None:
        *before, self.cards = at.tokens
        self.line = " ".join(before)
        super().__init__(f"{self.cards} is not solved yet after {self.line}")


def ready_tokens(own: Parts, opened: Open, line: str) -> tuple[str, ...]:
    """The history of a line, once all is there to look at it; else an `UnsolvedError`."""
    solution = opened.game.solution
    if not isinstance(solution, UnifiedSolution):
        return tuple(tokens_at(solution, line))
    at = solution.locate(line)
    if at.flop:
        _let_go(own.library, opened, solution)
        found = _missing(solution, at)
        if found is not None and not _is_at_hand(own.library, opened, found):
            raise UnsolvedError(_up_to(at, found))
    return at.tokens


def next_line(solution: UnifiedSolution, line: str, cards: str) -> FullLine:
    """A line with the cards that fall at its end."""
    at = solution.locate(f"{line} {cards}")
    if not at.flop:
        raise InputError(f"{cards!r}: want a flop or a card that falls after {line}, as in QsJh2h")
    return at


def spot_to_solve(solution: UnifiedSolution, at: FullLine) -> Spot:
    """What is solved to look at a flop, or at a turn of one that is looked up."""
    if not at.after:
        return solution.spot(at.before, at.flop)
    found = _missing(solution, at)
    if found is None:
        raise InputError(f"nothing is left to solve before {at}")
    return _turn_spot(found.game) if found.above else solution.spot(at.before, at.flop)


def is_there(own: Parts, opened: Open, at: FullLine) -> bool:
    """Whether nothing has to be solved to look at a flop or turn."""
    solution = opened.game.solution
    assert isinstance(solution, UnifiedSolution)
    _let_go(own.library, opened, solution)
    found = _missing(solution, at)
    return found is None or _is_at_hand(own.library, opened, found)


def under_way(jobs: Sequence[Job], spot: Spot) -> Job | None:
    """The job that is solving a spot, or the same flop of other suits."""
    for job in jobs:
        if job.kind == "solve" and job.status in ("waiting", "running"):
            other = Spot.from_yaml(str(job.wanted["spot"]))
            is_same = spot_name(other.to_mapping()) == spot_name(spot.to_mapping())
            if is_same and _board(other.board) == _board(spot.board):
                return job
    return None


def solved_flops(own: Parts, opened: Open, line: Sequence[str]) -> list[str]:
    """Flops of a line that are in the library."""
    solution = opened.game.solution
    assert isinstance(solution, UnifiedSolution)
    return sorted(own.library.boards_of(solution.spot(tuple(line), "2c7dKh")))


def own_solve(opened: Open, history: Sequence[str]) -> str:
    """The id of the save in which a node after the flop was solved; empty if there is none."""
    solution = opened.game.solution
    assert isinstance(solution, UnifiedSolution)
    at = solution.locate(history)
    if not at.flop:
        return ""
    number, text = solution.find_line(at.before), " ".join(at.after)
    for id, one in opened.taken.items():
        same = one.of.line == number and _board(at.flop) == canonical_board(one.of.flop)[0]
        if same and (not one.of.above or f"{text} ".startswith(f"{one.of.above} ")):
            return id
    return ""


def _missing(solution: UnifiedSolution, at: FullLine) -> Missing | None:
    number, cards = solution.find_line(at.before), cards_from_string(at.flop)
    return solution.after_flop.missing(number, cards, at.after)


def _up_to(at: FullLine, found: Missing) -> FullLine:
    return at._replace(after=tuple(found.above.split()))


def _turn_spot(game: PostflopGame) -> Spot:
    betting = replace(game.betting, big_blind=CHIPS_PER_BB)
    return spot_of(PostflopGame(game.cards, game.weights.round(_DIGITS), betting))


def _is_at_hand(library: Library, opened: Open, found: Missing) -> bool:
    """Whether what is missing is in the library, or a turn that is solved at once."""
    if _take(library, opened, found):
        return True
    elements = plan(found.game).counts.num_elements if found.above else 0
    seconds = estimated_seconds(elements, POSTFLOP_TARGET_PCT, num_threads(None))
    return bool(found.above) and seconds <= QUICK_SECONDS


def _take(library: Library, opened: Open, found: Missing) -> bool:
    """Take what is missing from the library; whether it is there."""
    solution = opened.game.solution
    assert isinstance(solution, UnifiedSolution)
    if found.above:
        spot = _turn_spot(found.game)
    else:
        spot = solution.spot(solution.game.lines[found.line].history, found.game.board)
    saves, board = library.boards_of(spot), _board(spot.board)
    id = next((id for text, id in saves.items() if _board(text) == board), None)
    if id is None:
        return False
    path = library.path(id)
    changed, solved = path.stat().st_mtime, Solution.load(path)
    solution.after_flop.put(found, solved)
    opened.taken[id] = Taken(found, solved, changed)
    return True


def _let_go(library: Library, opened: Open, solution: UnifiedSolution) -> None:
    """Forget what was taken from files that are gone or were written anew."""
    for id, one in list(opened.taken.items()):
        try:
            is_same = library.path(id).stat().st_mtime == one.changed
        except (NotFoundError, OSError):
            is_same = False
        if not is_same:
            solution.after_flop.drop(one.solution)
            opened.nodes.clear()
            del opened.taken[id]


def _board(text: str) -> tuple[int, ...]:
    """A flop up to the names of its suits; other boards as they are."""
    cards = cards_from_string(text)
    return canonical_board(cards)[0] if len(cards) == 3 else tuple(sorted(cards))
