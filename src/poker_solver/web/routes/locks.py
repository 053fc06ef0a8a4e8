"""Locks of a solved spot, a spot with others to solve, and what a best response gains."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query
from pydantic import BaseModel, ConfigDict, Field

from poker_solver.config.locks import parse_lock
from poker_solver.errors import InputError
from poker_solver.explore.postflop import LEAST_TARGET_PCT
from poker_solver.postflop.solution.solution import Solution
from poker_solver.query.exploit import exploit_report, exploit_view
from poker_solver.query.palette import chosen_palette
from poker_solver.query.view import AnySolution
from poker_solver.trees.betting import build_betting_tree
from poker_solver.trees.locks import find_locks
from poker_solver.web.parts import Parts, parts

router = APIRouter(prefix="/api/solutions/{id}", tags=["locks"])
Own = Annotated[Parts, Depends(parts)]
LockText = Annotated[str, Field(max_length=20_000)]
MOST_LOCKS = 200
MOST_WORDS = 400
"""Letters of a lock, which may name every hand."""


class LockRecord(BaseModel):
    """A lock of a spot."""

    number: int  # its place in the spot
    line: str
    text: str  # what is played there


class LocksWanted(BaseModel):
    """Which locks of the spot stay, and which are new: `b120=f:60% of range`."""

    model_config = ConfigDict(extra="forbid")

    keep: list[int] | None = Field(None, max_length=MOST_LOCKS)  # all if not given
    locks: list[LockText] = Field([], max_length=MOST_LOCKS)


class LockedSpot(BaseModel):
    """A spot to solve."""

    spot: str  # YAML
    name: str
    target_pct: float  # as far as the solution was solved


@router.get("/locks")
def locks(id: str, own: Own) -> list[LockRecord]:
    """Those of the spot that was solved."""
    with own.opened.use(id) as opened:
        spot = _spot_solution(opened.game.solution).spot
    return [
        LockRecord(number=number, line=lock.line, text=lock.words()[:MOST_WORDS])
        for number, lock in enumerate(spot.locks)
    ]


@router.post("/locked")
def locked(id: str, wanted: LocksWanted, own: Own) -> LockedSpot:
    """The spot with other locks, checked against its tree; nothing is solved."""
    with own.opened.use(id) as opened:
        solution = _spot_solution(opened.game.solution)
        spot = solution.spot
    keep = range(len(spot.locks)) if wanted.keep is None else wanted.keep
    unknown = [number for number in keep if number not in range(len(spot.locks))]
    if unknown:
        raise InputError(f"there is no lock {unknown[0]}; the spot has {len(spot.locks)}")
    kept = [spot.locks[number] for number in sorted(set(keep))]
    changed = spot.with_locks([*kept, *map(parse_lock, wanted.locks)])
    find_locks(changed, build_betting_tree(changed.betting))
    return LockedSpot(
        spot=changed.to_yaml(),
        name=_name(own.library.entry(id).name, wanted.locks, bool(changed.locks)),
        target_pct=max(solution.exploitability_pct, LEAST_TARGET_PCT),
    )


@router.get("/exploit")
def exploit(
    id: str,
    own: Own,
    player: Annotated[str, Query(max_length=10)],
    lock: Annotated[list[LockText] | None, Query(max_length=MOST_LOCKS)] = None,
) -> dict[str, Any]:
    """What `exploit --json` prints: the best response of oop or ip, also to locks laid over it."""
    from poker_solver.postflop.solve.exploit import max_exploit  # a compiler

    with own.opened.use(id) as opened:
        solution = _spot_solution(opened.game.solution)
        if solution.strategy.weights is None:
            raise InputError(
                "this solution was saved without its rivers, and a best response needs them: "
                "solve it again and keep the rivers"
            )
        found = max_exploit(solution, player, locks=[parse_lock(text) for text in lock or ()])
        view = exploit_view(found, solution)
    told, palette = exploit_report(found, view), chosen_palette()
    for mix in told["strategy"]:
        mix["colors"] = list(palette.colors(mix["actions"]).values())
    big_blind = found.solution.game.betting.big_blind
    return {
        **told,
        "pot": view.pot_chips,
        "board": view.board,
        "unit": "bb" if big_blind else "chips",
        "chips_per_unit": big_blind or 1,
    }


def _spot_solution(solution: AnySolution) -> Solution:
    if not isinstance(solution, Solution):
        raise InputError("this is a whole game: lock and exploit a spot that is solved from it")
    return solution


def _name(name: str, locks: list[str], is_locked: bool) -> str:
    name = name.partition(" locked ")[0]
    if not is_locked:
        return f"{name} unlocked"[:100]
    return f"{name} locked {'; '.join(locks)}".strip()[:100]
